//===- Context.cpp - runs a program ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Context.h"

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/ContextImpl.h"
#include "lib/Runtime/ListMessages.h"
#include "lib/Runtime/NanBackend.h"
#include "lib/Runtime/ObservedBackend.h"
#include "lib/Runtime/Observers/Nvtx.h"
#include "lib/Runtime/PatternWarnings.h"
#include "lib/Runtime/SyncBackend.h"
#include "mica/ABI/Host.h"
#include "mica/ABI/Memory.h"
#include "mica/Artifact/ComplexEntry.h"
#include "mica/Runtime/Devices.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Log.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unistd.h>

namespace mica::runtime {

//===-----------------------------------------------------------------------------------------------------------===//
// Preparation
//===-----------------------------------------------------------------------------------------------------------===//

ContextImpl::~ContextImpl() {
  watchdog.reset();
  logHostOps();
  if (server.joinable()) {
    {
      std::lock_guard<std::mutex> lock(queueMutex);
      closing = true;
    }
    queueChanged.notify_one();
    server.join();
  }
  // Threads of the back ends look at launches, so they go before the lists.
  for (Device &device : devices) {
    if (device.arena)
      device.backend->release(device.arena, device.arenaBytes);
    device.backend.reset();
  }
  if (sharedArena)
    releaseAligned(sharedArena, sharedArenaCapacity);
  tensorDump.reset();
  ledger.reset();
  ledgerFolder.reset();
}

/// Adds those that switches ask for.
Status ContextImpl::prepareObservers(ContextOptions &options) {
  std::vector<std::string> names;
  for (const std::unique_ptr<Backend> &backend : options.backends)
    names.emplace_back(backend->name());
  MICA_ASSIGN_OR_RETURN(opLog, OpLog::create(options.switches, program->manifest(), names));
  if (opLog)
    options.observers.push_back(opLog.get());
  ranges = createNvtxObserver();
  if (ranges)
    options.observers.push_back(ranges.get());
  const std::string &file = options.switches.text(Switch::LaunchLedger);
  const double seconds = options.switches.seconds(Switch::HangTimeout);
  const std::vector<artifact::KernelRecord> &kernels = program->manifest().kernels;
  const double longest =
      std::any_of(kernels.begin(), kernels.end(), holdsLoops) ? options.switches.seconds(Switch::LoopTimeout) : 0;
  if (!file.empty() || seconds > 0 || longest > 0) {
    std::filesystem::path place = file;
    if (file.empty()) {
      MICA_ASSIGN_OR_RETURN(ledgerFolder, ScratchFolder::create("mica-ledger"));
      place = ledgerFolder->path() / "launches.ledger";
    }
    MICA_ASSIGN_OR_RETURN(ledger, Ledger::create(place, program->manifest(), program->folder()));
    options.observers.push_back(ledger.get());
  }
  if (seconds > 0 || longest > 0)
    watch(seconds, longest, options.onHang);
  if (options.observers.size() > kMostObservers)
    return Error{ErrorCode::InvalidInput, std::to_string(options.observers.size()) + " observers of one context",
                 "it takes " + std::to_string(kMostObservers)};
  return {};
}

/// Entries with dynamic sizes get someone who looks for kernels of their own. Each such program runs in a context like
/// this one, with threads of its own, which sleep while others work.
void ContextImpl::prepareSpecializers(const ContextOptions &options, bool ownBackends) {
  entries.resize(program->manifest().entries.size());
  const SpecializePolicy policy = SpecializePolicy::from(options.switches);
  if (policy.mode == SpecializePolicy::Mode::Off)
    return;
  if (!ownBackends) {
    MICA_LOG(Runtime, Warning) << "specialize has no effect: this context was created with explicit devices";
    return;
  }
  auto makeContext = [threads = options.threads, smallTaskBytes = options.smallTaskBytes, observers = options.observers,
                      switches = options.switches, onHang = options.onHang, made = int64_t(0)](
                         std::shared_ptr<const Program> special) mutable -> Result<std::unique_ptr<ContextImpl>> {
    ContextOptions own;
    own.threads = threads;
    own.smallTaskBytes = smallTaskBytes;
    own.observers = observers;
    own.switches = switches;
    own.onHang = onHang;
    MICA_RETURN_IF_ERROR(own.switches.set("specialize", "off", SwitchSource::Flag));
    // A ledger and a dump are of one context.
    ++made;
    for (const Switch which : {Switch::LaunchLedger, Switch::DumpDir})
      if (const std::string &file = switches.text(which); !file.empty())
        MICA_RETURN_IF_ERROR(
            own.switches.set(switchTable()[size_t(which)].name, file + "." + std::to_string(made), SwitchSource::Flag));
    auto context = std::make_unique<ContextImpl>(std::move(special));
    MICA_RETURN_IF_ERROR(context->prepare(std::move(own)));
    return context;
  };
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::vector<artifact::TensorSpec> &args = program->manifest().entries[i].args;
    if (std::any_of(args.begin(), args.end(), [](const artifact::TensorSpec &spec) {
          return std::find(spec.shape.begin(), spec.shape.end(), -1) != spec.shape.end();
        }))
      entries[i].specializer = std::make_unique<EntrySpecializer>(*program, i, policy, options.trace, makeContext);
  }
}

