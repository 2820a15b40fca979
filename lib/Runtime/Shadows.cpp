//===- Shadows.cpp - which elements of memory were written -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header. A launch begins when everything is done that it waits for, so regions change hands through the list's
// counters; the lock is for launches that read the same memory at the same time.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Shadows.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace mica::runtime {

//===-----------------------------------------------------------------------------------------------------------===//
// Regions
//===-----------------------------------------------------------------------------------------------------------===//

ShadowRegion::~ShadowRegion() {
  if (shadow)
    munmap(shadow, size_t(capacity) * sizeof(int16_t));
}

Status ShadowRegion::assign(const void *address, int64_t size, int64_t number, bool written) {
  if (size > capacity) {
    if (shadow)
      munmap(shadow, size_t(capacity) * sizeof(int16_t));
    shadow = nullptr;
    capacity = 0;
    void *memory = mmap(nullptr, size_t(size) * sizeof(int16_t), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return Error{ErrorCode::Io,
                   "out of memory: the system has none for the shadow of " + std::to_string(size) + " bytes",
                   "run smaller inputs, or without uninitialized-read-check"};
    shadow = static_cast<int16_t *>(memory);
    capacity = zeros = size;
  }
  begin = static_cast<const char *>(address);
  bytes = size;
  origin = number;
  isUntouched = !written;
  whole.store(written, std::memory_order_relaxed);
  writer.store(nullptr, std::memory_order_relaxed);
  return {};
}

/// Makes `shadow` say what is known. Under the lock.
void ShadowRegion::materialize(int64_t elementBytes) {
  const int64_t elements = bytes / elementBytes;
  if (isUntouched) {
    std::fill_n(shadow, elements, int16_t(origin));
    isUntouched = false;
    zeros = 0;
  } else if (isWhole() && zeros < elements) {
    std::fill_n(shadow, elements, int16_t(0));
    zeros = elements;
  }
}

int16_t *ShadowRegion::shadowAt(const void *at, int64_t elementBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  materialize(elementBytes);
  return shadow + (static_cast<const char *>(at) - begin) / elementBytes;
}

int64_t ShadowRegion::countUnwritten(const void *at, int64_t elementBytes, int64_t count, int64_t &first,
                                     int64_t &allocation) {
  first = -1;
  if (isWhole() || count == 0)
    return 0;
  const int16_t *elements = shadowAt(at, elementBytes);
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (elements[i] == 0)
      continue;
    if (found++ == 0) {
      first = i;
      allocation = uint16_t(elements[i]);
    }
  }
  return found;
}

bool ShadowRegion::isWritten(const void *at, int64_t elementBytes, int64_t count) {
  if (isWhole() || count == 0)
    return true;
  const int16_t *elements = shadowAt(at, elementBytes);
  if (!std::all_of(elements, elements + count, [](int16_t element) { return element == 0; }))
    return false;
  if (covers(at, elementBytes, count)) {
    std::lock_guard<std::mutex> lock(mutex);
    zeros = std::max(zeros, count);
    whole.store(true, std::memory_order_relaxed);
  }
  return true;
}

void ShadowRegion::expectWrites() {
  std::lock_guard<std::mutex> lock(mutex);
  zeros = 0;
  whole.store(false, std::memory_order_relaxed);
}

void ShadowRegion::poison(const void *at, int64_t elementBytes, int64_t count) {
  if (count == 0)
    return;
  int16_t *elements = covers(at, elementBytes, count) ? shadow : shadowAt(at, elementBytes);
  std::lock_guard<std::mutex> lock(mutex);
  std::fill_n(elements, count, int16_t(origin));
  isUntouched = false;
  zeros = 0;
  whole.store(false, std::memory_order_relaxed);
}

void ShadowRegion::fill(const void *at, int64_t elementBytes, int64_t count) {
  if (isWhole() || count == 0)
    return;
  if (covers(at, elementBytes, count)) {
    std::lock_guard<std::mutex> lock(mutex);
    isUntouched = false;
    whole.store(true, std::memory_order_relaxed);
    return;
  }
  std::fill_n(shadowAt(at, elementBytes), count, int16_t(0));
}

//===-----------------------------------------------------------------------------------------------------------===//
// Memory of the context
//===-----------------------------------------------------------------------------------------------------------===//

ShadowMemory::ShadowMemory(const Program &program) : program(program) {}

bool ShadowMemory::isWanted(const Program &program) {
  // The host function may use uninitialized memory, though no kernel can.
  const auto &options = program.manifest().options;
  if (auto known = options.find("uninitialized-read-check"); known != options.end() && known->second == "on")
    return true;
  const std::vector<artifact::KernelRecord> &kernels = program.manifest().kernels;
  return std::any_of(kernels.begin(), kernels.end(),
                     [](const auto &kernel) { return kernel.checks && kernel.checks->shadows; });
}

void ShadowMemory::begin() {
  for (auto &[address, region] : regions)
    unused.push_back(std::move(region));
  regions.clear();
}

