//===- MatchOps.cpp - matching ops of two modules ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See MatchOps.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/MatchOps.h"

#include "lib/IRTools/CommonSequence.h"
#include "lib/IRTools/LongestIncreasingSubsequence.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Maximum number of ops that are matched only by order in one window: the cost is quadratic.
static constexpr size_t kOrderWindow = 2000;
/// Maximum number of users of one value that are examined.
static constexpr size_t kMostUsers = 64;
/// Maximum number of differences between two parts of a block for matching by order.
static constexpr int64_t kMostEditsOfABlock = 1000;
/// Maximum number of rounds for chains from one block into another.
static constexpr int kMostRounds = 16;

static std::vector<Operation *> opsOf(Block *block) {
  std::vector<Operation *> ops;
  for (Operation &op : *block)
    ops.push_back(&op);
  return ops;
}

Matching::Matching(const Document &before, OpTable &beforeTable, const Document &after, OpTable &afterTable)
    : beforeTable(beforeTable), afterTable(afterTable) {
  Operation *a = before.root.get(), *b = after.root.get();
  partners[a] = b;
  partners[b] = a;
  matchRegions(a, b);
  matchAcrossBlocks();
  // Pairs found from inside another block may be added after their own block was processed.
  for (const OpEntry &entry : beforeTable.entries())
    if (Operation *other = partner(entry.op))
      for (auto [left, right] : llvm::zip(entry.op->getRegions(), other->getRegions()))
        if (!left.empty() && !right.empty() && !blocks.count(&left.front())) {
          matchRegions(entry.op, other);
          break;
        }
  // Constants that are only used inside of loops, and unused ones.
  auto unpaired = [&](const OpTable &table) {
    Ops ops;
    for (const OpEntry &entry : table.entries())
      if (entry.isValue && !partners.count(entry.op))
        ops.push_back(entry.op);
    return ops;
  };
  matchChangedConstants(unpaired(beforeTable));
  matchByKey(
      unpaired(beforeTable), unpaired(afterTable),
      [](const OpEntry &e) -> uint64_t {
        return e.op->use_empty() ? llvm::hash_combine(e.op->getName().getAsOpaquePointer(),
                                                      e.op->getResult(0).getType().getAsOpaquePointer())
                                 : llvm::hash_code(0);
      },
      Multiple::OnlyIfAsMany);
  repair();
}

bool Matching::canPair(Operation *before, Operation *after, bool sameName) const {
  return !partners.count(before) && !partners.count(after) && (!sameName || before->getName() == after->getName());
}

void Matching::pair(Operation *before, Operation *after) {
  partners[before] = after;
  partners[after] = before;
  fresh.push_back({before, after});
}

bool Matching::same(Value before, Value after) const {
  if (auto argument = dyn_cast<BlockArgument>(before)) {
    auto other = dyn_cast<BlockArgument>(after);
    return other && partner(argument.getOwner()) == other.getOwner() && argument.getArgNumber() == other.getArgNumber();
  }
  auto a = cast<OpResult>(before);
  auto b = dyn_cast<OpResult>(after);
  return b && partner(a.getOwner()) == b.getOwner() && a.getResultNumber() == b.getResultNumber();
}

bool Matching::equal(Value before, Value after) const {
  auto a = dyn_cast<OpResult>(before), b = dyn_cast<OpResult>(after);
  if (!a || !b || a.getResultNumber() != b.getResultNumber())
    return false;
  const OpEntry &x = beforeTable.of(a.getOwner()), &y = afterTable.of(b.getOwner());
  if (x.isValue && y.isValue)
    return x.base == y.base;
  return partner(a.getOwner()->getBlock()) == b.getOwner()->getBlock() && x.isPure && y.isPure &&
         x.context == y.context;
}

