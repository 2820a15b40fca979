//===- TaskListExecutor.cpp - walks a task list -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/TaskListExecutor.h"

#include "lib/Runtime/Extents.h"
#include "lib/Runtime/KernelMemory.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Log.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace mica::runtime {

/// From this many floating-point operations on a task is worth cutting however few bytes it touches.
static constexpr int64_t kLargeTaskFlops = 1000000;

TaskListExecutor::TaskListExecutor(const Program &program, const artifact::TaskList &taskList, Backend &backend,
                                   std::span<const KernelHandle> kernels, int64_t smallTaskBytes, bool tracebacks,
                                   ShadowMemory *shadowMemory, size_t firstTask, int32_t rank)
    : program(program), list(taskList), backend(backend), smallTaskBytes(smallTaskBytes), tracebacks(tracebacks),
      firstTask(firstTask), rank(rank), deviceMemory(backend.deviceMemory()), numLaunches(list.tasks.size()),
      launches(std::make_unique<Launch[]>(numLaunches)), nodes(std::make_unique<Node[]>(numLaunches)),
      shadowMemory(shadowMemory) {
  size_t numAddresses = 0, numScalars = 0;
  for (const artifact::TaskRecord &task : list.tasks) {
    numAddresses += task.buffers.size();
    numScalars += task.scalars.size();
  }
  // Never grown afterwards: launches point into them.
  addresses.reserve(numAddresses);
  scalarValues.reserve(numScalars);
  for (size_t i = 0; i < list.buffers.size(); ++i)
    if (list.buffers[i].kind == artifact::BufferKind::Dynamic && list.buffers[i].viewOf < 0)
      dynamicBuffers.push_back(i);
  dynamicAddresses.resize(dynamicBuffers.size());
  logOf.resize(numLaunches);
  for (size_t i = 0; i < numLaunches; ++i)
    bind(i, kernels, smallTaskBytes);
  linkSuccessors();
  if (shadowMemory)
    shadows = std::make_unique<ListShadows>(program, list, *shadowMemory);
  asksSizes = shadows || !emptinessTests.empty() || !dynamicSizes.empty();
  inFlight.reserve(numLaunches);
}

/// Bytes of a binding's static part, to tell small from large; dynamic dimensions are counted into `numDynamic`.
static int64_t staticBytes(const artifact::TensorSpec &type, size_t &numDynamic) {
  int64_t bytes = dtypeBytes(type.dtype);
  for (int64_t size : type.shape) {
    if (size < 0)
      ++numDynamic;
    else
      bytes = saturatingMul(bytes, size);
  }
  return bytes;
}

