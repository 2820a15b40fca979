//===- Phase.cpp - the pipeline of phases of the area Tensor ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What runs in the phases input and tensor, in order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Pipelines/Phases.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mica;

void mica::buildInputPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {
  ApplyTransformsOptions transforms;
  transforms.entry = options.transform;
  pm.addPass(createApplyTransforms(transforms));
  pm.addPass(createVerifyInput());
  pm.addPass(createExternalizeConstants());
}

void mica::buildTensorPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // First: ids count the ops as the user wrote them.
  pm.addPass(createAssignIds());
  pm.addPass(createResolveGlobals());
  pm.addPass(createBlockDynamicFolds());
  pm.addPass(createLiftCFToSCF());
  pm.addPass(createRaiseMemRefToTensor());
  if (!options.trackReads)
    pm.addPass(createFillEmptyTensors());
  // Before anything canonicalizes or fuses.
  pm.addPass(createCoverOutputs());
  buildTosaLowering(pm);
  if (options.optLevel > 0)
    pm.addPass(createSimplify());
  pm.addNestedPass<mlir::func::FuncOp>(createAnnotateKinds());
}