void Matching::matchRegions(Operation *before, Operation *after) {
  for (auto [a, b] : llvm::zip(before->getRegions(), after->getRegions())) {
    // Entry blocks correspond; others are matched by contents, then by position between matched ones.
    std::vector<Block *> left, right;
    std::vector<uint64_t> hashesBefore, hashesAfter;
    for (Block &block : a) {
      left.push_back(&block);
      hashesBefore.push_back(left.size() == 1 ? 0 : beforeTable.hashOf(&block));
    }
    for (Block &block : b) {
      right.push_back(&block);
      hashesAfter.push_back(right.size() == 1 ? 0 : afterTable.hashOf(&block));
    }
    std::vector<std::pair<size_t, size_t>> found;
    size_t i = 0, j = 0;
    std::vector<std::pair<size_t, size_t>> anchors = commonSequence(hashesBefore, hashesAfter, kMostEditsOfABlock);
    anchors.push_back({left.size(), right.size()});
    for (auto [x, y] : anchors) {
      for (; i < x && j < y; ++i, ++j)
        found.push_back({i, j});
      if (x < left.size() && y < right.size())
        found.push_back({x, y});
      i = x + 1;
      j = y + 1;
    }
    for (auto [x, y] : found) {
      blocks[left[x]] = right[y];
      blocks[right[y]] = left[x];
    }
    for (auto [x, y] : found)
      matchBlocks(left[x], right[y]);
  }
}

void Matching::matchByKey(const Ops &before, const Ops &after, const Key &key, Multiple multiple) {
  struct Bucket {
    Ops before, after;
  };
  llvm::MapVector<uint64_t, Bucket> buckets;
  for (Operation *op : before)
    if (!partners.count(op))
      if (uint64_t hash = key(beforeTable.of(op)))
        buckets[hash].before.push_back(op);
  for (Operation *op : after)
    if (!partners.count(op))
      if (uint64_t hash = key(afterTable.of(op)))
        if (auto found = buckets.find(hash); found != buckets.end())
          found->second.after.push_back(op);
  for (auto &[hash, bucket] : buckets) {
    size_t a = bucket.before.size(), b = bucket.after.size();
    if ((multiple == Multiple::Never && (a != 1 || b != 1)) || (multiple == Multiple::OnlyIfAsMany && a != b))
      continue;
    for (auto [left, right] : llvm::zip(bucket.before, bucket.after))
      if (canPair(left, right))
        pair(left, right);
  }
}

void Matching::matchSymbols(const Ops &before, const Ops &after) {
  llvm::StringMap<Operation *> byName;
  auto nameOf = [](Operation *op) { return op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()); };
  for (Operation *op : after)
    if (StringAttr name = nameOf(op))
      byName.try_emplace(name.getValue(), op);
  for (Operation *op : before)
    if (StringAttr name = nameOf(op))
      if (Operation *other = byName.lookup(name.getValue()); other && canPair(op, other))
        pair(op, other);
}

