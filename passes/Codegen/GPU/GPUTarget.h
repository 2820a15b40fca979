//===- GPUTarget.h - targets with kernel launches -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Common base of the simulator and GPUs, and base of GPUs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_GPUTARGET_H
#define MICA_PASSES_CODEGEN_GPU_GPUTARGET_H

#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/Target.h"

namespace mica {

/// A target whose kernels become launches of thread grids. A kernel without launches after mica-gpu-map-to-launches
/// runs on the host.
class GPUTarget : public codegen::Target {
public:
  using Target::Target;
  void addSchedulePasses(mlir::OpPassManager &pm, const PipelineOptions &options) const override;
  void buildKernelPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const override;

protected:
  /// Selects the kernels that run on the host.
  virtual SelectHostFallbackPassOptions hostFallback(const PipelineOptions &options) const = 0;
  /// Whether the back end serves the host part of a kernel with memory (mica/ABI/Memory.h), and so its checks of sizes.
  virtual bool hasMemoryService() const { return false; }
  /// The number of the device that tasks name.
  virtual int deviceNumber(const PipelineOptions &options) const { return 0; }
  /// Lowers the checks in launches, and in kernels that run on the host.
  void addLowerChecks(mlir::OpPassManager &kernel, const PipelineOptions &options) const;
};

/// A GPU with its own code: launches are lowered to the device's LLVM dialect, and the wrapper to host code.
class DeviceTarget : public GPUTarget {
public:
  DeviceTarget(llvm::StringRef name, DeviceABI abi) : GPUTarget(name), abi(abi) {}
  void buildLoweredPhase(mlir::OpPassManager &pm, const PipelineOptions &options) const override;

protected:
  SelectHostFallbackPassOptions hostFallback(const PipelineOptions &options) const override;
  /// The 16-bit floats ("f16", "bf16") that are stored as integers and computed in f32.
  virtual std::vector<std::string> emulatedFloats(const PipelineOptions &options) const { return {}; }
  /// Converts ids, barriers and other gpu and nvgpu ops that the device supports.
  virtual void addIdPasses(mlir::OpPassManager &device) const;

  const DeviceABI abi;
};

/// The targets cuda, rocm, opencl and spirv. Constant.
const codegen::Target &getCUDATarget();
const codegen::Target &getROCmTarget();
const codegen::Target &getOpenCLTarget();
const codegen::Target &getSPIRVTarget();

} // namespace mica

#endif // MICA_PASSES_CODEGEN_GPU_GPUTARGET_H
