//===- ParallelAccesses.h - races between iterations of parallel loops -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two iterations of a parallel loop race if both access one element and at least one of them writes it; atomic ops do
// not race with each other. Every load and store of memory with an Allocation (Lifetimes.h) is recorded while such a
// loop runs in the search for undefined behavior. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H
#define MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// The accesses of one parallel loop. In nested loops, accesses are recorded for all enclosing ones.
class ParallelAccesses {
public:
  ParallelAccesses(mlir::Operation *loop, Evaluator &evaluator);
  ~ParallelAccesses();

  /// Another iteration begins.
  void next() { ++iteration; }
  /// Fails, with an error, if an access of this iteration conflicts with one of another.
  llvm::LogicalResult check();
  /// Sets the op of the following accesses.
  static void setOp(mlir::Operation *op);
  static bool isAnyNoted() { return innermost != nullptr; }

private:
  friend void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind);
  struct Mark {
    int64_t iteration = 0; ///< 0: none
    mlir::Operation *op = nullptr;
  };
  /// Of one element: the last write, the last read, and a read of another iteration.
  struct Marks {
    Mark write, atomic, read, otherRead;
  };
  struct Race {
    mlir::Operation *first, *second;
    int64_t cell;
    bool isWritten; ///< by both
  };
  void note(const Allocation &allocation, int64_t cell, AccessKind kind);

  mlir::Operation *loop;
  Evaluator &evaluator;
  ParallelAccesses *outer;
  bool isActive;
  int64_t iteration = 0;
  llvm::DenseMap<int64_t, std::vector<Marks>> marks; ///< by Allocation::number
  std::optional<Race> race;
  /// The last accessed memory, and its marks.
  int64_t lastNumber = 0;
  std::vector<Marks> *last = nullptr;

  static thread_local ParallelAccesses *innermost;
};

/// Records an access to `cell` of `memory` by the current op.
void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H
