//===- KeepOpIds.cpp - keeping ids in rewrites ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See KeepOpIds.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/KeepOpIds.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mica;

/// Locations of ops created by a pattern are flattened if they have at least this many parts: locations that DRR
/// patterns fuse would otherwise grow with each merged op.
static constexpr size_t kMostParts = 16;

/// Appends `other` to `parts` if it holds ids other than `known`.
static bool appendIfNew(llvm::DenseSet<StringRef> &known, llvm::SmallVectorImpl<Location> &parts, Location other) {
  bool isNew = false;
  for (StringRef id : getOpIds(other))
    isNew |= known.insert(id).second;
  if (isNew)
    parts.push_back(other);
  return isNew;
}

static llvm::DenseSet<StringRef> knownIds(Operation *op) {
  const llvm::SmallVector<StringRef> own = getOpIds(op);
  return {own.begin(), own.end()};
}

void mica::addOpIds(Operation *op, ArrayRef<Location> others) {
  if (others.empty())
    return;
  llvm::DenseSet<StringRef> known = knownIds(op);
  llvm::SmallVector<Location> parts{op->getLoc()};
  for (Location other : others)
    appendIfNew(known, parts, other);
  if (parts.size() > 1)
    op->setLoc(FusedLoc::get(op->getContext(), parts));
}

KeepOpIds::~KeepOpIds() {
  for (auto [op, node] : collected)
    addCollected(op, node);
}

void KeepOpIds::addCollected(Operation *op, size_t node) const {
  llvm::DenseSet<StringRef> known = knownIds(op);
  llvm::SmallVector<Location> parts{op->getLoc()};
  llvm::DenseSet<size_t> seen;
  llvm::SmallVector<size_t> stack{node};
  while (!stack.empty()) {
    const size_t next = stack.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    const Node &at = nodes[next];
    if (at.location && !appendIfNew(known, parts, at.location) && at.isKept)
      parts.push_back(at.location);
    llvm::append_range(stack, llvm::reverse(at.parts));
  }
  if (parts.size() > 1)
    op->setLoc(FusedLoc::get(op->getContext(), parts));
}

size_t KeepOpIds::addNode(LocationAttr location, llvm::ArrayRef<size_t> parts, bool isKept) {
  nodes.push_back({location, isKept, llvm::SmallVector<size_t, 2>(parts)});
  return nodes.size() - 1;
}

size_t KeepOpIds::nodeOf(Operation *op) {
  auto found = collected.find(op);
  return addNode(op->getLoc(), found == collected.end() ? llvm::ArrayRef<size_t>() : found->second);
}

void KeepOpIds::collect(Operation *op, llvm::ArrayRef<size_t> parts) {
  if (parts.empty())
    return;
  llvm::SmallVector<size_t> all;
  if (auto found = collected.find(op); found != collected.end())
    all.push_back(found->second);
  llvm::append_range(all, parts);
  const size_t node = all.size() == 1 ? all.front() : addNode({}, all);
  collected[op] = node;
}

void KeepOpIds::collectFromPattern(Operation *op) {
  llvm::SmallPtrSet<const void *, 8> locations;
  auto isFused = [](Location location) {
    auto fused = dyn_cast<FusedLoc>(location);
    return fused && !fused.getMetadata();
  };
  auto partsOf = [&](const Location &location) {
    return isFused(location) ? cast<FusedLoc>(location).getLocations() : llvm::ArrayRef<Location>(location);
  };
  const Location location = op->getLoc();
  const llvm::ArrayRef<Location> parts = partsOf(location);
  for (Location part : parts)
    locations.insert(part.getAsOpaquePointer());
  llvm::SmallVector<size_t> more;
  if (parts.size() > kMostParts) {
    op->setLoc(parts.front());
    for (Location part : parts.drop_front())
      more.push_back(addNode(part, {}, /*isKept=*/true));
  }
  auto addFrom = [&](Operation *source) {
    auto found = source ? collected.find(source) : collected.end();
    if (found != collected.end() && llvm::all_of(partsOf(source->getLoc()), [&](Location part) {
          return locations.contains(part.getAsOpaquePointer());
        }))
      more.push_back(found->second);
  };
  if (root && root != op && !collected.empty()) {
    addFrom(root);
    for (Value operand : root->getOperands())
      addFrom(operand.getDefiningOp());
  }
  collect(op, more);
}

void KeepOpIds::notifyPatternBegin(const Pattern &, Operation *op) { root = op; }

void KeepOpIds::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint previous) {
  if (previous.isSet())
    return;
  fresh.insert(op);
  collectFromPattern(op);
}

void KeepOpIds::notifyOperationErased(Operation *op) {
  fresh.erase(op);
  unread.erase(op);
  collected.erase(op);
  if (root == op)
    root = nullptr;
}

void KeepOpIds::notifyOperationReplaced(Operation *op, Operation *replacement) {
  notifyOperationReplaced(op, replacement->getResults());
}

llvm::SmallVector<size_t> KeepOpIds::absorbedBy(Operation *op) {
  llvm::SmallVector<size_t> absorbed;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || isa<tensor::EmptyOp>(def) || fresh.contains(def))
      continue;
    if (!llvm::all_of(def->getUsers(), [&](Operation *user) { return user == op || unread.contains(user); }))
      continue;
    absorbed.push_back(nodeOf(def));
    unread.insert(def);
  }
  return absorbed;
}

void KeepOpIds::notifyOperationReplaced(Operation *op, ValueRange replacement) {
  llvm::SmallVector<size_t> all;
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (Value value : replacement) {
    Operation *def = value.getDefiningOp();
    if (!def || def == op || def->hasTrait<OpTrait::ConstantLike>() || !seen.insert(def).second)
      continue;
    const bool isFresh = fresh.contains(def);
    if (!isFresh && def->getName() != op->getName())
      continue;
    if (all.empty())
      all.push_back(nodeOf(op));
    if (isFresh && all.size() == 1)
      llvm::append_range(all, absorbedBy(op));
    collect(def, isFresh ? llvm::ArrayRef<size_t>(all) : llvm::ArrayRef<size_t>(all.front()));
  }
  fresh.clear();
}
