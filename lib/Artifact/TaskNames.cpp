//===- TaskNames.cpp - tasks and operations in messages -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/TaskNames.h"

#include <algorithm>

namespace mica::artifact {

const OpRecord *rootOf(const Manifest &manifest, const TaskRecord &task) {
  if (task.site < 0 || manifest.sites[size_t(task.site)].opIds.empty())
    return nullptr;
  const std::string &id = manifest.sites[size_t(task.site)].opIds[0];
  const auto op =
      std::find_if(manifest.ops.begin(), manifest.ops.end(), [&](const OpRecord &record) { return record.id == id; });
  return op == manifest.ops.end() ? nullptr : &*op;
}

std::string opText(const OpRecord &op) {
  std::string text = op.kind + " [" + op.id + "]";
  if (!op.positions.empty())
    text += " at " + op.positions.back().file + ":" + std::to_string(op.positions.back().line) + ":" +
            std::to_string(op.positions.back().column);
  return text;
}

std::string taskText(const Manifest &manifest, const TaskList &list, size_t index, size_t firstTask) {
  const TaskRecord &task = list.tasks[index];
  const OpRecord *op = rootOf(manifest, task);
  return "task " + std::to_string(firstTask + index) + " (kernel '" + task.kernel + "'" +
         (op ? ", " + opText(*op) : "") + ")";
}

} // namespace mica::artifact
