//===- ParallelAccesses.h - which iteration of a parallel loop touched which element -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two iterations of a parallel loop race where both access one element and at least one of them writes it; atomic ops
// do not race with each other. Every load and store of memory with an Allocation (Lifetimes.h) is noted while such a
// loop runs and undefined behavior is looked for. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H
#define MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H

#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// The accesses of one parallel loop. Loops nest: those outside are noted in too.
class ParallelAccesses {
public:
  ParallelAccesses(mlir::Operation *loop, Evaluator &evaluator);
  ~ParallelAccesses();

  /// Another iteration begins.
  void next() { ++iteration; }
  /// Fails, with an error, where an access of this iteration met one of another.
  llvm::LogicalResult check();
  /// The op whose accesses follow.
  static void setOp(mlir::Operation *op);
  static bool isAnyNoted() { return innermost != nullptr; }

private:
  friend void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind);
  struct Mark {
    int64_t iteration = 0; ///< 0: none
    mlir::Operation *op = nullptr;
  };
  /// Of one element: the last write, the last read, and a read of another iteration than that.
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
  /// The memory accessed last, and its marks.
  int64_t lastNumber = 0;
  std::vector<Marks> *last = nullptr;

  static thread_local ParallelAccesses *innermost;
};

/// Notes an access to `cell` of `memory` by the op that runs.
void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_PARALLELACCESSES_H
