//===- EndlessLoop.h - loops that come back to a state -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An evaluation is deterministic: if nothing it depends on differs from what it was some turns of a loop before, the
// loop cannot end. The state to compare with is taken anew at each power of two, so a cycle of any length is found.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_ENDLESSLOOP_H
#define MICA_DIALECTS_MICA_REFERENCE_ENDLESSLOOP_H

#include "dialects/Mica/Reference/Undefined.h"

namespace mica::reference {

class CycleSearch {
public:
  /// Called once per turn. `isSame` compares with what `keep` kept last. The length of the cycle, 0 where there is
  /// none so far.
  int64_t turn(llvm::function_ref<bool()> isSame, llvm::function_ref<void()> keep) {
    if (++turns > 1 && isSame())
      return turns - kept;
    if ((turns & (turns - 1)) == 0) {
      keep();
      kept = turns;
    }
    return 0;
  }

private:
  int64_t turns = 0, kept = 0;
};

/// Tells the branches of a region that go back: every loop has one.
class BranchOrder {
public:
  explicit BranchOrder(mlir::Region &region) {
    for (mlir::Block &block : region)
      numbers.try_emplace(&block, unsigned(numbers.size()));
  }
  bool goesBack(mlir::Block *from, mlir::Block *to) const { return numbers.lookup(to) <= numbers.lookup(from); }

private:
  llvm::DenseMap<mlir::Block *, unsigned> numbers;
};

/// The same values, bit by bit; of buffers, the same memory, whatever it holds.
bool isSameValue(const Tensor &now, const Tensor &before);

/// Of a region with branches.
class BranchCycles {
public:
  BranchCycles(mlir::Region &region, Evaluator &evaluator);
  /// `branch`, which gives `args` to `next`, is taken. Fails, with an error at `branch`, where the region comes back to
  /// a state, or after too many turns of all loops.
  llvm::LogicalResult check(mlir::Operation *branch, mlir::Block *next, llvm::ArrayRef<Tensor> args);
  /// `block` is about to be run.
  void enter(mlir::Block *block);

private:
  llvm::SmallVector<Tensor> stateAt(mlir::Block *next, llvm::ArrayRef<Tensor> args) const;

  mlir::Region &region;
  Evaluator &evaluator;
  BranchOrder order;
  CycleSearch search;
  llvm::DenseMap<mlir::Block *, bool> isWriting; ///< whether the block may change memory, or print
  mlir::Block *keptBlock = nullptr;
  llvm::SmallVector<Tensor> keptState;
  bool hasWritten = false; ///< since the state was kept
};

/// Counts a turn of a loop; false, with an error at `op`, where there have been too many.
bool mayTurn(mlir::Operation *op, const EvalOptions &options, UndefinedValues &values);

/// What is said of a loop that comes back to a state.
std::string cycleText(int64_t length);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_ENDLESSLOOP_H
