//===- Phase.cpp - the pipeline of phases of the area Cpu -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What runs in the phases kernel and lowered for the CPU, in order. Both nest on the kernels' own modules.
//
// Strategies turn the loops of a kernel into tiles on tensors and mark the loop that is divided into shares
// of work; the general path takes everything that is left: it is correct for any input, and the only path at
// opt-level 0.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Cpu/Passes.h"
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

/// Canonicalization with a limit, so that rewriting without end becomes a kernel that is merely not
/// simplified.
static std::unique_ptr<Pass> createLimitedCanonicalizer() {
  GreedyRewriteConfig config;
  config.setMaxIterations(10);
  return createCanonicalizerPass(config);
}

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createLimitedCanonicalizer());
  pm.addPass(createCSEPass());
}

/// Strategies for contractions, convolutions and pooling. They see named linalg ops and generics on tensors,
/// and leave tensors, vectors and one marked loop.
static void addContractionStrategies(OpPassManager &kernel, const mica::PipelineOptions &options) {
  if (options.optLevel < 2)
    return;
  mica::PlanContractionPassOptions plan;
  plan.vectorBits = options.vectorBits;
  plan.l1Bytes = options.l1Bytes;
  plan.l2Bytes = options.l2Bytes;
  kernel.addNestedPass<func::FuncOp>(mica::createPlanContractionPass(plan));
  kernel.addNestedPass<func::FuncOp>(mica::createTileContractionPass());
}

/// The same kernels on buffers, before any other loops are made.
static void addContractionVectors(OpPassManager &kernel, const mica::PipelineOptions &options) {
  if (options.optLevel < 2)
    return;
  kernel.addNestedPass<func::FuncOp>(mica::createVectorizeContractionPass());
}

/// Strategies for elementwise, reduction and row kernels and for data movement.
static void addRowStrategies(OpPassManager &kernel, const mica::PipelineOptions &options) {
  kernel.addNestedPass<func::FuncOp>(mica::createFuseElementwisePass());
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(mica::createTileRowsPass());
  addCleanup(kernel);
}

/// From tensors to buffers, temporaries in their places, the work in shares.
void mica::addKernelBufferization(OpPassManager &kernel) {
  kernel.addNestedPass<func::FuncOp>(mica::createSeparateEmptiesPass());
  kernel.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  kernel.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(mica::createConvertCopiesPass());
  kernel.addPass(memref::createFoldMemRefAliasOpsPass());
}

/// Checks of what the kernel does to its buffers, in a form in which loops still say what they run over. Where none are
/// wanted, no pass runs.
void mica::addKernelChecks(OpPassManager &kernel, const PipelineOptions &options) {
  if (!mica::checksKernels(options))
    return;
  kernel.addNestedPass<func::FuncOp>(mica::createRemoveShadowsPass());
  kernel.addNestedPass<func::FuncOp>(mica::createPlainAccessesPass());
  mica::InsertChecksPassOptions insert;
  insert.level = mica::checkLevel(options).str();
  kernel.addNestedPass<func::FuncOp>(mica::createInsertChecksPass(insert));
  kernel.addPass(createCSEPass());
  if (options.proveChecks)
    kernel.addNestedPass<func::FuncOp>(mica::createProveChecksPass());
  addCleanup(kernel);
  if (options.trackReads) {
    mica::InsertShadowsPassOptions shadows;
    shadows.prove = options.proveChecks;
    kernel.addNestedPass<func::FuncOp>(mica::createInsertShadowsPass(shadows));
    addCleanup(kernel);
  }
  // Else they are numbered with what mica-gpu-check-nans adds.
  if (!mica::looksForNans(options))
    kernel.addNestedPass<func::FuncOp>(mica::createNumberChecksPass());
}

void mica::buildCpuKernelPhase(OpPassManager &pm, const PipelineOptions &options) {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  kernel.addPass(createCoverOutputs());
  kernel.addNestedPass<func::FuncOp>(createDropEmptyLoopsPass());
  kernel.addNestedPass<func::FuncOp>(createWidenReductionsPass());
  if (options.optLevel > 0)
    addContractionStrategies(kernel, options);
  kernel.addPass(createDecomposeOpsPass());
  addCleanup(kernel);
  // Behind the cleanup, which finds sizes of 0: no strategy tiles what makes no turn.
  kernel.addNestedPass<func::FuncOp>(createDropEmptyLoopsPass());
  if (options.optLevel > 0)
    addRowStrategies(kernel, options);
  addKernelBufferization(kernel);
  addContractionVectors(kernel, options);
  if (options.optLevel > 0) {
    kernel.addNestedPass<func::FuncOp>(createDivideCopiesPass());
    kernel.addNestedPass<func::FuncOp>(createCollapseLoopsPass());
    kernel.addPass(createCSEPass());
  }
  VectorizeLoopsPassOptions vectorize;
  vectorize.vectorBits = options.optLevel >= 2 ? options.vectorBits.getValue() : 0;
  kernel.addNestedPass<func::FuncOp>(createVectorizeLoopsPass(vectorize));
  addCleanup(kernel);
  addKernelChecks(kernel, options);
  kernel.addNestedPass<func::FuncOp>(createDistributePass());
  kernel.addNestedPass<func::FuncOp>(createAllocateScratchPass());
  addCleanup(kernel);
}

void mica::buildCpuLoweredPhase(OpPassManager &pm, const PipelineOptions &options) {
  OpPassManager &kernel = pm.nest<ModuleOp>();
  if (checksKernels(options)) {
    if (options.trackReads && options.proveChecks)
      kernel.addNestedPass<func::FuncOp>(createVersionShadowsPass());
    kernel.addPass(createLowerChecksPass());
  }
  kernel.addNestedPass<func::FuncOp>(createExpandPowersPass());
  kernel.addNestedPass<func::FuncOp>(createEmulateIntegersPass());
  kernel.addNestedPass<func::FuncOp>(
      createEmulateSmallFloatsPass({llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats))}));
  if (options.optLevel >= 2)
    kernel.addNestedPass<func::FuncOp>(createApproximateMathPass({/*extrema=*/options.vectorBits >= 512}));
  kernel.addPass(createLowerDynamicAllocsPass());
  kernel.addPass(createConvertKernelEntryPass());
  addLowerToLLVMPasses(kernel, options.emulatedFloats);
}