Status ShadowMemory::adopt(const void *address, int64_t bytes, bool written, std::string name) {
  auto [known, isNew] = originOf.try_emplace(name, 0);
  if (isNew)
    known->second = addOrigin([name] { return name; });
  std::unique_ptr<ShadowRegion> &region = regions[reinterpret_cast<uintptr_t>(address)];
  if (!region && !unused.empty()) {
    region = std::move(unused.back());
    unused.pop_back();
  }
  if (!region)
    region = std::make_unique<ShadowRegion>();
  return region->assign(address, bytes, known->second, written);
}

void ShadowMemory::drop(const void *memory, int64_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const auto first = regions.lower_bound(begin), last = regions.lower_bound(begin + uintptr_t(bytes));
  for (auto region = first; region != last; ++region)
    unused.push_back(std::move(region->second));
  regions.erase(first, last);
}

Result<ShadowRegion *> ShadowMemory::find(const void *address, int64_t bytes) {
  auto behind = regions.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (behind != regions.begin()) {
    ShadowRegion &region = *std::prev(behind)->second;
    if (static_cast<const char *>(address) + bytes <= region.begin + region.bytes)
      return &region;
  }
  MICA_RETURN_IF_ERROR(adopt(address, bytes, /*written=*/true, "memory from outside the program"));
  return regions[reinterpret_cast<uintptr_t>(address)].get();
}

int64_t ShadowMemory::addOrigin(std::function<std::string()> describe) {
  if (int64_t(origins.size()) + 1 >= kMostOrigins)
    return kMostOrigins;
  origins.push_back(std::move(describe));
  return int64_t(origins.size());
}

std::string ShadowMemory::describeOrigin(int64_t origin) const {
  if (origin < 1 || origin > int64_t(origins.size()))
    return "one of the program's buffers";
  return origins[size_t(origin - 1)]();
}

std::string ShadowMemory::describeWriter(const ShadowRegion &region) const {
  const Launch *writer = region.lastWriter();
  return writer ? "last written by " + program.describeLaunch(writer->record->name, writer->site)
                : "not written by any kernel";
}

//===-----------------------------------------------------------------------------------------------------------===//
// Task lists
//===-----------------------------------------------------------------------------------------------------------===//

ListShadows::ListShadows(const Program &program, const artifact::TaskList &list, ShadowMemory &memory)
    : program(program), list(list), memory(memory), tasks(list.tasks.size()), regionOf(list.buffers.size()),
      originOf(list.buffers.size()), firstLocalOrigin(list.tasks.size()) {
  // Buffers that begin at one place of the arena hold one tensor after the other, or are views of one.
  std::map<int64_t, size_t> inArena;
  for (size_t i = 0; i < list.buffers.size(); ++i) {
    const artifact::BufferRecord &buffer = list.buffers[i];
    const bool isOwner = buffer.kind == artifact::BufferKind::Arena ||
                         (buffer.kind == artifact::BufferKind::Dynamic && buffer.viewOf < 0);
    if (!isOwner) {
      if (buffer.kind == artifact::BufferKind::Dynamic)
        regionOf[i] = regionOf[size_t(buffer.viewOf)];
      continue;
    }
    if (buffer.kind == artifact::BufferKind::Arena) {
      auto [known, isNew] = inArena.try_emplace(buffer.offset, i);
      if (!isNew) {
        regionOf[i] = regionOf[known->second];
        continue;
      }
    }
    own.push_back(std::make_unique<ShadowRegion>());
    regionOf[i] = own.back().get();
    originOf[i] = memory.addOrigin([this, i] { return describeBuffer(i, *regionOf[i]); });
  }
  for (size_t t = 0; t < tasks.size(); ++t) {
    const artifact::TaskRecord &task = list.tasks[t];
    const artifact::KernelRecord &kernel = program.manifest().kernels[size_t(program.findKernel(task.kernel))];
    const artifact::KernelShadows *shadows =
        kernel.checks && kernel.checks->shadows ? &*kernel.checks->shadows : nullptr;
    tasks[t].looks = shadows != nullptr;
    tasks[t].shadows.resize(kernel.bindings.size());
    size_t dims = 0;
    for (size_t b = 0; b < kernel.bindings.size(); ++b) {
      const artifact::BindingRecord &record = kernel.bindings[b];
      Binding binding;
      binding.region = regionOf[size_t(task.buffers[b])];
      binding.access = record.access;
      // What a kernel does that keeps no shadows is not known; it is taken to be right.
      binding.fills = !shadows || std::count(shadows->fills.begin(), shadows->fills.end(), int64_t(b)) > 0;
      binding.elementBytes = std::max<int64_t>(1, dtypeBytes(record.type.dtype));
      binding.firstDim = dims;
      for (int64_t size : record.type.shape) {
        binding.numDims += size < 0;
        binding.fixedElements *= size < 0 ? 1 : size;
      }
      dims += binding.numDims;
      tasks[t].bindings.push_back(binding);
    }
    for (size_t local = 0; shadows && local < shadows->allocations.size(); ++local) {
      const int64_t origin = memory.addOrigin([this, t, local] { return describeLocal(t, local); });
      if (local == 0)
        firstLocalOrigin[t] = origin;
    }
  }
}

