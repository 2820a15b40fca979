//===- ExportTaskLists.cpp - converting the schedule to host/tasks.json -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Converts the data structures of the passes (passes/Schedule/TaskLists.h) to those of the artifact, field by field, so
// that passes do not depend on the artifact.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/ArtifactFiles.h"

#include "mica/Compiler/Program/Describe.h"
#include "passes/Schedule/TaskLists.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static artifact::BufferKind kindOf(TaskListInfo::BufferKind kind) {
  switch (kind) {
  case TaskListInfo::BufferKind::Parameter:
    return artifact::BufferKind::Parameter;
  case TaskListInfo::BufferKind::Constant:
    return artifact::BufferKind::Constant;
  case TaskListInfo::BufferKind::Arena:
    return artifact::BufferKind::Arena;
  case TaskListInfo::BufferKind::Dynamic:
    return artifact::BufferKind::Dynamic;
  }
  return artifact::BufferKind::Arena;
}

Result<std::vector<artifact::TaskList>> compiler::exportTaskLists(ModuleOp program, artifact::Manifest &manifest) {
  std::vector<artifact::TaskList> lists;
  for (TaskListInfo &info : collectTaskLists(program)) {
    artifact::TaskList list;
    list.name = info.name;
    list.parameters = info.parameters;
    list.scalars = info.scalars;
    list.arenaBytes = info.arenaBytes;
    for (const TaskListInfo::Buffer &buffer : info.buffers) {
      std::optional<artifact::TensorSpec> spec = specOf(buffer.type);
      if (!spec)
        return Error{ErrorCode::Internal,
                     "task list '" + info.name + "' has a buffer of an element type the runtime does not have", ""};
      list.buffers.push_back({kindOf(buffer.kind), buffer.index, buffer.offset, buffer.bytes, buffer.sizeScalar,
                              std::move(*spec), buffer.viewOf});
      if (!buffer.grid.empty()) {
        list.buffers.back().part = artifact::ShardingRecord{buffer.grid, {buffer.axes}};
        list.buffers.back().partBytes = buffer.partBytes;
      }
    }
    for (TaskListInfo::Task &task : info.tasks) {
      int64_t site = static_cast<int64_t>(manifest.sites.size());
      manifest.sites.push_back({task.kernel, std::move(task.opIds)});
      list.tasks.push_back({task.kernel, task.buffers, task.scalars, task.deps, site, task.device});
    }
    lists.push_back(std::move(list));
  }
  return lists;
}
