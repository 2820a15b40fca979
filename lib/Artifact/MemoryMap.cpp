//===- MemoryMap.cpp - which tensors an arena holds, where and when -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/MemoryMap.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace mica::artifact {
namespace {

using Kernels = std::map<std::string_view, const KernelRecord *>;

Kernels kernelsOf(const Manifest &manifest) {
  Kernels kernels;
  for (const KernelRecord &kernel : manifest.kernels)
    kernels.emplace(kernel.name, &kernel);
  return kernels;
}

/// Bytes in use at each task; `without`: a tensor that is left out, -1 for none.
int64_t peakOf(const std::vector<ArenaTensor> &tensors, size_t tasks, int64_t without, int64_t *task = nullptr) {
  std::vector<int64_t> change(tasks + 1, 0);
  for (size_t i = 0; i < tensors.size(); ++i)
    if (static_cast<int64_t>(i) != without) {
      change[static_cast<size_t>(tensors[i].first)] += tensors[i].bytes;
      change[static_cast<size_t>(tensors[i].last) + 1] -= tensors[i].bytes;
    }
  int64_t live = 0, peak = 0;
  for (size_t i = 0; i < tasks; ++i) {
    live += change[i];
    if (live > peak) {
      peak = live;
      if (task)
        *task = static_cast<int64_t>(i);
    }
  }
  return peak;
}

} // namespace

std::vector<ArenaTensor> arenaTensors(const TaskList &list, const Manifest &manifest) {
  const Kernels kernels = kernelsOf(manifest);
  std::vector<ArenaTensor> tensors;
  for (size_t number = 0; number < list.tasks.size(); ++number) {
    const TaskRecord &task = list.tasks[number];
    const auto kernel = kernels.find(task.kernel);
    // Reads before writes: a task may read a tensor and write the one that reuses its memory.
    for (const bool writes : {false, true})
      for (size_t binding = 0; binding < task.buffers.size(); ++binding) {
        const int64_t position = task.buffers[binding];
        const BufferRecord &buffer = list.buffers[static_cast<size_t>(position)];
        const bool isWritten = kernel != kernels.end() && binding < kernel->second->bindings.size() &&
                               kernel->second->bindings[binding].access != Access::Read;
        if (buffer.kind != BufferKind::Arena || isWritten != writes)
          continue;
        const auto now = static_cast<int64_t>(number);
        if (writes) {
          tensors.push_back({buffer.offset, buffer.bytes, now, now, {position}, {}});
          continue;
        }
        // The latest that this buffer holds; of a view, the latest that was written there.
        auto tensor = std::find_if(tensors.rbegin(), tensors.rend(),
                                   [&](const ArenaTensor &candidate) { return candidate.buffers.front() == position; });
        if (tensor == tensors.rend())
          tensor = std::find_if(tensors.rbegin(), tensors.rend(), [&](const ArenaTensor &candidate) {
            return buffer.offset >= candidate.offset &&
                   buffer.offset < candidate.offset + std::max<int64_t>(candidate.bytes, 1);
          });
        if (tensor == tensors.rend())
          continue;
        tensor->last = now;
        tensor->readers.push_back(now);
        if (std::find(tensor->buffers.begin(), tensor->buffers.end(), position) == tensor->buffers.end())
          tensor->buffers.push_back(position);
      }
  }
  return tensors;
}

MemoryMap memoryMapOf(const TaskList &list, const Manifest &manifest) {
  MemoryMap map;
  map.tensors = arenaTensors(list, manifest);
  for (const ArenaTensor &tensor : map.tensors)
    map.withoutSharing += tensor.bytes;
  map.peak = peakOf(map.tensors, list.tasks.size(), -1, &map.peakTask);
  for (size_t i = 0; i < map.tensors.size(); ++i) {
    const ArenaTensor &tensor = map.tensors[i];
    if (!tensor.isLiveAt(map.peakTask) || tensor.bytes == 0)
      continue;
    if (const int64_t peak = peakOf(map.tensors, list.tasks.size(), static_cast<int64_t>(i)); peak < map.peak)
      map.savings.push_back({i, peak});
  }
  std::stable_sort(map.savings.begin(), map.savings.end(),
                   [](const MemoryMap::Saving &a, const MemoryMap::Saving &b) { return a.peak < b.peak; });
  // Tensors are in the order in which they are written: only later ones can be written over an earlier one.
  std::vector<size_t> live;
  for (size_t i = 0; i < map.tensors.size(); ++i) {
    const ArenaTensor &tensor = map.tensors[i];
    std::erase_if(live, [&](size_t other) { return map.tensors[other].last <= tensor.first; });
    for (size_t other : live)
      if (map.tensors[other].offset < tensor.end() && tensor.offset < map.tensors[other].end() &&
          map.tensors[other].first < tensor.first)
        map.overlaps.push_back({other, i});
    live.push_back(i);
  }
  return map;
}

std::optional<size_t> firstTaskBeyond(const TaskList &list, const Manifest &manifest, int64_t limit) {
  for (const ArenaTensor &tensor : arenaTensors(list, manifest))
    if (tensor.end() > limit)
      return static_cast<size_t>(tensor.first);
  return std::nullopt;
}

} // namespace mica::artifact
