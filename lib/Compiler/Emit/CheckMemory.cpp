//===- CheckMemory.cpp - the memory limit of a compile ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/CheckMemory.h"

#include "mica/Artifact/MemoryMap.h"
#include "mica/Artifact/TaskNames.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <map>

using namespace mica;
using namespace mica::artifact;

static int64_t bytesOf(const std::vector<ConstantRecord> &constants) {
  int64_t bytes = 0;
  for (const ConstantRecord &constant : constants)
    bytes += constant.bytes;
  return bytes;
}

/// Of the parameters of static size.
static int64_t parameterBytes(const TaskList &list) {
  std::map<int64_t, int64_t> ends; // several buffers may be parts of one parameter
  for (const BufferRecord &buffer : list.buffers)
    if (buffer.kind == BufferKind::Parameter && buffer.bytes >= 0)
      ends[buffer.index] = std::max(ends[buffer.index], buffer.offset + buffer.bytes);
  int64_t bytes = 0;
  for (const auto &[index, end] : ends)
    bytes += end;
  return bytes;
}

/// "; in use then: 64.0 MiB for tensor<4096x4096xf32> of task 0 (...), ...": the largest tensors of the arena.
static std::string inUse(const Manifest &manifest, const TaskList &list, const std::vector<ArenaTensor> &tensors,
                         size_t task) {
  constexpr size_t kListed = 3;
  std::vector<const ArenaTensor *> live;
  for (const ArenaTensor &tensor : tensors)
    if (tensor.isLiveAt(static_cast<int64_t>(task)))
      live.push_back(&tensor);
  std::stable_sort(live.begin(), live.end(),
                   [](const ArenaTensor *a, const ArenaTensor *b) { return a->bytes > b->bytes; });
  std::string text;
  for (size_t i = 0; i < std::min(live.size(), kListed); ++i) {
    const TensorSpec &type = list.buffers[static_cast<size_t>(live[i]->buffers.front())].type;
    text += "\n  " + byteSize(live[i]->bytes) + " for tensor<" + shapedTypeString(type.shape, type.dtype) + ">, from " +
            taskText(manifest, list, static_cast<size_t>(live[i]->first)) + " to task " + std::to_string(live[i]->last);
  }
  if (live.size() > kListed)
    text += "\n  and " + std::to_string(live.size() - kListed) + " smaller tensors";
  return text;
}

Status compiler::checkMemory(const Manifest &manifest, const std::vector<TaskList> &lists, int64_t limit) {
  const int64_t constantBytes = bytesOf(manifest.constants);
  const std::string constants = byteSize(constantBytes) + " of constants";
  const std::string told = ", more than --memory-limit=" + byteSize(limit);
  const char *const hint = "mica-run DIR --memory-map, of a compile without the limit, shows what would lower it";
  if (constantBytes > limit)
    return Error{ErrorCode::InvalidInput, "memory limit: the program has " + constants + told,
                 "raise the limit, or use smaller weights"};
  for (const TaskList &list : lists) {
    const int64_t given = parameterBytes(list), fixed = constantBytes + given;
    const std::string parts = constants + ", " + byteSize(given) + " of arguments and results";
    if (fixed > limit)
      return Error{ErrorCode::InvalidInput, "memory limit: list '" + list.name + "' needs " + parts + told,
                   "raise the limit, or use smaller arguments"};
    const std::optional<size_t> task = firstTaskBeyond(list, manifest, limit - fixed);
    if (!task)
      continue;
    const std::vector<ArenaTensor> tensors = arenaTensors(list, manifest);
    int64_t arena = 0;
    for (const ArenaTensor &tensor : tensors)
      if (tensor.first <= static_cast<int64_t>(*task))
        arena = std::max(arena, tensor.end());
    const OpRecord *op = rootOf(manifest, list.tasks[*task]);
    return Error{ErrorCode::InvalidInput,
                 "memory limit: " + (op ? opText(*op) : "kernel '" + list.tasks[*task].kernel + "'") + " needs " +
                     byteSize(fixed + arena) + " in all" + told + ": " + parts + ", and " + byteSize(arena) +
                     " of temporary tensors:" + inUse(manifest, list, tensors, *task),
                 hint};
  }
  return Status::ok();
}
