//===- Backend.h - interface of devices ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The interface between the task walker and a device. The walker handles lists, dependencies and addresses; a back end
// handles memory and runs single launches. Start a new one from lib/Runtime/Backend/Null.cpp, and add it to the
// conformance suite (test/Unit/Runtime/ConformanceTest.cpp), which tests the contracts of this file.
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
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// Cache line size: data of two threads must not share one.
inline constexpr size_t kCacheLine = 64;

/// A kernel as passed to a back end.
struct KernelSource {
  const artifact::KernelRecord *record = nullptr;
  mica_kernel_fn_v1 function = nullptr;            ///< its code in program.so
  const std::filesystem::path *artifact = nullptr; ///< the program's folder; null: it has none
  bool allocates = false;                          ///< it calls the allocation services of ABI/Memory.h
};

/// A loaded kernel of a back end; null is no kernel.
using KernelHandle = const void *;

/// Bytes of a launch's buffer for `binding`. Dynamic sizes are read from `scalars`, which is advanced past them. The
/// buffer exists, so a product that overflows int64_t can only have a factor 0 later.
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
  std::optional<FaultInfo> fault;     ///< kind and place of the operation, if the device knows them
  std::optional<ErrorCode> code = {}; ///< of the error that the invocation gives; none: Difference
  bool leavesNothingHalfDone = false; ///< the launch ran to its end, or not at all: the context stays usable
  int64_t op = -1;                    ///< which operation of the kernel gets no memory or a wrong shape; -1: unknown
  std::pair<int64_t, int64_t> place = {}; ///< line and column of what asked, which may be inside of it; 0: unknown
};

/// Callbacks of a wrapper (ForwardingBackend.h) during a launch. They are called on the threads that run the launch,
/// concurrently if it is partitioned.
class LaunchMonitor {
public:
  /// A partition begins.
  virtual void begun() {}
  /// Slice `slice` of `count` is complete, on the thread that ran it. Called only if `sliced`.
  virtual void sliceDone(int64_t /*slice*/, int64_t /*count*/) {}

  /// Requested number of kernel calls for the launch, at least 1. A back end that cannot slice makes one per partition.
  int32_t slices = 1;
  bool sliced = false;            ///< set by the back end: sliceDone() is called for every slice
  int32_t slicesPerPartition = 1; ///< set by the back end

protected:
  ~LaunchMonitor() = default;
};

/// One launch of a kernel. Made once per task by the walker and reused in every invocation; keeps its address until the
/// back end is destroyed, so that a late read of its atomics is harmless.
struct alignas(kCacheLine) Launch {
  // Two cache lines that every launch touches.

  // Set by the walker, constant while the launch runs.
  KernelHandle kernel = nullptr;
  void *const *buffers = nullptr;      ///< as mica_kernel_args_v1
  const int64_t *scalars = nullptr;    ///< as mica_kernel_args_v1
  mica_check_log_v1 *checks = nullptr; ///< as mica_kernel_args_v1; null if the kernel has no checks
  int64_t grid = 1;                    ///< independent work partitions: 1 = do not partition, -1 = any number
  LaunchMonitor *monitor = nullptr;    ///< null: none
  /// A slot that Backend::callerRunSlot() or `nextPlace` returned: its thread runs this launch next, so the launch is
  /// not queued, and no other thread takes it. Null: any thread may run it. Only with a grid of 1.
  Launch **place = nullptr;
  const std::atomic<bool> *cancelled = nullptr; ///< once true: complete without running the kernel
  /// Called exactly once, when the launch's writes are visible to everything that the callback starts; on any thread,
  /// also from within Backend::launch. It may launch others.
  void (*done)(Launch &launch) = nullptr;
  void *owner = nullptr; ///< for `done`

  // Written by the back end before `done`.
  std::atomic<int32_t> status{0}; ///< 0, or the first nonzero code of the kernel
  bool timed = false;             ///< set by the walker: the back end writes startNs and endNs
  int64_t parts = 1;              ///< number of partitions
  Launch **nextPlace = nullptr;   ///< a slot for one launch that the thread that calls `done` runs next; null: none
  const LaunchFailure *failure = nullptr; ///< of a nonzero status; null: there are no details

  // Members that few launches need.
  const artifact::KernelRecord *record = nullptr;
  int64_t scalarCount = 0;
  int64_t site = -1;              ///< position in the manifest's sites
  int64_t startNs = 0, endNs = 0; ///< steady clock
  /// A copy of the inputs of buffers that it updates, one address per binding; null: no copy was made.
  void *const *operands = nullptr;
  void *wrapped = nullptr; ///< data of the wrapper that received this launch; null: none yet

  // For the back end alone.
  alignas(kCacheLine) std::atomic<uint64_t> ticket{0};
  std::atomic<int32_t> partsLeft{0};
};

/// The contents of host memory, for a device with separate memory.
enum class Contents {
  Undefined, ///< undefined
  Given,     ///< read by launches
  Constant,  ///< never modified
};

/// Memory of a device whose kernels cannot address host memory. The walker uses host addresses in any case, announces
/// all memory that launches access by the calls below, and copies nothing: the device uploads what the host wrote
/// before a launch reads it, and downloads on request. Called between launches.
class DeviceMemory {
public:
  /// Launches may use this memory until forget(), Constant memory always. Called again for known memory, its contents
  /// are new.
  virtual Status adopt(void *memory, int64_t bytes, Contents contents) = 0;
  /// Returns when the host can read what the latest launch wrote there.
  virtual Status toHost(const void *memory, int64_t bytes) = 0;
  /// The same for all adopted memory, except constants and memory of Backend::allocate().
  virtual Status allToHost() = 0;
  /// The host, or another device, wrote there; any memory but constants. Unknown memory is ignored.
  virtual void hostWrote(const void *memory, int64_t bytes) = 0;
  virtual void hostWroteAll() = 0;
  /// An invocation is over: launches no longer use the adopted memory, except constants and memory of
  /// Backend::allocate().
  virtual void forget() = 0;

protected:
  ~DeviceMemory() = default;
};

