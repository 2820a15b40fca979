//===- Backend/Cuda.cpp - kernels on a GPU, by the CUDA driver --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Kernels' functions are wrappers on the host (mica/ABI/Gpu.h). A launch is noted with the device's addresses of its
// buffers; what it reads and the device does not have is uploaded meanwhile. The launches noted are queued together: by
// their wrappers, or as the graph that the same launches were captured as before. drain() queues what is left, waits
// for the stream, and calls `done` for each in order. Launches that are timed are put between events, whose times are
// the device's.
//
// A collective that a library performs on the device is queued at once, by the function that its kernel has for it; so
// the launches before and after it are graphs of their own.
//
// A kernel that goes wrong shows when the stream is waited for, and ends the context of the driver, if not the
// process's use of the device: from then on every launch fails with the same reason.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Cuda.h"
#include "lib/Runtime/Clock.h"
#include "lib/Runtime/Cuda/DeviceMemory.h"
#include "lib/Runtime/Cuda/Graphs.h"
#include "lib/Runtime/Cuda/Modules.h"
#include "lib/Runtime/Cuda/Queue.h"
#include "lib/Runtime/Memory.h"
#include "lib/Runtime/ResidencyTracker.h"
#include "lib/Runtime/Workspaces.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <utility>

namespace mica::runtime {
namespace {

/// Uploads from this size on do not wait until launches noted before them are queued.
constexpr int64_t kLargeUpload = 64 << 10;

struct CudaKernel {
  const artifact::KernelRecord *record;
  mica_kernel_fn_v1 wrapper;
};

/// CUdevice_attribute
enum : int { kMultiprocessors = 16, kCapabilityMajor = 75, kCapabilityMinor = 76, kMemoryPools = 115 };

class CudaBackend final : public Backend, private DeviceMemory {
public:
  CudaBackend(std::shared_ptr<const cuda::Driver> driver, std::string name, bool usesGraphs)
      : driver(std::move(driver)), deviceName(std::move(name)), usesGraphs(usesGraphs), graphs(*this->driver) {}
  ~CudaBackend() override;
  Status start(int ordinal);

  std::string_view name() const override { return deviceName; }
  int parallelism() const override { return 1; }
  bool inOrder() const override { return true; }
  DeviceMemory *deviceMemory() override { return this; }
  DeviceQueue *deviceQueue() override { return libraries.get(); }

  Result<KernelHandle> load(const KernelSource &source) override;
  Status reserve(size_t launches) override;
  Result<void *> allocate(int64_t bytes) override;
  void release(void *memory, int64_t bytes) override;
  Result<void *> allocateShared(int64_t bytes) override;
  Status adopt(void *memory, int64_t bytes, Contents contents) override {
    MICA_RETURN_IF_ERROR(enter());
    return mirrors->adopt(memory, bytes, contents, contents == Contents::Constant);
  }
  Status toHost(const void *memory, int64_t bytes) override {
    MICA_RETURN_IF_ERROR(enter());
    return mirrors->toHost(memory, bytes);
  }
  Status allToHost() override {
    MICA_RETURN_IF_ERROR(enter());
    return mirrors->allToHost();
  }
  void hostWrote(const void *memory, int64_t bytes) override { mirrors->hostWrote(memory, bytes); }
  void hostWroteAll() override { mirrors->hostWroteAll(); }
  void forget() override {
    if (enter())
      mirrors->forget();
  }

  void launch(Launch &launch) override;
  void drain(const std::atomic<int32_t> &remaining) override;

private:
  /// A launch that was noted and is not complete.
  struct Noted {
    Launch *launch;
    size_t firstBuffer;                         ///< of its addresses, in `addresses`
    cuda::Event begin = nullptr, end = nullptr; ///< where it is timed
    bool isQueued = false;
    int32_t code = 0; ///< why it was not, else 0; the reason is in `failures`
  };

