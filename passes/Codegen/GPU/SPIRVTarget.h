//===- SPIRVTarget.h - targets whose kernels become SPIR-V --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Common base of the targets opencl and spirv: modules of OpenCL's SPIR-V environment.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_SPIRVTARGET_H
#define MICA_PASSES_CODEGEN_GPU_SPIRVTARGET_H

#include "passes/Codegen/GPU/GPUTarget.h"

namespace mica {

/// A target with modules of SPIR-V 1.2, that of OpenCL 2.2, which older implementations accept too.
class SPIRVTargetBase : public DeviceTarget {
public:
  explicit SPIRVTargetBase(llvm::StringRef name) : DeviceTarget(name, DeviceABI::SPIRV) {}
  codegen::DeviceFiles deviceFiles() const override { return {"kernel.spvasm", "kernel.spv"}; }
  bool keepsDeviceLlvm() const override { return true; }
  Result<std::vector<artifact::DeviceEntry>> describeCode(llvm::StringRef text, const std::string &file,
                                                          const codegen::CodeTarget &code,
                                                          const std::string &cubin) const override;

protected:
  /// The code generator's target for the device `device`, as --target names it.
  static Result<codegen::CodeTarget> makeCode(std::string device);
};

} // namespace mica

#endif // MICA_PASSES_CODEGEN_GPU_SPIRVTARGET_H