void TaskListExecutor::bind(size_t index, std::span<const KernelHandle> kernels, int64_t smallTaskBytes) {
  const artifact::TaskRecord &task = list.tasks[index];
  auto kernel = size_t(program.findKernel(task.kernel));
  const artifact::KernelRecord &record = program.manifest().kernels[kernel];
  Launch &launch = launches[index];
  launch.kernel = kernels[kernel];
  launch.record = &record;
  launch.buffers = addresses.data() + addresses.size();
  launch.scalars = scalarValues.data() + scalarValues.size();
  launch.scalarCount = int64_t(task.scalars.size());
  launch.grid = record.grid;
  launch.site = task.site;
  launch.cancelled = &cancelled;
  if (record.checks && (!record.checks->sites.empty() || record.checks->shadows)) {
    checkLogs.push_back(std::make_unique<CheckLog>(program, record, task.site, shadowMemory));
    logOf[index] = checkLogs.back().get();
    hasLoops |= logOf[index]->hasLoops();
    if (CheckLog::isOnDevice(program, record)) {
      Result<void *> memory = backend.allocateShared(logOf[index]->deviceBytes());
      if (memory)
        logOf[index]->setDeviceLog(*memory);
      else if (!unusable)
        unusable = memory.error();
    }
    launch.checks = logOf[index]->log();
  }
  launch.done = backend.inOrder() ? doneInOrder : doneOutOfOrder;
  launch.owner = this;

  for (int64_t position : task.buffers) {
    const artifact::BufferRecord &buffer = list.buffers[size_t(position)];
    size_t target = addresses.size();
    addresses.push_back(nullptr);
    switch (buffer.kind) {
    case artifact::BufferKind::Parameter:
      parameterPatches.push_back({target, size_t(buffer.index), buffer.offset});
      break;
    case artifact::BufferKind::Constant:
      addresses[target] =
          const_cast<char *>(static_cast<const char *>(program.constant(size_t(buffer.index)))) + buffer.offsetOf(rank);
      break;
    case artifact::BufferKind::Arena:
      arenaPatches.push_back({target, 0, buffer.offset});
      break;
    case artifact::BufferKind::Dynamic: {
      size_t owner = buffer.viewOf < 0 ? size_t(position) : size_t(buffer.viewOf);
      auto which = std::find(dynamicBuffers.begin(), dynamicBuffers.end(), owner);
      assert(which != dynamicBuffers.end() && "a view is of a buffer that is no view");
      dynamicPatches.push_back({target, size_t(which - dynamicBuffers.begin()), buffer.offset});
      break;
    }
    }
  }
  for (int64_t scalar : task.scalars) {
    scalarPatches.push_back({scalarValues.size(), size_t(scalar), 0});
    scalarValues.push_back(0);
  }

  noteEmptiness(index, record);

  // Is it worth cutting? Static sizes are decided here, others at each run.
  if (launch.grid == 1 || record.flops >= kLargeTaskFlops)
    return;
  DynamicSize size{index, launch.grid, {}};
  int64_t bytes = 0;
  size_t firstDim = 0;
  for (const artifact::BindingRecord &binding : record.bindings) {
    size_t numDynamic = 0;
    int64_t term = staticBytes(binding.type, numDynamic);
    if (numDynamic)
      size.terms.push_back({term, firstDim, numDynamic});
    else
      bytes = saturatingAdd(bytes, term);
    firstDim += numDynamic;
  }
  if (bytes >= smallTaskBytes)
    return;
  if (size.terms.empty()) {
    launch.grid = 1;
    return;
  }
  size.terms.push_back({bytes, 0, 0});
  dynamicSizes.push_back(std::move(size));
}

/// Notes which sizes say that the kernel of task `index` writes no element. Its loops need not end then: around one
/// that makes no turn there may be one of 2^62. What a kernel checks, it checks all the same.
void TaskListExecutor::noteEmptiness(size_t index, const artifact::KernelRecord &record) {
  if (record.checks)
    return;
  EmptinessTest test{index, {}};
  size_t scalar = 0;
  bool writes = false;
  for (const artifact::BindingRecord &binding : record.bindings) {
    std::vector<size_t> sizes;
    bool isEmpty = false;
    for (int64_t size : binding.type.shape) {
      if (size < 0)
        sizes.push_back(scalar++);
      isEmpty |= size == 0;
    }
    if (binding.access == artifact::Access::Read)
      continue;
    writes = true;
    if (isEmpty)
      continue;
    if (sizes.empty())
      return;
    test.results.push_back(std::move(sizes));
  }
  if (writes)
    emptinessTests.push_back(std::move(test));
}

void TaskListExecutor::linkSuccessors() {
  std::vector<std::vector<uint32_t>> followers(numLaunches);
  for (size_t i = 0; i < numLaunches; ++i) {
    nodes[i].numDeps = int32_t(list.tasks[i].deps.size());
    for (int64_t dep : list.tasks[i].deps) {
      assert(dep >= 0 && size_t(dep) < i && "a task waits for earlier ones, as the reader of the lists has checked");
      followers[size_t(dep)].push_back(uint32_t(i));
    }
    if (nodes[i].numDeps == 0)
      roots.push_back(uint32_t(i));
  }
  for (size_t i = 0; i < numLaunches; ++i) {
    nodes[i].firstSuccessor = uint32_t(successors.size());
    successors.insert(successors.end(), followers[i].begin(), followers[i].end());
    nodes[i].endSuccessor = uint32_t(successors.size());
  }
}

