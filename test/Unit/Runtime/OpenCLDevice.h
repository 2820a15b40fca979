//===- OpenCLDevice.h - whether tests can run on an OpenCL device -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Debian's pocl-opencl-icd and llvm-spirv-15 make one of any machine.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_RUNTIME_OPENCLDEVICE_H
#define MICA_TEST_UNIT_RUNTIME_OPENCLDEVICE_H

#include "mica/Runtime/OpenCL.h"

#include <string>

namespace mica::runtime {

/// Why opencl:0 cannot run the kernels of OpenCLKernels.cl; "" if it can.
inline std::string absentOpenCL() {
  const std::string kernels = MICA_OPENCL_KERNELS;
  if (kernels.empty())
    return "no SPIR-V of the kernels: clang 22 makes it";
  const Result<std::vector<OpenCLDevice>> devices = describeOpenCLDevices();
  if (!devices)
    return devices.error().message;
  return devices->empty() ? "the drivers have no device" : devices->front().problem;
}

} // namespace mica::runtime

#endif // MICA_TEST_UNIT_RUNTIME_OPENCLDEVICE_H