/// What callers pass, and what the code takes and gives, where these are not as the manifest has them.
void ContextImpl::prepareEntries() {
  const std::vector<artifact::EntryRecord> &given = program->manifest().entries;
  if (!session && std::none_of(given.begin(), given.end(), artifact::usesComplex))
    return;
  callerEntries = given;
  for (artifact::EntryRecord &entry : callerEntries) {
    for (auto *specs : {&entry.args, &entry.results})
      for (artifact::TensorSpec &spec : *specs) {
        spec.shape = session ? spec.rankShape() : spec.shape;
        spec.sharding.reset();
      }
    codeEntries.push_back(artifact::splitComplex(entry));
  }
}

Status ContextImpl::prepare(ContextOptions options) {
  const artifact::Manifest &manifest = program->manifest();
  session = options.session;
  if (!session) {
    MICA_ASSIGN_OR_RETURN(const int32_t ranks, ranksOf(manifest));
    if (ranks > 0) {
      MICA_ASSIGN_OR_RETURN(team, RankTeam::create(program, ranks, std::move(options)));
      return {};
    }
  }
  trace = options.trace;
  tracebacks = options.switches.flag(Switch::SourceTracebacks);
  if (options.switches.isSet(Switch::MemoryLimit))
    setMemoryLimit(options.switches.bytes(Switch::MemoryLimit));
  if (program->hostAllocates())
    hostMemory = std::make_unique<KernelMemory>();
  if (program->tasksEdited())
    extents = std::make_unique<Extents>();
  const bool ownBackends = options.backends.empty();
  prepareSpecializers(options, ownBackends);
  if (options.backends.empty()) {
    MICA_ASSIGN_OR_RETURN(options.backends, createBackends(*program, options));
  }
  MICA_RETURN_IF_ERROR(prepareObservers(options));
  MICA_ASSIGN_OR_RETURN(tensorDump, TensorDump::create(options.switches, *program));
  for (std::unique_ptr<Backend> &backend : options.backends) {
    // The host has the tensors that rank-fingerprints looks at.
    DeviceQueue *queue = session && !session->fingerprints && options.switches.flag(Switch::RankNccl) &&
                                 session->communicator().isRemote()
                             ? backend->deviceQueue()
                             : nullptr;
    if (queue)
      MICA_RETURN_IF_ERROR(session->connectDevice(*queue, backend->name()));
    if (session)
      backend = ranksBackend(std::move(backend), *program, *session);
    // Of a device with memory of its own, the host has no bits to compare.
    if (session && session->fingerprints && !backend->deviceMemory())
      backend = fingerprintsBackend(std::move(backend), *program, *session->fingerprints);
    if (session && session->trace)
      backend = rankTraceBackend(std::move(backend), *program, *session->trace);
    // Inside of what looks for NaN: what a launch wrote that fails for them is in the dump.
    if (tensorDump)
      backend = tensorDump->wrap(std::move(backend));
    if (!options.switches.text(Switch::NanCheck).empty())
      backend = nanBackend(std::move(backend), *program, options.switches);
    Device device;
    device.backend = options.observers.empty() ? std::move(backend)
                                               : observeBackend(std::move(backend), options.observers, manifest);
    if (options.switches.flag(Switch::DeviceSyncMode))
      device.backend = syncBackend(std::move(device.backend));
    devices.push_back(std::move(device));
  }
  MICA_RETURN_IF_ERROR(prepareRemotes());
  prepareEntries();
  for (size_t i = 0; i < manifest.entries.size(); ++i) {
    Entry &entry = entries[i];
    entry.record = codeEntries.empty() ? &manifest.entries[i] : &codeEntries[i];
    if (!callerEntries.empty() && artifact::usesComplex(callerEntries[i]))
      entry.complexCall = std::make_unique<ComplexCall>(callerEntries[i]);
    entry.function = program->hostFunction(i);
    entry.args.resize(entry.record->args.size());
    size_t numDims = 0;
    for (const artifact::TensorSpec &spec : entry.record->args)
      numDims += spec.shape.size();
    entry.dims.resize(numDims);
    prepareSizeChecks(entry);
  }
  if (program->isSimulated()) {
    MICA_ASSIGN_OR_RETURN(sim::Schedule schedule, sim::Schedule::parse(options.switches.text(Switch::SimSchedule)));
    simulator = std::make_unique<sim::Simulator>(std::move(schedule));
  } else if (options.switches.isSet(Switch::SimSchedule) && !isFromFile(options.switches.source(Switch::SimSchedule))) {
    MICA_LOG(Runtime, Warning)
        << "the switch sim-schedule has no effect: the program was not compiled with --target=sim";
  }
  return prepareLists(options);
}