  /// Makes the device this thread's; the error that ended its use, where one did.
  Status enter();
  Status translate(const Launch &launch);
  void queue();
  void queueOne(Noted &noted);
  bool queueAsGraph();
  void fail(Noted &noted, const Error &error, int32_t code);
  void failAll(std::span<Noted> running, cuda::Code code);
  void endUse(std::span<Noted> running, const DeviceQueue::Ended &why);
  void complete(Noted &entry);
  Result<cuda::Event> takeEvent();
  int64_t timeOf(cuda::Event event) const;
  Result<uint64_t> allocateOnDevice(int64_t bytes);
  static int32_t launchEntry(void *queue, const mica_gpu_launch_v1 *launch);
  static void *allocateEntry(void *queue, int64_t bytes);
  static void releaseEntry(void *queue, void *memory);

  const std::shared_ptr<const cuda::Driver> driver;
  const std::string deviceName;
  const bool usesGraphs;
  cuda::Device device = -1;
  cuda::Context context = nullptr;
  cuda::Stream stream = nullptr;
  cuda::Event base = nullptr; ///< of the times of events
  int64_t baseNs = 0;
  bool baseIsSet = false;
  std::unique_ptr<cuda::DeviceMemory> memory;
  std::unique_ptr<ResidencyTracker> mirrors;
  std::unique_ptr<Workspaces> workspaces;
  std::unique_ptr<cuda::Queue> libraries; ///< what they add to the stream
  std::unique_ptr<cuda::Modules> modules;
  cuda::Graphs graphs;
  std::deque<CudaKernel> kernels;                     // addresses stay
  std::vector<std::pair<void *, int64_t>> capacities; ///< of allocate()
  std::vector<void *> pinned;                         ///< of allocateShared()
  int64_t scratchBytes = 0;
  uint64_t scratch = 0;

