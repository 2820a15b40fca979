//===- LegalizeSignedness.cpp - carrying unsigned integers in signless ones --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Ops that compute take signless integers only (arith, math, index), so programs can only move unsigned ones, and print
// them. Programs with other ops on them stay, and run in host functions.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/SignlessTypes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica {
#define GEN_PASS_DEF_LEGALIZESIGNEDNESS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The widest integers that vector.print prints.
static constexpr unsigned kPrintedBits = 64;

/// Whether `op` does with signed or unsigned elements what it would not do with signless ones.
static bool dependsOnSignedness(Operation *op) {
  if (auto print = dyn_cast<vector::PrintOp>(op))
    return print.getSource() && mica::isUnsigned(print.getSource().getType()) &&
           getElementTypeOrSelf(print.getSource().getType()).getIntOrFloatBitWidth() >= kPrintedBits;
  return isa_and_present<tosa::TosaDialect, sparse_tensor::SparseTensorDialect>(op->getDialect()) &&
         (llvm::any_of(op->getOperandTypes(), mica::hasSignedness) ||
          llvm::any_of(op->getResultTypes(), mica::hasSignedness));
}

namespace {
struct LegalizeSignedness : mica::impl::LegalizeSignednessBase<LegalizeSignedness> {
  void runOnOperation() override {
    bool hasSigns = false, isFixed = false;
    SmallVector<vector::PrintOp> prints;
    getOperation()->walk([&](Operation *op) {
      hasSigns |= llvm::any_of(op->getResultTypes(), mica::hasSignedness);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          hasSigns |= llvm::any_of(block.getArgumentTypes(), mica::hasSignedness);
      isFixed |= dependsOnSignedness(op);
      if (auto print = dyn_cast<vector::PrintOp>(op);
          print && print.getSource() && mica::isUnsigned(print.getPrintType()))
        prints.push_back(print);
    });
    if (!hasSigns || isFixed)
      return markAllAnalysesPreserved();
    mica::makeSignless(getOperation());
    // As unsigned numbers, in a type where they are not negative.
    for (vector::PrintOp print : prints) {
      OpBuilder builder(print);
      Type type = print.getPrintType(), wide = builder.getIntegerType(kPrintedBits);
      if (auto vector = dyn_cast<VectorType>(type))
        wide = vector.clone(wide);
      print.getSourceMutable().assign(arith::ExtUIOp::create(builder, print.getLoc(), wide, print.getSource()));
    }
  }
};
} // namespace