/// Where a device runs its launches one after the other, for libraries that add work of their own: within the function
/// of a kernel whose record is a collective, which gets addresses of the device.
class DeviceQueue {
public:
  /// A CUstream.
  virtual void *stream() const = 0;
  /// Makes the device the calling thread's.
  virtual Status enter() = 0;

  /// Memory of the device until what the running function adds is over.
  virtual Result<void *> temporary(int64_t bytes) = 0;
  /// Adds a copy of `rows` rows of `bytes` bytes, which begin `toPitch` and `fromPitch` bytes apart.
  virtual Status copyRows(void *to, int64_t toPitch, const void *from, int64_t fromPitch, int64_t bytes,
                          int64_t rows) = 0;
  /// Adds zeros.
  virtual Status clear(void *memory, int64_t bytes) = 0;

  /// Adds a mark, which stands for the work so far.
  virtual Result<void *> mark() = 0;
  /// Whether the device has come to `mark`. Once true, the mark is gone. Errors of the device are not passed.
  virtual bool takePassed(void *mark) = 0;

  /// Why the device will never come to what was added, and whose fault it is.
  struct Ended {
    Error error;
    const Launch *launch;
  };
  /// `ask` is called now and then while somebody waits for the device; what it gives ends the waiting, and the use of
  /// the device. Empty: nobody is asked.
  virtual void setWatch(std::function<std::optional<Ended>()> ask) = 0;

protected:
  ~DeviceQueue() = default;
};

/// A device. One caller thread at a time, unless stated otherwise.
class Backend {
public:
  virtual ~Backend() = default;

  /// The device's name in tasks, logs and traces: "cpu:0". Constant.
  virtual std::string_view name() const = 0;
  /// The maximum number of partitions of a launch; at least 1. Constant.
  virtual int parallelism() const = 0;
  /// True: launches take effect one after the other, in the order of launch(), and `done` calls come one at a time; the
  /// walker then launches a list without waiting. False: the walker launches a task only when its dependencies are
  /// complete.
  virtual bool inOrder() const = 0;

  /// For devices that are in order. Null: nothing but launches can be added. Constant.
  virtual DeviceQueue *deviceQueue() { return nullptr; }

  /// Loads a kernel. Fails with Unsupported if this device cannot run it.
  virtual Result<KernelHandle> load(const KernelSource &source) = 0;
  /// Called once before the first launch: at most `launches` launches are in flight at the same time.
  virtual Status reserve(size_t launches) = 0;

  /// The device's own memory; null if kernels address host memory. Constant.
  virtual DeviceMemory *deviceMemory() { return nullptr; }

  /// Allocates `bytes` bytes for launches on this device, MICA_BUFFER_ALIGNMENT aligned. The host can address them too,
  /// after a download.
  virtual Result<void *> allocate(int64_t bytes) = 0;
  virtual void release(void *memory, int64_t bytes) = 0;
  /// Allocates `bytes` zeros that kernels and the host address under one address, for the lifetime of the back end: for
  /// check logs. Kernels' writes can be read when their launch is done.
  virtual Result<void *> allocateShared(int64_t bytes) {
    MICA_ASSIGN_OR_RETURN(void *memory, allocate(bytes));
    std::memset(memory, 0, size_t(bytes));
    return memory;
  }

  /// Starts `launch`; also called from `done` callbacks, on any thread.
  virtual void launch(Launch &launch) = 0;
  /// A slot for one launch with which the next drain() begins; null: none.
  virtual Launch **callerRunSlot() { return nullptr; }
  /// Runs launches on the calling thread until `remaining` is 0, as set by `done` callbacks (by sequentially consistent
  /// decrements, after which they touch nothing).
  virtual void drain(const std::atomic<int32_t> &remaining) = 0;
};

/// The CPU: kernels of program.so on `threads` threads, including the caller of drain() (so `threads` - 1 are started).
/// 0: one per CPU that the process may use. Fails with Io if threads cannot be started.
Result<std::unique_ptr<Backend>> createCpuBackend(int threads, std::string name = "cpu:0");

/// The simulator of GPU kernels, on the launching thread: programs compiled with --target=sim. `schedule`: as the
/// switch sim-schedule ("in-order", "random:42"). A finding of its checks makes the launch fail. InvalidInput for an
/// unknown schedule.
Result<std::unique_ptr<Backend>> createSimBackend(const std::string &schedule, std::string name = "sim:0");

/// CPUs this process may run on (its affinity mask); at least 1.
int availableCpus();

/// A back end that runs nothing and records the launches: for tests of the walker, dry runs, and as the skeleton of a
/// new back end.
class NullBackend : public Backend {
public:
  struct Record {
    std::string kernel;
    int64_t site = -1;
    std::vector<void *> buffers;
    std::vector<int64_t> scalars;
    bool cancelled = false;
  };
  /// `failKernel`: launches of this kernel complete with status `failStatus`, to test error paths.
  static std::unique_ptr<NullBackend> create(std::string name = "cpu:0", std::string failKernel = "",
                                             int32_t failStatus = 1);
  /// The launches since the last call, in order.
  virtual std::vector<Record> takeRecords() = 0;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_BACKEND_H
