//===- GuardFolds.cpp - ops of unknown size that upstream folds to constants of none ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// `arith.xori %x, %x` folds to a zero of its type even where that has an unknown size, which no constant can have. The op of
// mica with the same meaning has no such fold. All are converted: what has two operands here may have one after equal ops
// were merged. `arith.cmpi` of a value with itself folds in the same way; comparisons that mica has are converted, of those
// without sign only the ones of a value with itself, which are the same as a comparison for equality.
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

/// The comparison of mica that gives what `op` gives, if there is one.
std::optional<mica::Comparison> comparisonOf(arith::CmpIOp op) {
  using arith::CmpIPredicate;
  bool isSelf = op.getLhs() == op.getRhs(), isBit = getElementTypeOrSelf(op.getLhs().getType()).isInteger(1);
  switch (op.getPredicate()) {
  case CmpIPredicate::eq:
    return mica::Comparison::Eq;
  case CmpIPredicate::ne:
    return mica::Comparison::Ne;
  case CmpIPredicate::slt:
    return isSelf ? std::optional(mica::Comparison::Ne) : isBit ? std::nullopt : std::optional(mica::Comparison::Lt);
  case CmpIPredicate::sgt:
    return isSelf ? std::optional(mica::Comparison::Ne) : isBit ? std::nullopt : std::optional(mica::Comparison::Gt);
  case CmpIPredicate::sle:
    return isSelf ? std::optional(mica::Comparison::Eq) : isBit ? std::nullopt : std::optional(mica::Comparison::Le);
  case CmpIPredicate::sge:
    return isSelf ? std::optional(mica::Comparison::Eq) : isBit ? std::nullopt : std::optional(mica::Comparison::Ge);
  case CmpIPredicate::ult:
  case CmpIPredicate::ugt:
    return isSelf ? std::optional(mica::Comparison::Ne) : std::nullopt;
  case CmpIPredicate::ule:
  case CmpIPredicate::uge:
    return isSelf ? std::optional(mica::Comparison::Eq) : std::nullopt;
  }
  return std::nullopt;
}

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
    getOperation()->walk([](arith::CmpIOp op) {
      auto type = dyn_cast<RankedTensorType>(op.getType());
      auto operand = dyn_cast<RankedTensorType>(op.getLhs().getType());
      if (!type || !operand || type.hasStaticShape() || !operand.getElementType().isSignlessInteger())
        return;
      std::optional<mica::Comparison> kind = comparisonOf(op);
      if (!kind)
        return;
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          mica::CompareOp::create(builder, op.getLoc(), type, *kind, op.getLhs(), op.getRhs()).getResult());
      op.erase();
    });
  }
};

} // namespace
