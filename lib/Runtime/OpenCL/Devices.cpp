//===- OpenCL/Devices.cpp - the devices of all drivers ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/Devices.h"

#include "lib/Runtime/OpenCL/Translation.h"
#include "mica/Support/Text.h"

#include <algorithm>

namespace mica::runtime::opencl {

std::string DeviceProperties::missingFor(const SpirvModule &module) const {
  auto lacks = [&](uint32_t capability, bool has) { return !has && module.capabilities.count(capability) != 0; };
  std::vector<std::string> missing;
  if (lacks(SpirvModule::kFloat64, hasF64))
    missing.push_back("f64");
  if (lacks(SpirvModule::kFloat16, hasF16))
    missing.push_back("f16");
  if (lacks(SpirvModule::kInt64Atomics, hasAtomics64))
    missing.push_back("atomics on i64");
  return joinNames(missing);
}

/// Why kernels cannot run on it; "" if they can.
static std::string findProblem(const Library &library, const DeviceProperties &device) {
  if (!library.createQueue || !library.allocate || !library.release || !library.copy || !library.setPointer)
    return "the loader is older than OpenCL 2.0";
  if ((library.deviceNumber(device.device, kDeviceSharedMemory) & kCoarseSharing) == 0)
    return "it has no shared virtual memory, whose addresses kernels are passed";
  if (device.takesSpirv || (device.takesBitcode && !findTranslators().empty()))
    return "";
  if (device.takesBitcode)
    return "it takes bitcode, not SPIR-V, and llvm-spirv, which translates it, is not on PATH (Debian: "
           "llvm-spirv-15)";
  return "it takes neither SPIR-V (clCreateProgramWithIL) nor bitcode (cl_khr_spir)";
}

static DeviceProperties describe(const Library &library, Device handle) {
  DeviceProperties device;
  device.device = handle;
  auto number = [&](uint32_t what) { return library.deviceNumber(handle, what); };
  device.name = library.deviceText(handle, kDeviceName);
  const std::vector<std::string> extensions = splitText(library.deviceText(handle, kDeviceExtensions), ' ');
  auto has = [&](const char *name) {
    return std::find(extensions.begin(), extensions.end(), name) != extensions.end();
  };
  device.hasF16 = has("cl_khr_fp16");
  device.hasF64 = number(kDeviceDoubleFloats) != 0;
  device.hasAtomics64 = has("cl_khr_int64_base_atomics");
  device.dividesCorrectly = (number(kDeviceSingleFloats) & kCorrectDivision) != 0;
  const std::string languages = library.deviceText(handle, kDeviceLanguages);
  device.takesSpirv = library.createProgramWithIL && languages.find("SPIR-V") != languages.npos;
  device.takesBitcode = has("cl_khr_spir");
  device.memoryBytes = int64_t(number(kDeviceMemory));
  device.largestAllocation = int64_t(number(kDeviceAllocation));
  device.localBytes = int64_t(number(kDeviceLocalMemory));
  const std::string version = library.deviceText(handle, kDeviceVersion);
  const uint64_t units = number(kDeviceComputeUnits);
  device.text = device.name + ", " + version.substr(0, version.find(' ', version.find(' ') + 1)) + ", " +
                std::to_string(units) + (units == 1 ? " compute unit, " : " compute units, ") +
                byteSize(device.memoryBytes) + ", driver " + library.deviceText(handle, kDeviceDriver);
  device.problem = findProblem(library, device);
  return device;
}

Result<std::vector<DeviceProperties>> findDevices(const Library &library) {
  uint32_t count = 0;
  const Code code = library.getPlatforms(0, nullptr, &count);
  if (code == kNoPlatform || (code == kSuccess && count == 0))
    return Error{ErrorCode::Unsupported, "no OpenCL driver is registered with the loader",
                 "install that of the device (Debian: pocl-opencl-icd for the CPU); /etc/OpenCL/vendors lists them"};
  MICA_RETURN_IF_ERROR(library.check(code, "cannot count the drivers"));
  std::vector<Platform> platforms(count);
  MICA_RETURN_IF_ERROR(
      library.check(library.getPlatforms(count, platforms.data(), nullptr), "cannot list the drivers"));
  std::vector<DeviceProperties> devices;
  for (Platform platform : platforms) {
    uint32_t number = 0;
    // A driver without a device is no error; nor is one that fails, as long as others have devices.
    if (library.getDevices(platform, kAllDevices, 0, nullptr, &number) != kSuccess || number == 0)
      continue;
    std::vector<Device> handles(number);
    if (library.getDevices(platform, kAllDevices, number, handles.data(), nullptr) == kSuccess)
      for (Device handle : handles)
        devices.push_back(describe(library, handle));
  }
  return devices;
}

} // namespace mica::runtime::opencl
