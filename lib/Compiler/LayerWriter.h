//===- LayerWriter.h - layers are printed beside the compile ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private. Printing is most of what a record costs, and the pass manager calls its instrumentations one at a time: what prints there
// stops every other thread. So a pass leaves a copy of its op, and threads of the recorder print the copies, begun in the order they came.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_LAYERWRITER_H
#define MICA_LIB_COMPILER_LAYERWRITER_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mica::compiler {

class LayerWriter {
public:
  /// One thing to do with a copy of an op.
  using Write = std::function<void(mlir::Operation *copy)>;

  LayerWriter() = default;
  /// Waits for what is still to be written.
  ~LayerWriter();
  LayerWriter(const LayerWriter &) = delete;

  /// Copies `op`, which has `ops` operations in it, and calls `write` with the copy later; at once, and with `op` itself, where the context
  /// has no threads. Waits while more than four million operations are to be written.
  void enqueue(mlir::Operation *op, int64_t ops, Write write);

  /// Waits until everything is written.
  void drain();

  /// The same in a signal handler, for `milliseconds` at most: the thread may wait for what the crashed one holds, or be the one.
  void drainInHandler(int milliseconds) const;

private:
  struct Job {
    mlir::OwningOpRef<mlir::Operation *> copy;
    int64_t ops;
    Write write;
  };
  void run();

  std::mutex mutex;
  std::condition_variable arrived, done;
  std::deque<Job> jobs;
  int64_t waitingOps = 0; ///< in `jobs` and in those at work
  bool isEnding = false;
  std::atomic<size_t> pending{0};   ///< jobs that are not done
  std::vector<std::thread> threads; ///< one more with each job, up to the processors of the machine
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_LAYERWRITER_H