void ContextImpl::warnOfPatterns(const Switches &switches) const {
  std::vector<std::string> names;
  for (const Device &device : devices)
    names.emplace_back(device.backend->name());
  for (const std::string &text : unmatchedPatterns(program->manifest(), switches, names))
    MICA_LOG(Runtime, Warning) << text;
}

Result<size_t> ContextImpl::deviceOf(const artifact::TaskList &list, const std::string &name) const {
  std::vector<std::string> names;
  for (const Device &device : devices) {
    if (name.empty() || device.backend->name() == name)
      return size_t(&device - devices.data());
    names.emplace_back(device.backend->name());
  }
  return Error{ErrorCode::Unsupported,
               "task list '" + list.name + "' runs on device '" + name + "', which is not available",
               "there are: " + joinNames(names)};
}

/// Kernels are made ready for the devices that run them only.
Status ContextImpl::loadKernels(size_t device, const artifact::TaskList &list) {
  const artifact::Manifest &manifest = program->manifest();
  devices[device].kernels.resize(manifest.kernels.size());
  for (const artifact::TaskRecord &task : list.tasks) {
    auto kernel = size_t(program->findKernel(task.kernel));
    KernelHandle &handle = devices[device].kernels[kernel];
    if (!handle) {
      const Result<KernelHandle> loaded = devices[device].backend->load(
          {&manifest.kernels[kernel], program->kernelFunction(kernel), &program->folder(), program->allocates(kernel)});
      if (!loaded)
        return Error{loaded.error().code,
                     loaded.error().message + "; for " + program->describeLaunch(task.kernel, task.site),
                     loaded.error().hint};
      handle = *loaded;
    }
  }
  return {};
}

