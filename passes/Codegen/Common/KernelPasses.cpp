//===- KernelPasses.cpp - pass sequences shared by targets --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Sequences of passes that the pipelines of several targets share.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Pipelines/Canonicalize.h"
#include "passes/Pipelines/Phases.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mica::addCleanup(OpPassManager &pm) {
  GreedyRewriteConfig config;
  config.setMaxIterations(10);
  pm.addPass(createCanonicalize(config));
  pm.addPass(createCSEPass());
}

void mica::addKernelBufferization(OpPassManager &kernel, const PipelineOptions &options) {
  kernel.addNestedPass<func::FuncOp>(mica::createDuplicateEmptyTensorsPass());
  kernel.addPass(bufferization::createEmptyTensorEliminationPass());
  kernel.addNestedPass<func::FuncOp>(mica::createSeparateResultsPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.unknownTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  kernel.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanup(kernel);
  kernel.addNestedPass<func::FuncOp>(mica::createConvertCopiesPass());
  kernel.addPass(mica::createFoldViewsPass({/*keepAccesses=*/checkLevel(options) != "none", /*onlyKept=*/false}));
}

void mica::addKernelChecks(OpPassManager &kernel, const PipelineOptions &options, bool programAccesses) {
  const StringRef level = mica::checkLevel(options);
  if (level == "none") {
    // Removes asserts, which would end the process.
    mica::InsertChecksPassOptions none;
    none.level = "none";
    kernel.addNestedPass<func::FuncOp>(mica::createInsertChecksPass(none));
    return;
  }
  // A division that faults would end the process, so it is guarded at every level.
  if (level == "user") {
    mica::InsertChecksPassOptions divisions;
    divisions.level = "divisions";
    divisions.programAccesses = programAccesses;
    kernel.addNestedPass<func::FuncOp>(mica::createInsertChecksPass(divisions));
    kernel.addNestedPass<func::FuncOp>(mica::createProveChecksPass());
    kernel.addPass(mica::createFoldViewsPass({/*keepAccesses=*/false, /*onlyKept=*/true}));
    kernel.addNestedPass<func::FuncOp>(mica::createNumberChecksPass());
    return;
  }
  kernel.addNestedPass<func::FuncOp>(mica::createRemoveShadowsPass());
  kernel.addNestedPass<func::FuncOp>(mica::createLowerAffineAccessesPass());
  mica::InsertChecksPassOptions insert;
  insert.level = level.str();
  kernel.addNestedPass<func::FuncOp>(mica::createInsertChecksPass(insert));
  kernel.addPass(createCSEPass());
  if (options.proveChecks)
    kernel.addNestedPass<func::FuncOp>(mica::createProveChecksPass());
  kernel.addPass(mica::createFoldViewsPass({/*keepAccesses=*/false, /*onlyKept=*/true}));
  addCleanup(kernel);
  if (options.trackReads) {
    mica::InsertShadowsPassOptions shadows;
    shadows.prove = options.proveChecks;
    kernel.addNestedPass<func::FuncOp>(mica::createInsertShadowsPass(shadows));
    addCleanup(kernel);
  }
  // Otherwise they are numbered with the checks that mica-gpu-check-nans adds.
  if (!mica::looksForNans(options))
    kernel.addNestedPass<func::FuncOp>(mica::createNumberChecksPass());
}
