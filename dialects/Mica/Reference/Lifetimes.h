//===- Lifetimes.h - lifetimes and promised properties of buffers ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// In the search for undefined behavior, the memory of each buffer records the op that allocated it and the one that
// ended its lifetime. A later access, a double free and a broken promise are errors at their op. Otherwise memory has
// no Allocation, and these functions do nothing. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_LIFETIMES_H
#define MICA_DIALECTS_MICA_REFERENCE_LIFETIMES_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// The origin of a memory object, and the end of its lifetime.
struct Allocation {
  enum class Kind : uint8_t { Heap, Stack, Global, Argument, Value };
  mlir::Operation *op = nullptr; ///< the op that allocated it; the function, for an argument
  Kind kind = Kind::Heap;
  int64_t number = 0; ///< unique, increasing
  int64_t bytes = 0;
  mlir::Operation *endedBy = nullptr;    ///< the op that freed it, or the scope of its alloca; null: alive
  mlir::Operation *constantBy = nullptr; ///< the op that made it constant; null: writable
};

/// Records that `op` allocated the memory of `buffer`.
void noteAllocation(mlir::Operation *op, const Tensor &buffer, Allocation::Kind kind, Evaluator &evaluator);
/// `op` frees the memory of `buffer`: fails, with an error, if it is freed already or cannot be freed.
llvm::LogicalResult endAllocation(mlir::Operation *op, const Tensor &buffer, Evaluator &evaluator);
/// Records that `op` makes memory constant.
void noteConstant(mlir::Operation *op, const Tensor &buffer, Evaluator &evaluator);

/// Fails, with an error, if `op` accesses an operand after its lifetime, or writes to constant memory.
llvm::LogicalResult checkAccess(mlir::Operation *op, Operands in, Evaluator &evaluator);
/// Fails if the access of `op` to cell `at` of `buffer` is not aligned to `bytes`, as it promises. Only the offset
/// counts: the memory itself is assumed to be aligned.
llvm::LogicalResult checkAlignment(mlir::Operation *op, const Tensor &buffer, int64_t at, int64_t bytes,
                                   Evaluator &evaluator);
/// Whether two buffers share an element.
bool overlap(const Tensor &a, const Tensor &b);
/// Fails if a structured op reads an element as an input that another point writes as an output.
llvm::LogicalResult checkOutputAliases(mlir::Operation *op, Operands in, Evaluator &evaluator);

/// Fails if two iterations of parallel loops of a structured op write one element.
llvm::LogicalResult checkParallelWrites(mlir::Operation *op, Operands in, Evaluator &evaluator);

/// In its scope, stack memory belongs to `scope`, and ends with it.
class StackScope {
public:
  StackScope(mlir::Operation *scope, Evaluator &evaluator);
  ~StackScope();

private:
  mlir::Operation *scope;
  UndefinedValues *values; ///< null without a search
  size_t begin = 0;
};

/// After the evaluation: records heap memory that was not freed and is not in a result.
void noteLeaks(llvm::ArrayRef<Tensor> results, Evaluator &evaluator);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_LIFETIMES_H
