//===- ControlFlow.cpp - converting stablehlo.if, case and while ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The regions, whose ops are converted already, move into mica.if and mica.while. A case becomes a chain of mica.if.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

/// Moves `from` into the empty region `to`; its return becomes a yield.
static void moveRegion(Region &from, Region &to, OpBuilder &builder) {
  to.takeBody(from);
  Operation *last = &to.front().back();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(last);
  YieldOp::create(builder, last->getLoc(), last->getOperands());
  last->erase();
}

static Values convertIf(hlo::IfOp op, OpBuilder &builder) {
  auto result = IfOp::create(builder, op.getLoc(), op.getResultTypes(), op.getPred());
  moveRegion(op.getTrueBranch(), result.getThenRegion(), builder);
  moveRegion(op.getFalseBranch(), result.getElseRegion(), builder);
  return Values(result.getResults());
}

/// The branches from number `first` on; there are at least two.
static Values convertBranches(hlo::CaseOp op, unsigned first, OpBuilder &builder) {
  const Location loc = op.getLoc();
  Value number = splat(builder, loc, typeOf(op.getIndex()), first);
  Type type = RankedTensorType::get({}, builder.getI1Type());
  Value isFirst = CompareOp::create(builder, loc, type, Comparison::Eq, op.getIndex(), number);
  auto result = IfOp::create(builder, loc, op.getResultTypes(), isFirst);
  moveRegion(op.getBranches()[first], result.getThenRegion(), builder);
  if (first + 2 == op.getBranches().size()) {
    moveRegion(op.getBranches()[first + 1], result.getElseRegion(), builder);
  } else {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&result.getElseRegion());
    YieldOp::create(builder, loc, convertBranches(op, first + 1, builder));
  }
  return Values(result.getResults());
}

static Values convertCase(hlo::CaseOp op, OpBuilder &builder) {
  if (op.getBranches().size() > 1)
    return convertBranches(op, 0, builder);
  // The only branch runs whatever the index is.
  Block &block = op.getBranches().front().front();
  Values results(block.back().getOperands());
  block.back().erase();
  for (Operation &inner : llvm::make_early_inc_range(block))
    inner.moveBefore(op);
  return results;
}

static Values convertWhile(hlo::WhileOp op, OpBuilder &builder) {
  auto result = WhileOp::create(builder, op.getLoc(), op.getResultTypes(), op.getOperand());
  moveRegion(op.getCond(), result.getCondition(), builder);
  moveRegion(op.getBody(), result.getBody(), builder);
  return Values(result.getResults());
}

Converted hlotomica::convertControlFlow(Operation *op, OpBuilder &builder) {
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::IfOp branch) { return convertIf(branch, builder); })
      .Case([&](hlo::CaseOp choice) { return convertCase(choice, builder); })
      .Case([&](hlo::WhileOp loop) { return convertWhile(loop, builder); })
      .Default([&](Operation *) -> Converted { return failure(); });
}
