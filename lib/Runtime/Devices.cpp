//===- Devices.cpp - the devices of a program ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Devices.h"

#include <algorithm>

namespace mica::runtime {

std::vector<std::string> deviceNames(const Program &program) {
  std::vector<std::string> names;
  for (const artifact::TaskList &list : program.taskLists())
    for (const artifact::TaskRecord &task : list.tasks)
      if (std::find(names.begin(), names.end(), task.device) == names.end())
        names.push_back(task.device);
  if (names.empty())
    names.emplace_back("cpu:0");
  return names;
}

Result<std::unique_ptr<Backend>> createBackend(const std::string &name, const ContextOptions &options) {
  if (name == "cpu:0")
    return createCpuBackend(options.threads);
  if (name == "sim:0")
    return createSimBackend(options.switches.text(Switch::SimSchedule));
  return Error{ErrorCode::Unsupported, "the program runs on device '" + name + "', which is not there",
               "there are: cpu:0, sim:0"};
}

Result<std::vector<std::unique_ptr<Backend>>> createBackends(const Program &program, const ContextOptions &options) {
  std::vector<std::unique_ptr<Backend>> backends;
  for (const std::string &name : deviceNames(program)) {
    MICA_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, createBackend(name, options));
    backends.push_back(std::move(backend));
  }
  return backends;
}

} // namespace mica::runtime
