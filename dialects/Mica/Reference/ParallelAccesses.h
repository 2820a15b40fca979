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

#include <functional>

namespace mica::reference {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// The accesses of one parallel loop. In nested loops, accesses are recorded for all enclosing ones.
class ParallelAccesses {
public:
  ParallelAccesses(mlir::Operation *loop, Evaluator &evaluator);
  ~ParallelAccesses();

  /// Another iteration begins.
  void next() { ++iteration; }
  /// Of other loops than parallel ones: which numbers stand for what one after the other does, never at once.
  void setOrder(std::function<bool(int64_t, int64_t)> isOrdered) { areOrdered = std::move(isOrdered); }
  int64_t current() const { return iteration; }
  /// Fails, with an error, if an access of this iteration conflicts with one of another.
  llvm::LogicalResult check();
  /// Sets the op of the following accesses.
  static void setOp(mlir::Operation *op);
  static bool isAnyNoted() { return innermost != nullptr; }

private:
  friend void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind, bool changes);
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
  void note(const Allocation &allocation, int64_t cell, AccessKind kind, bool changes);

  mlir::Operation *loop;
  Evaluator &evaluator;
  ParallelAccesses *outer;
  bool isActive;
  int64_t iteration = 0;
  std::function<bool(int64_t, int64_t)> areOrdered;
  llvm::DenseMap<int64_t, std::vector<Marks>> marks; ///< by Allocation::number
  std::optional<Race> race;
  /// The last accessed memory, and its marks.
  int64_t lastNumber = 0;
  std::vector<Marks> *last = nullptr;

  static thread_local ParallelAccesses *innermost;
};

/// Records an access to `cell` of `memory` by the current op. `changes`: a write may write another value than is there.
void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind, bool changes = true);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H
