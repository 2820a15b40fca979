//===- AtomicBodies.cpp - checks of what atomic updates compute --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// See AtomicBodies.h.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/AtomicBodies.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Check/ExposeDivisions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mica;

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
}

/// Whether `op` is an integer division of scalars, which a body has no others of, by what may be 0.
static bool mayTrap(Operation *op) {
  const bool divides = isSignedDivision(op) || isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  if (!divides || !op->getResult(0).getType().isIntOrIndex() || dividesAlways(op->getOperand(1), isSignedDivision(op)))
    return false;
  // It is checked already.
  auto divisor = op->getOperand(1).getDefiningOp<arith::SelectOp>();
  return !divisor || !divisor.getCondition().getDefiningOp<check::DivisibleOp>();
}

/// Replaces the divisor of `op` where the division is undefined.
static void makeDefined(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value divisor = op->getOperand(1);
  Value ok = check::DivisibleOp::create(builder, loc, builder.getI1Type(), op->getOperand(0), divisor,
                                        isSignedDivision(op) ? builder.getUnitAttr() : UnitAttr());
  Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(divisor.getType(), 1));
  op->setOperand(1, arith::SelectOp::create(builder, loc, ok, divisor, one));
}

static SmallVector<Operation *> divisionsIn(memref::GenericAtomicRMWOp update) {
  SmallVector<Operation *> divisions;
  update.getBody()->walk([&](Operation *op) {
    if (mayTrap(op))
      divisions.push_back(op);
  });
  return divisions;
}

bool mica::mayTrapInUpdate(func::FuncOp function) {
  return function
      .walk([](memref::GenericAtomicRMWOp update) {
        return divisionsIn(update).empty() ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

void mica::checkAfterwards(func::FuncOp function) {
  SmallVector<memref::GenericAtomicRMWOp> updates;
  function.walk([&](memref::GenericAtomicRMWOp op) { updates.push_back(op); });
  for (memref::GenericAtomicRMWOp update : updates) {
    const SmallVector<Operation *> divisions = divisionsIn(update);
    if (divisions.empty())
      continue;
    OpBuilder builder(update->getContext());
    builder.setInsertionPointAfter(update);
    IRMapping last;
    last.map(update.getCurrentValue(), update.getResult());
    for (Operation &op : update.getBody()->without_terminator())
      builder.clone(op, last);
    llvm::for_each(divisions, makeDefined);
  }
}
