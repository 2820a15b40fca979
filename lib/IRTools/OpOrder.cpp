//===- OpOrder.cpp - reordered ops within a block ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpOrder.h. The ops in unchanged order are a longest increasing subsequence; each of the others is compared with
// those that it passed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/OpOrder.h"

#include "lib/IRTools/LongestIncreasingSubsequence.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Maximum number of ops with which one moved op is compared; beyond, the move counts as harmful.
static constexpr size_t kMostPassed = 4096;

/// The allocation of which `value` is a view; null if unknown.
static Operation *allocationOf(Value value) {
  while (value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return nullptr;
    if (auto view = dyn_cast<ViewLikeOpInterface>(def)) {
      value = view.getViewSource();
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(def);
    return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(value) ? def : nullptr;
  }
  return nullptr;
}

static bool mayChangePlaces(Operation *a, Operation *b) {
  auto effectsOfA = getEffectsRecursively(a), effectsOfB = getEffectsRecursively(b);
  if (!effectsOfA || !effectsOfB)
    return false;
  for (const MemoryEffects::EffectInstance &x : *effectsOfA)
    for (const MemoryEffects::EffectInstance &y : *effectsOfB) {
      if (isa<MemoryEffects::Allocate>(x.getEffect()) || isa<MemoryEffects::Allocate>(y.getEffect()))
        continue;
      if (isa<MemoryEffects::Read>(x.getEffect()) && isa<MemoryEffects::Read>(y.getEffect()))
        continue;
      if (x.getResource() != y.getResource())
        continue;
      Operation *first = x.getValue() ? allocationOf(x.getValue()) : nullptr;
      Operation *second = y.getValue() ? allocationOf(y.getValue()) : nullptr;
      if (!first || !second || first == second)
        return false;
    }
  return true;
}

std::vector<HarmfulMove> irtools::findHarmfulMoves(Block *before, const OpTable &table, const Matching &matching) {
  Block *after = matching.partner(before);
  llvm::DenseMap<Operation *, int64_t> place;
  for (Operation &op : *after)
    place[&op] = static_cast<int64_t>(place.size());
  bool isSymbolTable = before->getParentOp() && before->getParentOp()->hasTrait<OpTrait::SymbolTable>();
  std::vector<Operation *> ops;
  std::vector<int64_t> sequence;
  for (Operation &op : *before) {
    Operation *partner = matching.partner(&op);
    if (!partner || partner->getBlock() != after || table.of(&op).isPure || op.hasTrait<OpTrait::IsTerminator>() ||
        (isSymbolTable && (isa<SymbolOpInterface>(op) || op.hasTrait<OpTrait::IsIsolatedFromAbove>())))
      continue;
    ops.push_back(&op);
    sequence.push_back(place[partner]);
  }
  std::vector<HarmfulMove> moves;
  std::vector<bool> kept = keptInOrder(sequence);
  for (size_t i = 0; i < ops.size(); ++i) {
    if (kept[i])
      continue;
    size_t passed = 0;
    for (size_t j = 0; j < ops.size(); ++j) {
      if ((i < j) == (sequence[i] < sequence[j]) || i == j)
        continue;
      if (++passed > kMostPassed || !mayChangePlaces(ops[i], ops[j])) {
        moves.push_back({ops[i], matching.partner(ops[i]), matching.partner(ops[j])});
        break;
      }
    }
  }
  return moves;
}
