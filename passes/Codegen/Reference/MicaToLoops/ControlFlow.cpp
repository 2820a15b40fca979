//===- ControlFlow.cpp - branches and loops -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica.if and mica.while become scf.if and scf.while on tensors.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mica::plain {

/// The boolean in a tensor of rank 0.
static Value truthOf(OpBuilder &b, Location loc, Value tensor) {
  return tensor::ExtractOp::create(b, loc, tensor, ValueRange());
}

/// Moves the block of `from`, with its arguments, to `to`, replacing its block.
static Operation *move(Region &from, Region &to) {
  to.takeBody(from);
  return to.front().getTerminator();
}

static void emitIf(IfOp op) {
  OpBuilder b(op);
  auto made = scf::IfOp::create(b, op.getLoc(), op.getResultTypes(), truthOf(b, op.getLoc(), op.getCondition()),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [from, to] :
       {std::pair(&op.getThenRegion(), &made.getThenRegion()), std::pair(&op.getElseRegion(), &made.getElseRegion())}) {
    Operation *end = move(*from, *to);
    OpBuilder inner(end);
    scf::YieldOp::create(inner, end->getLoc(), end->getOperands());
    end->erase();
  }
  op.replaceAllUsesWith(made.getResults());
  op.erase();
}

static void emitWhile(WhileOp op) {
  OpBuilder b(op);
  auto made = scf::WhileOp::create(b, op.getLoc(), op.getResultTypes(), op.getInits());
  Operation *asked = move(op.getCondition(), made.getBefore());
  OpBuilder before(asked);
  scf::ConditionOp::create(before, asked->getLoc(), truthOf(before, asked->getLoc(), asked->getOperand(0)),
                           made.getBeforeArguments());
  asked->erase();
  Operation *end = move(op.getBody(), made.getAfter());
  OpBuilder after(end);
  scf::YieldOp::create(after, end->getLoc(), end->getOperands());
  end->erase();
  op.replaceAllUsesWith(made.getResults());
  op.erase();
}

bool emitControlFlow(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return emitIf(branch), true;
  if (auto loop = dyn_cast<WhileOp>(op))
    return emitWhile(loop), true;
  return false;
}

} // namespace mica::plain
