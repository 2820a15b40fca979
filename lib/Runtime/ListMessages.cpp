//===- ListMessages.cpp - what is said of task lists ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ListMessages.h"

#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

namespace mica::runtime {

void logDeviceChanges(const Program &program, const artifact::TaskList &list) {
  std::string text;
  for (size_t i = 1; i < list.tasks.size(); ++i)
    if (list.tasks[i].device != list.tasks[i - 1].device)
      text += "\n  from " + list.tasks[i - 1].device + " to " + list.tasks[i].device + " for " +
              program.describeLaunch(list.tasks[i].kernel, list.tasks[i].site);
  MICA_LOG(PerfHints, Info) << "list '" << list.name << "' changes the device, and what goes over is copied:" << text;
}

Error arenaError(const Program &program, int64_t bytes, Error error) {
  for (const artifact::TaskList &list : program.taskLists()) {
    if (list.arenaBytes != bytes)
      continue;
    const artifact::BufferRecord *largest = nullptr;
    for (const artifact::BufferRecord &buffer : list.buffers)
      if (buffer.kind == artifact::BufferKind::Arena && (!largest || buffer.bytes > largest->bytes))
        largest = &buffer;
    for (const artifact::TaskRecord &task : list.tasks)
      for (int64_t position : task.buffers)
        if (largest && &list.buffers[size_t(position)] == largest) {
          error.message += "; the arena of list '" + list.name + "' takes " + byteSize(bytes) +
                           ", its largest buffer is tensor<" +
                           shapedTypeString(largest->type.shape, largest->type.dtype) + "> of " +
                           program.describeOps(task.kernel, task.site, {0});
          return error;
        }
  }
  return error;
}

} // namespace mica::runtime