Status ContextImpl::prepareLists(const ContextOptions &options) {
  std::vector<std::vector<size_t>> devicesOf;
  int64_t sharedArenaBytes = 0;
  for (const artifact::TaskList &written : program->taskLists()) {
    const artifact::TaskList list = session ? session->placeExchanges(written) : written;
    List &prepared = lists.emplace_back();
    prepared.parts = cutByDevice(list);
    std::vector<size_t> &partDevices = devicesOf.emplace_back();
    for (const ListPart &part : prepared.parts.parts) {
      MICA_ASSIGN_OR_RETURN(const size_t device, deviceOf(list, part.device));
      MICA_RETURN_IF_ERROR(loadKernels(device, part.list));
      devices[device].mostTasks = std::max(devices[device].mostTasks, part.list.tasks.size());
      partDevices.push_back(device);
    }
    if (partDevices.size() == 1) {
      devices[partDevices[0]].arenaBytes = std::max(devices[partDevices[0]].arenaBytes, list.arenaBytes);
      continue;
    }
    prepared.arenaBytes = list.arenaBytes;
    sharedArenaBytes = std::max(sharedArenaBytes, list.arenaBytes);
    if (!remotes.empty() && logs(LogTopic::PerfHints))
      logDeviceChanges(*program, list);
  }
  // Lists run one at a time, so those of a device share one arena. Memory is only taken from the system when it is
  // touched.
  for (Device &device : devices) {
    MICA_RETURN_IF_ERROR(device.backend->reserve(device.mostTasks));
    if (device.arenaBytes > 0) {
      Result<void *> arena = device.backend->allocate(device.arenaBytes);
      if (!arena)
        return arenaError(*program, device.arenaBytes, arena.error());
      device.arena = *arena;
      if (options.taskOrder)
        fillUnwritten(*arena, device.arenaBytes);
    }
  }
  if (sharedArenaBytes > 0) {
    Result<void *> arena = allocateAligned(sharedArenaBytes, sharedArenaCapacity);
    if (!arena)
      return arenaError(*program, sharedArenaBytes, arena.error());
    sharedArena = *arena;
    if (options.taskOrder)
      fillUnwritten(sharedArena, sharedArenaBytes);
  }
  if (options.taskOrder) {
    fillsMemory = true;
    pool.setFilled();
  }
  nanPatterns = options.switches.text(Switch::NanCheck);
  std::replace(nanPatterns.begin(), nanPatterns.end(), '+', ',');
  const double unchanged = options.switches.seconds(Switch::HangTimeout),
               longest = options.switches.seconds(Switch::LoopTimeout);
  // What a device with memory of its own holds is not looked at: it would have to be fetched.
  if (unchanged > 0 || longest > 0)
    loopWatch = std::make_unique<LoopWatch>(*program, remotes.empty() ? unchanged : 0, longest);
  if (ShadowMemory::isWanted(*program))
    shadows = std::make_unique<ShadowMemory>(*program);
  for (size_t i = 0; i < lists.size(); ++i) {
    List &list = lists[i];
    list.arena = list.parts.parts.size() == 1 ? devices[devicesOf[i][0]].arena : sharedArena;
    for (size_t part = 0; part < list.parts.parts.size(); ++part) {
      const ListPart &what = list.parts.parts[part];
      Device &device = devices[devicesOf[i][part]];
      list.runners.push_back(std::make_unique<TaskListExecutor>(
          *program, what.list, *device.backend, device.kernels, options.smallTaskBytes, tracebacks, shadows.get(),
          what.firstTask, session ? session->communicator().rank() : 0));
      std::vector<DeviceMemory *> others = remotes;
      std::erase(others, device.backend->deviceMemory());
      list.runners.back()->setOthers(std::move(others));
      list.runners.back()->setExtents(extents.get());
      if (session && !options.switches.flag(Switch::RankOverlap)) {
        std::vector<uint32_t> order(what.list.tasks.size());
        std::iota(order.begin(), order.end(), 0u);
        list.runners.back()->setOrder(std::move(order));
      }
      if (options.taskOrder) {
        MICA_ASSIGN_OR_RETURN(std::vector<uint32_t> order, options.taskOrder(what.list, what.firstTask));
        list.runners.back()->setOrder(std::move(order));
      }
    }
  }
  for (const Device &device : devices)
    MICA_LOG(Runtime, Info).device(device.backend->name())
        << "ready: " << device.backend->parallelism() << " threads, arena of " << byteSize(device.arenaBytes)
        << ", lists of at most " << device.mostTasks << " tasks";
  return Status::ok();
}

//===-----------------------------------------------------------------------------------------------------------===//
// One invocation
//===-----------------------------------------------------------------------------------------------------------===//

/// Topics runtime and dynamic: what is called, with the sizes that only the call tells.
static void logInvocation(const artifact::EntryRecord &entry, std::span<const TensorView> inputs) {
  std::string types, sizes;
  for (size_t i = 0; i < inputs.size() && i < entry.args.size(); ++i) {
    const std::string type = shapedTypeString({inputs[i].shape.begin(), inputs[i].shape.end()}, inputs[i].dtype);
    types += (i ? ", " : "") + type;
    const artifact::TensorSpec &spec = entry.args[i];
    if (std::find(spec.shape.begin(), spec.shape.end(), -1) != spec.shape.end())
      sizes += "\n  argument " + std::to_string(i) + (spec.name.empty() ? "" : " ('" + spec.name + "')") + ": " +
               shapedTypeString(spec.shape, spec.dtype) + " is " + type;
  }
  MICA_LOG(Runtime, Debug) << "call " << entry.name << "(" << types << ")";
  if (!sizes.empty())
    MICA_LOG(Dynamic, Info) << "call of " << entry.name << ":" << sizes;
}