Status TaskListExecutor::place(void *const *buffers, const int64_t *scalars, void *arena, MemoryPool &pool) {
  for (const Patch &patch : parameterPatches)
    addresses[patch.target] = static_cast<char *>(buffers[patch.index]) + patch.offset;
  for (const Patch &patch : scalarPatches)
    scalarValues[patch.target] = scalars[patch.index];
  if (arena != boundArena) {
    for (const Patch &patch : arenaPatches)
      addresses[patch.target] = static_cast<char *>(arena) + patch.offset;
    boundArena = arena;
  }
  if (!dynamicBuffers.empty()) {
    for (size_t i = 0; i < dynamicBuffers.size(); ++i) {
      const artifact::BufferRecord &buffer = list.buffers[dynamicBuffers[i]];
      const int64_t bytes = scalars[buffer.sizeScalar];
      Result<void *> memory = pool.allocate(bytes);
      if (!memory)
        return dynamicError(dynamicBuffers[i], scalars, memory.error());
      dynamicAddresses[i] = *memory;
      if (extents)
        extents->add(*memory, bytes);
      if (deviceMemory)
        MICA_RETURN_IF_ERROR(deviceMemory->adopt(dynamicAddresses[i], bytes, Contents::Undefined));
    }
    for (const Patch &patch : dynamicPatches)
      addresses[patch.target] = static_cast<char *>(dynamicAddresses[patch.index]) + patch.offset;
  }
  return asksSizes ? askSizes(arena) : Status::ok();
}

/// What a launch does not do, or does at once, at these sizes; and what is checked before it.
Status TaskListExecutor::askSizes(void *arena) {
  static constexpr std::atomic<bool> kNothingToDo{true};
  for (const EmptinessTest &test : emptinessTests) {
    Launch &launch = launches[test.task];
    const bool isEmpty = std::all_of(test.results.begin(), test.results.end(), [&](const std::vector<size_t> &sizes) {
      return std::any_of(sizes.begin(), sizes.end(), [&](size_t size) { return launch.scalars[size] == 0; });
    });
    launch.cancelled = isEmpty ? &kNothingToDo : &cancelled;
  }
  for (const DynamicSize &size : dynamicSizes) {
    Launch &launch = launches[size.task];
    int64_t bytes = 0;
    for (const DynamicSize::Term &term : size.terms) {
      int64_t product = term.bytes;
      for (size_t i = 0; i < term.numDims; ++i)
        product = saturatingMul(product, launch.scalars[term.firstDim + i]);
      bytes = saturatingAdd(bytes, product);
    }
    launch.grid = bytes < smallTaskBytes ? 1 : size.grid;
  }
  if (extents)
    MICA_RETURN_IF_ERROR(checkExtents(arena));
  if (shadows)
    return shadows->place({launches.get(), numLaunches});
  return Status::ok();
}

/// Why there is no memory for dynamic buffer `position`, with the first operation that has it.
Error TaskListExecutor::dynamicError(size_t position, const int64_t *scalars, const Error &error) const {
  for (const artifact::TaskRecord &task : list.tasks) {
    const artifact::KernelRecord &kernel = program.manifest().kernels[size_t(program.findKernel(task.kernel))];
    size_t scalar = 0;
    for (size_t i = 0; i < task.buffers.size(); ++i) {
      const artifact::TensorSpec &type = kernel.bindings[i].type;
      std::vector<int64_t> sizes;
      for (int64_t size : type.shape)
        sizes.push_back(size < 0 ? scalars[task.scalars[scalar++]] : size);
      if (size_t(task.buffers[i]) == position)
        return sizeError(sizes, dtypeBytes(type.dtype), dtypeName(type.dtype),
                         program.describeOps(task.kernel, task.site, {0}));
    }
  }
  return error;
}

/// Whether each buffer of each launch lies in memory that there is, with all that the launch's sizes say it has.
Status TaskListExecutor::checkExtents(void *arena) {
  if (arena)
    extents->add(arena, list.arenaBytes);
  for (size_t i = 0; i < numLaunches; ++i) {
    const artifact::KernelRecord &kernel = *launches[i].record;
    const int64_t *scalar = launches[i].scalars;
    for (size_t b = 0; b < kernel.bindings.size(); ++b) {
      const artifact::TensorSpec &type = kernel.bindings[b].type;
      std::vector<int64_t> sizes;
      for (int64_t size : type.shape)
        sizes.push_back(size < 0 ? *scalar++ : size);
      const std::optional<int64_t> bytes = checkedBytes(sizes, dtypeBytes(type.dtype));
      const artifact::BufferRecord &buffer = list.buffers[size_t(list.tasks[i].buffers[b])];
      const int64_t there =
          buffer.kind == artifact::BufferKind::Constant
              ? (buffer.part ? buffer.partBytes : program.manifest().constants[size_t(buffer.index)].bytes) -
                    buffer.offset
              : extents->bytesAt(launches[i].buffers[b]);
      if (bytes && (*bytes == 0 || *bytes <= there))
        continue;
      return Error{ErrorCode::Damaged,
                   (program.folder() / std::string(artifact::kTasksFile)).string() + ": task " +
                       std::to_string(firstTask + i) + " of list '" + list.name + "' gives binding " +
                       std::to_string(b) + " of the kernel '" + kernel.name + "' the sizes of tensor<" +
                       shapedTypeString(sizes, type.dtype) + ">, but its buffer has " +
                       (there < 0 ? std::string("no memory") : std::to_string(there) + " bytes"),
                   "the file was edited: correct it, or restore it with mica-run --reset=host/tasks.json"};
    }
  }
  return Status::ok();
}

