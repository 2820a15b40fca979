//===- Backend.h - what a device does for the runtime ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The one interface between the task walker and a device. The walker knows lists, dependencies and addresses;
// a back end knows memory and how to run one launch. Start a new one from lib/Runtime/Backend/Null.cpp, and
// add it to the conformance suite (test/Unit/Runtime/ConformanceTest.cpp), which says in code what this page
// says in words.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_BACKEND_H
#define MICA_RUNTIME_BACKEND_H

#include "mica/ABI/Kernel.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/FaultInfo.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// Size of what two threads must not share.
inline constexpr size_t kCacheLine = 64;

/// A kernel as a back end is given it.
struct KernelSource {
  const artifact::KernelRecord *record = nullptr;
  mica_kernel_fn_v1 function = nullptr;            ///< its code in program.so
  const std::filesystem::path *artifact = nullptr; ///< the program's folder; null: it is not from one
  bool allocates = false;                          ///< it asks for memory by the table of ABI/Memory.h
};

/// A kernel as a back end knows it; null is no kernel.
using KernelHandle = const void *;

/// Bytes that a launch's buffer for `binding` has. Sizes known at run time only are the next of its `scalars`, which
/// moves behind them. The buffer exists: what does not fit int64_t on the way is multiplied by 0.
inline int64_t bindingBytes(const artifact::BindingRecord &binding, const int64_t *&scalars) {
  uint64_t bytes = uint64_t(dtypeBytes(binding.type.dtype));
  for (int64_t size : binding.type.shape)
    bytes *= uint64_t(size < 0 ? *scalars++ : size);
  return int64_t(bytes);
}

struct Launch;

/// Why a launch failed, beyond its status. Owned by the back end or wrapper that made it, until the launch is launched
/// again.
struct LaunchFailure {
  std::string message;
  std::optional<FaultInfo> fault;     ///< kind and place of the operation, where the device knows them
  bool leavesNothingHalfDone = false; ///< the launch ran to its end: the context may go on
};

/// What a wrapper (ForwardingBackend.h) wants to know of a launch while it runs. Calls come on the threads that run the
/// launch, at the same time where it is partitioned.
class LaunchMonitor {
public:
  /// A partition begins.
  virtual void begun() {}
  /// Slice `slice` of `count` is complete, on the thread that ran it. Only where `sliced`.
  virtual void sliceDone(int64_t /*slice*/, int64_t /*count*/) {}

  /// Calls of the kernel that the launch should be made of, at least 1. A back end that cannot slice makes one per
  /// partition.
  int32_t slices = 1;
  bool sliced = false;            ///< by the back end: sliceDone() is called for every slice
  int32_t slicesPerPartition = 1; ///< by the back end

protected:
  ~LaunchMonitor() = default;
};

/// One launch of a kernel. Made once per task by the walker and used again in every invocation; stays at its
/// address until the back end is gone, so a late reader of its atomics is harmless.
struct alignas(kCacheLine) Launch {
  // Two cache lines that every launch touches.

  // Set by the walker, constant while the launch runs.
  KernelHandle kernel = nullptr;
  void *const *buffers = nullptr;      ///< as mica_kernel_args_v1
  const int64_t *scalars = nullptr;    ///< as mica_kernel_args_v1
  mica_check_log_v1 *checks = nullptr; ///< as mica_kernel_args_v1; null where the kernel has no checks
  int64_t grid = 1;                    ///< independent work partitions: 1 = do not partition, -1 = any number
  LaunchMonitor *monitor = nullptr;    ///< null: nobody watches it
  /// A place that Backend::callerRunSlot() or `nextPlace` gave: the thread it is of runs this launch next, so it need
  /// not be queued, and no other thread takes it. Null: any thread may. Only with a grid of 1.
  Launch **place = nullptr;
  const std::atomic<bool> *cancelled = nullptr; ///< once true: complete without running the kernel
  /// Called exactly once, when the launch's writes can be read by whoever the callback makes run; on any
  /// thread, also from within Backend::launch. It may launch others.
  void (*done)(Launch &launch) = nullptr;
  void *owner = nullptr; ///< for `done`

  // Written by the back end before `done`.
  std::atomic<int32_t> status{0}; ///< 0, or the first nonzero code of the kernel
  bool timed = false;             ///< set by the walker: the back end writes startNs and endNs
  int64_t parts = 1;              ///< partitions it was divided into
  Launch **nextPlace = nullptr;   ///< for one launch that the thread that calls `done` is to run next; null: none
  const LaunchFailure *failure = nullptr; ///< of a status that is not 0; null: the status says all there is

  // What few launches need.
  const artifact::KernelRecord *record = nullptr;
  int64_t scalarCount = 0;
  int64_t site = -1;              ///< position in the manifest's sites
  int64_t startNs = 0, endNs = 0; ///< steady clock
  /// What it read of the buffers that it updates, one address per binding; null: nobody kept it.
  void *const *operands = nullptr;
  void *wrapped = nullptr; ///< what the wrapper that was handed this launch keeps of it; null: nothing yet

