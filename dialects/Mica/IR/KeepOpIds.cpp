//===- KeepOpIds.cpp - ids survive rewrites that know nothing of them -------------------------------------------===//
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

using namespace mlir;
using namespace mica;

void mica::addOpIds(Operation *op, ArrayRef<Location> others) {
  if (others.empty())
    return;
  const llvm::SmallVector<StringRef> own = getOpIds(op);
  llvm::DenseSet<StringRef> known(own.begin(), own.end());
  llvm::SmallVector<Location> parts{op->getLoc()};
  for (Location other : others) {
    llvm::SmallVector<StringRef> ids = getOpIds(other);
    if (llvm::all_of(ids, [&](StringRef id) { return known.contains(id); }))
      continue;
    known.insert(ids.begin(), ids.end());
    parts.push_back(other);
  }
  if (parts.size() > 1)
    op->setLoc(FusedLoc::get(op->getContext(), parts));
}

void KeepOpIds::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint previous) {
  if (!previous.isSet())
    fresh.insert(op);
}

void KeepOpIds::notifyOperationErased(Operation *op) { fresh.erase(op); }

void KeepOpIds::notifyOperationReplaced(Operation *op, Operation *replacement) {
  notifyOperationReplaced(op, replacement->getResults());
}

/// Locations of what `op`, about to go, is the only reader of and none of `fresh` reads: what replaces `op` computes
/// that too.
static llvm::SmallVector<Location> absorbedBy(const llvm::DenseSet<Operation *> &fresh, Operation *op) {
  llvm::SmallVector<Location> locations;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || isa<tensor::EmptyOp>(def) || fresh.contains(def) || !hasOpIds(def->getLoc()))
      continue;
    if (llvm::all_of(def->getUsers(), [&](Operation *user) { return user == op; }))
      locations.push_back(def->getLoc());
  }
  return locations;
}

void KeepOpIds::notifyOperationReplaced(Operation *op, ValueRange replacement) {
  llvm::SmallVector<Location> absorbed = absorbedBy(fresh, op);
  for (Value value : replacement) {
    Operation *def = value.getDefiningOp();
    if (!def || def == op || def->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (fresh.contains(def)) {
      addOpIds(def, op->getLoc());
      addOpIds(def, absorbed);
    } else if (def->getName() == op->getName()) {
      addOpIds(def, op->getLoc());
    }
  }
  fresh.clear();
}