void Matching::matchAligned(const Ops &before, const Ops &after, const Key &key) {
  auto isUnpaired = [&](Operation *op) { return !partners.count(op); };
  if (llvm::none_of(before, isUnpaired) || llvm::none_of(after, isUnpaired))
    return;
  // Pairs in the same order divide the block.
  llvm::DenseMap<Operation *, int64_t> placeOf;
  for (auto [i, op] : llvm::enumerate(after))
    placeOf[op] = static_cast<int64_t>(i);
  std::vector<int64_t> places;
  std::vector<size_t> anchors;
  for (auto [i, op] : llvm::enumerate(before))
    if (auto found = placeOf.find(partner(op)); found != placeOf.end()) {
      places.push_back(found->second);
      anchors.push_back(i);
    }
  std::vector<bool> kept = keptInOrder(places);
  size_t a = 0, b = 0;
  auto align = [&](size_t untilA, size_t untilB) {
    Ops left, right;
    for (; a < untilA; ++a)
      if (!partners.count(before[a]))
        left.push_back(before[a]);
    for (; b < untilB; ++b)
      if (!partners.count(after[b]))
        right.push_back(after[b]);
    if (left.empty() || right.empty())
      return;
    // Elements without a counterpart are not part of a common sequence.
    llvm::DenseSet<uint64_t> there, here;
    auto keep = [&](Ops &ops, const OpTable &table, const llvm::DenseSet<uint64_t> *wanted,
                    std::vector<uint64_t> &keys) {
      llvm::erase_if(ops, [&](Operation *op) {
        uint64_t hash = key(table.of(op)) >> 2; // the two highest keys are reserved
        bool isWanted = !wanted || wanted->contains(hash);
        if (isWanted)
          keys.push_back(hash);
        return !isWanted;
      });
    };
    std::vector<uint64_t> x, y;
    keep(right, afterTable, nullptr, y);
    there.insert(y.begin(), y.end());
    keep(left, beforeTable, &there, x);
    if (left.empty())
      return;
    here.insert(x.begin(), x.end());
    y.clear();
    keep(right, afterTable, &here, y);
    for (auto [i, j] : commonSequence(x, y, kMostEditsOfABlock))
      pair(left[i], right[j]);
  };
  for (size_t i = 0; i < anchors.size(); ++i)
    if (kept[i]) {
      align(anchors[i], static_cast<size_t>(places[i]));
      a = anchors[i] + 1;
      b = static_cast<size_t>(places[i]) + 1;
    }
  align(before.size(), after.size());
}

void Matching::matchBlocks(Block *blockBefore, Block *blockAfter) {
  Ops before = opsOf(blockBefore), after = opsOf(blockAfter);
  auto mix = [](uint64_t a, uint64_t b) -> uint64_t { return llvm::hash_combine(a, b); };
  auto name = [](const OpEntry &e) -> uint64_t { return llvm::hash_value(e.op->getName().getAsOpaquePointer()); };
  auto base = [](const OpEntry &e) { return e.base; };
  auto up = [](const OpEntry &e) { return e.context; };
  auto down = [](const OpEntry &e) { return e.down; };
  auto all = [&](const OpEntry &e) { return mix(mix(e.context, e.down), e.origin); };
  auto upAndDown = [&](const OpEntry &e) { return mix(e.context, e.down); };
  // Values from outside are represented by their counterparts in the second module.
  auto asToken = [](Value value) { return value ? reinterpret_cast<uint64_t>(value.getAsOpaquePointer()) : 0; };
  beforeTable.hashInContext(*blockBefore, [&](Value value) { return asToken(counterpart(value)); });
  afterTable.hashInContext(*blockAfter, [&](Value value) -> uint64_t {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isPaired = argument ? partner(argument.getOwner()) != nullptr : partner(value.getDefiningOp()) != nullptr;
    return isPaired ? asToken(value) : 0;
  });
  matchSymbols(before, after);
  matchByKey(
      before, after, [](const OpEntry &e) { return e.nameless; }, Multiple::InOrder);
  // Unique ops first: their neighbors distinguish the others.
  matchByKey(before, after, all, Multiple::Never);
  matchByKey(before, after, upAndDown, Multiple::Never);
  matchByKey(
      before, after, [&](const OpEntry &e) { return e.origin ? mix(e.origin, e.base) : 0; }, Multiple::Never);
  if (!before.empty() && !after.empty() && before.back()->hasTrait<OpTrait::IsTerminator>() &&
      canPair(before.back(), after.back()))
    pair(before.back(), after.back());
  matchNeighbours(Likeness::Base);
  matchAligned(before, after, upAndDown);
  matchByKey(before, after, all, Multiple::InOrder);
  matchByKey(before, after, upAndDown, Multiple::InOrder);
  matchByKey(
      before, after, [](const OpEntry &e) -> uint64_t { return e.isValue ? e.base : 0; }, Multiple::InOrder);
  matchByKey(
      before, after, [&](const OpEntry &e) { return e.origin ? mix(e.origin, e.base) : 0; }, Multiple::OnlyIfAsMany);
  matchByKey(
      before, after, [&](const OpEntry &e) { return e.origin && !e.isValue ? mix(e.origin, name(e)) : 0; },
      Multiple::OnlyIfAsMany);
  matchNeighbours(Likeness::Base);
  matchAligned(before, after, up);
  matchAligned(before, after, down);
  matchByKey(before, after, up, Multiple::InOrder);
  matchByKey(before, after, down, Multiple::Never);
  matchNeighbours(Likeness::Base);
  matchByKey(before, after, down, Multiple::OnlyIfAsMany);
  matchNeighbours(Likeness::Base);
  matchAligned(before, after, base);
  for (Operation *op : before)
    if (Operation *other = partner(op))
      fresh.push_back({op, other});
  matchNeighbours(Likeness::Name);
  matchInOrder(before, after, base);
  matchNeighbours(Likeness::Name);
  matchInOrder(before, after, [&](const OpEntry &e) { return e.isValue ? e.base : name(e); });
  matchNeighbours(Likeness::Name);
  matchChangedConstants(before);
  matchReplaced(before);
  matchNeighbours(Likeness::Name);
  improveChains(before, /*isBefore=*/true);
  improveChains(after, /*isBefore=*/false);
  for (Operation *op : before)
    if (Operation *other = partner(op); other && other->getBlock() == blockAfter)
      matchRegions(op, other);
}

