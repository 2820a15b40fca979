//===- GuardFolds.cpp - ops of unknown size that upstream folds to constants of none ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// `arith.xori %x, %x` folds to a zero of its type even where that has an unknown size, which no constant can have. The op of
// mica with the same meaning has no such fold. All are converted: what has two operands here may have one after equal ops
// were merged.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mica {
#define GEN_PASS_DEF_GUARDFOLDS
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

struct GuardFolds : mica::impl::GuardFoldsBase<GuardFolds> {
  void runOnOperation() override {
    getOperation()->walk([](arith::XOrIOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      if (!type || type.hasStaticShape() || !type.getElementType().isInteger())
        return;
      OpBuilder builder(op);
      Value lhs = op.getLhs(), rhs = op.getRhs();
      Value result = type.getElementType().isInteger(1)
                         ? mica::LogicalXorOp::create(builder, op.getLoc(), type, lhs, rhs).getResult()
                         : mica::BitwiseXorOp::create(builder, op.getLoc(), type, lhs, rhs).getResult();
      op.replaceAllUsesWith(result);
      op.erase();
    });
  }
};

} // namespace
