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

#include "mica/Runtime/Cuda.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <fstream>

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
  int ordinal = -1;
  if (const char *end = name.data() + name.size();
      name.starts_with("gpu:") && std::from_chars(name.data() + 4, end, ordinal).ptr == end && ordinal >= 0)
    return createCudaBackend(ordinal, name);
  if (name == "rocm:0" || name == "spirv:0")
    return Error{
        ErrorCode::Unsupported,
        "the program was compiled for device '" + name +
            "', which Mica has no back end for: its kernels are made, not run",
        std::string("they are kernels/*/kernel.") + (name == "rocm:0" ? "hsaco" : "spv") +
            ", for a loader of your own; to run the program here compile it with --target=cpu or --target=sim"};
  return Error{ErrorCode::Unsupported, "the program runs on device '" + name + "', which is not there",
               "mica-run --list-devices shows those that are"};
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
static std::string cpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const size_t colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return "CPU";
}

std::vector<DeviceInfo> listDevices() {
  const int threads = availableCpus();
  std::vector<DeviceInfo> devices = {
      {"cpu:0", cpuModel() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), true},
      {"sim:0", "simulator of GPU kernels, thread by thread, with checks", true}};
  Result<std::vector<std::string>> gpus = describeCudaDevices();
  if (!gpus)
    devices.push_back({"gpu:0", gpus.error().message, false});
  else if (gpus->empty())
    devices.push_back({"gpu:0", "the driver has no device", false});
  else
    for (size_t i = 0; i < gpus->size(); ++i)
      devices.push_back({"gpu:" + std::to_string(i), (*gpus)[i], true});
  return devices;
}

} // namespace mica::runtime
