//===- GPUBlock.h - the threads of one block of a GPU kernel -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs the threads of a block one after another, each until it ends or waits for others: at a barrier, a reduction of
// the block, or an exchange within its warp. Each thread has a separate stack and frames, so that the evaluation
// functions can simply block. In the search for undefined behavior, threads race where they access one element without
// a barrier between them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_GPUBLOCK_H
#define MICA_DIALECTS_MICA_REFERENCE_GPUBLOCK_H

#include "dialects/Mica/Reference/ParallelAccesses.h"

#include <array>
#include <memory>
#include <vector>

namespace mica::reference {

/// Threads of a warp, as on NVIDIA GPUs and in the simulator.
inline constexpr int64_t kWarpSize = 32;

using Dim3 = std::array<int64_t, 3>; ///< x, y, z

/// Which accesses of a launch are ordered: those of one thread, and of threads of one block on two sides of a barrier.
class ThreadOrder {
public:
  explicit ThreadOrder(ParallelAccesses &accesses) : accesses(accesses) {
    accesses.setOrder([this](int64_t a, int64_t b) { return isOrdered(parts[size_t(a)], parts[size_t(b)]); });
  }

  /// What a thread does between two waits: their numbers, and how often it has waited.
  struct Part {
    Dim3 block;
    int64_t thread, blockWaits, warpWaits;
  };
  void begin(const Part &part) {
    accesses.next();
    parts.resize(size_t(accesses.current()) + 1);
    parts.back() = part;
  }
  llvm::LogicalResult check() { return accesses.check(); }

private:
  static bool isOrdered(const Part &a, const Part &b);

  ParallelAccesses &accesses;
  std::vector<Part> parts; ///< by the numbers of `accesses`
};

class GPUBlock {
public:
  GPUBlock(Evaluator &evaluator, Dim3 grid, Dim3 size, Dim3 id, ThreadOrder &order);
  ~GPUBlock();

  /// Runs `body` in each thread of the block. Fails if a thread fails, or on a deadlock.
  llvm::LogicalResult run(mlir::Operation *launch, llvm::function_ref<llvm::LogicalResult()> body);

  /// The threads for which a thread waits.
  enum class Group { Block, Warp };
  /// Called by a thread: waits at `op` for all threads of its group that have not ended. `given` is its contribution to
  /// the exchange.
  void wait(mlir::Operation *op, Group group, std::optional<Tensor> given);
  /// Called by a thread after waiting: the contributions of the threads of its group, by their number in the group;
  /// nothing for those that had ended.
  llvm::ArrayRef<std::optional<Tensor>> exchanged() const;

  const Dim3 grid, size, id;
  Tensor dynamicMemory; ///< bytes of the block, as many as the launch asks for
  /// Position and number (x fastest) of the current thread.
  Dim3 threadId() const;
  int64_t threadNumber() const { return running; }
  int64_t threads() const { return size[0] * size[1] * size[2]; }

private:
  struct Thread;
  static void start(unsigned high, unsigned low);
  /// Wakes the groups whose threads all wait; false if there are none.
  bool wake();
  bool wakeGroup(int64_t first, int64_t end, Group group);
  llvm::LogicalResult reportStuck(mlir::Operation *launch);

  Evaluator &evaluator;
  ThreadOrder &order;
  std::vector<std::unique_ptr<Thread>> all;
  llvm::function_ref<llvm::LogicalResult()> body;
  int64_t running = 0;
};

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_GPUBLOCK_H
