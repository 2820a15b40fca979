//===- FormGroups.cpp - which ops go into one kernel ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Marks each op that runs in a kernel with the number of its group (`mica_sched.group`). The mark is all that
// mica-dispatch-outline-kernels looks at, so a layer can be edited to group ops differently.
//
//   %1 = linalg.generic ... matmul       {mica_sched.group = 0 : i64}
//   %2 = linalg.generic ... add bias     {mica_sched.group = 0 : i64}
//   %3 = linalg.generic ... transpose    {mica_sched.group = 1 : i64}
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/FusionRules.h"
#include "passes/Dispatch/GroupGraph.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace mica {
#define GEN_PASS_DEF_FORMGROUPS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Gives each reader of a fill or broadcast its own, so that every kernel makes it where it needs it.
static void cloneForReaders(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.use_empty() || op.hasOneUse() || !isCheaperPerReader(&op))
      continue;
    OpBuilder builder(&op);
    bool first = true;
    for (OpOperand &use : llvm::make_early_inc_range(op.getUses())) {
      if (use.getOwner()->getBlock() != &block || !isKernelWork(use.getOwner()))
        continue;
      if (!std::exchange(first, false))
        use.set(builder.clone(op)->getResult(cast<OpResult>(use.get()).getResultNumber()));
    }
  }
}

/// Merges the group of each op, in order, with those of its producers where one kernel computes both well.
static void mergeGroups(Block &block, GroupGraph &graph) {
  for (Operation &op : block) {
    if (!isKernelWork(&op))
      continue;
    // The latest producer first: what it was merged with already may hold the others.
    SmallVector<Operation *> producers = llvm::to_vector(graph.producers(&op));
    llvm::sort(producers, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
    for (Operation *producer : producers) {
      GroupGraph::Group &group = graph.groupOf(&op), &other = graph.groupOf(producer);
      if (&group == &other || !isKernelWork(producer))
        continue;
      SmallVector<Operation *> both(other.ops.begin(), other.ops.end());
      llvm::append_range(both, group.ops);
      llvm::sort(both, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
      if (canShareKernel(both) && graph.staysConvex(other, group))
        graph.merge(other, group);
    }
  }
}

namespace {
class FormGroups : public mica::impl::FormGroupsBase<FormGroups> {
public:
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    next = 0;
    for (Region &region : getOperation()->getRegions())
      formGroups(region);
  }

private:
  void formGroups(Region &region) {
    for (Block &block : region) {
      if (fuse)
        cloneForReaders(block);
      GroupGraph graph(block);
      if (fuse)
        mergeGroups(block, graph);
      Builder builder(&getContext());
      for (GroupGraph::Group *group : graph.liveGroups()) {
        if (!isKernelWork(group->ops.front()))
          continue;
        for (Operation *op : group->ops)
          op->setAttr(sched::kGroupAttr, builder.getI64IntegerAttr(next));
        ++next;
      }
      // Control flow holds groups of its own; what is inside a structured op is part of it.
      for (Operation &op : block)
        if (!isKernelWork(&op))
          for (Region &inner : op.getRegions())
            formGroups(inner);
    }
  }

  int64_t next = 0; ///< reset for each function by runOnOperation
};
} // namespace
