//===- ByteProducts.cpp - sums of products of 8-bit integers ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ByteProducts.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/ByteProducts.h"

#include "dialects/MicaCodegen/IR/LaneAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mica::codegen;

/// Whether `value` is the same in every iteration of `op`, and simple: a number, or an extension of one.
static bool isUniform(linalg::LinalgOp op, Value value) {
  Operation *def = value.getDefiningOp();
  if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(def) && def->getBlock() == op.getBlock())
    value = def->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    return argument.getArgNumber() < op.getNumDpsInputs() &&
           llvm::all_of(op.getMatchingIndexingMap(&op->getOpOperand(argument.getArgNumber())).getResults(),
                        llvm::IsaPred<AffineConstantExpr>);
  def = value.getDefiningOp();
  return !def || def->getBlock() != op.getBlock() || isa<arith::ConstantOp>(def);
}

/// `value` as a factor.
static std::optional<ByteFactor> matchFactor(linalg::LinalgOp op, Value value) {
  ByteFactor factor;
  if (auto difference = value.getDefiningOp<arith::SubIOp>();
      difference && difference->getBlock() == op.getBlock() && isUniform(op, difference.getRhs())) {
    factor.zeroPoint = difference.getRhs();
    value = difference.getLhs();
  }
  Operation *extension = value.getDefiningOp();
  if (!isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(extension))
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(extension->getOperand(0));
  if (!argument || argument.getOwner() != op.getBlock() || !argument.getType().isInteger(8) ||
      argument.getArgNumber() >= op.getNumDpsInputs() ||
      !isa<ShapedType>(op->getOperand(argument.getArgNumber()).getType()))
    return std::nullopt;
  factor.input = argument.getArgNumber();
  factor.isSigned = isa<arith::ExtSIOp>(extension);
  return factor;
}

std::optional<ByteProducts> mica::codegen::matchByteProducts(linalg::LinalgOp op, unsigned laneDim, int64_t rowDim,
                                                             unsigned reductionDim, std::string &why) {
  auto fail = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  auto sum = op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  const Value total = op.getRegionOutputArgs()[0];
  Value added = !sum ? Value() : sum.getLhs() == total ? sum.getRhs() : sum.getRhs() == total ? sum.getLhs() : Value();
  auto product = added ? added.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  if (!product || product->getBlock() != op.getBlock() || !product.getType().isInteger(32))
    return fail("its body is no sum of products of 32 bits");
  std::optional<ByteFactor> x = matchFactor(op, product.getLhs()), y = matchFactor(op, product.getRhs());
  if (!x || !y)
    return fail("the factors are not 8-bit integers that are extended to 32 bits");
  auto mapOf = [&](const ByteFactor &factor) { return op.getMatchingIndexingMap(&op->getOpOperand(factor.input)); };
  ByteProducts products{*x, *y};
  if (mapOf(products.row).isFunctionOfDim(laneDim))
    std::swap(products.row, products.lane);
  if (mapOf(products.row).isFunctionOfDim(laneDim) ||
      classifyAccess(mapOf(products.row), reductionDim) != LaneAccess::Contiguous)
    return fail("no factor is contiguous along the reduction and independent of the lanes");
  AffineMap lanes = mapOf(products.lane);
  if (!lanes.isFunctionOfDim(laneDim) || !lanes.isFunctionOfDim(reductionDim) ||
      !lanes.isProjectedPermutation(/*allowZeroInResults=*/false) || (rowDim >= 0 && lanes.isFunctionOfDim(rowDim)))
    return fail("the factor along the lanes cannot be packed");
  return products;
}
