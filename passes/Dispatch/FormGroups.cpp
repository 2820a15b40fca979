//===- FormGroups.cpp - grouping ops into kernels ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Marks each op that runs in a kernel with the number of its group (`mica_sched.group`). mica-dispatch-outline-kernels
// depends only on these marks, so a snapshot can be edited to group ops differently.
//
//   %1 = linalg.generic ... matmul       {mica_sched.group = 0 : i64}
//   %2 = linalg.generic ... add bias     {mica_sched.group = 0 : i64}
//   %3 = linalg.generic ... transpose    {mica_sched.group = 1 : i64}
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/FusionRules.h"
#include "passes/Dispatch/GroupGraph.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-dispatch-form-groups"

namespace mica {
#define GEN_PASS_DEF_FORMGROUPS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Clones fills, broadcasts and extensions for each reader, so that every kernel computes its own.
static void cloneForReaders(Block &block, Prologues prologues) {
  // From the end: the clones of a reader are readers.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (op.use_empty() || op.hasOneUse() || !isCheaperPerReader(&op, prologues))
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

namespace {
struct FusionOptions {
  Prologues prologues;
  bool padding;
  bool attention;
  bool materialize;
};
} // namespace

/// The ops of groups in the order of the block.
static SmallVector<Operation *> opsOf(ArrayRef<const GroupGraph::Group *> groups) {
  SmallVector<Operation *> ops;
  for (const GroupGraph::Group *group : groups)
    llvm::append_range(ops, group->ops);
  llvm::sort(ops, [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return ops;
}

/// Whether one of `ops` computes something that is to be stored, and another reads it.
static bool hidesTagged(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  return llvm::any_of(ops, [&](Operation *op) {
    // An op of the program may be several by now.
    return hasTag(op->getLoc(), kDumpTag) && llvm::any_of(op->getUsers(), [&](Operation *user) {
             return members.contains(user) && getOpIds(user) != getOpIds(op);
           });
  });
}

/// Why two groups cannot be one kernel; empty if they can.
static StringRef reasonAgainst(const GroupGraph::Group &a, const GroupGraph::Group &b, FusionOptions options) {
  const SmallVector<Operation *> ops = opsOf({&a, &b});
  if (options.materialize && hidesTagged(ops))
    return "what the first computes is dumped (dump-materialize)";
  return reasonAgainstSharing(ops, options.prologues, options.padding);
}

/// Merges the group of each op, in order, with those of its producers if one kernel computes both efficiently.
static void mergeGroups(Block &block, GroupGraph &graph, FusionOptions options) {
  for (Operation &op : block) {
    if (!isKernelWork(&op))
      continue;
    // What widens factors is left to the contraction: beside its producer, it would store four times as many bytes.
    const bool widens = options.prologues != Prologues::None && widensFactors(&op);
    SmallVector<Operation *> readers{&op};
    while (!readers.empty()) {
      // Latest producer first, as its group may include the others already.
      SmallVector<Operation *> producers = llvm::to_vector(graph.producers(readers.pop_back_val()));
      llvm::sort(producers, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
      for (Operation *producer : producers) {
        GroupGraph::Group &group = graph.groupOf(&op), &other = graph.groupOf(producer);
        if (&group == &other || !isKernelWork(producer) || (widens && !widensFactors(producer)))
          continue;
        StringRef reason = reasonAgainst(other, group, options);
        if (reason.empty() && !graph.staysConvex(other, group))
          reason = "another kernel has to run between them";
        LDBG() << (reason.empty() ? "joins " : "keeps apart ") << producer->getName() << " at " << producer->getLoc()
               << " and " << op.getName() << " at " << op.getLoc() << (reason.empty() ? "" : ": ") << reason;
        if (!reason.empty())
          continue;
        // A transpose that cannot be fused with its producer may be fused with a contraction that reads it.
        if (options.prologues != Prologues::None)
          readers.append(other.ops.begin(), other.ops.end());
        graph.merge(other, group);
      }
    }
  }
}

/// The groups of an attention that ends with `product`: of the scores, of what is done with their rows, and of
/// `product` itself. None if its factors come from no such groups.
static SmallVector<GroupGraph::Group *> attentionGroups(GroupGraph &graph, Operation *product) {
  if (classify(product) != OpClass::Contraction)
    return {};
  for (Operation *producer : graph.producers(product)) {
    GroupGraph::Group &rows = graph.groupOf(producer);
    if (&rows == &graph.groupOf(product) || !isKernelWork(producer) || llvm::any_of(rows.ops, isHeavy))
      continue;
    for (Operation *op : rows.ops)
      for (Operation *score : graph.producers(op)) {
        GroupGraph::Group &scores = graph.groupOf(score);
        if (&scores != &rows && isKernelWork(score) && llvm::any_of(scores.ops, isHeavy))
          return {&scores, &rows, &graph.groupOf(product)};
      }
  }
  return {};
}

/// Why the groups of attentionGroups() cannot be one kernel; empty if they can.
static StringRef reasonAgainstAttention(ArrayRef<GroupGraph::Group *> groups, FusionOptions options) {
  const SmallVector<Operation *> ops = opsOf(SmallVector<const GroupGraph::Group *>(groups));
  if (options.materialize && hidesTagged(ops))
    return "what the first computes is dumped (dump-materialize)";
  return mica::reasonAgainstAttention(ops);
}

/// Merges the groups of each attention.
static void mergeAttention(Block &block, GroupGraph &graph, FusionOptions options) {
  for (Operation &op : block) {
    SmallVector<GroupGraph::Group *> groups = attentionGroups(graph, &op);
    if (groups.empty() || !reasonAgainstAttention(groups, options).empty())
      continue;
    // Nothing outside reads what the first two compute, and all of it precedes `op`: the kernel is convex.
    graph.merge(*groups[0], *groups[1]);
    graph.merge(graph.groupOf(&op), *groups[0]);
  }
}

//===------------------------------------------------------------------------------------------------------------===//
// Remarks
//===------------------------------------------------------------------------------------------------------------===//

static std::string idsOf(Operation *op) { return llvm::join(getOpIds(op), ", "); }

/// Emits remarks: the ops of each group, and why two groups of which one reads from the other were not merged.
static void remarkOnGroups(GroupGraph &graph, bool fuse, FusionOptions options) {
  for (GroupGraph::Group *group : graph.liveGroups()) {
    if (!isKernelWork(group->ops.front()))
      continue;
    if (group->ops.size() > 1) {
      SmallVector<Location> locations = llvm::map_to_vector(group->ops, [](Operation *op) { return op->getLoc(); });
      SmallVector<std::string> words = llvm::map_to_vector(group->ops, wordFor);
      remark::passed(FusedLoc::get(group->ops.front()->getContext(), locations),
                     remark::RemarkOpts::name("fused").category("fusion"))
          << remark::add("{0} ops are one kernel", group->ops.size()) << remark::metric("Ops", llvm::join(words, ", "));
    }
    llvm::SmallPtrSet<GroupGraph::Group *, 4> named{group};
    for (Operation *op : group->ops)
      for (Operation *producer : graph.producers(op)) {
        GroupGraph::Group &other = graph.groupOf(producer);
        if (!isKernelWork(producer) || !named.insert(&other).second)
          continue;
        StringRef reason = !fuse ? "fusion is off" : reasonAgainst(other, *group, options);
        if (reason.empty() && !graph.staysConvex(other, *group))
          reason = "another kernel has to run between them";
        // Two products are one kernel in an attention alone.
        if (SmallVector<GroupGraph::Group *> attention = attentionGroups(graph, op);
            options.attention && !attention.empty() && attention[1] == &other)
          if (StringRef better = reasonAgainstAttention(attention, options); !better.empty())
            reason = better;
        if (reason.empty())
          reason = "each was joined with others first";
        remark::missed(op->getLoc(), remark::RemarkOpts::name("not-fused").category("fusion"))
            << remark::add("{0} and {1}, which reads it, are two kernels: {2}", wordFor(producer), wordFor(op), reason)
            << remark::metric("Producer", wordFor(producer)) << remark::metric("ProducerIds", idsOf(producer))
            << remark::metric("Reader", wordFor(op)) << remark::metric("ReaderIds", idsOf(op))
            << remark::reason("{0}", reason);
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
        cloneForReaders(block, prologues);
      GroupGraph graph(block);
      const FusionOptions options{prologues, padding, attention, materialize};
      if (fuse)
        mergeGroups(block, graph, options);
      if (fuse && attention)
        mergeAttention(block, graph, options);
      if (getContext().getRemarkEngine())
        remarkOnGroups(graph, fuse, options);
      Builder builder(&getContext());
      for (GroupGraph::Group *group : graph.liveGroups()) {
        if (!isKernelWork(group->ops.front()))
          continue;
        for (Operation *op : group->ops)
          op->setAttr(sched::kGroupAttr, builder.getI64IntegerAttr(next));
        ++next;
      }
      // Control flow contains its own groups; ops inside of a structured op are part of it.
      for (Operation &op : block)
        if (!isKernelWork(&op))
          for (Region &inner : op.getRegions())
            formGroups(inner);
    }
  }

  int64_t next = 0; ///< reset for each function by runOnOperation
};
} // namespace