int64_t ListShadows::elementsOf(const Binding &binding, const Launch &launch) {
  int64_t elements = binding.fixedElements;
  for (size_t i = 0; i < binding.numDims; ++i)
    elements *= launch.scalars[binding.firstDim + i];
  return elements;
}

Status ListShadows::place(std::span<Launch> launches) {
  first = launches.data();
  // Owners first: they are as large as the largest tensor that any task sees in them.
  std::map<ShadowRegion *, std::pair<const void *, int64_t>> extents;
  for (size_t t = 0; t < tasks.size(); ++t)
    for (size_t b = 0; b < tasks[t].bindings.size(); ++b) {
      Binding &binding = tasks[t].bindings[b];
      const auto buffer = size_t(list.tasks[t].buffers[b]);
      const int64_t bytes = elementsOf(binding, launches[t]) * binding.elementBytes;
      if (!regionOf[buffer]) {
        MICA_ASSIGN_OR_RETURN(binding.region, memory.find(launches[t].buffers[b], bytes));
        continue;
      }
      auto &extent = extents[binding.region];
      extent.first = launches[t].buffers[b];
      extent.second = std::max(extent.second, bytes);
    }
  for (size_t i = 0; i < regionOf.size(); ++i)
    if (originOf[i] != 0)
      if (auto extent = extents.find(regionOf[i]); extent != extents.end())
        MICA_RETURN_IF_ERROR(
            regionOf[i]->assign(extent->second.first, extent->second.second, originOf[i], /*written=*/false));
  for (size_t t = 0; t < tasks.size(); ++t)
    if (tasks[t].looks) {
      launches[t].checks->origin = firstLocalOrigin[t];
      launches[t].checks->shadows = tasks[t].shadows.data();
    }
  return {};
}

void ListShadows::prepare(Launch &launch) {
  Task &task = tasks[size_t(&launch - first)];
  if (!task.looks)
    return;
  task.partly = false;
  for (size_t b = 0; b < task.bindings.size(); ++b) {
    const Binding &binding = task.bindings[b];
    if (binding.access == artifact::Access::Write)
      task.partly |= !binding.fills;
    else
      task.partly |= !binding.region->isWritten(launch.buffers[b], binding.elementBytes, elementsOf(binding, launch));
  }
  launch.checks->partly = task.partly;
  if (!task.partly)
    return;
  for (size_t b = 0; b < task.bindings.size(); ++b) {
    const Binding &binding = task.bindings[b];
    // Its tensor begins to live here.
    if (binding.access == artifact::Access::Write)
      binding.region->poison(launch.buffers[b], binding.elementBytes, elementsOf(binding, launch));
    task.shadows[b] = binding.region->shadowAt(launch.buffers[b], binding.elementBytes);
    if (binding.access == artifact::Access::ReadWrite)
      binding.region->expectWrites();
  }
}

void ListShadows::complete(Launch &launch) {
  Task &task = tasks[size_t(&launch - first)];
  for (size_t b = 0; b < task.bindings.size(); ++b) {
    const Binding &binding = task.bindings[b];
    if (binding.access == artifact::Access::Read)
      continue;
    binding.region->noteWriter(&launch);
    if (!task.partly && (binding.access == artifact::Access::Write || !task.looks))
      binding.region->fill(launch.buffers[b], binding.elementBytes, elementsOf(binding, launch));
  }
}

std::string ListShadows::describeBuffer(size_t index, const ShadowRegion &region) const {
  const artifact::BufferRecord &buffer = list.buffers[index];
  std::string place = buffer.kind == artifact::BufferKind::Arena
                          ? "bytes " + std::to_string(buffer.offset) + " to " +
                                std::to_string(buffer.offset + region.bytes) + " of the arena of list '" + list.name +
                                "'"
                          : std::to_string(region.bytes) + " bytes of list '" + list.name + "'";
  return place + ", " + memory.describeWriter(region);
}

std::string ListShadows::describeLocal(size_t index, size_t local) const {
  const artifact::TaskRecord &task = list.tasks[index];
  const artifact::KernelRecord &kernel = program.manifest().kernels[size_t(program.findKernel(task.kernel))];
  const artifact::KernelShadows::Allocation &allocation = kernel.checks->shadows->allocations[local];
  return "a buffer (" + shapedTypeString(allocation.type.shape, allocation.type.dtype) + ") of " +
         program.describeOps(task.kernel, task.site, allocation.ops) + " inside kernel '" + task.kernel + "', " +
         (allocation.writers.empty() ? "never written"
                                     : "written by " + program.describeOps(task.kernel, task.site, allocation.writers));
}

} // namespace mica::runtime
