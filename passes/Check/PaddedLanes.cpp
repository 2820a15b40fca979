//===- PaddedLanes.cpp - divisions in lanes that are padding -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// See PaddedLanes.h.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/PaddedLanes.h"
#include "passes/Check/IntegerPowers.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mica;

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp>(op);
}

/// The mask of a pass, not of the program, by which lanes of `value` were read; null: none is known.
static Value maskOf(Value value, Type shape) {
  SmallVector<Value> pending{value};
  DenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    auto type = dyn_cast<VectorType>(next.getType());
    if (!type || type.getShape() != cast<VectorType>(shape).getShape() || !seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (!op)
      continue;
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      if (read.getMask() && read.getMask().getType() == type.clone(IntegerType::get(type.getContext(), 1)) &&
          !hasTag(read.getLoc(), kAccessTag))
        return read.getMask();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      pending.push_back(loop.getYieldedValues()[cast<OpResult>(next).getResultNumber()]);
    } else if (OpTrait::hasElementwiseMappableTraits(op)) {
      llvm::append_range(pending, op->getOperands());
    }
  }
  return {};
}

void mica::definePaddedDivisions(func::FuncOp function) {
  DominanceInfo dominance(function);
  SmallVector<Operation *> divisions;
  function.walk([&](Operation *op) {
    if ((isDivision(op) || mayInvertZero(op)) && isa<VectorType>(op->getResult(0).getType()))
      divisions.push_back(op);
  });
  for (Operation *op : divisions) {
    auto type = cast<VectorType>(op->getResult(0).getType());
    Value mask = maskOf(op->getOperand(1), type);
    if (!mask)
      mask = maskOf(op->getOperand(0), type);
    if (!mask || !dominance.properlyDominates(mask, op))
      continue;
    OpBuilder builder(op);
    Value one = arith::ConstantOp::create(
        builder, op->getLoc(), DenseElementsAttr::get(type, builder.getIntegerAttr(type.getElementType(), 1)));
    const unsigned divisor = isDivision(op) ? 1 : 0;
    op->setOperand(divisor, arith::SelectOp::create(builder, op->getLoc(), mask, op->getOperand(divisor), one));
  }
}
