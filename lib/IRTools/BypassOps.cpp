//===- BypassOps.cpp - IR cut down behind unchanged signatures ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BypassOps.h. Ranges of ops are tried, from the last, in ever smaller sizes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/BypassOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// So often single ops are tried, as a removed one lets others go.
static constexpr int kRounds = 4;

/// Ops inside functions that are no ends of blocks, in pre-order.
static SmallVector<Operation *> removableOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!op->hasTrait<OpTrait::IsTerminator>() && op->getParentOfType<FunctionOpInterface>())
      ops.push_back(op);
  });
  return ops;
}

/// Another value that may stand for `result`; null where there is none.
static Value substituteOf(OpResult result, bool makesZero) {
  Operation *op = result.getOwner();
  auto fits = [&](Value value) { return value.getType() == result.getType(); };
  for (Value operand : op->getOperands())
    if (fits(operand))
      return operand;
  for (Operation *around = op; around && !isa<FunctionOpInterface>(around); around = around->getParentOp()) {
    for (BlockArgument argument : around->getBlock()->getArguments())
      if (fits(argument))
        return argument;
    for (Operation *before = around->getPrevNode(); before; before = before->getPrevNode())
      for (Value value : before->getResults())
        if (fits(value))
          return value;
  }
  if (!makesZero || op->hasTrait<OpTrait::ConstantLike>() || !result.getType().isIntOrIndexOrFloat())
    return nullptr;
  OpBuilder builder(op);
  return arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(result.getType()));
}

/// Whether one at least of the ops `begin` to `end` could be removed.
static bool removeRange(ModuleOp module, size_t begin, size_t end) {
  const SmallVector<Operation *> ops = removableOps(module);
  bool removed = false;
  for (size_t i = std::min(end, ops.size()); i-- > begin;) {
    Operation *op = ops[i];
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        if (Value value = substituteOf(result, /*makesZero=*/end - begin == 1))
          result.replaceAllUsesWith(value);
    if (!op->use_empty())
      continue;
    op->erase();
    removed = true;
  }
  return removed;
}

void irtools::bypassOps(OwningOpRef<ModuleOp> &module, llvm::function_ref<bool(ModuleOp)> keeps,
                        llvm::function_ref<bool()> mayGoOn) {
  auto tryRange = [&](size_t begin, size_t end) {
    OwningOpRef<ModuleOp> candidate = cast<ModuleOp>((*module)->clone());
    if (!removeRange(*candidate, begin, end) || !keeps(*candidate))
      return false;
    module = std::move(candidate);
    return true;
  };
  for (size_t size = std::max<size_t>(removableOps(*module).size() / 2, 1); size > 0; size /= 2) {
    bool changes = true;
    for (int round = 0; changes && round < (size == 1 ? kRounds : 1); ++round) {
      changes = false;
      for (size_t end = removableOps(*module).size(); end > 0; end -= std::min(end, size)) {
        if (!mayGoOn())
          return;
        end = std::min(end, removableOps(*module).size());
        if (end == 0)
          break;
        changes |= tryRange(end - std::min(end, size), end);
      }
    }
  }
}