/// Calls `body` with address, bytes and access of every buffer of every task.
template <typename Body> void TaskListExecutor::forEachBinding(Body body) const {
  for (size_t i = 0; i < numLaunches; ++i) {
    const Launch &launch = launches[i];
    const int64_t *scalar = launch.scalars;
    for (size_t binding = 0; binding < launch.record->bindings.size(); ++binding) {
      const artifact::BindingRecord &record = launch.record->bindings[binding];
      body(launch.buffers[binding], bindingBytes(record, scalar), record.access);
    }
  }
}

Status TaskListExecutor::fetchFromOthers() {
  Status fetched;
  forEachBinding([&](void *memory, int64_t bytes, artifact::Access) {
    for (DeviceMemory *other : others)
      if (fetched)
        fetched = other->toHost(memory, bytes);
  });
  return fetched;
}

void TaskListExecutor::tellOthers() {
  forEachBinding([&](void *memory, int64_t bytes, artifact::Access access) {
    for (DeviceMemory *other : others)
      if (access != artifact::Access::Read)
        other->hostWrote(memory, bytes);
  });
}

void TaskListExecutor::noteFailure(const Launch &launch) {
  int64_t none = -1;
  const int64_t failed = &launch - launches.get();
  if (failedTask.compare_exchange_strong(none, failed, std::memory_order_relaxed) && !backend.inOrder())
    for (size_t i = 0; i < numLaunches; ++i)
      if (int64_t(i) != failed && nodes[i].stage.load(std::memory_order_relaxed) == kHanded)
        inFlight.push_back(i);
  cancelled.store(true, std::memory_order_relaxed);
}

/// `place`: on whose thread it runs next if it is not cut, null: any.
void TaskListExecutor::handOver(size_t task, Launch **place) {
  try {
    handOverLaunch(task, place);
  } catch (const std::bad_alloc &) {
    // Whoever comes before the back end hands it the launch last, so nobody has it now.
    launches[task].status.store(MICA_STATUS_NO_MEMORY, std::memory_order_relaxed);
    launches[task].nextPlace = nullptr;
    launches[task].failure = nullptr;
    launches[task].done(launches[task]);
  }
}

void TaskListExecutor::handOverLaunch(size_t task, Launch **place) {
  if (int64_t(task) == keptTask) [[unlikely]]
    copyOperands(task);
  if (backend.inOrder()) {
    // One that has no shadows waits for nothing; those with shadows run on the calling thread, one after the other.
    if (shadows)
      shadows->prepare(launches[task]);
    backend.launch(launches[task]);
    return;
  }
  nodes[task].stage.store(kHanded, std::memory_order_relaxed);
  launches[task].place = launches[task].grid == 1 ? place : nullptr;
  if (shadows && !cancelled.load(std::memory_order_relaxed))
    shadows->prepare(launches[task]);
  backend.launch(launches[task]);
}

void TaskListExecutor::doneInOrder(Launch &launch) {
  auto &self = *static_cast<TaskListExecutor *>(launch.owner);
  if (launch.status.load(std::memory_order_relaxed) != 0)
    self.noteFailure(launch);
  else if (self.shadows)
    self.shadows->complete(launch);
  self.remaining.fetch_sub(1, std::memory_order_seq_cst);
}

