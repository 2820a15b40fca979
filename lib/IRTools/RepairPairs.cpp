//===- RepairPairs.cpp - repairing inconsistent pairs -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops that look alike (allocations of one type, loads, address arithmetic) are matched before the uses of their results
// are known, which may be inside of loops. Each pair with an operand or a use that disagrees is compared with
// candidates derived from its users and operands, and exchanged if more agrees then. Every exchange increases the total
// agreement, so this terminates.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/MatchOps.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Maximum numbers of users of one value, and of candidates of one op, that are examined.
static constexpr size_t kMostUsersExamined = 64, kMostCandidates = 16;
/// The weight of an equal origin; an operand or a use has weight two.
static constexpr int64_t kOrigin = 64;
/// The weight of a different kind of op.
static constexpr int64_t kOtherName = -2;
/// Maximum number of passes over disagreeing pairs, and of compared pairs in total.
static constexpr int kMostRepairRounds = 8;
static constexpr int64_t kMostTries = 1'000'000;

bool Matching::mayBePartners(Operation *before, Operation *after) const {
  const OpEntry &x = beforeTable.of(before), &y = afterTable.of(after);
  // Different kinds of ops, one of which may have replaced the other.
  bool isLike = before->getName() == after->getName() ||
                (before->getNumOperands() && before->getNumOperands() == after->getNumOperands() &&
                 before->getNumResults() && before->getResultTypes() == after->getResultTypes());
  return isLike && before->getNumRegions() == 0 && after->getNumRegions() == 0 &&
         !before->hasTrait<OpTrait::IsTerminator>() && !x.nameless && (x.base == y.base || !x.isValue);
}

/// The value that corresponds to `use` if its owner's partner is `user`; for a commutative op, an operand for which
/// `isWanted` holds.
template <typename Wanted> static bool takes(Operation *user, OpOperand &use, Wanted isWanted) {
  if (use.getOperandNumber() >= user->getNumOperands())
    return false;
  return isWanted(user->getOperand(use.getOperandNumber())) ||
         (isCommutative(user) && llvm::any_of(user->getOperands(), isWanted));
}

int64_t Matching::agreement(Operation *before, Operation *after) const {
  const OpEntry &x = beforeTable.of(before), &y = afterTable.of(after);
  int64_t points = x.base == y.base ? 2 : before->getName() == after->getName() ? 0 : kOtherName;
  if (x.origin && x.origin == y.origin)
    points += kOrigin;
  points += partner(before->getBlock()) == after->getBlock();
  unsigned count = std::min(before->getNumOperands(), after->getNumOperands());
  int64_t straight = 0, crossed = 0;
  for (unsigned i = 0; i < count; ++i)
    straight += agree(before->getOperand(i), after->getOperand(i));
  if (isCommutative(before) && count == 2)
    for (unsigned i = 0; i < count; ++i)
      crossed += agree(before->getOperand(i), after->getOperand(1 - i));
  points += 2 * std::max(straight, crossed);
  size_t seen = 0;
  for (OpOperand &use : before->getUses()) {
    if (++seen > kMostUsersExamined)
      break;
    if (Operation *user = partner(use.getOwner()))
      points += 2 * takes(user, use, [&](Value value) {
                  auto result = dyn_cast<OpResult>(value);
                  return result && result.getOwner() == after &&
                         result.getResultNumber() == cast<OpResult>(use.get()).getResultNumber();
                });
  }
  return points;
}

void Matching::candidatesOf(Operation *before, llvm::SmallVectorImpl<Operation *> &candidates) const {
  Operation *now = partner(before);
  auto consider = [&](Operation *candidate) {
    if (candidate && candidate != now && candidates.size() < kMostCandidates && afterTable.holds(candidate) &&
        mayBePartners(before, candidate) && !llvm::is_contained(candidates, candidate))
      candidates.push_back(candidate);
  };
  size_t seen = 0;
  for (OpOperand &use : before->getUses()) {
    if (++seen > kMostUsersExamined)
      break;
    if (Operation *user = partner(use.getOwner()))
      takes(user, use, [&](Value value) {
        consider(value.getDefiningOp());
        return false;
      });
  }
  for (Value operand : before->getOperands()) {
    Value other = counterpart(operand);
    size_t users = 0;
    if (other)
      for (Operation *user : other.getUsers()) {
        if (++users > kMostUsersExamined)
          break;
        consider(user);
      }
  }
}

void Matching::repair() {
  // Whether every operand and use corresponds to the partner's.
  auto agrees = [&](Operation *op, Operation *other) {
    if (!other)
      return false;
    int64_t uses = std::min<int64_t>(std::distance(op->use_begin(), op->use_end()), kMostUsersExamined);
    bool isOfOne = beforeTable.of(op).origin && beforeTable.of(op).origin == afterTable.of(other).origin;
    return agreement(op, other) == 3 + 2 * (op->getNumOperands() + uses) + (isOfOne ? kOrigin : 0);
  };
  // If an operand disagrees, the op and the definitions of the operand on both sides are uncertain.
  llvm::SmallPtrSet<Operation *, 32> isDoubtful;
  std::vector<Operation *> doubtful;
  auto doubt = [&](Operation *op) {
    if (op && op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && beforeTable.holds(op) &&
        !beforeTable.of(op).nameless && isDoubtful.insert(op).second)
      doubtful.push_back(op);
  };
  for (const OpEntry &entry : beforeTable.entries()) {
    Operation *other = partner(entry.op);
    if (!other) {
      doubt(entry.op);
      continue;
    }
    unsigned count = std::min(entry.op->getNumOperands(), other->getNumOperands());
    for (unsigned i = 0; i < count; ++i) {
      Value x = entry.op->getOperand(i), y = other->getOperand(i);
      if (same(x, y))
        continue;
      doubt(entry.op);
      doubt(x.getDefiningOp());
      doubt(partner(y.getDefiningOp()));
    }
  }
  llvm::sort(doubtful, [&](Operation *a, Operation *b) { return beforeTable.indexOf(a) < beforeTable.indexOf(b); });
  int64_t tries = 0;
  for (int round = 0; round < kMostRepairRounds && tries < kMostTries; ++round) {
    bool hasChanged = false;
    for (Operation *op : doubtful) {
      Operation *now = partner(op);
      if (agrees(op, now) || ++tries > kMostTries)
        continue;
      llvm::SmallVector<Operation *> candidates;
      candidatesOf(op, candidates);
      Operation *best = nullptr;
      int64_t most = 0, own = now ? agreement(op, now) : 0;
      for (Operation *candidate : candidates) {
        Operation *rival = partner(candidate);
        ++tries;
        int64_t gain = agreement(op, candidate) - own;
        if (rival) {
          gain -= agreement(rival, candidate);
          if (now && mayBePartners(rival, now))
            gain += agreement(rival, now);
        }
        if (gain > most) {
          most = gain;
          best = candidate;
        }
      }
      if (!best)
        continue;
      hasChanged = true;
      Operation *rival = partner(best);
      if (now)
        partners.erase(now);
      if (rival)
        partners.erase(rival);
      partners[op] = best;
      partners[best] = op;
      if (now && rival && mayBePartners(rival, now)) {
        partners[rival] = now;
        partners[now] = rival;
      }
    }
    if (!hasChanged)
      return;
  }
}
