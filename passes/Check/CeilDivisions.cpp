//===- CeilDivisions.cpp - affine divisions that round up ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CeilDivisions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/CeilDivisions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;

/// Whether `value` is a size, a constant, or the variable of a loop that begins with one of these.
static bool isNotNegative(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0;
  if (isa_and_present<memref::DimOp, tensor::DimOp>(value.getDefiningOp()))
    return true;
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent))
    return argument == loop.getInductionVar() && isNotNegative(loop.getLowerBound());
  auto loop = dyn_cast_or_null<affine::AffineForOp>(parent);
  return loop && argument == loop.getInductionVar() && loop.hasConstantLowerBound() &&
         loop.getConstantLowerBound() >= 0;
}

/// As above, for an expression of `operands`.
static bool isNotNegative(AffineExpr expr, unsigned dims, ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr))
    return isNotNegative(binary.getLHS(), dims, operands) && isNotNegative(binary.getRHS(), dims, operands);
  auto dim = dyn_cast<AffineDimExpr>(expr);
  const unsigned place = dim ? dim.getPosition() : dims + cast<AffineSymbolExpr>(expr).getPosition();
  return place < operands.size() && isNotNegative(operands[place]);
}

static AffineExpr expanded(AffineExpr expr, unsigned dims, ValueRange operands) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr left = expanded(binary.getLHS(), dims, operands), right = expanded(binary.getRHS(), dims, operands);
  if (expr.getKind() == AffineExprKind::CeilDiv && !isNotNegative(left, dims, operands))
    return left.floorDiv(right) - (-(left % right)).floorDiv(right);
  return getAffineBinaryOpExpr(expr.getKind(), left, right);
}

AffineMap mica::expandCeilDivisions(AffineMap map, ValueRange operands) {
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(expanded(expr, map.getNumDims(), operands));
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}

bool mica::roundsUp(Operation *op) {
  if (!isa_and_present<affine::AffineDialect>(op->getDialect()))
    return false;
  // The operands of other ops are those of several maps, or stand behind a buffer.
  ValueRange operands;
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp, affine::AffineIfOp>(op))
    operands = op->getOperands();
  auto rounds = [&](ArrayRef<AffineExpr> all, unsigned dims) {
    return llvm::any_of(all, [&](AffineExpr expr) { return expanded(expr, dims, operands) != expr; });
  };
  return llvm::any_of(op->getAttrDictionary(), [&](NamedAttribute named) {
    if (auto map = dyn_cast<AffineMapAttr>(named.getValue()))
      return rounds(map.getValue().getResults(), map.getValue().getNumDims());
    auto set = dyn_cast<IntegerSetAttr>(named.getValue());
    return set && rounds(set.getValue().getConstraints(), set.getValue().getNumDims());
  });
}
