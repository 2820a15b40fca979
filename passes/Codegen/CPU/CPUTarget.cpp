//===- CPUTarget.cpp - the target cpu -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipelines of the phases kernel and lowered for the CPU. Both are nested on the kernels' own modules.
//
// Strategies tile the loops of a kernel on tensors and mark the loop to distribute; the general path handles everything
// else: it is correct for any input, and the only path at opt-level 0.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/HostProcessor.h"
#include "passes/Codegen/Target.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mica;

/// The options of a pass that plans contractions: what it has to know of the processor.
template <typename OptionsT> static OptionsT forProcessor(const mica::PipelineOptions &options) {
  OptionsT result;
  result.vectorBits = options.vectorBits;
  result.l1Bytes = options.l1Bytes;
  result.l2Bytes = options.l2Bytes;
  result.int8DotBits = options.int8DotBits;
  result.int16PairBits = options.int16PairBits;
  return result;
}

/// Strategies for contractions, convolutions and pooling. Their input is named linalg ops and generics on tensors,
/// their output tensors, vectors and one marked loop.
static void addContractionStrategies(OpPassManager &kernel, const mica::PipelineOptions &options) {
  if (options.optLevel < 2)
    return;
  mica::TileContractionPassOptions tile;
  tile.vectorBits = options.vectorBits;
  kernel.addNestedPass<func::FuncOp>(
      mica::createCPUSelectContractionConfigPass(forProcessor<CPUSelectContractionConfigPassOptions>(options)));
  kernel.addNestedPass<func::FuncOp>(mica::createTileContractionPass(tile));
}

/// Vectorizes the same kernels on buffers, before other loops are created.
static void addContractionVectors(OpPassManager &kernel, const mica::PipelineOptions &options) {
  if (options.optLevel < 2)
    return;
  kernel.addNestedPass<func::FuncOp>(
      mica::createVectorizeContractionPass({options.int8DotBits, options.int16PairBits}));
}

/// Strategies for elementwise, reduction and row kernels and for data movement.
static void addRowStrategies(OpPassManager &kernel, const mica::PipelineOptions &options) {
  kernel.addNestedPass<func::FuncOp>(mica::createFuseElementwisePass());
  addCleanup(kernel);
  mica::TileAndFuseRowsPassOptions rows;
  rows.productBytes = options.l2Bytes / 2;
  kernel.addNestedPass<func::FuncOp>(mica::createTileAndFuseRowsPass(rows));
  addCleanup(kernel);
  if (options.optLevel < 2)
    return;
  kernel.addNestedPass<func::FuncOp>(
      mica::createCPUPlanRowContractionsPass(forProcessor<CPUPlanRowContractionsPassOptions>(options)));
}

namespace {
struct CPUTarget final : codegen::Target {
  CPUTarget() : Target("cpu") {}
  Result<codegen::CodeTarget> hostCode(StringRef chip, StringRef hostLevel, const Machine *machine) const override;
  bool supportsReadCheck() const override { return true; }
  bool supportsHostFunctions() const override { return true; }
  void addSchedulePasses(OpPassManager &pm, const PipelineOptions &options) const override;
  void buildKernelPhase(OpPassManager &pm, const PipelineOptions &options) const override;
  void buildLoweredPhase(OpPassManager &pm, const PipelineOptions &options) const override;
};
} // namespace

Result<codegen::CodeTarget> CPUTarget::hostCode(StringRef chip, StringRef hostLevel, const Machine *machine) const {
  if (!hostLevel.empty())
    return Error{ErrorCode::InvalidInput, "--host-cpu=" + hostLevel.str() + " is for code beside that of a GPU",
                 "give --target=cpu:" + hostLevel.str()};
  return chip.empty() ? codegen::hostTarget(machine) : codegen::cpuTarget(chip, "--target=cpu:");
}

