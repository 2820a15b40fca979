//===- Backend/OpenCL.cpp - kernels on an OpenCL device ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Kernels' functions are wrappers on the host (mica/ABI/Gpu.h). launch() brings what the launch reads and calls its
// wrapper, whose launches go into one queue in order; drain() waits for the queue and completes them, timed ones one by
// one, so that observers see progress. Each has events, which name the launch that failed, and have the device's times.
// Uploads have a queue of their own, so the device computes meanwhile.
//
// The log of a launch's checks is copied to the device before the launch and back after it, by the same queue: not
// every device shares memory with the host while kernels run.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/OpenCL.h"

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/Memory.h"
#include "lib/Runtime/OpenCL/Backend.h"
#include "lib/Runtime/OpenCL/Memory.h"
#include "lib/Runtime/OpenCL/Modules.h"
#include "lib/Runtime/ResidencyTracker.h"
#include "lib/Runtime/Workspaces.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace mica::runtime {
namespace {

struct OpenCLKernel {
  const artifact::KernelRecord *record;
  mica_kernel_fn_v1 wrapper;
};

/// The log of a launch's checks: the host's, and its copy on the device.
struct SharedLog {
  int64_t bytes, capacity;
  uint64_t mirror;
};

class OpenCLBackend final : public Backend, private DeviceMemory {
public:
  OpenCLBackend(std::shared_ptr<const opencl::Library> library, opencl::DeviceProperties properties, std::string name)
      : library(std::move(library)), properties(std::move(properties)), deviceName(std::move(name)) {}
  ~OpenCLBackend() override;
  Status start();

  Result<KernelHandle> load(const KernelSource &source) override;
  Status reserve(size_t launches) override;
  void launch(Launch &launch) override;
  void drain(const std::atomic<int32_t> &remaining) override;
  std::string_view name() const override { return deviceName; }
  int parallelism() const override { return 1; }
  bool inOrder() const override { return true; }

  Result<void *> allocate(int64_t bytes) override;
  Result<void *> allocateShared(int64_t bytes) override;
  void release(void *memory, int64_t bytes) override;
  DeviceMemory *deviceMemory() override { return this; }
  Status adopt(void *address, int64_t bytes, Contents contents) override {
    return broken ? Status(*broken) : mirrors->adopt(address, bytes, contents, contents == Contents::Constant);
  }
  Status toHost(const void *address, int64_t bytes) override {
    return broken ? Status(*broken) : mirrors->toHost(address, bytes);
  }
  Status allToHost() override { return broken ? Status(*broken) : mirrors->allToHost(); }
  void hostWrote(const void *address, int64_t bytes) override { mirrors->hostWrote(address, bytes); }
  void hostWroteAll() override { mirrors->hostWroteAll(); }
  void forget() override { mirrors->forget(); }

private:
  /// A launch that is not complete. Its kernels' events are `events[firstEvent]` to before `events[lastEvent]`.
  struct Pending {
    Launch *launch;
    size_t firstEvent, lastEvent;
    opencl::Event logCopied = nullptr; ///< null: it has no log
    int32_t code = 0;
    bool isQueued = false;
  };

  Status translate(const Launch &launch);
  void enqueue(Pending &pending);
  void fail(Pending &pending, const Error &error, int32_t code = 1);
  Status copyLog(const Launch &launch, bool toDevice, opencl::Event *copied = nullptr);
  void readEvents(Pending &entry);
  int64_t timeOf(opencl::Event event, uint32_t what) const;
  void complete(const Pending &entry, int64_t &clockShift);
  int32_t refuse(Error error, int32_t code = 1);
  int32_t run(const mica_gpu_launch_v1 &launch);
  Status setParameter(const opencl::Entry &entry, const mica_gpu_launch_v1 &launch, uint32_t index);
  Result<uint64_t> allocateOnDevice(int64_t bytes);
  static int32_t launchEntry(void *queue, const mica_gpu_launch_v1 *launch) {
    return static_cast<OpenCLBackend *>(queue)->run(*launch);
  }
  static void *allocateEntry(void *queue, int64_t bytes);
  static void releaseEntry(void *queue, void *memory) {
    static_cast<OpenCLBackend *>(queue)->workspaces->giveBack(reinterpret_cast<uint64_t>(memory));
  }