void Matching::matchNeighbours(Likeness likeness) {
  while (!fresh.empty()) {
    auto [before, after] = fresh.back();
    fresh.pop_back();
    matchOperandsAndUsers(before, after, likeness);
  }
}

bool Matching::areExchanged(Operation *before, Operation *after) const {
  auto likeness = [&](Value a, Value b) {
    if (agree(a, b))
      return 4;
    auto x = dyn_cast<OpResult>(a), y = dyn_cast<OpResult>(b);
    if (!x || !y || partners.count(x.getOwner()) || partners.count(y.getOwner()))
      return 0;
    return beforeTable.of(x.getOwner()).base == afterTable.of(y.getOwner()).base ? 2
           : x.getOwner()->getName() == y.getOwner()->getName()                  ? 1
                                                                                 : 0;
  };
  Value a0 = before->getOperand(0), a1 = before->getOperand(1), b0 = after->getOperand(0), b1 = after->getOperand(1);
  return likeness(a0, b1) + likeness(a1, b0) > likeness(a0, b0) + likeness(a1, b1);
}

void Matching::matchOperandsAndUsers(Operation *before, Operation *after, Likeness likeness) {
  // Only between corresponding blocks: values of outer blocks are already processed.
  auto mayPair = [&](Operation *a, Operation *b) {
    return canPair(a, b) && partner(a->getBlock()) == b->getBlock() &&
           (beforeTable.of(a).base == afterTable.of(b).base ||
            (likeness == Likeness::Name && !beforeTable.of(a).isValue && !afterTable.of(b).isValue));
  };
  if (before->getNumOperands() == after->getNumOperands() && before->getName() == after->getName()) {
    // The operands of a commutative op may be swapped.
    bool areSwapped =
        beforeTable.of(before).isCommutative && before->getNumOperands() == 2 && areExchanged(before, after);
    for (unsigned i = 0; i < before->getNumOperands(); ++i) {
      auto x = dyn_cast<OpResult>(before->getOperand(i)),
           y = dyn_cast<OpResult>(after->getOperand(areSwapped ? 1 - i : i));
      if (x && y && x.getResultNumber() == y.getResultNumber() && mayPair(x.getOwner(), y.getOwner()))
        pair(x.getOwner(), y.getOwner());
    }
  }
  for (auto [a, b] : llvm::zip(before->getResults(), after->getResults())) {
    // Unmatched users that are unique by name and operand position; a user inside of a region is represented by its
    // ancestor in this block.
    struct Users {
      SmallVector<Operation *, 1> before, after;
    };
    llvm::MapVector<std::pair<const void *, unsigned>, Users> users;
    auto collect = [&](OpResult value, SmallVector<Operation *, 1> Users::*side) {
      size_t seen = 0;
      for (OpOperand &use : value.getUses()) {
        if (++seen > kMostUsers)
          return;
        Operation *user = ancestorIn(value.getOwner()->getBlock(), use.getOwner());
        if (!user || partners.count(user))
          continue;
        unsigned position = user != use.getOwner() ? ~0u : isCommutative(user) ? 0 : use.getOperandNumber();
        auto &slot = users[{user->getName().getAsOpaquePointer(), position}].*side;
        if (!llvm::is_contained(slot, user))
          slot.push_back(user);
      }
    };
    collect(a, &Users::before);
    collect(b, &Users::after);
    for (auto &[key, slot] : users) {
      if (slot.before.size() == 1 && slot.after.size() == 1) {
        if (mayPair(slot.before[0], slot.after[0]))
          pair(slot.before[0], slot.after[0]);
        continue;
      }
      for (Operation *user : slot.before) {
        uint64_t below = beforeTable.of(user).down;
        auto isLike = [&](Operation *other) { return afterTable.of(other).down == below; };
        auto found = llvm::find_if(slot.after, isLike);
        if (found != slot.after.end() && llvm::count_if(slot.after, isLike) == 1 &&
            llvm::count_if(slot.before, [&](Operation *other) { return beforeTable.of(other).down == below; }) == 1 &&
            mayPair(user, *found))
          pair(user, *found);
      }
    }
  }
}

