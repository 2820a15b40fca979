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
// Each cell of a buffer knows where its element was computed: what is stored there keeps its origin, and what is loaded
// gets it back. An op that computes elements in a buffer has a result for it, which the program does not see.
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
  mlir::Operation *op = nullptr;      ///< of step 0 the entry function, whose `results` are its arguments
  llvm::SmallVector<Tensor> operands; ///< of a linalg op, buffers as the tensors that they held
  llvm::SmallVector<std::pair<mlir::Value, Tensor>> captured; ///< values from outside that its regions use
  llvm::SmallVector<Tensor> results;
  int64_t occurrence = 0; ///< which of the steps of this op it is
  /// Per operand that was a buffer: where its elements were computed, in row-major order; else null.
  llvm::SmallVector<std::shared_ptr<const std::vector<ValueOrigin>>> operandCells;
  llvm::SmallVector<Tensor> buffers; ///< the operands of an op that stores to some, while it is evaluated
};

struct Tape {
  std::vector<TapeStep> steps;
  llvm::SmallVector<Tensor> results; ///< of the entry
  /// Per result that was a buffer: where its elements were computed; else null. Filled by who reads the results.
  llvm::SmallVector<std::shared_ptr<const std::vector<ValueOrigin>>> resultCells;
  llvm::SmallVector<Tensor> arguments; ///< of the entry; buffers hold at the end what it stored
  int64_t cells = 0; ///< elements of buffers that steps keep; beyond a limit what is stored is not followed

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
TapeStep beginStep(mlir::Operation *op, llvm::ArrayRef<Tensor> operands, const Evaluator &evaluator, Tape &tape);
/// Adds the step, and marks `results` with it.
void endStep(TapeStep step, llvm::MutableArrayRef<Tensor> results, Tape &tape);

/// The element at `at` of the memory of `buffer` is `value` from now on.
void noteStored(const Tensor &value, const Tensor &buffer, int64_t at);
/// Where the element at `at` was computed.
ValueOrigin originAt(const Tensor &buffer, int64_t at);
/// Where the elements of `buffer` were computed, in row-major order; null: unknown.
std::shared_ptr<const std::vector<ValueOrigin>> originsOf(const Tensor &buffer);
/// Where element `element` of `input`, which is operand or captured value `k` of `step`, was computed; `element` of the
/// result is in the origin.
ValueOrigin originOf(const TapeStep &step, size_t k, int64_t element);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_TAPE_H
