//===- Phase.cpp - the pipeline of phases of the area Gpu -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What runs in the phases kernel and lowered for targets with launches, in order. Both nest on the kernels' own modules. A kernel
// that has no launches after mica-gpu-form-launches is code of the host from there on.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Cpu/Passes.h"
#include "passes/Gpu/Passes.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Sim/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Canonicalization with a limit, so that rewriting without end becomes a kernel that is merely not simplified.
static void addCleanup(OpPassManager &pm) {
  GreedyRewriteConfig config;
  config.setMaxIterations(10);
  pm.addPass(createCanonicalizerPass(config));
  pm.addPass(createCSEPass());
}

void mica::buildGpuSchedulePhase(OpPassManager &pm, const PipelineOptions &options) {
  buildSchedulePhase(pm, options);
  PlaceTasksPassOptions place;
  // As the runtime names devices; it has none for the targets rocm and spirv.
  place.device = options.target == "cuda" ? "gpu:0" : options.target + ":0";
  pm.addPass(createPlaceTasksPass(place));
}

void mica::buildGpuKernelPhase(OpPassManager &pm, const PipelineOptions &options) {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addPass(createCoverOutputs());
  kernel.addNestedPass<func::FuncOp>(createDropEmptyLoopsPass());
  kernel.addNestedPass<func::FuncOp>(createWidenReductionsPass());
  kernel.addPass(createDecomposeOpsPass());
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(createDropEmptyLoopsPass());
  if (options.optLevel > 0) {
    kernel.addNestedPass<func::FuncOp>(createFuseElementwisePass());
    addCleanup(kernel);
  }
  addKernelBufferization(kernel);
  if (options.optLevel > 0) {
    if (hasWarps(options)) {
      PlanContractionsPassOptions products;
      products.computeCapability = options.computeCapability;
      products.allowTf32 = options.allowTf32;
      kernel.addNestedPass<func::FuncOp>(createPlanContractionsPass(products));
    }
    kernel.addNestedPass<func::FuncOp>(createCollapseLoopsPass());
    addCleanup(kernel);
  }
  kernel.addNestedPass<func::FuncOp>(createKeepOnHostPass({options.target}));
  if (options.optLevel > 0 && hasWarps(options)) {
    kernel.addNestedPass<func::FuncOp>(createSplitReductionsPass());
    PlanRowsPassOptions rows;
    rows.vectorBytes = options.optLevel >= 2 ? 16 : 0;
    kernel.addNestedPass<func::FuncOp>(createPlanRowsPass(rows));
  }
  FormLaunchesPassOptions launches;
  launches.hostMemory = options.target == "sim";
  launches.vectorBytes = options.optLevel >= 2 ? 16 : 0;
  kernel.addNestedPass<func::FuncOp>(createFormLaunchesPass(launches));
  VectorizeLoopsPassOptions loops;
  loops.vectorBits = 0;
  kernel.addNestedPass<func::FuncOp>(createVectorizeLoopsPass(loops));
  addCleanup(kernel);
  if (checksKernels(options)) {
    kernel.addNestedPass<func::FuncOp>(createSinkIntoLaunchesPass());
    addKernelChecks(kernel, options);
  }
  if (looksForNans(options)) {
    if (!checksKernels(options)) {
      kernel.addNestedPass<func::FuncOp>(createSinkIntoLaunchesPass());
      kernel.addNestedPass<func::FuncOp>(createPlainAccessesPass());
    }
    kernel.addPass(memref::createFoldMemRefAliasOpsPass());
    kernel.addNestedPass<func::FuncOp>(createCheckNansPass());
    addCleanup(kernel);
    kernel.addNestedPass<func::FuncOp>(createNumberChecksPass());
  }
  AllocateScratchPassOptions scratch;
  scratch.stackBytes = 0;
  kernel.addNestedPass<func::FuncOp>(createAllocateScratchPass(scratch));
  kernel.addNestedPass<func::FuncOp>(createPlaceTemporariesPass());
  kernel.addPass(createOutlineLaunchesPass());
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(createDistributePass());
  addCleanup(kernel);
}