void Matching::forEachPairedUse(Operation *op, llvm::function_ref<void(OpOperand &use, Operation *user)> visit) const {
  size_t seen = 0;
  for (OpOperand &use : op->getUses()) {
    Operation *user = partner(use.getOwner());
    if (++seen > kMostUsers)
      break;
    if (user && use.getOperandNumber() < user->getNumOperands())
      visit(use, user);
  }
}

int64_t Matching::agreeingUses(Operation *before, Operation *after) const {
  int64_t count = 0;
  forEachPairedUse(before, [&](OpOperand &use, Operation *user) {
    auto isThere = [&](Value operand) {
      auto value = dyn_cast<OpResult>(operand);
      return value && value.getOwner() == after &&
             value.getResultNumber() == cast<OpResult>(use.get()).getResultNumber();
    };
    count += isThere(user->getOperand(use.getOperandNumber())) ||
             (isCommutative(user) && llvm::any_of(user->getOperands(), isThere));
  });
  return count;
}

void Matching::improveChains(const Ops &ops, bool isBefore) {
  const OpTable &table = isBefore ? beforeTable : afterTable;
  for (Operation *op : ops) {
    if (partners.count(op) || op->getNumResults() == 0)
      continue;
    for (Value operand : op->getOperands()) {
      Operation *twin = operand.getDefiningOp();
      if (!twin || twin->getBlock() != op->getBlock() || table.of(twin).base != table.of(op).base)
        continue;
      Operation *other = partner(twin);
      if (!other || other->getNumRegions())
        continue;
      auto sameValue = [&](Value here, Value there) { return isBefore ? same(here, there) : same(there, here); };
      // Compares the uses of `op` and of its twin with those of the other op.
      int64_t now = isBefore ? agreeingUses(twin, other) : agreeingUses(other, twin);
      int64_t then = isBefore ? agreeingUses(op, other) : agreeingUses(other, op);
      for (auto [mine, its, there] : llvm::zip(op->getOperands(), twin->getOperands(), other->getOperands())) {
        now += sameValue(its, there);
        then += mine.getDefiningOp() == twin
                    ? llvm::any_of(twin->getOperands(), [&](Value value) { return sameValue(value, there); })
                    : sameValue(mine, there);
      }
      if (then <= now)
        continue;
      partners.erase(twin);
      partners[op] = other;
      partners[other] = op;
      break;
    }
  }
}