  const std::shared_ptr<const opencl::Library> library;
  const opencl::DeviceProperties properties;
  const std::string deviceName;
  opencl::Context context = nullptr;
  opencl::Queue compute = nullptr, copies = nullptr;
  std::unique_ptr<opencl::Memory> memory;
  std::unique_ptr<opencl::Modules> modules;
  std::unique_ptr<ResidencyTracker> mirrors;
  std::unique_ptr<Workspaces> workspaces;
  std::deque<OpenCLKernel> kernels;           // addresses stay
  std::map<const void *, int64_t> capacities; ///< of allocate()
  std::map<const void *, SharedLog> logs;     ///< of allocateShared()
  int64_t scratchBytes = 0;
  uint64_t scratch = 0;

  std::vector<Pending> pending, draining;
  bool failed = false; ///< one of them: those behind it do not run
  std::vector<opencl::Event> events;
  std::vector<void *> addresses;                        ///< of the launch whose wrapper runs
  const artifact::KernelRecord *calledKernel = nullptr; ///< whose wrapper runs
  uint64_t calledLog = 0;                               ///< of that launch; 0: none
  std::optional<Error> refused;                         ///< what a service met
  std::map<const Launch *, LaunchFailure> failures;
  std::optional<Error> broken; ///< why the device takes no further work
};

//===-----------------------------------------------------------------------------------------------------------===//
// The device
//===-----------------------------------------------------------------------------------------------------------===//

Status OpenCLBackend::start() {
  opencl::Code code = opencl::kSuccess;
  context = library->createContext(nullptr, 1, &properties.device, nullptr, nullptr, &code);
  MICA_RETURN_IF_ERROR(library->check(code, "cannot make a context for " + deviceName));
  const uint64_t timed[] = {opencl::kQueueProperties, opencl::kProfiling, 0};
  compute = library->createQueue(context, properties.device, timed, &code);
  MICA_RETURN_IF_ERROR(library->check(code, "cannot make a queue for " + deviceName));
  copies = library->createQueue(context, properties.device, nullptr, &code);
  MICA_RETURN_IF_ERROR(library->check(code, "cannot make a queue for " + deviceName));
  memory = std::make_unique<opencl::Memory>(*library, properties, deviceName, context, copies);
  modules = std::make_unique<opencl::Modules>(*library, properties, deviceName, context);
  auto take = [this](int64_t bytes) { return allocateOnDevice(bytes); };
  auto give = [this](uint64_t address, int64_t bytes) { memory->release(address, bytes); };
  mirrors = std::make_unique<ResidencyTracker>(
      MirrorDevice{take, give,
                   [this](uint64_t to, const void *from, int64_t bytes) {
                     // The device computes while the bytes travel.
                     library->flush(compute);
                     return memory->upload(to, from, bytes);
                   },
                   [this](void *to, uint64_t from, int64_t bytes) { return memory->download(to, from, bytes); }});
  workspaces = std::make_unique<Workspaces>(take, give);
  return {};
}

OpenCLBackend::~OpenCLBackend() {
  if (compute)
    library->finish(compute);
  for (opencl::Event event : events)
    library->releaseEvent(event);
  mirrors.reset();
  if (workspaces) {
    workspaces->giveAllBack();
    workspaces->trim();
  }
  if (scratch)
    memory->release(scratch, scratchBytes);
  for (auto &[host, log] : logs) {
    memory->release(log.mirror, log.bytes);
    releaseAligned(const_cast<void *>(host), log.capacity);
  }
  modules.reset();
  memory.reset();
  for (opencl::Queue queue : {compute, copies})
    if (queue)
      library->releaseQueue(queue);
  if (context)
    library->releaseContext(context);
}

Result<KernelHandle> OpenCLBackend::load(const KernelSource &source) {
  const artifact::KernelRecord &record = *source.record;
  const Error unsupported{ErrorCode::Unsupported, "kernel '" + record.name + "' has no code for " + deviceName,
                          "compile the program with --target=opencl"};
  if (!source.function || !source.artifact)
    return unsupported;
  if (record.checks && record.checks->shadows)
    return Error{ErrorCode::Unsupported, unsupported.message + " that checks for uninitialized reads",
                 "compile with --target=sim: the simulator detects them"};
  if (broken)
    return *broken;
  MICA_RETURN_IF_ERROR(modules->load(*source.artifact, record.name));
  scratchBytes = std::max(scratchBytes, record.scratchBytes);
  return KernelHandle(&kernels.emplace_back(OpenCLKernel{&record, source.function}));
}

Status OpenCLBackend::reserve(size_t launches) {
  pending.reserve(launches);
  draining.reserve(launches);
  if (scratchBytes > 0) {
    // One for all: they run one after the other.
    MICA_ASSIGN_OR_RETURN(scratch, allocateOnDevice(scratchBytes));
  }
  return {};
}

/// Memory, if need be that which wrappers have had, once nothing runs that may use it.
Result<uint64_t> OpenCLBackend::allocateOnDevice(int64_t bytes) {
  Result<uint64_t> given = memory->allocate(bytes);
  if (!given && workspaces && library->finish(compute) == opencl::kSuccess && workspaces->trim())
    given = memory->allocate(bytes);
  return given;
}

/// Memory of the host that nobody touches unless it is downloaded: what the system has not given costs nothing.
Result<void *> OpenCLBackend::allocate(int64_t bytes) {
  if (broken)
    return *broken;
  int64_t capacity = 0;
  MICA_ASSIGN_OR_RETURN(void *address, allocateAligned(bytes, capacity));
  capacities[address] = capacity;
  MICA_RETURN_IF_ERROR(mirrors->adopt(address, bytes, Contents::Undefined, /*stays=*/true));
  return address;
}

void OpenCLBackend::release(void *address, int64_t) {
  mirrors->drop(address);
  releaseAligned(address, capacities[address]);
  capacities.erase(address);
}

Result<void *> OpenCLBackend::allocateShared(int64_t bytes) {
  SharedLog log{bytes, 0, 0};
  MICA_ASSIGN_OR_RETURN(log.mirror, allocateOnDevice(bytes));
  Result<void *> host = allocateAligned(bytes, log.capacity);
  if (!host) {
    memory->release(log.mirror, bytes);
    return host;
  }
  std::memset(*host, 0, size_t(bytes));
  logs[*host] = log;
  return host;
}

/// Queued; of launches without a log nothing.
Status OpenCLBackend::copyLog(const Launch &launch, bool toDevice, opencl::Event *copied) {
  const auto found = logs.find(launch.checks);
  if (found == logs.end())
    return {};
  auto *host = const_cast<void *>(found->first), *device = reinterpret_cast<void *>(found->second.mirror);
  return library->check(library->copy(compute, 0, toDevice ? device : host, toDevice ? host : device,
                                      size_t(found->second.bytes), 0, nullptr, copied),
                        "cannot copy the log of checks");
}

//===-----------------------------------------------------------------------------------------------------------===//
// Services of wrappers
//===-----------------------------------------------------------------------------------------------------------===//

int32_t OpenCLBackend::refuse(Error error, int32_t code) {
  if (opencl::isFinal(code))
    broken = error;
  refused = std::move(error);
  return code;
}

Status OpenCLBackend::setParameter(const opencl::Entry &entry, const mica_gpu_launch_v1 &launch, uint32_t index) {
  const opencl::SpirvParameter &parameter = (*entry.parameters)[index];
  opencl::Code code = opencl::kSuccess;
  switch (parameter.kind) {
  case opencl::SpirvParameter::Kind::Workgroup:
    code = library->setArgument(entry.kernel, index, launch.dynamic_shared_bytes, nullptr);
    break;
  case opencl::SpirvParameter::Kind::Value:
    code = library->setArgument(entry.kernel, index, parameter.bytes, launch.params[index]);
    break;
  case opencl::SpirvParameter::Kind::Global:
    code = library->setPointer(entry.kernel, index, *static_cast<void *const *>(launch.params[index]));
    break;
  }
  return library->check(code, "cannot pass parameter " + std::to_string(index) + " of '" + launch.entry + "'");
}

/// "4x1x1".
static std::string sizesText(const uint32_t *all) {
  return std::to_string(all[0]) + "x" + std::to_string(all[1]) + "x" + std::to_string(all[2]);
}

int32_t OpenCLBackend::run(const mica_gpu_launch_v1 &launch) {
  if (std::find(std::begin(launch.grid), std::end(launch.grid), 0u) != std::end(launch.grid))
    return 0;
  const Result<opencl::Entry> entry = modules->entry(launch.kernel, launch.entry);
  if (!entry)
    return refuse(entry.error());
  if (entry->parameters->size() != size_t(launch.param_count))
    return refuse({ErrorCode::Damaged,
                   "entry '" + std::string(launch.entry) + "' has " + std::to_string(entry->parameters->size()) +
                       " parameters, and its wrapper passes " + std::to_string(launch.param_count),
                   "program.so does not match the other files of the artifact: compile the program again"});
  // Not every driver checks it: pocl ends the process.
  const int64_t localBytes = int64_t(entry->localBytes) + int64_t(launch.dynamic_shared_bytes);
  if (localBytes > properties.localBytes)
    return refuse({ErrorCode::Unsupported,
                   "a block of '" + std::string(launch.entry) + "' takes " + byteSize(localBytes) +
                       " of workgroup memory, and " + deviceName + " has " + byteSize(properties.localBytes),
                   ""});
  for (uint32_t i = 0; i < uint32_t(launch.param_count); ++i)
    if (Status set = setParameter(*entry, launch, i); !set)
      return refuse(set.error());
  if (calledLog != 0 && library->setKernelInfo) {
    // The log's address is an integer among the parameters, of which the driver does not know that it is one.
    auto *log = reinterpret_cast<void *>(calledLog);
    library->setKernelInfo(entry->kernel, opencl::kKernelPointers, sizeof log, &log);
  }
  size_t global[3], local[3], threads = 1;
  for (int i = 0; i < 3; ++i) {
    local[i] = launch.block[i];
    global[i] = size_t(launch.grid[i]) * local[i];
    threads *= local[i];
  }
  opencl::Event event = nullptr;
  const opencl::Code code = library->launch(compute, entry->kernel, 3, nullptr, global, local, 0, nullptr, &event);
  if (code == opencl::kSuccess) {
    events.push_back(event);
    return 0;
  }
  Error error = library
                    ->check(code, "cannot launch '" + std::string(launch.entry) + "' with " + sizesText(launch.grid) +
                                      " blocks of " + sizesText(launch.block) + " threads")
                    .error();
  size_t most = 0;
  if (library->getGroupInfo(entry->kernel, properties.device, opencl::kKernelGroupSize, sizeof most, &most, nullptr) ==
          opencl::kSuccess &&
      most < threads)
    error.message += "; a block of this kernel has at most " + std::to_string(most) + " threads on this device";
  return refuse(std::move(error), code);
}

/// For the wrapper that runs now.
void *OpenCLBackend::allocateEntry(void *queue, int64_t bytes) {
  auto *self = static_cast<OpenCLBackend *>(queue);
  if (self->refused)
    return nullptr;
  constexpr int64_t kAbsurd = int64_t(1) << 48; // of addresses there are
  Result<uint64_t> given = Error{ErrorCode::Io, "out of memory: more than any device has", "run smaller inputs"};
  if (bytes >= 0 && bytes <= kAbsurd)
    given = self->workspaces->take(bytes, /*mayGrow=*/true);
  if (given)
    return reinterpret_cast<void *>(*given);
  self->refused = Error{given.error().code,
                        "kernel '" + self->calledKernel->name + "' gets no " + std::to_string(bytes) +
                            " bytes for a temporary: " + given.error().message,
                        given.error().hint};
  return nullptr;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Launches
//===-----------------------------------------------------------------------------------------------------------===//

/// Sets the device's addresses of the launch's buffers, and brings what it reads.
Status OpenCLBackend::translate(const Launch &launch) {
  addresses.clear();
  const int64_t *scalar = launch.scalars;
  void *const *buffer = launch.buffers;
  for (const artifact::BindingRecord &binding : launch.record->bindings) {
    const int64_t bytes = bindingBytes(binding, scalar);
    const Result<uint64_t> address = mirrors->prepare(*buffer++, bytes, binding.access);
    if (!address)
      return Error{address.error().code,
                   address.error().message + "; it is needed for buffer " + std::to_string(addresses.size()) + " (" +
                       byteSize(bytes) + ")",
                   address.error().hint};
    addresses.push_back(reinterpret_cast<void *>(*address));
  }
  return {};
}

/// `error` in words where the launch's failure is reported.
void OpenCLBackend::fail(Pending &entry, const Error &error, int32_t code) {
  LaunchFailure &failure = failures[entry.launch];
  failure = {error.message, std::nullopt, error.code};
  entry.launch->failure = &failure;
  entry.code = code != 0 ? code : 1;
  failed = true;
}

void OpenCLBackend::enqueue(Pending &entry) {
  Launch &launch = *entry.launch;
  if (broken)
    return fail(entry, {broken->code, deviceName + " is unusable after an earlier error: " + broken->message, ""});
  if (Status ready = translate(launch); !ready) {
    // Nothing of it has run: with less to do the context can go on.
    const bool isMemory = ready.error().message.starts_with(opencl::kOutOfMemory);
    return fail(entry, ready.error(), isMemory ? MICA_GPU_NO_MEMORY : 1);
  }
  if (Status copied = copyLog(launch, /*toDevice=*/true); !copied)
    return fail(entry, copied.error());
  const auto *kernel = static_cast<const OpenCLKernel *>(launch.kernel);
  // Before it begins: what the driver takes to compile is no time of the kernel.
  if (Status built = modules->prepare(kernel->record->name); !built) {
    fail(entry, built.error());
    failures[&launch].leavesNothingHalfDone = true;
    return;
  }
  if (launch.monitor)
    launch.monitor->begun();
  const auto log = logs.find(launch.checks);
  calledKernel = kernel->record;
  calledLog = log == logs.end() ? 0 : log->second.mirror;
  refused.reset();
  const mica_gpu_services_v1 services{this, launchEntry, allocateEntry, releaseEntry};
  mica_kernel_args_v1 args{};
  args.buffers = addresses.data();
  args.scalars = launch.scalars;
  args.scratch = kernel->record->scratchBytes ? reinterpret_cast<void *>(scratch) : nullptr;
  args.parts = 1;
  args.checks = reinterpret_cast<mica_check_log_v1 *>(calledLog);
  args.gpu = &services;
  const int32_t code = kernel->wrapper(&args);
  workspaces->giveAllBack();
  entry.lastEvent = events.size();
  entry.isQueued = true;
  if (code != 0 && refused) {
    fail(entry, *refused, code);
    failures[&launch].leavesNothingHalfDone = entry.firstEvent == entry.lastEvent && !broken;
    return;
  }
  entry.code = code;
  failed = code != 0;
  if (Status copied = copyLog(launch, /*toDevice=*/false, &entry.logCopied); !copied)
    fail(entry, copied.error());
}

void OpenCLBackend::launch(Launch &launch) {
  launch.status.store(0, std::memory_order_relaxed);
  launch.parts = 1;
  launch.failure = nullptr;
  Pending &entry = pending.emplace_back(Pending{&launch, events.size(), events.size()});
  if (!failed && !launch.cancelled->load(std::memory_order_relaxed))
    enqueue(entry);
}

/// Whether it failed on the device, and the checks of its log.
void OpenCLBackend::readEvents(Pending &entry) {
  if (!entry.isQueued || entry.code != 0)
    return;
  for (size_t i = entry.firstEvent; i < entry.lastEvent; ++i) {
    int32_t status = 0;
    const opencl::Code code = library->getEventInfo(events[i], opencl::kEventStatus, sizeof status, &status, nullptr);
    if (code == opencl::kSuccess && status >= 0)
      continue;
    const opencl::Code reason = code == opencl::kSuccess ? status : code;
    const Error error = library->check(reason, "the kernel failed").error();
    if (opencl::isFinal(reason))
      broken = error;
    return fail(entry, error, reason);
  }
  const auto *log = reinterpret_cast<const mica_gpu_check_log_v1 *>(entry.launch->checks);
  if (log && log->is_error != 0 && log->failed != 0)
    entry.code = MICA_STATUS_CHECK_FAILED;
}

int64_t OpenCLBackend::timeOf(opencl::Event event, uint32_t what) const {
  uint64_t ns = 0;
  return library->getEventTime(event, what, sizeof ns, &ns, nullptr) == opencl::kSuccess ? int64_t(ns) : 0;
}

/// Sets the device's times, moved to the host's clock by `clockShift`, which the first of a drain sets such that it
/// ends now (0: not yet set), and calls `done`.
void OpenCLBackend::complete(const Pending &entry, int64_t &clockShift) {
  Launch &launch = *entry.launch;
  if (launch.timed && entry.firstEvent < entry.lastEvent) {
    const int64_t end = timeOf(events[entry.lastEvent - 1], opencl::kEventEnd);
    if (clockShift == 0)
      clockShift = steadyNs() - end;
    launch.startNs = timeOf(events[entry.firstEvent], opencl::kEventStart) + clockShift;
    launch.endNs = std::max(launch.startNs, end + clockShift);
  }
  if (entry.logCopied)
    library->releaseEvent(entry.logCopied);
  if (&entry == &draining.back()) {
    // Its `done` lets the walker go on, and launch again.
    for (opencl::Event event : events)
      library->releaseEvent(event);
    events.clear();
    failed = false;
  }
  launch.status.store(entry.code, std::memory_order_relaxed);
  launch.nextPlace = nullptr;
  launch.done(launch);
}

void OpenCLBackend::drain(const std::atomic<int32_t> &) {
  if (pending.empty())
    return;
  draining.clear();
  draining.swap(pending);
  size_t first = 0;
  int64_t clockShift = 0;
  if (std::any_of(draining.begin(), draining.end(), [](const Pending &entry) { return entry.launch->timed; })) {
    library->flush(compute);
    for (; first + 1 < draining.size(); ++first) {
      Pending &entry = draining[first];
      if (entry.firstEvent < entry.lastEvent) {
        // What fails shows in the status of its event.
        const opencl::Event last = entry.logCopied ? entry.logCopied : events[entry.lastEvent - 1];
        (void)library->waitForEvents(1, &last);
      }
      readEvents(entry);
      complete(entry, clockShift);
    }
  }
  const opencl::Code code = library->finish(compute);
  const std::span<Pending> rest(draining.begin() + ptrdiff_t(first), draining.end());
  for (Pending &entry : rest)
    readEvents(entry);
  if (code != opencl::kSuccess && !failed) {
    broken = library->check(code, "the queue failed").error();
    fail(rest.front(), *broken, code);
  }
  for (const Pending &entry : rest)
    complete(entry, clockShift);
}

} // namespace

//===-----------------------------------------------------------------------------------------------------------===//
// From outside
//===-----------------------------------------------------------------------------------------------------------===//

Result<std::unique_ptr<Backend>> opencl::createBackend(std::shared_ptr<const Library> library, int number,
                                                       std::string name) {
  MICA_ASSIGN_OR_RETURN(std::vector<DeviceProperties> devices, findDevices(*library));
  const std::string hint = "mica-run --list-devices shows the devices";
  if (number < 0 || size_t(number) >= devices.size())
    return Error{ErrorCode::Unsupported,
                 "the drivers have no device " + std::to_string(number) + " (" + name + "): they have " +
                     std::to_string(devices.size()),
                 hint};
  DeviceProperties &device = devices[size_t(number)];
  if (!device.problem.empty())
    return Error{ErrorCode::Unsupported, name + " (" + device.name + ") cannot run kernels: " + device.problem, hint};
  auto backend = std::make_unique<OpenCLBackend>(std::move(library), std::move(device), std::move(name));
  MICA_RETURN_IF_ERROR(backend->start());
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<std::unique_ptr<Backend>> createOpenCLBackend(int number, std::string name, const std::string &library) {
  MICA_ASSIGN_OR_RETURN(std::shared_ptr<const opencl::Library> loader, opencl::Library::open(library));
  return opencl::createBackend(std::move(loader), number, std::move(name));
}

Result<std::vector<OpenCLDevice>> describeOpenCLDevices(const std::string &library) {
  MICA_ASSIGN_OR_RETURN(std::shared_ptr<const opencl::Library> loader, opencl::Library::open(library));
  MICA_ASSIGN_OR_RETURN(const std::vector<opencl::DeviceProperties> found, opencl::findDevices(*loader));
  std::vector<OpenCLDevice> devices;
  for (const opencl::DeviceProperties &device : found)
    devices.push_back({device.text, device.problem});
  return devices;
}

} // namespace mica::runtime