  std::vector<Noted> noted;
  size_t numQueued = 0; ///< of `noted`: queued, or seen not to be
  bool failed = false;  ///< one of them: those behind it do not run
  std::vector<void *> addresses;
  cuda::Graphs::Key key;
  std::vector<cuda::Event> events; ///< of timed launches, used again
  size_t eventsInUse = 0;
  std::optional<Error> launchError;                     ///< what a service met
  const artifact::KernelRecord *calledKernel = nullptr; ///< whose wrapper runs
  bool capturing = false;
  std::deque<LaunchFailure> failures;
  std::optional<Error> broken; ///< why the device takes no further work
};

//===-----------------------------------------------------------------------------------------------------------===//
// The device
//===-----------------------------------------------------------------------------------------------------------===//

Status CudaBackend::start(int ordinal) {
  if (ordinal < 0 || ordinal >= driver->count())
    return Error{ErrorCode::Unsupported,
                 "the driver has no device " + std::to_string(ordinal) + " (" + deviceName + "): it has " +
                     std::to_string(driver->count()),
                 "mica-run --list-devices shows them; CUDA_VISIBLE_DEVICES hides some"};
  auto check = [&](cuda::Code code, const char *what) {
    return driver->check(code, std::string("cannot ") + what + " of " + deviceName);
  };
  MICA_RETURN_IF_ERROR(check(driver->deviceGet(&device, ordinal), "get the handle"));
  MICA_RETURN_IF_ERROR(check(driver->primaryContextRetain(&context, device), "make the context"));
  MICA_RETURN_IF_ERROR(enter());
  constexpr unsigned kNonBlocking = 1; // CU_STREAM_NON_BLOCKING
  MICA_RETURN_IF_ERROR(check(driver->streamCreate(&stream, kNonBlocking), "make a stream"));
  MICA_RETURN_IF_ERROR(check(driver->eventCreate(&base, 0), "make an event"));
  int pools = 0;
  if (driver->memAllocAsync && driver->memFreeAsync)
    MICA_RETURN_IF_ERROR(check(driver->deviceGetAttribute(&pools, kMemoryPools, device), "read an attribute"));
  memory = std::make_unique<cuda::DeviceMemory>(*driver, deviceName, pools != 0, stream);
  MICA_RETURN_IF_ERROR(memory->start([this] { return libraries->waitForStream(); }));
  modules = std::make_unique<cuda::Modules>(*driver, deviceName);
  mirrors = std::make_unique<ResidencyTracker>(
      MirrorDevice{[this](int64_t bytes) { return allocateOnDevice(bytes); },
                   [this](uint64_t address, int64_t bytes) { memory->release(address, bytes); },
                   [this](uint64_t to, const void *from, int64_t bytes) {
                     // The device computes while the bytes travel.
                     if (bytes >= kLargeUpload)
                       queue();
                     return memory->upload(to, from, bytes);
                   },
                   [this](void *to, uint64_t from, int64_t bytes) { return memory->download(to, from, bytes); }});
  workspaces =
      std::make_unique<Workspaces>([this](int64_t bytes) { return allocateOnDevice(bytes); },
                                   [this](uint64_t address, int64_t bytes) { memory->release(address, bytes); });
  libraries = std::make_unique<cuda::Queue>(*driver, deviceName, stream, *workspaces, [this] { return enter(); });
  return {};
}

CudaBackend::~CudaBackend() {
  if (!context)
    return;
  driver->contextSetCurrent(context);
  if (stream)
    driver->streamSynchronize(stream);
  mirrors.reset();
  libraries.reset();
  if (workspaces) {
    workspaces->giveAllBack();
    workspaces->trim();
  }
  if (scratch)
    memory->release(scratch, scratchBytes);
  modules.reset();
  memory.reset();
  for (void *each : pinned)
    driver->memFreeHost(each);
  for (cuda::Event event : events)
    driver->eventDestroy(event);
  if (base)
    driver->eventDestroy(base);
  graphs.clear();
  if (stream)
    driver->streamDestroy(stream);
  driver->contextSetCurrent(nullptr);
  driver->primaryContextRelease(device);
}

Status CudaBackend::enter() {
  if (broken)
    return *broken;
  return driver->check(driver->contextSetCurrent(context), "cannot use " + deviceName);
}

Result<KernelHandle> CudaBackend::load(const KernelSource &source) {
  const artifact::KernelRecord &record = *source.record;
  if (!source.function || !source.artifact)
    return Error{ErrorCode::Unsupported, "kernel '" + record.name + "' has no code for " + deviceName,
                 "compile the program with --target=cuda"};
  if (record.checks && record.checks->shadows)
    return Error{ErrorCode::Unsupported,
                 "kernel '" + record.name + "' checks for uninitialized reads, for which " + deviceName +
                     " has no code",
                 "compile with --target=sim: the simulator detects them"};
  MICA_RETURN_IF_ERROR(enter());
  if (!record.collective)
    MICA_RETURN_IF_ERROR(modules->load(*source.artifact, record.name));
  scratchBytes = std::max(scratchBytes, record.scratchBytes);
  kernels.push_back({&record, source.function});
  return KernelHandle(&kernels.back());
}

Status CudaBackend::reserve(size_t launches) {
  noted.reserve(launches);
  if (scratchBytes == 0)
    return {};
  // One for all: they run one after the other.
  MICA_RETURN_IF_ERROR(enter());
  MICA_ASSIGN_OR_RETURN(scratch, memory->allocate(scratchBytes));
  return {};
}

/// Memory of the host that nobody touches unless it is downloaded: what the system has not given costs nothing.
Result<void *> CudaBackend::allocate(int64_t bytes) {
  MICA_RETURN_IF_ERROR(enter());
  int64_t capacity = 0;
  MICA_ASSIGN_OR_RETURN(void *address, allocateAligned(bytes, capacity));
  MICA_RETURN_IF_ERROR(mirrors->adopt(address, bytes, Contents::Undefined, /*stays=*/true));
  capacities.push_back({address, capacity});
  return address;
}

void CudaBackend::release(void *address, int64_t) {
  driver->contextSetCurrent(context);
  mirrors->drop(address);
  auto it = std::find_if(capacities.begin(), capacities.end(), [&](auto &entry) { return entry.first == address; });
  releaseAligned(it->first, it->second);
  capacities.erase(it);
}

/// Memory of the host that the device addresses: what a kernel writes there survives a context that it ends.
Result<void *> CudaBackend::allocateShared(int64_t bytes) {
  MICA_RETURN_IF_ERROR(enter());
  constexpr unsigned kPortable = 1, kMapped = 2; // CU_MEMHOSTALLOC_PORTABLE, _DEVICEMAP
  void *address = nullptr;
  MICA_RETURN_IF_ERROR(
      driver->check(driver->memHostAlloc(&address, size_t(bytes), kPortable | kMapped),
                    "no " + byteSize(bytes) + " of memory that both the host and " + deviceName + " address"));
  pinned.push_back(address);
  std::memset(address, 0, size_t(bytes));
  return address;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Launches
//===-----------------------------------------------------------------------------------------------------------===//

/// Of the wrapper that runs now.
int32_t CudaBackend::launchEntry(void *queue, const mica_gpu_launch_v1 *launch) {
  auto *self = static_cast<CudaBackend *>(queue);
  const uint32_t *grid = launch->grid, *block = launch->block;
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
    return 0;
  constexpr int32_t kRefused = 1;
  Result<cuda::Function> function =
      self->modules->function(launch->kernel, launch->entry, launch->dynamic_shared_bytes);
  if (!function) {
    self->launchError = function.error();
    return kRefused;
  }
  const cuda::Code code = self->driver->launchKernel(*function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                                     launch->dynamic_shared_bytes, self->stream,
                                                     const_cast<void **>(launch->params), nullptr);
  if (code == cuda::kSuccess)
    return 0;
  auto sizes = [](const uint32_t *all) {
    return std::to_string(all[0]) + "x" + std::to_string(all[1]) + "x" + std::to_string(all[2]);
  };
  self->launchError = self->driver
                          ->check(code, "cannot launch '" + std::string(launch->entry) + "' with " + sizes(grid) +
                                            " blocks of " + sizes(block) + " threads and " +
                                            std::to_string(launch->dynamic_shared_bytes) + " bytes of workgroup memory")
                          .error();
  if (cuda::isSticky(code))
    self->broken = self->launchError;
  return code;
}

/// Memory; where there is none without what wrappers have had, that is let go of when nothing runs that may use it.
Result<uint64_t> CudaBackend::allocateOnDevice(int64_t bytes) {
  Result<uint64_t> given = memory->allocate(bytes);
  if (given || !workspaces || libraries->waitForStream() != cuda::kSuccess || !workspaces->trim())
    return given;
  return memory->allocate(bytes);
}

/// For the wrapper that runs now.
void *CudaBackend::allocateEntry(void *queue, int64_t bytes) {
  auto *self = static_cast<CudaBackend *>(queue);
  if (self->launchError)
    return nullptr;
  constexpr int64_t kAbsurd = int64_t(1) << 48; // of addresses there are
  Result<uint64_t> given = bytes < 0 || bytes > kAbsurd
                               ? Error{ErrorCode::Io, "out of memory: more than any device has", "run smaller inputs"}
                               : self->workspaces->take(bytes, /*mayGrow=*/!self->capturing);
  if (given)
    return reinterpret_cast<void *>(*given);
  self->launchError = given.error();
  self->launchError->message = "kernel '" + self->calledKernel->name + "' gets no " + std::to_string(bytes) +
                               " bytes for a temporary: " + given.error().message;
  return nullptr;
}

void CudaBackend::releaseEntry(void *queue, void *memory) {
  static_cast<CudaBackend *>(queue)->workspaces->giveBack(reinterpret_cast<uint64_t>(memory));
}

/// Appends the device's addresses of its buffers, and brings what it reads.
Status CudaBackend::translate(const Launch &launch) {
  const int64_t *scalar = launch.scalars;
  for (size_t i = 0; i < launch.record->bindings.size(); ++i) {
    const artifact::BindingRecord &binding = launch.record->bindings[i];
    const int64_t bytes = bindingBytes(binding, scalar);
    MICA_ASSIGN_OR_RETURN(uint64_t address, mirrors->prepare(launch.buffers[i], bytes, binding.access));
    addresses.push_back(reinterpret_cast<void *>(address));
  }
  return {};
}

/// `error` in words where the launch's failure is reported.
void CudaBackend::fail(Noted &entry, const Error &error, int32_t code) {
  failures.push_back({error.message, std::nullopt});
  entry.launch->failure = &failures.back();
  entry.code = code != 0 ? code : 1;
  failed = true;
}

void CudaBackend::launch(Launch &launch) {
  launch.status.store(0, std::memory_order_relaxed);
  launch.parts = 1;
  launch.failure = nullptr;
  Noted entry{&launch, addresses.size()};
  if (!failed && !launch.cancelled->load(std::memory_order_relaxed)) {
    Status ready = enter();
    if (ready)
      ready = translate(launch);
    else
      ready = Error{broken->code, deviceName + " is unusable after an earlier error: " + broken->message, ""};
    if (!ready)
      fail(entry, ready.error(), 0);
  }
  // With what comes after it a library's work could not be captured.
  const bool isLibrarys = launch.record->collective && enter();
  if (isLibrarys)
    queue();
  noted.push_back(entry);
  if (isLibrarys)
    queue();
}

Result<cuda::Event> CudaBackend::takeEvent() {
  if (eventsInUse == events.size()) {
    cuda::Event event = nullptr;
    MICA_RETURN_IF_ERROR(driver->check(driver->eventCreate(&event, 0), "cannot make an event"));
    events.push_back(event);
  }
  return events[eventsInUse++];
}

/// Calls the wrapper, between events where the launch is timed.
void CudaBackend::queueOne(Noted &entry) {
  Launch &launch = *entry.launch;
  if (launch.monitor)
    launch.monitor->begun();
  auto mark = [&](cuda::Event &event) -> Status {
    MICA_ASSIGN_OR_RETURN(event, takeEvent());
    return driver->check(driver->eventRecord(event, stream), "cannot record an event");
  };
  if (launch.timed)
    if (Status marked = mark(entry.begin); !marked)
      return fail(entry, marked.error(), 0);
  const mica_gpu_services_v1 services{this, launchEntry, allocateEntry, releaseEntry};
  const auto *kernel = static_cast<const CudaKernel *>(launch.kernel);
  const mica_kernel_args_v1 args{addresses.data() + entry.firstBuffer,
                                 launch.scalars,
                                 reinterpret_cast<void *>(kernel->record->scratchBytes ? scratch : 0),
                                 0,
                                 1,
                                 launch.checks,
                                 &services};
  launchError.reset();
  calledKernel = kernel->record;
  const int32_t code = kernel->wrapper(&args);
  workspaces->giveAllBack();
  if (code != 0) {
    if (launchError)
      return fail(entry, *launchError, code);
    entry.code = code;
    failed = true;
    return;
  }
  entry.isQueued = true;
  if (launch.timed)
    if (Status marked = mark(entry.end); !marked)
      fail(entry, marked.error(), 0);
}

/// True where the launches not yet queued were queued as one graph.
bool CudaBackend::queueAsGraph() {
  if (!usesGraphs)
    return false;
  key.clear();
  key.push_back(workspaces->generation());
  for (size_t i = numQueued; i < noted.size(); ++i) {
    const Launch &launch = *noted[i].launch;
    if (launch.timed || launch.monitor || launch.cancelled->load(std::memory_order_relaxed))
      return false;
    key.push_back(reinterpret_cast<uint64_t>(launch.kernel));
    key.push_back(reinterpret_cast<uint64_t>(launch.checks));
    for (size_t buffer = 0; buffer < launch.record->bindings.size(); ++buffer)
      key.push_back(reinterpret_cast<uint64_t>(addresses[noted[i].firstBuffer + buffer]));
    for (int64_t scalar = 0; scalar < launch.scalarCount; ++scalar)
      key.push_back(uint64_t(launch.scalars[scalar]));
  }
  cuda::Graphs::Series &series = graphs.note(key);
  if (graphs.shouldCapture(series) && graphs.begin(stream)) {
    capturing = true;
    for (size_t i = numQueued; i < noted.size() && !failed; ++i)
      queueOne(noted[i]);
    capturing = false;
    graphs.end(stream, series);
    for (size_t i = numQueued; i < noted.size(); ++i)
      noted[i].isQueued = false;
    if (failed)
      series.isRefused = true;
    if (failed)
      return true;
  }
  if (!series.exec || graphs.launch(series, stream) != cuda::kSuccess)
    return false;
  for (size_t i = numQueued; i < noted.size(); ++i)
    noted[i].isQueued = true;
  return true;
}

/// Hands what was noted to the device.
void CudaBackend::queue() {
  if (numQueued == noted.size() || failed)
    return;
  if (Status ordered = memory->orderUploads(); !ordered)
    return fail(noted[numQueued], ordered.error(), 0);
  const bool isTimed = std::any_of(noted.begin() + std::ptrdiff_t(numQueued), noted.end(),
                                   [](const Noted &entry) { return entry.launch->timed; });
  if (isTimed && !baseIsSet) {
    baseIsSet = true;
    baseNs = steadyNs();
    driver->eventRecord(base, stream);
  }
  if (!queueAsGraph())
    for (size_t i = numQueued; i < noted.size() && !failed; ++i)
      if (!noted[i].launch->cancelled->load(std::memory_order_relaxed))
        queueOne(noted[i]);
  numQueued = noted.size();
}

int64_t CudaBackend::timeOf(cuda::Event event) const {
  float milliseconds = 0;
  driver->eventElapsedTime(&milliseconds, base, event);
  return std::min(baseNs + int64_t(double(milliseconds) * 1e6), steadyNs());
}

/// Sets the times and the status of a launch that has ended, and calls `done`.
void CudaBackend::complete(Noted &entry) {
  const auto *log = reinterpret_cast<const mica_gpu_check_log_v1 *>(entry.launch->checks);
  if (log && entry.isQueued && entry.code == 0 && log->is_error != 0 && log->failed != 0)
    entry.code = MICA_STATUS_CHECK_FAILED;
  if (entry.launch->timed && entry.begin && !broken) {
    entry.launch->startNs = timeOf(entry.begin);
    if (entry.end)
      entry.launch->endNs = std::max(entry.launch->startNs, timeOf(entry.end));
  }
  entry.launch->status.store(entry.code, std::memory_order_relaxed);
  entry.launch->nextPlace = nullptr;
  entry.launch->done(*entry.launch);
}

/// The stream failed while `running` were queued.
void CudaBackend::failAll(std::span<Noted> running, cuda::Code code) {
  const auto numRun = std::count_if(running.begin(), running.end(), [](const Noted &entry) { return entry.isQueued; });
  Error error = driver->check(code, numRun == 1 ? "the kernel failed" : "a kernel failed").error();
  broken = error;
  if (numRun > 1) {
    constexpr size_t kShown = 8;
    size_t shown = 0;
    error.message += "; one of the " + std::to_string(numRun) + " that ran since the last wait:";
    for (const Noted &entry : running)
      if (entry.isQueued && shown++ < kShown)
        error.message += (shown > 1 ? ", '" : " '") + entry.launch->record->name + "'";
    error.message +=
        std::string(numRun > int64_t(kShown) ? ", ..." : "") + "; --mica-debug=device-sync-mode tells which";
  }
  fail(*std::find_if(running.begin(), running.end(), [](const Noted &entry) { return entry.isQueued; }), error, code);
}

/// Nobody waits any longer: what a library added will not be complete.
void CudaBackend::endUse(std::span<Noted> running, const DeviceQueue::Ended &why) {
  broken = why.error;
  auto culprit = std::find_if(running.begin(), running.end(), [&](Noted &entry) { return entry.launch == why.launch; });
  if (culprit == running.end())
    culprit = std::find_if(running.begin(), running.end(), [](const Noted &entry) { return entry.isQueued; });
  fail(*culprit, why.error, 0);
  failures.back().code = why.error.code;
}

void CudaBackend::drain(const std::atomic<int32_t> &) {
  if (noted.empty())
    return;
  if (enter())
    queue();
  // `done` of the last lets the walker go on, and launch again.
  std::vector<Noted> draining;
  draining.swap(noted);
  addresses.clear();
  numQueued = 0;
  // Timed launches may be watched: each that ends is progress, of many that take long together.
  size_t first = 0;
  const bool isTimed =
      std::any_of(draining.begin(), draining.end(), [](const Noted &entry) { return entry.launch->timed; });
  for (; isTimed && !failed && first + 1 < draining.size(); ++first) {
    Noted &entry = draining[first];
    if (entry.isQueued && (!entry.end || libraries->waitForEvent(entry.end) != cuda::kSuccess))
      break;
    complete(entry);
  }
  const std::span<Noted> rest(draining.begin() + std::ptrdiff_t(first), draining.end());
  if (std::any_of(rest.begin(), rest.end(), [](const Noted &entry) { return entry.isQueued; }))
    if (const cuda::Code code = libraries->waitForStream())
      libraries->ended() ? endUse(rest, *libraries->ended()) : failAll(rest, code);
  for (Noted &entry : rest) {
    if (&entry == &rest.back()) {
      eventsInUse = 0;
      failed = baseIsSet = false;
    }
    complete(entry);
  }
  draining.clear();
  if (noted.empty())
    noted.swap(draining); // its memory serves again
}

} // namespace

//===-----------------------------------------------------------------------------------------------------------===//
// From outside
//===-----------------------------------------------------------------------------------------------------------===//

Result<std::unique_ptr<Backend>> createCudaBackend(int ordinal, std::string name, const std::string &library,
                                                   bool graphs) {
  MICA_ASSIGN_OR_RETURN(std::shared_ptr<const cuda::Driver> driver, cuda::Driver::open(library));
  auto backend = std::make_unique<CudaBackend>(std::move(driver), std::move(name), graphs);
  MICA_RETURN_IF_ERROR(backend->start(ordinal));
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<std::vector<std::string>> describeCudaDevices(const std::string &library) {
  MICA_ASSIGN_OR_RETURN(std::shared_ptr<const cuda::Driver> driver, cuda::Driver::open(library));
  std::vector<std::string> devices;
  for (int i = 0; i < driver->count(); ++i) {
    cuda::Device device = 0;
    char name[256] = "";
    int major = 0, minor = 0, processors = 0;
    size_t bytes = 0;
    MICA_RETURN_IF_ERROR(driver->check(driver->deviceGet(&device, i), "cannot get the handle of a device"));
    driver->deviceGetName(name, sizeof name - 1, device);
    driver->deviceGetAttribute(&major, kCapabilityMajor, device);
    driver->deviceGetAttribute(&minor, kCapabilityMinor, device);
    driver->deviceGetAttribute(&processors, kMultiprocessors, device);
    driver->deviceTotalMem(&bytes, device);
    devices.push_back(std::string(name) + ", sm_" + std::to_string(major * 10 + minor) + ", " +
                      std::to_string(processors) + " multiprocessors, " + byteSize(int64_t(bytes)) +
                      ", driver for CUDA " + std::to_string(driver->version() / 1000) + "." +
                      std::to_string(driver->version() % 1000 / 10));
  }
  return devices;
}

} // namespace mica::runtime
