//===- TaskListPartition.h - a task list of several devices -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Is cut where the device changes: the parts run one after the other, each on its device alone. Buffers whose size is
// known at run time only live as long as the whole list, so they become parameters of the parts.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_TASKLISTPARTITION_H
#define MICA_LIB_RUNTIME_TASKLISTPARTITION_H

#include "mica/Artifact/Manifest.h"

#include <string>
#include <vector>

namespace mica::runtime {

/// Tasks of a list that follow each other and run on one device. Their dependencies are those among themselves.
struct ListPart {
  artifact::TaskList list;
  std::string device;
  size_t firstTask = 0; ///< of the whole list
};

struct TaskListPartition {
  std::vector<ListPart> parts; ///< at least one, also of a list without tasks
  /// Of several parts: which scalar holds the size in bytes of the parameters behind the list's own, one each.
  std::vector<int64_t> extraParameters;
};

TaskListPartition cutByDevice(const artifact::TaskList &list);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_TASKLISTPARTITION_H
