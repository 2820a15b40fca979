//===- TaskListPartition.cpp - a task list of several devices -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/TaskListPartition.h"

#include <algorithm>

namespace mica::runtime {

TaskListPartition cutByDevice(const artifact::TaskList &list) {
  using artifact::BufferKind, artifact::TaskRecord;
  TaskListPartition result;
  if (std::all_of(list.tasks.begin(), list.tasks.end(),
                  [&](const TaskRecord &task) { return task.device == list.tasks.front().device; })) {
    result.parts.push_back({list, list.tasks.empty() ? "" : list.tasks.front().device, 0});
    return result;
  }
  artifact::TaskList empty = list;
  empty.tasks.clear();
  for (artifact::BufferRecord &buffer : empty.buffers) {
    if (buffer.kind != BufferKind::Dynamic)
      continue;
    buffer.kind = BufferKind::Parameter;
    if (buffer.viewOf >= 0) {
      // The owner stands before it, and is a parameter already.
      buffer.index = empty.buffers[size_t(buffer.viewOf)].index;
    } else {
      buffer.index = empty.parameters++;
      result.extraParameters.push_back(buffer.sizeScalar);
    }
    buffer.viewOf = buffer.sizeScalar = -1;
  }
  for (size_t i = 0; i < list.tasks.size(); ++i) {
    if (result.parts.empty() || result.parts.back().device != list.tasks[i].device)
      result.parts.push_back({empty, list.tasks[i].device, i});
    ListPart &part = result.parts.back();
    TaskRecord task = list.tasks[i];
    // Who stands in an earlier part is done when this one begins.
    std::erase_if(task.deps, [&](int64_t dep) { return size_t(dep) < part.firstTask; });
    for (int64_t &dep : task.deps)
      dep -= int64_t(part.firstTask);
    part.list.tasks.push_back(std::move(task));
  }
  return result;
}

} // namespace mica::runtime
