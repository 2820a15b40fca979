//===- UpdatedMemory.cpp - memory that a kernel may update in place ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See UpdatedMemory.h. Memory belongs to the root value (viewRoot). It may be updated if that value is
//   - the result of a dispatch, or of a group that will become one, in the same block, and all other uses precede the
//     update, or
//   - carried by a loop whose initial and next values all have this property, and are passed on once; the next value
//     may be the result of such a loop.
// Memory of other results of control flow, function arguments and constants is never updated.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/UpdatedMemory.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Schedule/HostTensors.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;

/// Whether every use of the memory of `root` except `use` precedes it, in its block or inside of an op there.
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
      // Control flow may pass on an alias of the memory.
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

/// Whether `root` is the result of an op of `block` that wrote it to new memory.
static bool isFresh(Value root, Block *block) {
  Operation *def = root.getDefiningOp();
  return def && def->getBlock() == block && (isa<sched::DispatchOp>(def) || def->hasAttr(sched::kGroupAttr));
}

static OpOperand *findInitialValue(BlockArgument carried);

/// Whether `next`, an operand of a terminator, passes on memory that the next iteration may update: that of `carried`,
/// new memory, or what an inner loop has made of one of them.
static bool passesOnAlone(OpOperand &next, BlockArgument carried) {
  Block *block = next.getOwner()->getBlock();
  for (OpOperand *use = &next;;) {
    Value root = viewRoot(use->get());
    if (!isLastUse(root, *use))
      return false;
    if (root == carried || isFresh(root, block))
      return true;
    auto inner = root.getDefiningOp<scf::ForOp>();
    if (!inner || inner->getBlock() != block)
      return false;
    use = findInitialValue(inner.getTiedLoopRegionIterArg(cast<OpResult>(root)));
    if (!use)
      return false;
  }
}

/// The initial value of the loop-carried `carried`, if the loop itself is the only user of its memory.
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
