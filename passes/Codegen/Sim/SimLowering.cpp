//===- SimLowering.cpp - the pipeline mica-sim-lowering ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Kernels become functions of the host module first, so that the reference lowering handles kernels and host functions
// alike; they are split at their convergence points when only the LLVM dialect is left.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"
#include "passes/Codegen/Sim/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mica;

void mica::buildSimProgram(OpPassManager &pm, const SimOptions &options) {
  pm.addPass(createGpuKernelOutliningPass());
  // A run prints and compares what kernels and the host store to arguments.
  pm.addPass(createReturnUpdates());
  pm.addPass(createConvertNvgpu());
  OpPassManager &modules = pm.nest<gpu::GPUModuleOp>();
  modules.addPass(createInlinerPass());
  modules.addPass(createExpandCollectives());
  pm.addPass(createCallKernels());
  pm.addPass(createConvertGpuToSim());
  CheckAccessesOptions checks;
  checks.checks = options.checks;
  checks.kernels = options.kernels;
  pm.addPass(createCheckAccesses(checks));
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  pm.addPass(createShareConstants());
}

void mica::buildSimCode(OpPassManager &pm, const SimOptions &options) {
  buildReferenceCode(
      pm, options.emulatedFloats, [](OpPassManager &pm) { pm.addPass(createSplitAtBarriers()); },
      /*keepsSignatures=*/true);
}

void mica::registerSimPipeline() {
  PassPipelineRegistration<SimOptions>(
      "mica-sim-lowering", "From GPU kernels and the functions that launch them to the LLVM dialect, for the simulator",
      [](OpPassManager &pm, const SimOptions &options) {
        buildSimProgram(pm, options);
        buildSimCode(pm, options);
      });
}