void TaskListExecutor::doneOutOfOrder(Launch &launch) {
  auto &self = *static_cast<TaskListExecutor *>(launch.owner);
  if (launch.status.load(std::memory_order_relaxed) != 0)
    self.noteFailure(launch);
  else if (self.shadows)
    self.shadows->complete(launch);
  Node &node = self.nodes[&launch - self.launches.get()];
  node.stage.store(kDone, std::memory_order_relaxed);
  // After a failure the walk goes on, through launches that are cancelled: so the counters come to their end.
  int64_t own = -1; // the latest that is ready: this thread's, once the others are with the back end
  for (uint32_t i = node.firstSuccessor; i < node.endSuccessor; ++i) {
    uint32_t next = self.successors[i];
    if (self.nodes[next].pending.fetch_sub(1, std::memory_order_acq_rel) != 1)
      continue;
    if (own >= 0)
      self.handOver(size_t(own));
    own = next;
  }
  if (own >= 0)
    self.handOver(size_t(own), launch.nextPlace);
  // Last: once it is 0, run() returns and everything here may be used anew.
  self.remaining.fetch_sub(1, std::memory_order_seq_cst);
}

/// Of a check that failed: at which element. Before anything else runs that may write to what the launch read.
void TaskListExecutor::explainFailure() {
  const auto index = size_t(failedTask.load(std::memory_order_relaxed));
  const Launch &launch = launches[index];
  const CheckLog *checks = logOf[index];
  failedElement.reset();
  if (launch.failure || launch.status.load(std::memory_order_relaxed) != MICA_STATUS_CHECK_FAILED || !checks ||
      !checks->anyFailed() || !launch.record->faultReplay)
    return;
  const int64_t *scalar = launch.scalars;
  for (size_t i = 0; i < launch.record->bindings.size(); ++i) {
    const artifact::BindingRecord &binding = launch.record->bindings[i];
    const int64_t bytes = bindingBytes(binding, scalar);
    if (deviceMemory && binding.access == artifact::Access::Read && !deviceMemory->toHost(launch.buffers[i], bytes))
      return;
  }
  failedElement = findFailedElement(program, launch, checks->firstSite());
}

Error TaskListExecutor::failure() const {
  int64_t index = failedTask.load(std::memory_order_relaxed);
  const artifact::TaskRecord &task = list.tasks[size_t(index)];
  int32_t code = launches[size_t(index)].status.load(std::memory_order_relaxed);
  const CheckLog *checks = logOf[size_t(index)];
  const bool checkFailed = code == MICA_STATUS_CHECK_FAILED && checks && checks->anyFailed();
  std::string message = program.describeLaunch(task.kernel, task.site);
  constexpr std::string_view kOut = "out of memory", kShape = "shape mismatch", kNegative = "a tensor would have";
  const LaunchFailure *known = launches[size_t(index)].failure;
  const std::string *reason = known ? &known->message : nullptr;
  const bool isServed = reason && code == MICA_STATUS_NO_MEMORY;
  const std::string_view what = !isServed                     ? std::string_view()
                                : reason->starts_with(kOut)   ? kOut
                                : reason->starts_with(kShape) ? kShape
                                                              : std::string_view();
  const artifact::CheckRecord asked =
      isServed ? program.partAt(task.kernel, std::max<int64_t>(known->op, 0), known->place) : artifact::CheckRecord();
  if (!what.empty())
    message = std::string(what) + " in " + program.describeCheck(task.kernel, task.site, asked) +
              reason->substr(what.size()) + "; in " + message;
  else if (isServed && known->op >= 0 && reason->starts_with(kNegative))
    message = program.describeCheck(task.kernel, task.site, asked) + reason->substr(kNegative.find(" would")) +
              "; in " + message;
  else if (reason)
    message = *reason + "; in " + message;
  else if (checkFailed)
    message = "check failed: " + checks->firstFailure(failedElement) + "; in " + message;
  else
    message = code == MICA_STATUS_NO_MEMORY ? "out of memory in " + message
                                            : message + " failed with status " + std::to_string(code);
  message +=
      " (task " + std::to_string(firstTask + size_t(index)) + " of list '" + list.name + "', on " + task.device + ")";
  constexpr size_t kShown = 8;
  for (size_t i = 0; i < std::min(inFlight.size(), kShown); ++i) {
    const artifact::TaskRecord &other = list.tasks[inFlight[i]];
    message += (i ? ", " : "; in flight: ") + program.describeLaunch(other.kernel, other.site) + " (task " +
               std::to_string(firstTask + inFlight[i]) + ")";
  }
  if (inFlight.size() > kShown)
    message += " and " + std::to_string(inFlight.size() - kShown) + " more";
  std::string hint = "see " + (program.folder() / "kernels" / task.kernel / "kernel.mlir").string();
  if (!inFlight.empty())
    hint += "; --mica-debug=device-sync-mode runs one kernel at a time";
  if (tracebacks)
    hint += program.sourceTraceback(task.kernel, task.site);
  // Sizes that are negative, or do not fit each other.
  if (isServed && what != kOut)
    return {ErrorCode::InvalidInput, message, "check the inputs that the sizes are computed from; " + hint};
  if (code == MICA_GPU_NO_MEMORY || code == MICA_STATUS_NO_MEMORY)
    return {ErrorCode::Io, message, "run smaller inputs; " + hint};
  return {known ? known->code.value_or(ErrorCode::Difference) : ErrorCode::Difference, message, hint};
}