void CPUTarget::addSchedulePasses(OpPassManager &pm, const PipelineOptions &options) const {
  // Shadows of uninitialized elements exist for buffers as the program has them.
  if (options.optLevel < 3 || options.trackReads)
    return;
  pm.addPass(createCPUPackConstantsPass(forProcessor<CPUPackConstantsPassOptions>(options)));
}

void CPUTarget::buildKernelPhase(OpPassManager &pm, const mica::PipelineOptions &options) const {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addPass(createCoverOutputs());
  kernel.addNestedPass<func::FuncOp>(createEraseZeroTripOpsPass());
  kernel.addNestedPass<func::FuncOp>(createPromoteAccumulatorsPass());
  if (options.optLevel > 0)
    addContractionStrategies(kernel, options);
  kernel.addPass(createDecomposeOpsPass());
  addCleanup(kernel);
  // After the cleanup, which finds sizes of 0: no strategy tiles a loop without iterations.
  kernel.addNestedPass<func::FuncOp>(createEraseZeroTripOpsPass());
  if (options.optLevel > 0)
    addRowStrategies(kernel, options);
  addKernelBufferization(kernel, options);
  addContractionVectors(kernel, options);
  if (options.optLevel > 0) {
    kernel.addNestedPass<func::FuncOp>(createDistributeDataMovementPass());
    kernel.addNestedPass<func::FuncOp>(createCollapseContiguousDimsPass());
    kernel.addPass(createCSEPass());
  }
  VectorizeLoopsPassOptions vectorize;
  vectorize.vectorBits = options.optLevel >= 2 ? options.vectorBits.getValue() : 0;
  kernel.addNestedPass<func::FuncOp>(createVectorizeLoopsPass(vectorize));
  addCleanup(kernel);
  if (checkLevel(options) != "none")
    kernel.addNestedPass<func::FuncOp>(createWatchLoopsPass({/*inKernels=*/true}));
  addKernelChecks(kernel, options);
  // Behind the checks, which need not know of them.
  const bool unchecked =
      options.optLevel >= 2 && (checkLevel(options) == "none" || checkLevel(options) == "user") && !options.trackReads;
  if (unchecked) {
    PrefetchRowsPassOptions prefetch;
    prefetch.minBytes = options.l2Bytes;
    kernel.addNestedPass<func::FuncOp>(createPrefetchRowsPass(prefetch));
  }
  kernel.addNestedPass<func::FuncOp>(createDistributePass());
  kernel.addNestedPass<func::FuncOp>(createAllocateScratchPass());
  if (unchecked)
    kernel.addNestedPass<func::FuncOp>(createStreamStoresPass());
  addCleanup(kernel);
}

void CPUTarget::buildLoweredPhase(OpPassManager &pm, const mica::PipelineOptions &options) const {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addNestedPass<func::FuncOp>(createEraseCollectivesPass());
  if (options.trackReads && options.proveChecks)
    kernel.addNestedPass<func::FuncOp>(createVersionShadowsPass());
  const StringRef level = checkLevel(options);
  if (!options.trackReads && (level == "user" || (level != "none" && options.proveChecks)))
    kernel.addNestedPass<func::FuncOp>(createVersionChecksPass());
  if (level != "none")
    kernel.addPass(createLowerChecksPass({/*stopLoops=*/level != "warn"}));
  kernel.addNestedPass<func::FuncOp>(createExpandPowersPass());
  kernel.addNestedPass<func::FuncOp>(createEmulateNarrowIntsPass());
  kernel.addNestedPass<func::FuncOp>(
      createExpandNarrowFloatCastsPass({llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats))}));
  if (options.optLevel >= 2)
    kernel.addNestedPass<func::FuncOp>(createApproximateMathPass({/*extrema=*/options.vectorBits >= 512}));
  kernel.addPass(createLowerDynamicAllocsPass());
  kernel.addPass(createConvertKernelEntryPass());
  addLowerToLLVMPasses(kernel, options.emulatedFloats);
}

const codegen::Target &mica::getCPUTarget() {
  static const CPUTarget target;
  return target;
}
