//===- PropagateConditions.cpp - conditions inside of ifs on them are constants ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PropagateConditions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/PropagateConditions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

void mica::propagateConditions(Operation *root, unsigned leastUses) {
  llvm::SetVector<Value> conditions;
  root->walk([&](scf::IfOp op) {
    if (op.getCondition().hasNUsesOrMore(leastUses))
      conditions.insert(op.getCondition());
  });
  for (Value condition : conditions)
    for (OpOperand &use : llvm::make_early_inc_range(condition.getUses()))
      for (Region *region = use.getOwner()->getParentRegion(); region && region != condition.getParentRegion();
           region = region->getParentRegion()) {
        auto op = dyn_cast<scf::IfOp>(region->getParentOp());
        if (!op || op.getCondition() != condition)
          continue;
        OpBuilder builder(op);
        const int64_t isThen = region == &op.getThenRegion();
        use.set(arith::ConstantIntOp::create(builder, op.getLoc(), condition.getType(), isThen));
        break;
      }
}
