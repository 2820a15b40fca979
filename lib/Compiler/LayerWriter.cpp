//===- LayerWriter.cpp - layers are printed beside the compile --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/LayerWriter.h"

#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <ctime>

using namespace mlir;
using namespace mica::compiler;

/// A limit for memory, of about 300 bytes each.
static constexpr int64_t kMaxWaitingOps = 4'000'000;

LayerWriter::~LayerWriter() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  arrived.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void LayerWriter::enqueue(Operation *op, int64_t ops, Write write) {
  // Without threads the context has no locks, which printing needs: it makes attributes.
  if (!op->getContext()->isMultithreadingEnabled())
    return write(op);
  Job job{OwningOpRef<Operation *>(op->clone()), ops, std::move(write)};
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return waitingOps < kMaxWaitingOps; });
  waitingOps += ops;
  ++pending;
  jobs.push_back(std::move(job));
  if (threads.size() < std::max(1u, std::thread::hardware_concurrency()))
    threads.emplace_back([this] { run(); });
  arrived.notify_one();
}

void LayerWriter::run() {
  std::unique_lock lock(mutex);
  while (true) {
    arrived.wait(lock, [&] { return isEnding || !jobs.empty(); });
    if (jobs.empty())
      return;
    Job job = std::move(jobs.front());
    jobs.pop_front();
    lock.unlock();
    job.write(job.copy.get());
    job.copy = nullptr;
    lock.lock();
    waitingOps -= job.ops;
    --pending;
    done.notify_all();
  }
}

void LayerWriter::drain() {
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return pending == 0; });
}

void LayerWriter::drainInHandler(int milliseconds) const {
  const timespec pause{0, 1'000'000};
  for (; pending > 0 && milliseconds > 0; --milliseconds)
    nanosleep(&pause, nullptr);
}
