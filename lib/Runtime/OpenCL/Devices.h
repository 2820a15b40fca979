//===- OpenCL/Devices.h - the devices of all drivers ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Devices are numbered over all platforms, in the loader's order. Which of them can run kernels is asked by what they
// say of themselves, not by who made them.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_DEVICES_H
#define MICA_LIB_RUNTIME_OPENCL_DEVICES_H

#include "lib/Runtime/OpenCL/Library.h"
#include "lib/Runtime/OpenCL/SpirvModule.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::runtime::opencl {

/// A device, and what matters of it.
struct DeviceProperties {
  Device device = nullptr;
  std::string name;
  std::string text; ///< for lists: name, version, units, memory, driver
  bool hasF16 = false, hasF64 = false, hasAtomics64 = false;
  bool dividesCorrectly = false;                                  ///< f32, if asked to
  bool takesSpirv = false;                                        ///< by clCreateProgramWithIL
  bool takesBitcode = false;                                      ///< by clCreateProgramWithBinary, of a translator
  int64_t memoryBytes = 0, largestAllocation = 0, localBytes = 0; ///< localBytes: of a block
  std::string problem;                                            ///< why it cannot run kernels; "" if it can

  /// What of `module` the device lacks: "f64"; "" if nothing.
  std::string missingFor(const SpirvModule &module) const;
};

/// All devices of the machine. Unsupported if there is no driver.
Result<std::vector<DeviceProperties>> findDevices(const Library &library);

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_DEVICES_H
