//===- UpdatedMemory.cpp - whose memory a kernel may change in place ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See UpdatedMemory.h. Memory belongs to the value it began with (viewRoot). It may be changed where that value is
//   - what a dispatch, or a group that will be one, of the same block wrote, with every other use before the change, or
//   - carried by a loop whose initial value and whose next values all are such, each passed on once.
// What comes out of control flow, arguments of functions and constants are always somebody else's.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/UpdatedMemory.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Schedule/HostTensors.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;

/// Whether every use of the memory of `root` but `use` stands before it, in its own block or inside of an op there.
static bool isLastUse(Value root, OpOperand &use) {
  Operation *user = use.getOwner();
  SmallVector<Value> names = {root};
  while (!names.empty())
    for (OpOperand &other : names.pop_back_val().getUses()) {
      Operation *owner = other.getOwner();
      if (&other == &use || isa<tensor::DimOp>(owner))
        continue;
      if (isHostView(owner)) {
        names.push_back(owner->getResult(0));
        continue;
      }
      // Control flow may pass the memory on under another name.
      Operation *ancestor = user->getBlock()->findAncestorOpInBlock(*owner);
      if (!ancestor || !ancestor->isBeforeInBlock(user) || owner->getNumRegions() > 0 ||
          owner->hasTrait<OpTrait::IsTerminator>())
        return false;
      if (auto dispatch = dyn_cast<sched::DispatchOp>(owner))
        for (OpResult result : dispatch->getResults())
          if (dispatch.getUpdatedInput(result.getResultNumber()) == &other)
            names.push_back(result);
    }
  return true;
}

/// Whether `root` is what an op of `block` wrote to memory of its own.
static bool isFresh(Value root, Block *block) {
  Operation *def = root.getDefiningOp();
  return def && def->getBlock() == block && (isa<sched::DispatchOp>(def) || def->hasAttr(sched::kGroupAttr));
}

/// Whether `next`, an operand of a terminator, passes on memory that the next iteration may change: that of `carried`,
/// or fresh one.
static bool passesOnAlone(OpOperand &next, BlockArgument carried) {
  Value root = viewRoot(next.get());
  return (root == carried || isFresh(root, next.getOwner()->getBlock())) && isLastUse(root, next);
}

/// The initial value of the loop around that `carried` begins with, where the loop itself shares its memory with
/// nobody.
static OpOperand *findInitialValue(BlockArgument carried) {
  Operation *loop = carried.getOwner()->getParentOp();
  if (auto forOp = dyn_cast<scf::ForOp>(loop)) {
    if (carried == forOp.getInductionVar())
      return nullptr;
    OpOperand &next = forOp.getBody()->getTerminator()->getOpOperand(carried.getArgNumber() - 1);
    return passesOnAlone(next, carried) ? forOp.getTiedLoopInit(carried) : nullptr;
  }
  auto whileOp = dyn_cast<scf::WhileOp>(loop);
  if (!whileOp || carried.getOwner() != whileOp.getAfterBody())
    return nullptr;
  OpOperand &passed = whileOp.getConditionOp().getArgsMutable()[carried.getArgNumber()];
  auto before = dyn_cast<BlockArgument>(viewRoot(passed.get()));
  if (!before || before.getOwner() != whileOp.getBeforeBody() || !isLastUse(before, passed))
    return nullptr;
  OpOperand &next = whileOp.getYieldOp()->getOpOperand(before.getArgNumber());
  return passesOnAlone(next, carried) ? &whileOp->getOpOperand(before.getArgNumber()) : nullptr;
}

OpOperand *mica::findSharedOperand(OpOperand &use) {
  Value root = viewRoot(use.get());
  Block *block = use.getOwner()->getBlock();
  if (!isLastUse(root, use))
    return &use;
  if (isFresh(root, block))
    return nullptr;
  auto carried = dyn_cast<BlockArgument>(root);
  if (!carried || carried.getOwner() != block)
    return &use;
  OpOperand *initial = findInitialValue(carried);
  return initial ? findSharedOperand(*initial) : &use;
}
