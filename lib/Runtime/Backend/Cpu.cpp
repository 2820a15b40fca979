//===- Backend/Cpu.cpp - kernels of program.so on a worker pool ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A launch of grid 1 runs whole on the thread that takes it; a larger one is cut into min(threads, grid) shares, which
// the caller of drain() and the workers take as they come free. A thread that the system does not schedule takes no
// share, so an oversubscribed machine slows down but does not stall for whole scheduler quanta at each launch.
//
// Of the launches that become ready when one is complete, the thread that completed it runs one itself, if that is not
// to be cut; so does the caller with the last of those that a list begins with. It would take the next from the queue
// anyway, and another thread that took it first would have to fetch its data: a chain of small launches stays on one
// thread.
//
// Waiting threads spin briefly, for the next task of a list is usually ready within microseconds, then sleep. With more
// threads than CPUs they sleep at once: whoever spins would hold up the one that computes.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Backend/Futex.h"
#include "lib/Runtime/Backend/LaunchQueue.h"

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/KernelMemory.h"
#include "lib/Runtime/Memory.h"
#include "mica/Runtime/Backend.h"
#include "mica/Support/MemoryLimit.h"

#include <algorithm>
#include <deque>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <thread>
#include <utility>

namespace mica::runtime {
namespace {

/// How long a thread without work spins before it sleeps. Longer than waking a thread takes (up to 200 microseconds on
/// virtual machines): else a thread that wakes too late for one launch sleeps again before the next, and never joins
/// in.
constexpr int64_t kSpinNs = 500000;

/// What a kernel handle points to.
struct CpuKernel {
  mica_kernel_fn_v1 function;
  int64_t scratchBytes;
  bool allocates; ///< it asks for memory by the table of ABI/Memory.h
};

/// What the calls of one thread use.
struct ThreadMemory {
  void *scratch = nullptr;
  KernelMemory *dynamic = nullptr;  ///< null where no kernel allocates
  LaunchFailure *failure = nullptr; ///< why the last call that failed got none
};

/// Calls `function` where it may find no memory.
[[gnu::noinline]] int32_t callAllocating(mica_kernel_fn_v1 function, const mica_kernel_args_v1 &args,
                                         const ThreadMemory &memory) {
  const int32_t code = memory.dynamic->call([&] { return function(&args); });
  if (code != MICA_STATUS_NO_MEMORY)
    return code;
  memory.failure->message = memory.dynamic->error().message;
  memory.failure->op = memory.dynamic->failedNumber();
  memory.failure->place = memory.dynamic->failedPlace();
  return code;
}

inline void relaxCpu() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Runs the share that `args` names slice by slice; 0, or the first code that is not.
[[gnu::noinline]] int32_t runSlices(Launch &launch, mica_kernel_args_v1 args, const ThreadMemory &memory) {
  const auto *kernel = static_cast<const CpuKernel *>(launch.kernel);
  const int64_t slices = launch.monitor->slicesPerPartition, first = args.part * slices;
  args.parts *= slices;
  for (args.part = first; args.part < first + slices; ++args.part) {
    if (const int32_t code =
            kernel->allocates ? callAllocating(kernel->function, args, memory) : kernel->function(&args))
      return code;
    launch.monitor->sliceDone(args.part, args.parts);
  }
  return 0;
}

/// Each of `parts` partitions makes its part of the slices, at least one.
void slice(LaunchMonitor &monitor, int64_t parts) {
  monitor.sliced = monitor.slices > 1;
  monitor.slicesPerPartition = std::max<int32_t>(1, monitor.slices / int32_t(parts));
}

/// Runs one share of `launch`; true if it was the last one to finish, in which case `done` has been called. `place`:
/// for a launch to run next on this thread, or null.
bool runShare(Launch &launch, int64_t part, int64_t parts, const ThreadMemory &memory, Launch **place = nullptr) {
  int32_t code = 0;
  if (!launch.cancelled->load(std::memory_order_relaxed)) {
    const auto *kernel = static_cast<const CpuKernel *>(launch.kernel);
    if (launch.timed && part == 0)
      launch.startNs = steadyNs();
    bool sliced = false;
    if (launch.monitor) {
      launch.monitor->begun();
      sliced = launch.monitor->sliced;
    }
    mica_kernel_args_v1 args{launch.buffers, launch.scalars, kernel->scratchBytes ? memory.scratch : nullptr,
                             part,           parts,          launch.checks,
                             nullptr};
    // One branch for what few launches need.
    code = !(int(sliced) | int(kernel->allocates)) ? kernel->function(&args)
           : sliced                                ? runSlices(launch, args, memory)
                                                   : callAllocating(kernel->function, args, memory);
  }
  if (code != 0) {
    int32_t none = 0;
    // Others learn of the reason with the last share, below.
    if (launch.status.compare_exchange_strong(none, code, std::memory_order_relaxed) &&
        static_cast<const CpuKernel *>(launch.kernel)->allocates)
      launch.failure = code == MICA_STATUS_NO_MEMORY ? memory.failure : nullptr;
  }
  // The last share's release and acquire hand every share's writes on to whoever `done` starts.
  if (parts > 1 && launch.partsLeft.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return false;
  if (launch.timed)
    launch.endNs = steadyNs();
  launch.nextPlace = place;
  launch.done(launch);
  return true;
}

/// What one and several threads share: kernels and memory.
class CpuBackend : public Backend {
public:
  CpuBackend(std::string name) : deviceName(std::move(name)) {}
  ~CpuBackend() override {
    for (auto [memory, capacity] : scratch)
      releaseAligned(memory, capacity);
  }

  std::string_view name() const override { return deviceName; }

  Result<KernelHandle> load(const KernelSource &source) override {
    if (!source.function)
      return Error{ErrorCode::Unsupported, "kernel '" + source.record->name + "' has no code for " + deviceName, ""};
    if (source.record->scratchBytes > scratchBytes) {
      scratchBytes = source.record->scratchBytes;
      largestScratch = source.record;
    }
    kernels.push_back({source.function, source.record->scratchBytes, source.allocates});
    allocates |= source.allocates;
    return KernelHandle(&kernels.back());
  }

  Status reserve(size_t launches) override {
    // One per thread, and whole cache lines, so no two threads write to the same line.
    for (int i = 0; scratchBytes > 0 && i < parallelism(); ++i) {
      int64_t capacity = 0;
      Result<void *> memory = allocateAligned(scratchBytes, capacity);
      if (!memory)
        return outOfMemory(scratchBytes, "the temporaries of one thread (of " + std::to_string(parallelism()) + ")",
                           "kernel '" + largestScratch->name + "'" +
                               (largestScratch->opKinds.empty() ? "" : " (" + largestScratch->opKinds.front() + ")"));
      scratch.push_back({*memory, capacity});
    }
    threadMemory.resize(size_t(parallelism()));
    for (size_t i = 0; i < threadMemory.size(); ++i) {
      threadMemory[i].scratch = scratch.empty() ? nullptr : scratch[i].first;
      if (!allocates)
        continue;
      threadMemory[i].dynamic = &kernelMemory.emplace_back();
      threadMemory[i].failure = &failures.emplace_back();
    }
    return Status::ok();
  }

  Result<void *> allocate(int64_t bytes) override {
    int64_t capacity = 0;
    MICA_ASSIGN_OR_RETURN(void *memory, allocateAligned(bytes, capacity));
    capacities.push_back({memory, capacity});
    return memory;
  }

  void release(void *memory, int64_t bytes) override {
    auto it = std::find_if(capacities.begin(), capacities.end(), [&](auto &entry) { return entry.first == memory; });
    releaseAligned(memory, it->second);
    capacities.erase(it);
  }

protected:
  const ThreadMemory &memoryOf(size_t thread) const { return threadMemory[thread]; }

private:
  std::string deviceName;
  std::deque<CpuKernel> kernels; // addresses stay
  int64_t scratchBytes = 0;
  const artifact::KernelRecord *largestScratch = nullptr; ///< whose kernel needs it
  bool allocates = false;                                 ///< some kernel does
  std::vector<std::pair<void *, int64_t>> scratch;
  std::vector<ThreadMemory> threadMemory;
  std::deque<KernelMemory> kernelMemory; ///< one per thread, as are these; addresses stay
  std::deque<LaunchFailure> failures;
  std::vector<std::pair<void *, int64_t>> capacities;
};

/// One thread: the caller runs each launch as it comes.
class SerialCpuBackend : public CpuBackend {
public:
  using CpuBackend::CpuBackend;
  int parallelism() const override { return 1; }
  bool inOrder() const override { return true; }
  void launch(Launch &launch) override {
    launch.status.store(0, std::memory_order_relaxed);
    launch.parts = 1;
    launch.failure = nullptr;
    if (launch.monitor)
      slice(*launch.monitor, 1);
    runShare(launch, 0, 1, memoryOf(0));
  }
  void drain(const std::atomic<int32_t> &) override {}
};

/// Several threads: workers and the caller of drain().
class ParallelCpuBackend : public CpuBackend {
public:
  ParallelCpuBackend(std::string name, int threads)
      : CpuBackend(std::move(name)), threads(threads), spinNs(threads <= availableCpus() ? kSpinNs : 0) {}

  ~ParallelCpuBackend() override {
    stopping.store(true, std::memory_order_seq_cst);
    wakeWord.fetch_add(1, std::memory_order_seq_cst);
    futexWake(wakeWord, threads);
    for (std::thread &worker : workers)
      worker.join();
  }

  /// Starts the workers; after it the object must not move.
  Status start() {
    queue.reserve(1);
    try {
      for (int i = 1; i < threads; ++i)
        workers.emplace_back([this, i] { work(size_t(i)); });
    } catch (const std::system_error &failure) {
      return Error{ErrorCode::Io,
                   "cannot start thread " + std::to_string(workers.size() + 1) + " of " + std::to_string(threads) +
                       ": " + failure.what(),
                   "use fewer threads (--threads=N)"};
    }
    return Status::ok();
  }

  int parallelism() const override { return threads; }
  bool inOrder() const override { return false; }

  Status reserve(size_t launches) override {
    queue.reserve(launches);
    return CpuBackend::reserve(launches);
  }

  void launch(Launch &launch) override {
    int64_t shares = launch.grid < 0 ? threads : std::clamp<int64_t>(launch.grid, 1, threads);
    launch.status.store(0, std::memory_order_relaxed);
    launch.parts = shares;
    launch.partsLeft.store(int32_t(shares), std::memory_order_relaxed);
    launch.failure = nullptr;
    if (launch.monitor)
      slice(*launch.monitor, shares);
    if (launch.place) {
      *launch.place = &launch;
      return;
    }
    // The pushing thread takes the next share itself, so a lone serial task wakes nobody.
    int64_t helpers = queue.empty() ? shares - 1 : shares;
    queue.push(launch, uint32_t(shares));
    if (helpers > 0)
      wake(helpers);
  }

  Launch **callerRunSlot() override { return &callersFirst; }

  void drain(const std::atomic<int32_t> &remaining) override {
    runChain(std::exchange(callersFirst, nullptr), 0);
    while (remaining.load(std::memory_order_acquire) != 0) {
      if (runOne(0))
        continue;
      auto over = [&] { return remaining.load(std::memory_order_acquire) == 0 || !queue.empty(); };
      if (spin(over))
        continue;
      // Whoever brings `remaining` to 0 looks at `awaited` afterwards, and this thread looks at `remaining` after
      // setting it; all four sequentially consistent, so one of the two sees the other.
      uint32_t word = doneWord.load(std::memory_order_seq_cst);
      awaited.store(&remaining, std::memory_order_seq_cst);
      if (remaining.load(std::memory_order_seq_cst) != 0 && queue.empty())
        futexWait(doneWord, word);
      awaited.store(nullptr, std::memory_order_relaxed);
    }
  }

private:
  /// Takes and runs a share; false if there is none.
  bool runOne(size_t thread) {
    LaunchQueue::Share share;
    switch (queue.take(share)) {
    case LaunchQueue::Outcome::Empty:
      return false;
    case LaunchQueue::Outcome::Retry:
      relaxCpu();
      return true;
    case LaunchQueue::Outcome::Taken:
      break;
    }
    Launch *next = nullptr;
    leaveQueueToOthers(*share.launch);
    const bool ended = runShare(*share.launch, share.part, share.parts, memoryOf(thread), &next);
    runChain(next, thread);
    if (ended && thread != 0) {
      const std::atomic<int32_t> *waiting = awaited.load(std::memory_order_seq_cst);
      if (waiting && waiting->load(std::memory_order_seq_cst) == 0)
        wakeCaller();
    }
    return true;
  }

  /// Runs `launch`, if there is one, and what it makes ready for this thread.
  void runChain(Launch *launch, size_t thread) {
    while (launch) {
      Launch *next = nullptr;
      leaveQueueToOthers(*launch);
      runShare(*launch, 0, 1, memoryOf(thread), &next);
      launch = next;
    }
  }

  /// An exchange between ranks waits, and this thread with it: what it has pushed and would take next is for another.
  /// Launches of ranks have monitors, so others pay nothing.
  void leaveQueueToOthers(const Launch &launch) {
    if (launch.monitor && launch.record && launch.record->collective && !queue.empty())
      wake(1);
  }

  /// Spins until `over` holds (true) or the time is up (false).
  template <typename Predicate> bool spin(Predicate over) const {
    if (spinNs == 0)
      return over();
    int64_t end = steadyNs() + spinNs;
    do {
      for (int i = 0; i < 32; ++i) {
        if (over())
          return true;
        relaxCpu();
      }
    } while (steadyNs() < end);
    return false;
  }

  /// Wakes up to `count` threads for new work.
  void wake(int64_t count) {
    if (awaited.load(std::memory_order_seq_cst)) {
      wakeCaller();
      if (--count == 0)
        return;
    }
    int32_t asleep = sleepers.load(std::memory_order_seq_cst);
    if (asleep == 0)
      return;
    wakeWord.fetch_add(1, std::memory_order_seq_cst);
    futexWake(wakeWord, int(std::min<int64_t>(count, asleep)));
  }

  void wakeCaller() {
    doneWord.fetch_add(1, std::memory_order_seq_cst);
    futexWake(doneWord, 1);
  }

  void work(size_t thread) {
    pthread_setname_np(pthread_self(), "mica-worker");
    while (!stopping.load(std::memory_order_relaxed)) {
      if (runOne(thread) || spin([&] { return !queue.empty() || stopping.load(std::memory_order_relaxed); }))
        continue;
      // As in drain(): this thread counts itself before it looks at the queue, push() fills the queue before it counts.
      sleepers.fetch_add(1, std::memory_order_seq_cst);
      uint32_t word = wakeWord.load(std::memory_order_seq_cst);
      if (queue.empty() && !stopping.load(std::memory_order_seq_cst))
        futexWait(wakeWord, word);
      sleepers.fetch_sub(1, std::memory_order_seq_cst);
    }
  }

  LaunchQueue queue;
  alignas(kCacheLine) std::atomic<int32_t> sleepers{0};
  std::atomic<uint32_t> wakeWord{0};                                              ///< workers sleep on it
  alignas(kCacheLine) std::atomic<const std::atomic<int32_t> *> awaited{nullptr}; ///< set while drain() sleeps
  std::atomic<uint32_t> doneWord{0};                                              ///< drain() sleeps on it
  alignas(kCacheLine) std::atomic<bool> stopping{false};
  Launch *callersFirst = nullptr; ///< of the thread that calls drain()
  const int threads;
  const int64_t spinNs;
  std::vector<std::thread> workers;
};

} // namespace

int availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1, int(std::thread::hardware_concurrency()));
}

Result<std::unique_ptr<Backend>> createCpuBackend(int threads, std::string name) {
  constexpr int kMostThreads = 1024;
  if (threads < 0 || threads > kMostThreads)
    return Error{ErrorCode::InvalidInput, std::to_string(threads) + " threads were asked for",
                 "0 means one per CPU; at most " + std::to_string(kMostThreads)};
  if (threads == 0)
    threads = availableCpus();
  if (threads == 1)
    return std::unique_ptr<Backend>(std::make_unique<SerialCpuBackend>(std::move(name)));
  auto backend = std::make_unique<ParallelCpuBackend>(std::move(name), threads);
  MICA_RETURN_IF_ERROR(backend->start());
  return std::unique_ptr<Backend>(std::move(backend));
}

} // namespace mica::runtime
