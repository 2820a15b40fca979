//===- MatchOps.h - which op of one module is which op of the other ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// From the strongest sign to the weakest, block by block from the top: symbol name; what the op is but for its name;
// origin, what is above and what is below equal; the order in which ops that are alike stand; origin; above equal;
// below equal; neighbours that are paired; order among what is left. Then across blocks, for ops that were moved.
// Constants are paired by their values alone. Last, pairs whose operands and uses are those of another pair are
// exchanged (RepairPairs.cpp): what an allocation holds is known by the ops that use it, which are inside loops, and so
// are paired after it.
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
  /// Whether `before` and `after` are the same result or argument of partners.
  bool same(mlir::Value before, mlir::Value after) const;
  /// Whether they are computed alike by ops without effects in paired blocks, though not by partners; constants
  /// wherever they stand.
  bool equal(mlir::Value before, mlir::Value after) const;
  /// Whether one stands for the other: the same or equal.
  bool agree(mlir::Value before, mlir::Value after) const { return same(before, after) || equal(before, after); }

private:
  using Ops = std::vector<mlir::Operation *>;
  using Key = std::function<uint64_t(const OpEntry &)>;
  enum class Multiple { InOrder, OnlyIfAsMany, Never };

  void matchRegions(mlir::Operation *before, mlir::Operation *after);
  void matchBlocks(mlir::Block *before, mlir::Block *after);
  /// Pairs ops of the blocks with equal non-zero keys.
  void matchByKey(const Ops &before, const Ops &after, const Key &key, Multiple multiple);
  void matchSymbols(const Ops &before, const Ops &after);
  /// Pairs what stands in the same order between ops that are paired and has equal keys.
  void matchAligned(const Ops &before, const Ops &after, const Key &key);
  /// What neighbours of pairs must have in common to be pairs.
  enum class Likeness { Base, Name };
  void matchNeighbours(Likeness likeness);
  void matchOperandsAndUsers(mlir::Operation *before, mlir::Operation *after, Likeness likeness);
  /// Whether the operands of `after` are rather those of `before` in the other order; both are commutative and have
  /// two.
  bool areExchanged(mlir::Operation *before, mlir::Operation *after) const;
  void matchInOrder(const Ops &before, const Ops &after, const Key &key);
  /// Ops with the same operands, whose results are used alike by partners: one kind of op was replaced by another.
  void matchReplaced(const Ops &before);
  /// Constants that have no equal on the other side, where partners use them alike: the value changed.
  void matchChangedConstants(const Ops &before);
  /// Exchanges partners where operands and uses then agree more (RepairPairs.cpp).
  void repair();
  int64_t agreement(mlir::Operation *before, mlir::Operation *after) const;
  void candidatesOf(mlir::Operation *before, llvm::SmallVectorImpl<mlir::Operation *> &candidates) const;
  /// Whether the two may be exchanged with others: ops without regions that are no terminators, and constants of one
  /// value.
  bool mayBePartners(mlir::Operation *before, mlir::Operation *after) const;
  /// In a chain of equal ops of which one came or went, the one whose uses changed.
  void improveChains(const Ops &ops, bool isBefore);
  /// What stands for `before` by the pairs so far; null if nothing does.
  mlir::Value counterpart(mlir::Value before) const;
  /// Uses of `before` whose partners use `after`.
  int64_t agreeingUses(mlir::Operation *before, mlir::Operation *after) const;
  /// Calls `visit` with the uses of `op` whose user has a partner with an operand at that place, and the partner; of
  /// the first kMostUsers.
  void forEachPairedUse(mlir::Operation *op,
                        llvm::function_ref<void(mlir::OpOperand &use, mlir::Operation *user)> visit) const;
  void matchAcrossBlocks();
  bool canPair(mlir::Operation *before, mlir::Operation *after, bool sameName = true) const;
  void pair(mlir::Operation *before, mlir::Operation *after);

  OpTable &beforeTable, &afterTable;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partners;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  /// Pairs whose neighbours have not been examined.
  std::vector<std::pair<mlir::Operation *, mlir::Operation *>> fresh;
};

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_MATCHOPS_H