/// No result may hold uninitialized elements.
Status ContextImpl::checkResults(const Entry &entry) {
  const bool warns = program->manifest().options.count("assert-level") != 0 &&
                     program->manifest().options.at("assert-level") == "warn";
  for (size_t i = 0; i < results->size(); ++i) {
    const Tensor &tensor = (*results)[i];
    int64_t count = 1, first = -1, origin = 0;
    for (int64_t size : tensor.shape)
      count *= size;
    const int64_t bytes = std::max<int64_t>(1, dtypeBytes(tensor.dtype));
    MICA_ASSIGN_OR_RETURN(ShadowRegion * region, shadows->find(tensor.buffer.data(), count * bytes));
    const int64_t unwritten = region->countUnwritten(tensor.buffer.data(), bytes, count, first, origin);
    if (unwritten == 0)
      continue;
    std::string place;
    for (size_t d = tensor.shape.size(); d-- > 0; first /= tensor.shape[d])
      place = std::to_string(first % tensor.shape[d]) + (place.empty() ? "" : ", ") + place;
    std::string text = "check failed: result " + std::to_string(i) + " (" +
                       shapedTypeString(tensor.shape, tensor.dtype) + ") of entry '" + entry.record->name + "' has " +
                       std::to_string(unwritten) + " uninitialized " + (unwritten == 1 ? "element" : "elements") +
                       ", the first at [" + place + "]; of " + shadows->describeOrigin(origin) + "; " +
                       shadows->describeWriter(*region);
    if (!warns)
      return Error{ErrorCode::Difference, text, ""};
    MICA_LOG(Runtime, Warning) << text;
  }
  return {};
}

Status ContextImpl::invoke(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into,
                           FaultInfo *fault) {
  std::lock_guard<std::mutex> lock(running);
  if (team) [[unlikely]]
    return team->invoke(index, inputs, into, fault);
  try {
    return invokeAny(index, inputs, into, fault);
  } catch (const std::bad_alloc &) {
    failure.reset();
    endInvocation();
    return outOfMemory();
  }
}

Status ContextImpl::invokeAny(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into,
                              FaultInfo *fault) {
  const bool isPlain = !trace && (index >= entries.size() || !entries[index].specializer);
  if (!program->sharesConstants())
    return isPlain ? invokeLocked(index, inputs, into, fault) : invokeChosen(index, inputs, into, fault);
  MICA_RETURN_IF_ERROR(program->checkConstants());
  MICA_RETURN_IF_ERROR(isPlain ? invokeLocked(index, inputs, into, fault) : invokeChosen(index, inputs, into, fault));
  return program->checkConstants();
}

/// A call of an entry that may have kernels for its sizes, or that a trace records.
Status ContextImpl::invokeChosen(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into,
                                 FaultInfo *fault) {
  if (index >= entries.size() || broken)
    return invokeLocked(index, inputs, into, fault);
  const EntrySpecializer::Variant *variant =
      entries[index].specializer ? entries[index].specializer->select(inputs) : nullptr;
  if (trace)
    trace->invocation(*program, index, variant ? variant->number : 0, true);
  Status status;
  if (variant) {
    // Nobody else calls it: this context's lock is enough.
    status = variant->context->invokeLocked(variant->entry, inputs, into, fault);
    if (status)
      status = variant->context->program->checkConstants();
    broken = variant->context->broken;
    brokenBy = variant->context->brokenBy;
    // What is wrong with the call, in the words of the program as it was written.
    if (!status && !broken && status.error().code == ErrorCode::InvalidInput)
      status = invokeLocked(index, inputs, into, fault);
  } else {
    status = invokeLocked(index, inputs, into, fault);
  }
  if (trace)
    trace->invocation(*program, index, variant ? variant->number : 0, false);
  return status;
}

void ContextImpl::callEntry(Entry &entry) {
  const sim::SimulatorScope scope(simulator.get());
  auto call = [&] { return entry.function(&kHostApi, this, entry.args.data(), entry.dims.data()); };
  const int32_t code = hostMemory ? hostMemory->call(call, &pool) : call();
  if (code != 0 && !failure)
    failEntry(*entry.record, code);
}

