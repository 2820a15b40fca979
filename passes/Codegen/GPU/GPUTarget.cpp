//===- GPUTarget.cpp - targets with kernel launches ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipelines of the phases kernel and lowered for targets with launches. Both are nested on the kernels' own
// modules.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUTarget.h"

#include "passes/Check/Passes.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/GPU/Passes.h"
#include "passes/Pipelines/Canonicalize.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mica;

void GPUTarget::addSchedulePasses(OpPassManager &pm, const PipelineOptions &options) const {
  AssignDevicesPassOptions devices;
  devices.device = std::string(info().device) + ":" + std::to_string(deviceNumber(options));
  pm.addPass(createAssignDevicesPass(devices));
}

void GPUTarget::buildKernelPhase(OpPassManager &pm, const PipelineOptions &options) const {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addPass(createCoverOutputs());
  kernel.addNestedPass<func::FuncOp>(createEraseZeroTripOpsPass());
  kernel.addNestedPass<func::FuncOp>(createPromoteAccumulatorsPass());
  kernel.addPass(createDecomposeOpsPass());
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(createEraseZeroTripOpsPass());
  if (options.optLevel > 0) {
    kernel.addNestedPass<func::FuncOp>(createFuseElementwisePass());
    addCleanup(kernel);
  }
  addKernelBufferization(kernel, options);
  if (options.optLevel > 0) {
    if (info().hasWarps) {
      GPUSelectContractionConfigPassOptions products;
      products.computeCapability = options.computeCapability;
      products.allowTf32 = options.allowTf32;
      kernel.addNestedPass<func::FuncOp>(createGPUSelectContractionConfigPass(products));
    }
    kernel.addNestedPass<func::FuncOp>(createCollapseContiguousDimsPass());
    addCleanup(kernel);
  }
  kernel.addNestedPass<func::FuncOp>(createSelectHostFallbackPass(hostFallback(options)));
  if (options.optLevel > 0 && info().hasWarps) {
    kernel.addNestedPass<func::FuncOp>(createSplitReductionsPass());
    GPUSelectReductionConfigPassOptions rows;
    rows.vectorBytes = options.optLevel >= 2 ? 16 : 0;
    kernel.addNestedPass<func::FuncOp>(createGPUSelectReductionConfigPass(rows));
  }
  MapToLaunchesPassOptions launches;
  launches.hostMemory = !info().hasDeviceCode;
  launches.vectorBytes = options.optLevel >= 2 ? 16 : 0;
  kernel.addNestedPass<func::FuncOp>(createMapToLaunchesPass(launches));
  VectorizeLoopsPassOptions loops;
  loops.vectorBits = 0;
  kernel.addNestedPass<func::FuncOp>(createVectorizeLoopsPass(loops));
  addCleanup(kernel);
  const bool hasChecks = checkLevel(options) != "none";
  if (hasChecks || looksForNans(options))
    kernel.addNestedPass<func::FuncOp>(createSinkIntoLaunchesPass());
  if (hasChecks)
    addKernelChecks(kernel, options, supportsAssertLevel());
  if (looksForNans(options)) {
    if (!checksKernels(options))
      kernel.addNestedPass<func::FuncOp>(createLowerAffineAccessesPass());
    kernel.addPass(createFoldViewsPass());
    kernel.addNestedPass<func::FuncOp>(createCheckNansPass());
    addCleanup(kernel);
    kernel.addNestedPass<func::FuncOp>(createNumberChecksPass());
  }
  AllocateScratchPassOptions scratch;
  scratch.stackBytes = 0;
  kernel.addNestedPass<func::FuncOp>(createAllocateScratchPass(scratch));
  kernel.addNestedPass<func::FuncOp>(createGPULowerDynamicAllocsPass({hasMemoryService()}));
  kernel.addPass(createOutlineLaunchesPass());
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(createDistributePass());
  addCleanup(kernel);
}

void GPUTarget::addLowerChecks(OpPassManager &kernel, const PipelineOptions &options) const {
  if (checkLevel(options) == "none" && !looksForNans(options))
    return;
  kernel.addPass(mica::createLowerDeviceChecksPass());
  kernel.addPass(mica::createLowerChecksPass());
}

SelectHostFallbackPassOptions DeviceTarget::hostFallback(const PipelineOptions &) const {
  SelectHostFallbackPassOptions options;
  options.abi = abi;
  return options;
}

void DeviceTarget::addIdPasses(OpPassManager &device) const { device.addPass(createConvertPortableIdsPass({abi})); }

void DeviceTarget::buildLoweredPhase(OpPassManager &pm, const PipelineOptions &options) const {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addNestedPass<func::FuncOp>(createEraseCollectivesPass());
  addLowerChecks(kernel, options);
  kernel.addPass(createConvertLaunchesPass());
  OpPassManager &device = kernel.nest<gpu::GPUModuleOp>();
  device.addNestedPass<func::FuncOp>(createExpandPowersPass());
  device.addNestedPass<func::FuncOp>(createEmulateNarrowIntsPass());
  const std::vector<std::string> emulated = emulatedFloats(options);
  device.addNestedPass<func::FuncOp>(
      createExpandNarrowFloatCastsPass({llvm::to_vector(ArrayRef<std::string>(emulated))}));
  device.addPass(createApproximateMathPass({/*extrema=*/false}));
  device.addPass(createConvertVectorToSCFPass());
  device.addPass(memref::createExpandStridedMetadataPass());
  device.addPass(createExpandCeilDivisionsPass());
  device.addPass(createLowerAffinePass());
  device.addPass(createCanonicalize());
  device.addPass(createCSEPass());
  device.addPass(createLoopInvariantCodeMotionPass());
  device.addPass(createSCFToControlFlowPass());
  addIdPasses(device);
  device.addPass(createConvertMathToLLVMPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.force32BitVectorIndices = false; // a mask of 2^32 lanes must not wrap to 0
  device.addPass(createConvertVectorToLLVMPass(vectors));
  device.addPass(createConvertToLLVMPass());
  if (!emulated.empty())
    device.addPass(createLegalizeFloatStoragePass({llvm::to_vector(ArrayRef<std::string>(emulated))}));
  device.addPass(createSetKernelABIPass({abi}));
  device.addPass(createReconcileUnrealizedCastsPass());
  device.addPass(createCanonicalize());
  device.addPass(createCSEPass());
  kernel.addNestedPass<func::FuncOp>(createExpandPowersPass());
  kernel.addNestedPass<func::FuncOp>(createEmulateNarrowIntsPass());
  kernel.addNestedPass<func::FuncOp>(
      createExpandNarrowFloatCastsPass({llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats))}));
  kernel.addPass(createLowerDynamicAllocsPass());
  kernel.addPass(createConvertKernelEntryPass());
  addLowerToLLVMPasses(kernel, options.emulatedFloats);
}
