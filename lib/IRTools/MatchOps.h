//===- MatchOps.h - matching ops of two modules -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Criteria from the strongest to the weakest, block by block from the top: symbol name; equal ops apart from the name;
// equal origin, operands and users; order among equal ops; origin; operands; users; matched neighbors; order among the
// rest. Then across blocks, for moved ops. Constants are matched by their values alone. Last, pairs whose operands and
// uses are those of another pair are exchanged (RepairPairs.cpp): an allocation is characterized by its users, which
// are inside of loops and therefore matched after it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_MATCHOPS_H
#define MICA_LIB_IRTOOLS_MATCHOPS_H

#include "lib/IRTools/OpTable.h"

namespace mica::irtools {

class Matching {
public:
  Matching(const Document &before, OpTable &beforeTable, const Document &after, OpTable &afterTable);

  /// The partner of `op`, of either side; null if it has none.
  mlir::Operation *partner(mlir::Operation *op) const { return partners.lookup(op); }
  mlir::Block *partner(mlir::Block *block) const { return blocks.lookup(block); }
  /// Whether `before` and `after` are the same result or argument of matched ops.
  bool same(mlir::Value before, mlir::Value after) const;
  /// Whether they are computed equally by ops without effects in matched blocks, although not by partners; constants at
  /// any position.
  bool equal(mlir::Value before, mlir::Value after) const;
  /// Whether they correspond: the same or equal.
  bool agree(mlir::Value before, mlir::Value after) const { return same(before, after) || equal(before, after); }

private:
  using Ops = std::vector<mlir::Operation *>;
  using Key = std::function<uint64_t(const OpEntry &)>;
  enum class Multiple { InOrder, OnlyIfAsMany, Never };

  void matchRegions(mlir::Operation *before, mlir::Operation *after);
  void matchBlocks(mlir::Block *before, mlir::Block *after);
  /// Matches ops of the blocks with equal nonzero keys.
  void matchByKey(const Ops &before, const Ops &after, const Key &key, Multiple multiple);
  void matchSymbols(const Ops &before, const Ops &after);
  /// Matches ops in the same order between matched ops that have equal keys.
  void matchAligned(const Ops &before, const Ops &after, const Key &key);
  /// The property that neighbors of pairs must share to be matched.
  enum class Likeness { Base, Name };
  void matchNeighbours(Likeness likeness);
  void matchOperandsAndUsers(mlir::Operation *before, mlir::Operation *after, Likeness likeness);
  /// Whether the operands of `after` are more likely those of `before` swapped; both are commutative and binary.
  bool areExchanged(mlir::Operation *before, mlir::Operation *after) const;
  void matchInOrder(const Ops &before, const Ops &after, const Key &key);
  /// Matches ops with the same operands whose results have equivalent uses: one kind of op was replaced by another.
  void matchReplaced(const Ops &before);
  /// Matches constants without an equal one on the other side whose uses are equivalent: the value changed.
  void matchChangedConstants(const Ops &before);
  /// Exchanges partners if operands and uses then agree more (RepairPairs.cpp).
  void repair();
  int64_t agreement(mlir::Operation *before, mlir::Operation *after) const;
  void candidatesOf(mlir::Operation *before, llvm::SmallVectorImpl<mlir::Operation *> &candidates) const;
  /// Whether the two may be exchanged with others: ops without regions that are not terminators, and constants with
  /// equal values.
  bool mayBePartners(mlir::Operation *before, mlir::Operation *after) const;
  /// In a chain of equal ops of which one was added or removed, selects the one whose uses changed.
  void improveChains(const Ops &ops, bool isBefore);
  /// The counterpart of `before` by the pairs so far; null if there is none.
  mlir::Value counterpart(mlir::Value before) const;
  /// Uses of `before` whose partners use `after`.
  int64_t agreeingUses(mlir::Operation *before, mlir::Operation *after) const;
  /// Calls `visit` with those uses of `op` whose user has a partner with the same operand number, and the partner; for
  /// the first kMostUsers.
  void forEachPairedUse(mlir::Operation *op,
                        llvm::function_ref<void(mlir::OpOperand &use, mlir::Operation *user)> visit) const;
  void matchAcrossBlocks();
  bool canPair(mlir::Operation *before, mlir::Operation *after, bool sameName = true) const;
  void pair(mlir::Operation *before, mlir::Operation *after);

  OpTable &beforeTable, &afterTable;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partners;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  /// Pairs whose neighbors were not examined yet.
  std::vector<std::pair<mlir::Operation *, mlir::Operation *>> fresh;
};

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_MATCHOPS_H
