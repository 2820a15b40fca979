//===- GroupGraph.h - groups of ops and their dependencies ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every op of a block is in exactly one group, initially alone. Groups may be merged only if no path of uses leaves the
// merged group and comes back, because another op would have to run in the middle of its kernel.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_GROUPGRAPH_H
#define MICA_PASSES_DISPATCH_GROUPGRAPH_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>

namespace mica {

class GroupGraph {
public:
  struct Group {
    llvm::SmallVector<mlir::Operation *, 1> ops; ///< in the order of the block; empty once merged into another
    int64_t first = 0, last = 0;                 ///< positions in the block of its first and last op
  };

  explicit GroupGraph(mlir::Block &block);

  Group &groupOf(mlir::Operation *op) { return *groups.lookup(op); }

  /// The ops of `block` whose results `op` uses, including uses in its regions.
  llvm::ArrayRef<mlir::Operation *> producers(mlir::Operation *op) { return uses.find(op)->second; }

  /// Whether no path of uses leaves the union of `a` and `b` and comes back. Also false if this would take more than a
  /// fixed number of steps, so that the whole analysis is nearly linear.
  bool staysConvex(const Group &a, const Group &b);

  /// Merges `from` into `into`; `from` is empty afterwards.
  void merge(Group &into, Group &from);

  /// The groups that have ops, in the order of their first op.
  llvm::SmallVector<Group *> liveGroups();

private:
  std::deque<Group> storage;
  llvm::DenseMap<mlir::Operation *, Group *> groups;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 2>> uses;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
};

} // namespace mica

#endif // MICA_PASSES_DISPATCH_GROUPGRAPH_H
