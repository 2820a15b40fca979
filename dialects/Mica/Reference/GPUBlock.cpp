//===- GPUBlock.cpp - the threads of one block of a GPU kernel --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See GPUBlock.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/GPUBlock.h"

#include <sys/mman.h>
#include <ucontext.h>

using namespace mlir;

namespace mica::reference {

/// Size of each thread's stack; unused pages take no memory.
static constexpr size_t kStackBytes = size_t(1) << 20;

struct GPUBlock::Thread {
  enum class State { Ready, Waiting, Ended, Failed };

  Thread()
      : stack(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Thread() {
    if (stack != MAP_FAILED)
      munmap(stack, kStackBytes);
  }
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;

  void *stack;
  ucontext_t context, scheduler;
  Evaluator::Activity activity;
  State state = State::Ready;
  Operation *at = nullptr; ///< the op at which it waits
  Group group = Group::Block;
  int64_t blockWaits = 0, warpWaits = 0; ///< that have ended
  std::optional<Tensor> given;
  std::vector<std::optional<Tensor>> exchanged;
};

bool ThreadOrder::isOrdered(const Part &a, const Part &b) {
  if (a.block != b.block)
    return false;
  const bool isOneWarp = a.thread / kWarpSize == b.thread / kWarpSize;
  return a.thread == b.thread || a.blockWaits != b.blockWaits || (isOneWarp && a.warpWaits != b.warpWaits);
}

GPUBlock::GPUBlock(Evaluator &evaluator, Dim3 grid, Dim3 size, Dim3 id, ThreadOrder &order)
    : grid(grid), size(size), id(id), evaluator(evaluator), order(order) {}

GPUBlock::~GPUBlock() = default;

Dim3 GPUBlock::threadId() const {
  return {running % size[0], running / size[0] % size[1], running / (size[0] * size[1])};
}

ArrayRef<std::optional<Tensor>> GPUBlock::exchanged() const { return all[running]->exchanged; }

/// makecontext passes ints, so the pointer is split into two halves.
void GPUBlock::start(unsigned high, unsigned low) {
  auto *block = reinterpret_cast<GPUBlock *>((uintptr_t(high) << 32) | uintptr_t(low));
  Thread &thread = *block->all[block->running];
  thread.state = succeeded(block->body()) ? Thread::State::Ended : Thread::State::Failed;
  swapcontext(&thread.context, &thread.scheduler);
}

void GPUBlock::wait(Operation *op, Group group, std::optional<Tensor> given) {
  Thread &thread = *all[running];
  thread.state = Thread::State::Waiting;
  thread.at = op;
  thread.group = group;
  thread.given = std::move(given);
  swapcontext(&thread.context, &thread.scheduler);
}

bool GPUBlock::wakeGroup(int64_t first, int64_t end, Group group) {
  Operation *at = nullptr;
  for (int64_t i = first; i < end; ++i) {
    const Thread &thread = *all[i];
    if (thread.state == Thread::State::Ended)
      continue;
    if (thread.state != Thread::State::Waiting || thread.group != group || (at && thread.at != at))
      return false;
    at = thread.at;
  }
  if (!at)
    return false;
  std::vector<std::optional<Tensor>> given(end - first);
  for (int64_t i = first; i < end; ++i)
    if (all[i]->state == Thread::State::Waiting)
      given[i - first] = std::move(all[i]->given);
  for (int64_t i = first; i < end; ++i)
    if (all[i]->state == Thread::State::Waiting) {
      ++(group == Group::Block ? all[i]->blockWaits : all[i]->warpWaits);
      all[i]->exchanged = given;
      all[i]->state = Thread::State::Ready;
    }
  return true;
}

bool GPUBlock::wake() {
  bool any = false;
  for (int64_t first = 0; first < threads(); first += kWarpSize)
    any |= wakeGroup(first, std::min(first + kWarpSize, threads()), Group::Warp);
  return any || wakeGroup(0, threads(), Group::Block);
}

LogicalResult GPUBlock::reportStuck(Operation *launch) {
  SmallVector<int64_t> waiting;
  for (int64_t i = 0; i < threads(); ++i)
    if (all[i]->state == Thread::State::Waiting)
      waiting.push_back(i);
  InFlightDiagnostic error = launch->emitError() << "threads of block [" << id[0] << ", " << id[1] << ", " << id[2]
                                                 << "] wait for each other at different places";
  llvm::SmallPtrSet<Operation *, 4> places;
  for (int64_t i : waiting)
    if (places.insert(all[i]->at).second && places.size() <= 4)
      error.attachNote(all[i]->at->getLoc()) << "thread " << i << " waits here";
  return error;
}

LogicalResult GPUBlock::run(Operation *launch, function_ref<LogicalResult()> threadBody) {
  body = threadBody;
  const auto self = reinterpret_cast<uintptr_t>(this);
  for (int64_t i = 0; i < threads(); ++i) {
    all.push_back(std::make_unique<Thread>());
    Thread &thread = *all.back();
    if (thread.stack == MAP_FAILED)
      return launch->emitError() << "no memory for the stacks of " << threads() << " threads";
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack;
    thread.context.uc_stack.ss_size = kStackBytes;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, reinterpret_cast<void (*)()>(start), 2, unsigned(uint64_t(self) >> 32),
                unsigned(self));
    thread.activity = evaluator.activityHere();
  }
  do {
    for (running = 0; running < threads(); ++running) {
      Thread &thread = *all[running];
      if (thread.state != Thread::State::Ready)
        continue;
      evaluator.exchange(thread.activity);
      order.begin({id, running, thread.blockWaits, thread.warpWaits});
      swapcontext(&thread.scheduler, &thread.context);
      evaluator.exchange(thread.activity);
      if (thread.state == Thread::State::Failed || failed(order.check()))
        return failure();
    }
  } while (wake());
  const bool isDone = llvm::all_of(all, [](const auto &thread) { return thread->state == Thread::State::Ended; });
  return isDone ? success() : reportStuck(launch);
}

} // namespace mica::reference
