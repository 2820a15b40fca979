//===- EndlessLoop.cpp - loops that come back to a state ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EndlessLoop.h. All that is computed in a region follows from the arguments of its blocks and from memory: these
// are its state, together with the block that comes next.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EndlessLoop.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cstring>

using namespace mlir;

namespace mica::reference {

bool isSameValue(const Tensor &now, const Tensor &before) {
  if (now.isBuffer() || before.isBuffer())
    return now.isBuffer() && before.isBuffer() && now.view().memory == before.view().memory &&
           now.view().offset == before.view().offset && now.view().strides == before.view().strides &&
           now.shape() == before.shape();
  const Tensor a = now.materialized(), b = before.materialized();
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), size_t(a.size()) * sizeof(Cell)) == 0;
}

bool mayTurn(Operation *op, const EvalOptions &options, UndefinedValues &values) {
  if (++values.turns <= options.maxTurns)
    return true;
  values.stopsAtLimit = true;
  op->emitError() << "the loops of the program turn more than " << options.maxTurns
                  << " times, which is more than the reference evaluator looks through";
  return false;
}

std::string cycleText(int64_t length) {
  return "the loop does not end: it comes back to the same values after " + std::to_string(length) +
         (length == 1 ? " turn" : " turns");
}

/// Whether running `block` may change something that lasts.
static bool mayWrite(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    if (op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op))
      return false;
    return !hasSingleEffect<MemoryEffects::Read>(&op);
  });
}

BranchCycles::BranchCycles(Region &region, Evaluator &evaluator) : region(region), evaluator(evaluator), order(region) {
  for (Block &block : region)
    isWriting[&block] = mayWrite(block);
}

void BranchCycles::enter(Block *block) { hasWritten |= isWriting.lookup(block); }

SmallVector<Tensor> BranchCycles::stateAt(Block *next, ArrayRef<Tensor> args) const {
  SmallVector<Tensor> state(args);
  for (Block &block : region)
    for (BlockArgument argument : block.getArguments())
      if (const Tensor *value = &block == next ? nullptr : evaluator.find(argument))
        state.push_back(*value);
  return state;
}

LogicalResult BranchCycles::check(Operation *branch, Block *next, ArrayRef<Tensor> args) {
  UndefinedValues *values = evaluator.undefined();
  if (!values || !order.goesBack(branch->getBlock(), next))
    return success();
  if (!mayTurn(branch, evaluator.options, *values))
    return failure();
  SmallVector<Tensor> state = stateAt(next, args);
  auto isSame = [&] {
    return !hasWritten && next == keptBlock && state.size() == keptState.size() &&
           llvm::all_of(llvm::zip_equal(state, keptState),
                        [](auto pair) { return isSameValue(std::get<0>(pair), std::get<1>(pair)); });
  };
  auto keep = [&] {
    keptBlock = next;
    keptState = std::move(state);
    hasWritten = false;
  };
  const int64_t length = search.turn(isSame, keep);
  if (length == 0)
    return success();
  // Such an op is erased where nothing uses its results. A function is not: it goes round for ever.
  if (!isMemoryEffectFree(region.getParentOp()))
    values->stopsAtLimit = true;
  return branch->emitError() << cycleText(length);
}

} // namespace mica::reference