  // The back end's own.
  alignas(kCacheLine) std::atomic<uint64_t> ticket{0};
  std::atomic<int32_t> partsLeft{0};
};

/// What the host's memory holds, for a device that has memory of its own.
enum class Contents {
  Undefined, ///< nothing that anyone wants
  Given,     ///< what launches read
  Constant,  ///< and nobody changes, ever
};

/// Memory of a device whose kernels do not address the host's. The walker goes by addresses of the host all the same,
/// names all memory that launches access, by the calls below, and moves nothing: the device uploads what a launch reads
/// and the host wrote, and downloads on request. Called between launches.
class DeviceMemory {
public:
  /// Launches may name this memory until forget(), Constant ones for good. Called again for what is known: its contents
  /// are new.
  virtual Status adopt(void *memory, int64_t bytes, Contents contents) = 0;
  /// Returns when the host reads there what the last launch wrote that did.
  virtual Status toHost(const void *memory, int64_t bytes) = 0;
  /// The same for all memory that was adopted, but constants and what Backend::allocate() gave.
  virtual Status allToHost() = 0;
  /// The host, or another device, wrote there; in any memory but constants. Memory that is not known is no error.
  virtual void hostWrote(const void *memory, int64_t bytes) = 0;
  virtual void hostWroteAll() = 0;
  /// An invocation is over: no launch names what was adopted, but constants and what Backend::allocate() gave.
  virtual void forget() = 0;

protected:
  ~DeviceMemory() = default;
};

/// A device. One caller thread at a time, except where stated.
class Backend {
public:
  virtual ~Backend() = default;

  /// The device as tasks, logs and traces name it: "cpu:0". Constant.
  virtual std::string_view name() const = 0;
  /// Shares a launch is cut into at most; at least 1. Constant.
  virtual int parallelism() const = 0;
  /// True: launches take effect one after the other, in the order of launch(), and `done` calls come one at a
  /// time; the walker then hands over a list without waiting. False: only launches whose dependencies are
  /// complete are handed over.
  virtual bool inOrder() const = 0;

  /// Makes a kernel ready. Fails with Unsupported when this device cannot run it.
  virtual Result<KernelHandle> load(const KernelSource &source) = 0;
  /// Called once before the first launch: at most `launches` launches are in flight at the same time.
  virtual Status reserve(size_t launches) = 0;

  /// The device's own memory; null where kernels address the host's. Constant.
  virtual DeviceMemory *deviceMemory() { return nullptr; }

  /// `bytes` bytes that launches on this device can name, MICA_BUFFER_ALIGNMENT aligned. The host can address them too,
  /// if they were downloaded.
  virtual Result<void *> allocate(int64_t bytes) = 0;
  virtual void release(void *memory, int64_t bytes) = 0;
  /// `bytes` zeros that kernels and the host both address, under one address, until the back end is gone: for logs of
  /// checks. What kernels wrote there can be read when their launch is done.
  virtual Result<void *> allocateShared(int64_t bytes) {
    MICA_ASSIGN_OR_RETURN(void *memory, allocate(bytes));
    std::memset(memory, 0, size_t(bytes));
    return memory;
  }

  /// Starts `launch`; also called from `done` callbacks, on any thread.
  virtual void launch(Launch &launch) = 0;
  /// Where the walker may put one launch that the next drain() begins with; null: nowhere.
  virtual Launch **callerRunSlot() { return nullptr; }
  /// Lends the calling thread to the device until `remaining` is 0, which `done` callbacks bring about (by sequentially
  /// consistent decrements, after which they touch nothing).
  virtual void drain(const std::atomic<int32_t> &remaining) = 0;
};

/// The CPU: kernels of program.so on `threads` threads, the caller of drain() being one of them (so `threads`
/// - 1 are started). 0: one per CPU the process may use. Fails with Io when the system refuses threads.
Result<std::unique_ptr<Backend>> createCpuBackend(int threads, std::string name = "cpu:0");

/// The simulator of GPU kernels, on the thread that launches: programs compiled with --target=sim. `schedule`: as the
/// switch sim-schedule ("in-order", "random:42"). What its checks find makes the launch fail. InvalidInput for another
/// schedule.
Result<std::unique_ptr<Backend>> createSimBackend(const std::string &schedule, std::string name = "sim:0");

/// CPUs this process may run on (its affinity mask); at least 1.
int availableCpus();

/// Runs nothing and records what would run: for tests of the walker, dry runs, and as the skeleton of a new
/// back end.
class NullBackend : public Backend {
public:
  struct Record {
    std::string kernel;
    int64_t site = -1;
    std::vector<void *> buffers;
    std::vector<int64_t> scalars;
    bool cancelled = false;
  };
  /// `failKernel`: launches of this kernel complete with status `failStatus`, so that error paths can be
  /// walked.
  static std::unique_ptr<NullBackend> create(std::string name = "cpu:0", std::string failKernel = "",
                                             int32_t failStatus = 1);
  /// What was launched since the last call, in order.
  virtual std::vector<Record> takeRecords() = 0;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_BACKEND_H