FaultInfo TaskListExecutor::faultInfo() const {
  const auto index = size_t(failedTask.load(std::memory_order_relaxed));
  const artifact::TaskRecord &task = list.tasks[index];
  const CheckLog *checks = logOf[index];
  const LaunchFailure *known = launches[index].failure;
  if (known && known->fault)
    return known->fault->opId.empty() ? program.faultInfo(task.kernel, task.site, *known->fault) : *known->fault;
  if (failedElement)
    return failedElement->fault;
  if (checks && checks->anyFailed())
    return checks->firstFault();
  return known && known->op >= 0
             ? program.faultInfo(task.kernel, task.site, program.partAt(task.kernel, known->op, known->place))
             : program.faultInfo(task.kernel, task.site, int64_t(0));
}

int64_t TaskListExecutor::lacksOperands() const {
  const int64_t index = failedTask.load(std::memory_order_relaxed);
  const Launch &launch = launches[size_t(index)];
  const bool found = launch.status.load(std::memory_order_relaxed) == MICA_STATUS_CHECK_FAILED;
  const bool hasReplay = launch.failure ? launch.record->replay.has_value() : launch.record->faultReplay.has_value();
  return found && hasReplay && !launch.operands && overwritesOperands(*launch.record) ? index : -1;
}

void TaskListExecutor::keepOperands(int64_t task) {
  if (keptTask >= 0)
    launches[size_t(keptTask)].operands = nullptr;
  keptTask = task;
  keptBuffers.clear();
}

/// What the launch is about to read of the buffers that it updates. All that writes to them before is complete.
void TaskListExecutor::copyOperands(size_t task) {
  Launch &launch = launches[task];
  const std::vector<artifact::BindingRecord> &bindings = launch.record->bindings;
  keptAddresses.assign(launch.buffers, launch.buffers + bindings.size());
  keptBuffers.clear();
  launch.operands = nullptr;
  const int64_t *scalar = launch.scalars;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const int64_t bytes = bindingBytes(bindings[i], scalar);
    if (bindings[i].access != artifact::Access::ReadWrite)
      continue;
    Result<Buffer> copy = Buffer::allocate(std::max<int64_t>(bytes, 1));
    if (!copy || (deviceMemory && !deviceMemory->toHost(launch.buffers[i], bytes)))
      return;
    std::memcpy(copy->data(), launch.buffers[i], size_t(bytes));
    keptAddresses[i] = copy->data();
    keptBuffers.push_back(*std::move(copy));
  }
  launch.operands = keptAddresses.data();
}

bool TaskListExecutor::recover() {
  const auto index = size_t(failedTask.load(std::memory_order_relaxed));
  const int32_t status = launches[index].status.load(std::memory_order_relaxed);
  const LaunchFailure *known = launches[index].failure;
  const bool isOwnCheck = known ? known->leavesNothingHalfDone
                                : status == MICA_STATUS_CHECK_FAILED && logOf[index] && logOf[index]->anyFailed();
  // A wrapper that gets no memory has launched nothing with it, a kernel that gets none has ended.
  const bool isMemory = (status == MICA_GPU_NO_MEMORY || status == MICA_STATUS_NO_MEMORY) && known;
  if ((!isOwnCheck && !isMemory) || shadows)
    return false;
  for (const std::unique_ptr<CheckLog> &log : checkLogs)
    log->clear();
  inFlight.clear();
  cancelled.store(false, std::memory_order_relaxed);
  failedTask.store(-1, std::memory_order_relaxed);
  return true;
}