/// Pairs of equal keys in a longest common subsequence of the two windows.
static std::vector<std::pair<size_t, size_t>> commonSubsequence(llvm::ArrayRef<uint64_t> a,
                                                                llvm::ArrayRef<uint64_t> b) {
  size_t n = a.size(), m = b.size();
  std::vector<uint16_t> length((n + 1) * (m + 1), 0);
  auto at = [&](size_t i, size_t j) -> uint16_t & { return length[i * (m + 1) + j]; };
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0, j = 0; i < n && j < m;)
    if (a[i] == b[j])
      pairs.push_back({i++, j++});
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  return pairs;
}

void Matching::matchInOrder(const Ops &before, const Ops &after, const Key &key) {
  Ops left, right;
  for (Operation *op : before)
    if (!partners.count(op))
      left.push_back(op);
  for (Operation *op : after)
    if (!partners.count(op))
      right.push_back(op);
  // Windows at the same relative position in both: distant ops do not correspond.
  size_t windows = std::max<size_t>(1, (std::max(left.size(), right.size()) + kOrderWindow - 1) / kOrderWindow);
  for (size_t w = 0; w < windows; ++w) {
    llvm::ArrayRef<Operation *> a(left), b(right);
    size_t a0 = left.size() * w / windows, a1 = left.size() * (w + 1) / windows;
    size_t b0 = right.size() * w / windows, b1 = right.size() * (w + 1) / windows;
    a = a.slice(a0, a1 - a0);
    b = b.slice(b0, b1 - b0);
    std::vector<uint64_t> x, y;
    for (Operation *op : a)
      x.push_back(key(beforeTable.of(op)));
    for (Operation *op : b)
      y.push_back(key(afterTable.of(op)));
    for (auto [i, j] : commonSubsequence(x, y))
      if (canPair(a[i], b[j]))
        pair(a[i], b[j]);
  }
}

Value Matching::counterpart(Value before) const {
  if (auto argument = dyn_cast<BlockArgument>(before)) {
    Block *block = partner(argument.getOwner());
    return block && argument.getArgNumber() < block->getNumArguments() ? block->getArgument(argument.getArgNumber())
                                                                       : Value();
  }
  Operation *maker = partner(before.getDefiningOp());
  unsigned number = cast<OpResult>(before).getResultNumber();
  return maker && number < maker->getNumResults() ? maker->getResult(number) : Value();
}

/// The users of `value`, in the order of the text.
static SmallVector<Operation *> inTextOrder(Value value) {
  SmallVector<Operation *> users(value.getUsers());
  std::reverse(users.begin(), users.end());
  return users;
}

void Matching::matchReplaced(const Ops &before) {
  // Ops with the same operands; among several, the one with the most similar uses, then the first. In order, so that in
  // a chain of replaced ops each is found from the previous one.
  for (Operation *op : before) {
    if (partners.count(op) || op->getNumOperands() == 0)
      continue;
    Operation *best = nullptr;
    int64_t most = -1;
    size_t seen = 0;
    auto consider = [&](Operation *candidate) {
      if (++seen > kMostUsers || !canPair(op, candidate, /*sameName=*/false) || candidate == best ||
          candidate->getNumOperands() != op->getNumOperands() || candidate->getNumRegions() != op->getNumRegions() ||
          candidate->getResultTypes() != op->getResultTypes() || partner(op->getBlock()) != candidate->getBlock() ||
          op->hasTrait<OpTrait::IsTerminator>())
        return;
      auto agreeAt = [&](unsigned i, unsigned j) { return agree(op->getOperand(i), candidate->getOperand(j)); };
      bool isStraight = true;
      for (unsigned i = 0; i < op->getNumOperands(); ++i)
        isStraight &= agreeAt(i, i);
      bool isCrossed = !isStraight && op->getNumOperands() == 2 && isCommutative(op) && agreeAt(0, 1) && agreeAt(1, 0);
      if (!isStraight && !isCrossed)
        return;
      // On equal scores, the first candidate is taken.
      if (int64_t count = agreeingUses(op, candidate); count > most) {
        most = count;
        best = candidate;
      }
    };
    if (Value other = counterpart(op->getOperand(0)))
      for (Operation *user : inTextOrder(other))
        consider(user);
    if (best)
      pair(op, best);
  }
}

