//===- MatchOps.cpp - which op of one module is which op of the other -------------------------------------------===//
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

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Ops compared in one window where only their order is left to go by: the work is its square.
static constexpr size_t kOrderWindow = 2000;
/// Users of one value that are looked at for pairs.
static constexpr size_t kMostUsers = 64;
/// Lengths of chains that are followed from one block into another.
static constexpr int kMostRounds = 16;

static std::vector<Operation *> opsOf(Block *block) {
  std::vector<Operation *> ops;
  for (Operation &op : *block)
    ops.push_back(&op);
  return ops;
}

Matching::Matching(const Document &before, const OpTable &beforeTable, const Document &after, const OpTable &afterTable)
    : beforeTable(beforeTable), afterTable(afterTable) {
  Operation *a = before.root.get(), *b = after.root.get();
  partners[a] = b;
  partners[b] = a;
  matchRegions(a, b);
  matchAcrossBlocks();
  // Pairs found from inside another block came after their own block's turn.
  for (const OpEntry &entry : beforeTable.entries())
    if (Operation *other = partner(entry.op))
      for (auto [left, right] : llvm::zip(entry.op->getRegions(), other->getRegions()))
        if (!left.empty() && !right.empty() && !blocks.count(&left.front())) {
          matchRegions(entry.op, other);
          break;
        }
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
  if (!a || !b || a.getResultNumber() != b.getResultNumber() ||
      partner(a.getOwner()->getBlock()) != b.getOwner()->getBlock())
    return false;
  const OpEntry &x = beforeTable.of(a.getOwner()), &y = afterTable.of(b.getOwner());
  return x.isPure && y.isPure && x.up == y.up;
}

