//===- GPUTarget.h - targets whose kernels become launches --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the simulator and GPUs have in common, and what GPUs have.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_GPUTARGET_H
#define MICA_PASSES_CODEGEN_GPU_GPUTARGET_H

#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/Target.h"

namespace mica {

/// A target whose kernels become launches of grids of threads. A kernel that has none after mica-gpu-map-to-launches is
/// code of the host from there on.
class GPUTarget : public codegen::Target {
public:
  using Target::Target;
  void addSchedulePasses(mlir::OpPassManager &pm) const override;
  void buildKernelPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const override;

protected:
  /// Which kernels the target leaves to the host.
  virtual SelectHostFallbackPassOptions hostFallback() const = 0;
  /// Lowers the checks in what is launched, and in kernels that stay on the host.
  void addLowerChecks(mlir::OpPassManager &kernel, const PipelineOptions &options) const;
};

/// A GPU with code of its own: what is launched becomes the LLVM dialect as the device has it, the wrapper around it
/// code of the host.
class DeviceTarget : public GPUTarget {
public:
  DeviceTarget(llvm::StringRef name, DeviceABI abi) : GPUTarget(name), abi(abi) {}
  void buildLoweredPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const override;

protected:
  SelectHostFallbackPassOptions hostFallback() const override;
  /// Converts ids, barriers and what else of gpu and nvgpu the device has.
  virtual void addIdPasses(mlir::OpPassManager &device) const;

  const DeviceABI abi;
};

/// The targets cuda, rocm and spirv. Constant.
const codegen::Target &getCUDATarget();
const codegen::Target &getROCmTarget();
const codegen::Target &getSPIRVTarget();

} // namespace mica

#endif // MICA_PASSES_CODEGEN_GPU_GPUTARGET_H