void Matching::matchChangedConstants(const Ops &before) {
  for (Operation *op : before) {
    if (partners.count(op) || !beforeTable.of(op).isValue)
      continue;
    Operation *best = nullptr;
    int64_t most = 0;
    forEachPairedUse(op, [&](OpOperand &use, Operation *user) {
      auto consider = [&](Value operand) {
        Operation *maker = operand.getDefiningOp();
        if (!maker || maker == best || !canPair(op, maker) || !afterTable.of(maker).isValue ||
            partner(op->getBlock()) != maker->getBlock())
          return;
        if (int64_t count = agreeingUses(op, maker); count > most) {
          most = count;
          best = maker;
        }
      };
      consider(user->getOperand(use.getOperandNumber()));
      if (afterTable.of(user).isCommutative)
        llvm::for_each(user->getOperands(), consider);
    });
    if (best)
      pair(op, best);
  }
}

void Matching::matchAcrossBlocks() {
  auto unmatched = [&](const OpTable &table) {
    Ops ops;
    for (const OpEntry &entry : table.entries())
      if (!partners.count(entry.op) && !entry.op->hasTrait<OpTrait::IsTerminator>())
        ops.push_back(entry.op);
    return ops;
  };
  auto settle = [&] {
    std::vector<std::pair<Operation *, Operation *>> found = std::move(fresh);
    fresh.clear();
    // Outer ops first, so that nested ops of a moved op are matched with each other.
    llvm::sort(found, [&](auto &a, auto &b) { return beforeTable.indexOf(a.first) < beforeTable.indexOf(b.first); });
    for (auto [a, b] : found)
      if (a->getNumRegions())
        matchRegions(a, b);
    return !found.empty();
  };
  matchByKey(
      unmatched(beforeTable), unmatched(afterTable),
      [](const OpEntry &e) -> uint64_t {
        return e.origin ? static_cast<uint64_t>(llvm::hash_combine(e.origin, e.base)) : 0;
      },
      Multiple::Never);
  settle();
  // Without an origin, by the same op on the same values; then by the users of its results. An op without operands is
  // too unspecific: a constant 0 is everywhere.
  auto key = [&](const OpEntry &e) -> uint64_t {
    if (e.op->getNumOperands() == 0)
      return e.op->getNumRegions() ? e.base : 0;
    llvm::hash_code hash = e.base;
    bool isBefore = beforeTable.holds(e.op);
    for (Value operand : e.op->getOperands()) {
      const void *maker = nullptr;
      unsigned number = 0;
      if (auto result = dyn_cast<OpResult>(operand)) {
        maker = isBefore ? partner(result.getOwner()) : result.getOwner();
        number = result.getResultNumber();
      } else {
        auto argument = cast<BlockArgument>(operand);
        maker = isBefore ? partner(argument.getOwner()) : argument.getOwner();
        number = argument.getArgNumber();
      }
      if (!maker)
        return 0;
      hash = llvm::hash_combine(hash, maker, number);
    }
    return hash;
  };
  for (int round = 0; round < kMostRounds; ++round) {
    matchByKey(unmatched(beforeTable), unmatched(afterTable), key, Multiple::OnlyIfAsMany);
    if (!settle())
      break;
  }
}