/// Checks of what runs on the device, and of kernels that stay on the host.
static void addLowerChecks(OpPassManager &kernel, const mica::PipelineOptions &options) {
  if (!mica::checksKernels(options) && !mica::looksForNans(options))
    return;
  kernel.addPass(mica::createLowerDeviceChecksPass());
  kernel.addPass(mica::createLowerChecksPass());
}

/// The wrapper and what it launches become functions of the host that the simulator calls.
static void buildSimLowered(OpPassManager &pm, const mica::PipelineOptions &options) {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  addLowerChecks(kernel, options);
  kernel.addPass(mica::createLowerDynamicAllocsPass());
  kernel.addPass(mica::createConvertKernelEntryPass());
  kernel.nest<gpu::GPUModuleOp>().addPass(mica::createExpandCollectives());
  kernel.addPass(mica::createConvertGpuToSim());
  mica::CheckAccessesOptions checks;
  checks.checks = options.simChecks;
  checks.kernels = options.simKernels;
  kernel.addPass(mica::createCheckAccesses(checks));
  kernel.addNestedPass<func::FuncOp>(mica::createExpandPowersPass());
  kernel.addNestedPass<func::FuncOp>(mica::createEmulateIntegersPass());
  kernel.addNestedPass<func::FuncOp>(
      mica::createEmulateSmallFloatsPass({llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats))}));
  mica::addLowerToLLVMPasses(kernel, options.emulatedFloats);
  kernel.addPass(mica::createSplitKernels());
  kernel.addPass(mica::createReturnSimStatusPass());
}

/// What is launched becomes the LLVM dialect as the device has it, the wrapper code of the host.
static void buildDeviceLowered(OpPassManager &pm, const mica::PipelineOptions &options) {
  const std::string &target = options.target;
  OpPassManager &kernel = pm.nest<ModuleOp>();
  addLowerChecks(kernel, options);
  kernel.addPass(mica::createConvertLaunchesPass());
  OpPassManager &device = kernel.nest<gpu::GPUModuleOp>();
  device.addNestedPass<func::FuncOp>(mica::createExpandPowersPass());
  device.addNestedPass<func::FuncOp>(mica::createEmulateIntegersPass());
  device.addNestedPass<func::FuncOp>(mica::createEmulateSmallFloatsPass());
  device.addPass(mica::createApproximateMathPass({/*extrema=*/false}));
  device.addPass(createConvertVectorToSCFPass());
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  device.addPass(createLoopInvariantCodeMotionPass());
  device.addPass(createSCFToControlFlowPass());
  if (target == "cuda") {
    device.addPass(mica::createConvertMmaPass());
    device.addPass(createConvertNVGPUToNVVMPass());
    device.addPass(mica::createConvertIdsPass());
  } else {
    device.addPass(mica::createConvertPortableIdsPass({target}));
  }
  device.addPass(createConvertMathToLLVMPass());
  device.addPass(createConvertVectorToLLVMPass());
  device.addPass(createConvertToLLVMPass());
  device.addPass(mica::createMarkEntriesPass({target}));
  device.addPass(createReconcileUnrealizedCastsPass());
  device.addPass(createCanonicalizerPass());
  device.addPass(createCSEPass());
  kernel.addNestedPass<func::FuncOp>(mica::createExpandPowersPass());
  kernel.addNestedPass<func::FuncOp>(mica::createEmulateIntegersPass());
  kernel.addNestedPass<func::FuncOp>(
      mica::createEmulateSmallFloatsPass({llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats))}));
  kernel.addPass(mica::createLowerDynamicAllocsPass());
  kernel.addPass(mica::createConvertKernelEntryPass());
  mica::addLowerToLLVMPasses(kernel, options.emulatedFloats);
}

void mica::buildGpuLoweredPhase(OpPassManager &pm, const PipelineOptions &options) {
  if (options.target == "sim")
    buildSimLowered(pm, options);
  else
    buildDeviceLowered(pm, options);
}
