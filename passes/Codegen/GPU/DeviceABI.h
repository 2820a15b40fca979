//===- DeviceABI.h - calling conventions of device code -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// How ids are read, how entries are marked, and what the device does not support.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_DEVICEABI_H
#define MICA_PASSES_CODEGEN_GPU_DEVICEABI_H

namespace mica {

enum class DeviceABI {
  Host,  ///< functions of the host, which the simulator calls
  NVVM,  ///< NVIDIA's GPUs
  ROCDL, ///< AMD's GPUs
  SPIRV  ///< OpenCL devices
};

} // namespace mica

#endif // MICA_PASSES_CODEGEN_GPU_DEVICEABI_H