Status ContextImpl::invokeLocked(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into,
                                 FaultInfo *fault) {
  ComplexCall *const complex = index < entries.size() ? entries[index].complexCall.get() : nullptr;
  if (!complex)
    return invokeCode(index, inputs, into, fault);
  MICA_ASSIGN_OR_RETURN(const std::span<const TensorView> parts, complex->split(inputs));
  MICA_RETURN_IF_ERROR(invokeCode(index, parts, complex->parts, fault));
  return complex->join(into);
}

Status ContextImpl::invokeCode(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into,
                               FaultInfo *fault) {
  if (broken && fault)
    *fault = brokenBy;
  if (broken)
    return Error{broken->code, "this context is unusable after an earlier failure: " + broken->message, broken->hint};
  if (index >= entries.size())
    return Error{ErrorCode::InvalidInput, "entry " + std::to_string(index) + " does not exist", ""};
  Entry &entry = entries[index];
  size_t numResults = entry.record->results.size();
  current = &entry;
  results = &into;
  into.resize(numResults);
  resultGiven.assign(numResults, false);
  incomplete = {};
  if (loopWatch)
    loopWatch->begin();
  if (logs(LogTopic::Runtime, LogLevel::Debug) || logs(LogTopic::Dynamic))
    logInvocation(*entry.record, inputs);

  Status status = readInputs(entry, inputs);
  if (extents)
    noteInputs(entry, inputs);
  if (status && shadows)
    status = adoptInputs(entry);
  if (status && !remotes.empty())
    status = adoptInputsByRemotes(entry);
  if (status && tensorDump) [[unlikely]]
    tensorDump->beginCall(entry.record->args, entry.args, entry.dims);
  if (watchdog) {
    hostEntry.store(entry.record, std::memory_order_relaxed);
    hostThread.store(::gettid(), std::memory_order_release);
  }
  if (status) {
    callEntry(entry);
    if (failure && incomplete.runner) [[unlikely]]
      findFaultAgain(entry, inputs);
    if (!remotes.empty() && !failure)
      if (Status fetched = fetchResults(); !fetched)
        fail(fetched.error());
    for (size_t i = 0; !failure && i < numResults; ++i)
      if (!resultGiven[i])
        fail({ErrorCode::Damaged, "entry '" + entry.record->name + "' returned no result " + std::to_string(i),
              "program.so does not fit the other files of the artifact: compile the program again"});
    if (failure) {
      status = *std::move(failure);
      failure.reset();
      if (fault)
        *fault = std::move(failedAt);
    } else if (shadows) {
      status = checkResults(entry);
    }
  }
  endInvocation();
  return status;
}

void ContextImpl::endInvocation() {
  hostThread.store(0, std::memory_order_release);
  for (DeviceMemory *remote : remotes)
    remote->forget();
  pool.reset();
}

//===-----------------------------------------------------------------------------------------------------------===//
// Submitted invocations
//===-----------------------------------------------------------------------------------------------------------===//

std::shared_ptr<InvocationState> ContextImpl::enqueue(size_t entry, std::span<const TensorView> inputs) {
  auto state = std::make_shared<InvocationState>();
  state->entry = entry;
  state->inputs.assign(inputs.begin(), inputs.end());
  std::lock_guard<std::mutex> lock(queueMutex);
  if (!server.joinable())
    try {
      server = std::thread([this] { serve(); });
    } catch (const std::system_error &failure) {
      throw std::system_error(failure.code(), "cannot start the thread for submitted invocations");
    }
  queue.push_back(state);
  queueChanged.notify_one();
  return state;
}

void ContextImpl::serve() {
  for (;;) {
    std::shared_ptr<InvocationState> next;
    {
      std::unique_lock<std::mutex> lock(queueMutex);
      queueChanged.wait(lock, [&] { return closing || !queue.empty(); });
      // What was submitted is run also when the context is going away: somebody may wait for it.
      if (queue.empty())
        return;
      next = std::move(queue.front());
      queue.pop_front();
    }
    FaultInfo fault;
    Status status = invoke(next->entry, next->inputs, next->results, &fault);
    // Notified under the lock: the waiting thread may drop the state right after.
    std::lock_guard<std::mutex> lock(next->mutex);
    next->status = std::move(status);
    next->fault = std::move(fault);
    next->finished = true;
    next->changed.notify_all();
  }
}

