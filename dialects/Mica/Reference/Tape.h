//===- Tape.h - the steps of an evaluation, with their values -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A step is one evaluation of one op: an op in a loop has a step for each iteration. Ops that only pass values on
// (calls, loops, branches) have none: what they return has the origin of the value inside. Ops in the body of a linalg
// op belong to its step.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_TAPE_H
#define MICA_DIALECTS_MICA_REFERENCE_TAPE_H

#include "dialects/Mica/Reference/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace mica::reference {

class Evaluator;

struct TapeStep {
  mlir::Operation *op = nullptr; ///< of step 0 the entry function, whose `results` are its arguments
  llvm::SmallVector<Tensor> operands;
  llvm::SmallVector<std::pair<mlir::Value, Tensor>> captured; ///< values from outside that its regions use
  llvm::SmallVector<Tensor> results;
  int64_t occurrence = 0; ///< which of the steps of this op it is
};

struct Tape {
  std::vector<TapeStep> steps;
  llvm::SmallVector<Tensor> results; ///< of the entry

  /// Adds the step of the arguments, and marks them with it.
  void begin(mlir::func::FuncOp entry, llvm::MutableArrayRef<Tensor> arguments);
  /// Operand or captured value `k` of a step.
  static const Tensor &input(const TapeStep &step, size_t k) {
    return k < step.operands.size() ? step.operands[k] : step.captured[k - step.operands.size()].second;
  }

  llvm::DenseMap<mlir::Operation *, int64_t> counts; ///< steps of each op so far
};

/// Whether the results of `op` are values that other steps computed: calls, loops and branches.
bool passesValuesOn(mlir::Operation *op);
/// A step of `op` on `operands`, to be ended when its results are known.
TapeStep beginStep(mlir::Operation *op, llvm::ArrayRef<Tensor> operands, const Evaluator &evaluator);
/// Adds the step, and marks `results` with it.
void endStep(TapeStep step, llvm::MutableArrayRef<Tensor> results, Tape &tape);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_TAPE_H
