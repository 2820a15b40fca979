//===- Registration.cpp - back ends by target ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A target that runs programs is added here.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Backend/Registration.h"

#include "lib/Runtime/Ranks/RankSession.h"
#include "mica/Runtime/Cuda.h"
#include "mica/Runtime/OpenCL.h"
#include "mica/Support/Log.h"

#include <fstream>

namespace mica::runtime {

static std::string cpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const size_t colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return "CPU";
}

/// There is one of `name`, number 0.
static Status checkOnly(int number, const std::string &name) {
  if (number == 0)
    return {};
  return Error{ErrorCode::Unsupported, "the program runs on device '" + name + "', which is not available",
               "mica-run --list-devices lists the available ones"};
}

static Result<std::unique_ptr<Backend>> createCpu(int number, const std::string &name, const ContextOptions &options) {
  MICA_RETURN_IF_ERROR(checkOnly(number, name));
  return createCpuBackend(options.threads);
}

static std::vector<DeviceInfo> listCpus() {
  const int threads = availableCpus();
  return {{"cpu:0", cpuModel() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), true}};
}

static Result<std::unique_ptr<Backend>> createSim(int number, const std::string &name, const ContextOptions &options) {
  MICA_RETURN_IF_ERROR(checkOnly(number, name));
  return createSimBackend(options.switches.text(Switch::SimSchedule));
}

static std::vector<DeviceInfo> listSims() {
  return {{"sim:0", "simulator of GPU kernels, thread by thread, with checks", true}};
}

/// Ranks of one machine get a device each, in turn.
static int deviceOfRank(int number, const std::string &name, const ContextOptions &options) {
  const std::optional<RankLauncher> launcher =
      options.session && options.session->communicator().isRemote() ? rankLauncher() : std::nullopt;
  const Result<std::vector<std::string>> devices =
      launcher ? describeCudaDevices() : Result<std::vector<std::string>>(std::vector<std::string>());
  if (!devices || devices->size() < 2)
    return number;
  const int chosen = int(size_t(number + launcher->localRank) % devices->size());
  MICA_LOG(Runtime, Info).device(name) << "is device " << chosen << " of the driver for rank " << launcher->rank;
  return chosen;
}

static Result<std::unique_ptr<Backend>> createCuda(int number, const std::string &name, const ContextOptions &options) {
  return createCudaBackend(deviceOfRank(number, name, options), name);
}

static std::vector<DeviceInfo> listGpus() {
  const Result<std::vector<std::string>> gpus = describeCudaDevices();
  if (!gpus)
    return {{"gpu:0", gpus.error().message, false}};
  if (gpus->empty())
    return {{"gpu:0", "the driver has no device", false}};
  std::vector<DeviceInfo> devices;
  for (const std::string &text : *gpus)
    devices.push_back({"gpu:" + std::to_string(devices.size()), text, true});
  return devices;
}

static Result<std::unique_ptr<Backend>> createOpenCL(int number, const std::string &name, const ContextOptions &) {
  return createOpenCLBackend(number, name);
}

static std::vector<DeviceInfo> listOpenCL() {
  const Result<std::vector<OpenCLDevice>> found = describeOpenCLDevices();
  if (!found || found->empty())
    return {{"opencl:0", found ? "the drivers have no device" : found.error().message, false}};
  std::vector<DeviceInfo> devices;
  for (const OpenCLDevice &device : *found)
    devices.push_back({"opencl:" + std::to_string(devices.size()),
                       device.problem.empty() ? device.text : device.text + ": " + device.problem,
                       device.problem.empty()});
  return devices;
}

static Error notRun(const std::string &name, const std::string &file) {
  return {ErrorCode::Unsupported,
          "the program was compiled for device '" + name +
              "', for which Mica has no back end: it compiles the kernels, but cannot run them",
          "they are kernels/*/" + file +
              ", for a loader of your own; to run the program here compile it with --target=cpu or --target=sim"};
}

static Result<std::unique_ptr<Backend>> createRocm(int, const std::string &name, const ContextOptions &) {
  return notRun(name, "kernel.hsaco");
}

static Result<std::unique_ptr<Backend>> createSpirv(int, const std::string &name, const ContextOptions &) {
  return notRun(name, "kernel.spv");
}

static constexpr BackendRegistration kRegistrations[] = {
    {"cpu", createCpu, listCpus},  {"sim", createSim, listSims},         {"cuda", createCuda, listGpus},
    {"rocm", createRocm, nullptr}, {"opencl", createOpenCL, listOpenCL}, {"spirv", createSpirv, nullptr},
};

std::span<const BackendRegistration> backendRegistrations() { return kRegistrations; }

} // namespace mica::runtime
