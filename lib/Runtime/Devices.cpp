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

#include "lib/Runtime/Backend/Registration.h"

#include <algorithm>
#include <charconv>

namespace mica::runtime {

std::vector<std::string> deviceNames(const Program &program) {
  std::vector<std::string> names;
  for (const artifact::TaskList &list : program.taskLists())
    for (const artifact::TaskRecord &task : list.tasks)
      if (std::find(names.begin(), names.end(), task.device) == names.end())
        names.push_back(task.device);
  if (names.empty())
    names.emplace_back(kHostDevice);
  return names;
}

Result<std::unique_ptr<Backend>> createBackend(const std::string &name, const ContextOptions &options) {
  const size_t colon = name.find(':');
  int number = -1;
  if (colon != name.npos)
    if (const char *end = name.data() + name.size(); std::from_chars(name.data() + colon + 1, end, number).ptr != end)
      number = -1;
  if (number >= 0)
    for (const BackendRegistration &row : backendRegistrations())
      if (findTarget(row.target)->device == std::string_view(name).substr(0, colon))
        return row.create(number, name, options);
  return Error{ErrorCode::Unsupported, "the program runs on device '" + name + "', which is not available",
               "mica-run --list-devices lists the available ones"};
}

Result<std::vector<std::unique_ptr<Backend>>> createBackends(const Program &program, const ContextOptions &options) {
  std::vector<std::unique_ptr<Backend>> backends;
  for (const std::string &name : deviceNames(program)) {
    MICA_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, createBackend(name, options));
    backends.push_back(std::move(backend));
  }
  return backends;
}

/// As /proc/cpuinfo has it.
std::vector<DeviceInfo> listDevices() {
  std::vector<DeviceInfo> devices;
  for (const BackendRegistration &row : backendRegistrations())
    if (row.list)
      for (DeviceInfo &device : row.list())
        devices.push_back(std::move(device));
  return devices;
}

} // namespace mica::runtime