std::vector<std::string> TaskListExecutor::loopsInside() const {
  std::vector<std::string> lines;
  for (size_t i = 0; i < numLaunches; ++i)
    if (logOf[i] && (backend.inOrder() || nodes[i].stage.load(std::memory_order_relaxed) == kHanded))
      for (const std::string &line : logOf[i]->loops())
        lines.push_back(line);
  return lines;
}

std::string TaskListExecutor::describeWaiting() const {
  if (backend.inOrder())
    return "";
  constexpr int kShown = 16;
  std::string text;
  int hidden = 0, shown = 0;
  for (size_t i = 0; i < numLaunches; ++i) {
    if (nodes[i].stage.load(std::memory_order_relaxed) != kWaiting)
      continue;
    if (shown++ >= kShown) {
      ++hidden;
      continue;
    }
    text += "\n    task " + std::to_string(firstTask + i) + " of list '" + list.name + "', kernel '" +
            list.tasks[i].kernel + "', for";
    for (int64_t dep : list.tasks[i].deps)
      if (nodes[size_t(dep)].stage.load(std::memory_order_relaxed) != kDone)
        text += " task " + std::to_string(firstTask + size_t(dep)) + " ('" + list.tasks[size_t(dep)].kernel + "')";
  }
  return hidden ? text + "\n    and " + std::to_string(hidden) + " more" : text;
}

/// Of kernels that go on whatever fails: what is not told yet.
void TaskListExecutor::tellWarnings() {
  for (size_t i = 0; i < numLaunches; ++i) {
    if (!logOf[i] || !logOf[i]->anyFailed())
      continue;
    for (const std::string &line : logOf[i]->newFailures())
      MICA_LOG(Runtime, Warning).kernel(list.tasks[i].kernel) << "check failed: " << line;
    logOf[i]->clear();
  }
}

/// Each task is complete before the next begins.
void TaskListExecutor::runInOrder() {
  for (size_t i = 0; i < numLaunches; ++i) {
    // So that none is handed over by one that it waits for.
    nodes[i].pending.store(int32_t(numLaunches) + 1, std::memory_order_relaxed);
    nodes[i].stage.store(kWaiting, std::memory_order_relaxed);
  }
  for (uint32_t task : order) {
    remaining.store(1, std::memory_order_relaxed);
    handOver(task);
    backend.drain(remaining);
  }
}

Status TaskListExecutor::run(void *const *buffers, const int64_t *scalars, void *arena, MemoryPool &pool) {
  if (numLaunches == 0)
    return Status::ok();
  if (unusable)
    return *unusable;
  if (hasLoops) [[unlikely]]
    for (const std::unique_ptr<CheckLog> &log : checkLogs)
      log->clearLoops();
  size_t mark = pool.marker();
  Status placed = place(buffers, scalars, arena, pool);
  if (placed && !others.empty())
    placed = fetchFromOthers();
  if (placed) {
    remaining.store(int32_t(numLaunches), std::memory_order_relaxed);
    if (!order.empty()) {
      runInOrder();
    } else if (backend.inOrder()) {
      for (size_t i = 0; i < numLaunches; ++i)
        handOver(i);
    } else {
      for (size_t i = 0; i < numLaunches; ++i) {
        nodes[i].pending.store(nodes[i].numDeps, std::memory_order_relaxed);
        nodes[i].stage.store(kWaiting, std::memory_order_relaxed);
      }
      for (size_t i = 0; i < roots.size(); ++i)
        handOver(roots[i], i + 1 == roots.size() ? backend.callerRunSlot() : nullptr);
    }
    backend.drain(remaining);
    if (!others.empty())
      tellOthers();
    if (deviceMemory && !taskFailed())
      for (size_t i = 0; placed && i < dynamicBuffers.size(); ++i) // nobody wants what lies there
        placed = deviceMemory->adopt(dynamicAddresses[i], scalars[list.buffers[dynamicBuffers[i]].sizeScalar],
                                     Contents::Undefined);
  }
  if (taskFailed())
    explainFailure();
  pool.reset(mark);
  MICA_RETURN_IF_ERROR(std::move(placed));
  if (taskFailed())
    return failure();
  if (!checkLogs.empty())
    tellWarnings();
  return Status::ok();
}

} // namespace mica::runtime