void Matching::matchRegions(Operation *before, Operation *after) {
  for (auto [a, b] : llvm::zip(before->getRegions(), after->getRegions())) {
    // Entry blocks correspond; the others by what they hold, then by order.
    std::vector<Block *> left, right;
    for (Block &block : a)
      left.push_back(&block);
    for (Block &block : b)
      right.push_back(&block);
    size_t count = std::min(left.size(), right.size());
    for (size_t i = 0; i < count; ++i) {
      blocks[left[i]] = right[i];
      blocks[right[i]] = left[i];
    }
    for (size_t i = 0; i < count; ++i)
      matchBlocks(left[i], right[i]);
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

void Matching::matchBlocks(Block *blockBefore, Block *blockAfter) {
  Ops before = opsOf(blockBefore), after = opsOf(blockAfter);
  auto mix = [](uint64_t a, uint64_t b) -> uint64_t { return llvm::hash_combine(a, b); };
  auto name = [](const OpEntry &e) -> uint64_t { return llvm::hash_value(e.op->getName().getAsOpaquePointer()); };
  auto base = [](const OpEntry &e) { return e.base; };
  auto up = [](const OpEntry &e) { return e.up; };
  auto down = [](const OpEntry &e) { return e.down; };
  auto all = [&](const OpEntry &e) { return mix(mix(e.up, e.down), e.origin); };
  auto upAndDown = [&](const OpEntry &e) { return mix(e.up, e.down); };
  matchSymbols(before, after);
  // What is alone of its kind first: its neighbours tell apart those that are not.
  matchByKey(before, after, all, Multiple::Never);
  matchByKey(before, after, upAndDown, Multiple::Never);
  matchByKey(
      before, after, [&](const OpEntry &e) { return e.origin ? mix(e.origin, e.base) : 0; }, Multiple::Never);
  if (!before.empty() && !after.empty() && before.back()->hasTrait<OpTrait::IsTerminator>() &&
      canPair(before.back(), after.back()))
    pair(before.back(), after.back());
  matchNeighbours(Likeness::Base);
  matchByKey(before, after, all, Multiple::InOrder);
  matchByKey(before, after, upAndDown, Multiple::InOrder);
  matchByKey(
      before, after, [&](const OpEntry &e) { return e.origin ? mix(e.origin, e.base) : 0; }, Multiple::OnlyIfAsMany);
  matchByKey(
      before, after, [&](const OpEntry &e) { return e.origin ? mix(e.origin, name(e)) : 0; }, Multiple::OnlyIfAsMany);
  matchNeighbours(Likeness::Base);
  matchByKey(before, after, up, Multiple::InOrder);
  matchByKey(before, after, down, Multiple::Never);
  matchNeighbours(Likeness::Base);
  matchByKey(before, after, down, Multiple::OnlyIfAsMany);
  for (Operation *op : before)
    if (Operation *other = partner(op))
      fresh.push_back({op, other});
  matchNeighbours(Likeness::Name);
  matchInOrder(before, after, base);
  matchNeighbours(Likeness::Name);
  matchInOrder(before, after, name);
  matchNeighbours(Likeness::Name);
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

void Matching::matchOperandsAndUsers(Operation *before, Operation *after, Likeness likeness) {
  // Only between blocks that correspond: a value of an outer block has had its turn.
  auto mayPair = [&](Operation *a, Operation *b) {
    return canPair(a, b) && partner(a->getBlock()) == b->getBlock() &&
           (likeness == Likeness::Name || beforeTable.of(a).base == afterTable.of(b).base);
  };
  if (before->getNumOperands() == after->getNumOperands() && before->getName() == after->getName())
    for (auto [a, b] : llvm::zip(before->getOperands(), after->getOperands())) {
      auto x = dyn_cast<OpResult>(a), y = dyn_cast<OpResult>(b);
      if (x && y && x.getResultNumber() == y.getResultNumber() && mayPair(x.getOwner(), y.getOwner()))
        pair(x.getOwner(), y.getOwner());
    }
  for (auto [a, b] : llvm::zip(before->getResults(), after->getResults())) {
    // Users without a partner that are alone of their name and operand position; of those inside a region, the op in this
    // block that holds them.
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
        unsigned position = user == use.getOwner() ? use.getOperandNumber() : ~0u;
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

int64_t Matching::agreeingUses(Operation *before, Operation *after) const {
  int64_t count = 0;
  size_t seen = 0;
  for (OpOperand &use : before->getUses()) {
    Operation *user = partner(use.getOwner());
    if (++seen > kMostUsers)
      break;
    if (!user || use.getOperandNumber() >= user->getNumOperands())
      continue;
    auto value = dyn_cast<OpResult>(user->getOperand(use.getOperandNumber()));
    count +=
        value && value.getOwner() == after && value.getResultNumber() == cast<OpResult>(use.get()).getResultNumber();
  }
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
      // What `op` took from its twin it would take from where the twin took it.
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
  // Windows at the same share of both: what is far off is not what it was.
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

void Matching::matchReplaced(const Ops &before) {
  for (Operation *op : before) {
    if (partners.count(op) || op->getNumResults() == 0)
      continue;
    Operation *candidate = nullptr;
    size_t seen = 0;
    for (OpOperand &use : op->getUses()) {
      Operation *user = partner(use.getOwner());
      if (!user || ++seen > kMostUsers || user->getNumOperands() != use.getOwner()->getNumOperands())
        break;
      auto value = dyn_cast<OpResult>(user->getOperand(use.getOperandNumber()));
      Operation *now = value ? value.getOwner() : nullptr;
      if (!now || value.getResultNumber() != cast<OpResult>(use.get()).getResultNumber() ||
          (candidate && candidate != now)) {
        candidate = nullptr;
        break;
      }
      candidate = now;
    }
    if (!candidate || !canPair(op, candidate, /*sameName=*/false) ||
        candidate->getNumResults() != op->getNumResults() || partner(op->getBlock()) != candidate->getBlock())
      continue;
    // The same inputs too: else it is another computation in the same place.
    bool sameInputs = op->getNumOperands() == candidate->getNumOperands();
    for (auto [a, b] : llvm::zip(op->getOperands(), candidate->getOperands()))
      sameInputs &= same(a, b) || equal(a, b);
    if (sameInputs)
      pair(op, candidate);
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
    // Outer ops first, so that what is inside a moved op is paired with its insides.
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
  // Without an origin, the same op on the same values; then what takes its results. An op without operands says too little:
  // a constant 0 is everywhere.
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
