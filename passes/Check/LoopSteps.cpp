//===- LoopSteps.cpp - loops with nonpositive steps -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LoopSteps.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/LoopSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

namespace {

/// The operands of one dimension; `upper` is replaced to limit the dimension.
struct Dimension {
  Value lower, step;
  OpOperand *upper;
  bool isUnsigned;
};

/// Whether the step is always positive: a constant, or a maximum with one.
bool isKnown(Value step) {
  APInt number;
  if (matchPattern(step, m_ConstantInt(&number)))
    return number.isStrictlyPositive();
  auto most = step.getDefiningOp<arith::MaxSIOp>();
  return most && llvm::any_of(most->getOperands(), [](Value each) {
           const std::optional<int64_t> least = getConstantIntValue(each);
           return least && *least > 0;
         });
}

SmallVector<Dimension> dimensionsOf(Operation *op) {
  SmallVector<Dimension> dimensions;
  auto add = [&](Value lower, OpOperand &upper, Value step, bool isUnsigned) {
    // A loop that is limited already has a select between upper and lower bound as its upper bound.
    auto choice = upper.get().getDefiningOp<arith::SelectOp>();
    const bool isLimited = choice && choice.getFalseValue() == lower;
    if (!isKnown(step) && !isLimited)
      dimensions.push_back({lower, step, &upper, isUnsigned});
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getLowerBound(), loop.getUpperBoundMutable(), loop.getStep(), loop.getUnsignedCmp());
  } else if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    MutableOperandRange upper = loop.getUpperBoundMutable();
    for (unsigned dim = 0; dim < loop.getNumLoops(); ++dim)
      add(loop.getLowerBound()[dim], upper[dim], loop.getStep()[dim], /*isUnsigned=*/false);
  }
  return dimensions;
}

} // namespace

SmallVector<Value> mica::unknownSteps(Operation *op) {
  return llvm::map_to_vector(dimensionsOf(op), [](const Dimension &each) { return each.step; });
}

SmallVector<LoopStep> mica::limitUnknownSteps(OpBuilder &builder, Operation *op) {
  SmallVector<LoopStep> limited;
  Location loc = op->getLoc();
  for (Dimension &each : dimensionsOf(op)) {
    Value upper = each.upper->get();
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(each.step.getType()));
    auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
      return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
    };
    Value isPositive = compare(each.isUnsigned ? arith::CmpIPredicate::ne : arith::CmpIPredicate::sgt, each.step, zero);
    Value isEmpty = compare(each.isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge, each.lower, upper);
    Value ok = builder.createOrFold<arith::OrIOp>(loc, isPositive, isEmpty);
    each.upper->set(arith::SelectOp::create(builder, loc, ok, upper, each.lower));
    limited.push_back({ok, each.lower, upper, each.step});
  }
  return limited;
}
