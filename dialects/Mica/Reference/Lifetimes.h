//===- Lifetimes.h - from where to where buffers live, and what is promised of them ------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// While undefined behavior is looked for, the memory of each buffer knows the op that allocated it and the one that
// ended it. An access after that, a second free and a broken promise are errors at their op. Without such a search no
// memory has an Allocation, and nothing here does anything. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_LIFETIMES_H
#define MICA_DIALECTS_MICA_REFERENCE_LIFETIMES_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// How one piece of memory came to be, and how it ended.
struct Allocation {
  enum class Kind : uint8_t { Heap, Stack, Global, Argument, Value };
  mlir::Operation *op = nullptr; ///< that allocated it; the function, for an argument
  Kind kind = Kind::Heap;
  int64_t number = 0; ///< distinguishes pieces of memory; counts up
  int64_t bytes = 0;
  mlir::Operation *endedBy = nullptr;    ///< freed it, or is the scope of its alloca; null: it lives
  mlir::Operation *constantBy = nullptr; ///< the op because of which it must not be written; null: it may be
};

/// Notes that `op` made the memory of `buffer`.
void noteAllocation(mlir::Operation *op, const Tensor &buffer, Allocation::Kind kind, Evaluator &evaluator);
/// `op` frees the memory of `buffer`: fails, with an error, where that is freed already or cannot be freed.
llvm::LogicalResult endAllocation(mlir::Operation *op, const Tensor &buffer, Evaluator &evaluator);
/// Memory that `op` says is not written from now on.
void noteConstant(mlir::Operation *op, const Tensor &buffer, Evaluator &evaluator);

/// Fails, with an error, where `op` accesses an operand whose memory has ended, or writes to constant memory.
llvm::LogicalResult checkAccess(mlir::Operation *op, Operands in, Evaluator &evaluator);
/// Fails where the access to cell `at` of `buffer` breaks the promise of `op` that it is aligned to `bytes`. Only the
/// offset counts: the memory itself is taken to be aligned to anything.
llvm::LogicalResult checkAlignment(mlir::Operation *op, const Tensor &buffer, int64_t at, int64_t bytes,
                                   Evaluator &evaluator);
/// Whether two buffers have an element in common.
bool overlap(const Tensor &a, const Tensor &b);
/// Fails where a structured op reads an element as an input that another of its points writes as an output.
llvm::LogicalResult checkOutputAliases(mlir::Operation *op, Operands in, Evaluator &evaluator);

/// While it lives, memory of the stack belongs to `scope`, and ends with it.
class StackScope {
public:
  StackScope(mlir::Operation *scope, Evaluator &evaluator);
  ~StackScope();

private:
  mlir::Operation *scope;
  UndefinedValues *values; ///< null where nothing is looked for
  size_t begin = 0;
};

/// After the evaluation: memory of the heap that nothing freed and no result holds.
void noteLeaks(llvm::ArrayRef<Tensor> results, Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_LIFETIMES_H