Invocation::Invocation(std::shared_ptr<InvocationState> state) : state(std::move(state)) {}
Invocation::Invocation(Invocation &&) noexcept = default;

Invocation &Invocation::operator=(Invocation &&other) noexcept {
  std::swap(state, other.state);
  return *this;
}

Invocation::~Invocation() {
  if (!state)
    return;
  std::unique_lock<std::mutex> lock(state->mutex);
  state->changed.wait(lock, [&] { return state->finished; });
}

bool Invocation::done() const {
  if (!state)
    return true;
  std::lock_guard<std::mutex> lock(state->mutex);
  return state->finished;
}

Result<std::vector<Tensor>> Invocation::wait(FaultInfo *fault) {
  if (!state)
    return Error{ErrorCode::InvalidInput, "the results of this invocation were already taken", ""};
  std::shared_ptr<InvocationState> taken = std::move(state);
  std::unique_lock<std::mutex> lock(taken->mutex);
  taken->changed.wait(lock, [&] { return taken->finished; });
  if (fault)
    *fault = taken->fault;
  MICA_RETURN_IF_ERROR(taken->status);
  return std::move(taken->results);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Context
//===-----------------------------------------------------------------------------------------------------------===//

Context::Context(std::unique_ptr<ContextImpl> impl) : impl(std::move(impl)) {}
Context::~Context() = default;

Result<std::unique_ptr<Context>> Context::create(std::shared_ptr<const Program> program, ContextOptions options) {
  auto impl = std::make_unique<ContextImpl>(std::move(program));
  const Switches switches = options.switches;
  MICA_RETURN_IF_ERROR(impl->prepare(std::move(options)));
  impl->warnOfPatterns(switches);
  return std::unique_ptr<Context>(new Context(std::move(impl)));
}

const Program &Context::program() const { return *impl->program; }

std::vector<MemoryUse> ContextImpl::memoryUse() const {
  if (team)
    return team->memoryUse();
  std::vector<MemoryUse> uses;
  auto add = [&](std::string what, int64_t most, int64_t reserved) {
    if (reserved > 0)
      uses.push_back({std::move(what), most, reserved});
  };
  int64_t scratch = 0;
  for (const artifact::KernelRecord &kernel : program->manifest().kernels)
    scratch = std::max(scratch, kernel.scratchBytes);
  for (const Device &device : devices) {
    const std::string name(device.backend->name());
    add("arena of " + name, device.arenaBytes, device.arenaBytes);
    const int64_t temporaries = scratch * device.backend->parallelism();
    add("temporaries of kernels on " + name, temporaries, temporaries);
  }
  add("arena of lists of several devices", sharedArenaCapacity, sharedArenaCapacity);
  add("tensors of dynamic sizes, and of host functions", pool.mostInUse(), pool.reserved());
  return uses;
}

std::vector<MemoryUse> Context::memoryUse() const { return impl->memoryUse(); }

Status Context::invoke(size_t entry, std::span<const TensorView> inputs, std::vector<Tensor> &results,
                       FaultInfo *fault) {
  return impl->invoke(entry, inputs, results, fault);
}

Result<std::vector<Tensor>> Context::invoke(size_t entry, std::span<const TensorView> inputs, FaultInfo *fault) {
  std::vector<Tensor> results;
  MICA_RETURN_IF_ERROR(impl->invoke(entry, inputs, results, fault));
  return results;
}

Result<std::vector<HostTensor>> Context::invoke(std::string_view entry, std::span<const HostTensor> inputs) {
  MICA_ASSIGN_OR_RETURN(size_t index, impl->program->findEntry(entry));
  std::vector<TensorView> views(inputs.begin(), inputs.end());
  MICA_ASSIGN_OR_RETURN(std::vector<Tensor> results, invoke(index, views));
  std::vector<HostTensor> packed;
  for (const Tensor &result : results)
    packed.push_back(result.toHost());
  return packed;
}

Result<Invocation> Context::submit(size_t entry, std::span<const TensorView> inputs) {
  return Invocation(impl->enqueue(entry, inputs));
}

} // namespace mica::runtime
