//===- Passes.h - passes of the area Codegen/GPU ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes declared in Passes.td beside this file, which lower the kernels of a program
// for a GPU. The builders of their phases are those of passes/Pipelines/Phases.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_PASSES_H
#define MICA_PASSES_CODEGEN_GPU_PASSES_H

#include "passes/Codegen/GPU/DeviceABI.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace mica {

/// The name of the gpu.module in a kernel's module.
inline constexpr llvm::StringLiteral kGpuModuleName = "device";

/// Sinks views, sizes and index arithmetic that the launch uses into it; see mica-gpu-sink-into-launches.
void sinkIntoLaunch(mlir::gpu::LaunchOp launch);

#define GEN_PASS_DECL
#include "passes/Codegen/GPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/GPU/Passes.h.inc"

} // namespace mica

#endif // MICA_PASSES_CODEGEN_GPU_PASSES_H
