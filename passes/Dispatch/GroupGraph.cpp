//===- GroupGraph.cpp - groups of ops and their dependencies ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See GroupGraph.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/GroupGraph.h"

#include <cassert>

using namespace mlir;
using namespace mica;

/// Maximum number of groups that staysConvex visits.
static constexpr unsigned kMaxVisited = 512;

GroupGraph::GroupGraph(Block &block) {
  int64_t position = 0;
  for (Operation &op : block) {
    Group &group = storage.emplace_back();
    group.ops.push_back(&op);
    group.first = group.last = positions[&op] = position++;
    groups[&op] = &group;
    llvm::SmallSetVector<Operation *, 4> found;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (def && def->getBlock() == &block)
          found.insert(def);
      }
    });
    uses[&op].assign(found.begin(), found.end());
  }
}

bool GroupGraph::staysConvex(const Group &a, const Group &b) {
  assert(&a != &b && "one group is convex");
  int64_t first = std::min(a.first, b.first);
  llvm::SmallPtrSet<const Group *, 16> visited;
  SmallVector<const Group *> pending;
  bool comesBack = false;
  auto visitProducers = [&](const Group &group, bool ofUnion) {
    for (Operation *op : group.ops)
      for (Operation *producer : producers(op)) {
        const Group *next = groups.lookup(producer);
        if (next == &a || next == &b) {
          comesBack |= !ofUnion;
          continue;
        }
        // A group that ends before the union begins cannot depend on it.
        if (next->last > first && visited.insert(next).second)
          pending.push_back(next);
      }
  };
  visitProducers(a, true);
  visitProducers(b, true);
  while (!pending.empty() && !comesBack) {
    if (visited.size() > kMaxVisited)
      return false;
    visitProducers(*pending.pop_back_val(), false);
  }
  return !comesBack;
}

void GroupGraph::merge(Group &into, Group &from) {
  assert(&into != &from && !from.ops.empty() && "two groups, and one that was merged has no ops");
  for (Operation *op : from.ops)
    groups[op] = &into;
  llvm::append_range(into.ops, from.ops);
  llvm::sort(into.ops, [&](Operation *x, Operation *y) { return positions.lookup(x) < positions.lookup(y); });
  into.first = std::min(into.first, from.first);
  into.last = std::max(into.last, from.last);
  from.ops.clear();
}

SmallVector<GroupGraph::Group *> GroupGraph::liveGroups() {
  SmallVector<Group *> live;
  for (Group &group : storage)
    if (!group.ops.empty())
      live.push_back(&group);
  llvm::stable_sort(live, [](Group *a, Group *b) { return a->first < b->first; });
  return live;
}
