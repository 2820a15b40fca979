//===- PeerDevices.cpp - a context's devices that have memory of their own ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// They know all memory that launches may name: arguments, results, constants, what the host function asks for. What the
// host function itself writes nobody tells; it does so after it has waited, but for the elements of small tensors,
// which it stores to memory that it has just got.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ContextImpl.h"
#include "mica/Support/Log.h"

namespace mica::runtime {

Status ContextImpl::prepareRemotes() {
  for (const Device &device : devices)
    if (DeviceMemory *memory = device.backend->deviceMemory())
      remotes.push_back(memory);
  const std::vector<artifact::ConstantRecord> &constants = program->manifest().constants;
  for (size_t i = 0; !remotes.empty() && i < constants.size(); ++i)
    MICA_RETURN_IF_ERROR(tellRemotes(const_cast<void *>(program->constant(i)), constants[i].bytes, Contents::Constant));
  return {};
}

Status ContextImpl::tellRemotes(void *memory, int64_t bytes, Contents contents) {
  for (DeviceMemory *remote : remotes)
    MICA_RETURN_IF_ERROR(remote->adopt(memory, bytes, contents));
  return {};
}

Status ContextImpl::adoptInputsByRemotes(const Entry &entry) {
  hostMayWrite = false;
  const int64_t *dims = entry.dims.data();
  for (size_t i = 0; i < entry.args.size(); ++i) {
    int64_t bytes = dtypeBytes(entry.record->args[i].dtype);
    for (size_t d = 0; d < entry.record->args[i].shape.size(); ++d)
      bytes *= *dims++;
    MICA_RETURN_IF_ERROR(tellRemotes(entry.args[i], bytes, Contents::Given));
  }
  return {};
}

/// What the invocation gives is the host's.
Status ContextImpl::fetchResults() {
  for (size_t i = 0; i < results->size(); ++i)
    for (DeviceMemory *remote : remotes)
      if (resultGiven[i])
        MICA_RETURN_IF_ERROR(remote->toHost((*results)[i].buffer.data(), (*results)[i].bytes()));
  return {};
}

/// From here on the host function may read and write whatever it knows.
int32_t ContextImpl::waitForRemotes() {
  for (DeviceMemory *remote : remotes) {
    if (Status fetched = remote->allToHost(); !fetched)
      return fail(fetched.error());
    remote->hostWroteAll();
  }
  hostMayWrite = true;
  return 0;
}

/// The parts of a list one after the other; `failed` is the one that did.
Status ContextImpl::runParts(List &list, void *const *buffers, const int64_t *scalars, TaskListExecutor *&failed) {
  const size_t mark = pool.marker();
  const artifact::TaskList &first = list.parts.parts.front().list;
  const size_t own = size_t(first.parameters) - list.parts.extraParameters.size();
  list.extra.assign(buffers, buffers + own);
  Status status;
  for (int64_t scalar : list.parts.extraParameters) {
    Result<void *> memory = pool.allocate(scalars[scalar]);
    if (!memory) {
      status = memory.error();
      break;
    }
    list.extra.push_back(*memory);
    status = tellRemotes(*memory, scalars[scalar], Contents::Undefined);
  }
  if (status && list.arena)
    status = tellRemotes(list.arena, list.arenaBytes, Contents::Undefined);
  for (const std::unique_ptr<TaskListExecutor> &runner : list.runners) {
    if (!status)
      break;
    failed = runner.get();
    runningList.store(runner.get(), std::memory_order_release);
    status = runner->run(list.extra.data(), scalars, list.arena, pool);
  }
  // What lay there is of no more use to anybody.
  for (size_t i = own; i < list.extra.size(); ++i)
    if (status)
      status = tellRemotes(list.extra[i], scalars[list.parts.extraParameters[i - own]], Contents::Undefined);
  if (status && list.arena)
    status = tellRemotes(list.arena, list.arenaBytes, Contents::Undefined);
  pool.reset(mark);
  return status;
}

} // namespace mica::runtime
