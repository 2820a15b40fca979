//===- Phase.cpp - the pipeline of phases of the area Tensor ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipelines of the phases input and tensor.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Pipelines/Phases.h"
#include "passes/StableHLO/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mica/Support/Targets.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mica;

void mica::buildInputPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {
  ApplyTransformsOptions transforms;
  transforms.entry = options.transform;
  pm.addPass(createApplyTransforms(transforms));
  pm.addPass(createLegalizeStableHLOTypes()); // before constants become resources
  pm.addPass(createLegalizeSignedness());
  pm.addPass(createSplitComplex());
  if (!options.hostOps.empty()) {
    // Ids are those of the program as it was written.
    pm.addPass(createAssignIds());
    pm.addPass(createOutlineHostOps({llvm::to_vector(llvm::ArrayRef<int64_t>(options.hostOps))}));
  }
  VerifyInputOptions verify;
  verify.hostFunctions = llvm::to_vector(llvm::ArrayRef<std::string>(options.hostFunctions));
  pm.addPass(createVerifyInput(verify));
  pm.addPass(createExternalizeConstants());
}

/// Whether uses of uninitialized memory are reported at run time: by checks in kernels, or by the simulator.
static bool reportsUninitialized(const PipelineOptions &options) {
  const TargetInfo *target = findTarget(options.target);
  const llvm::StringRef checks = options.simChecks;
  return options.trackReads || (target && target->isSimulated && (checks.contains("all") || checks.contains("init")));
}

void mica::buildTensorPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {
  // First, because ids number the ops of the user's program.
  AssignIdsOptions ids;
  ids.tagged = options.materialize;
  std::replace(ids.tagged.begin(), ids.tagged.end(), '+', ',');
  pm.addPass(createAssignIds(ids));
  pm.addPass(createConvertStableHLOToMica());
  pm.addPass(createResolveGlobals());
  pm.addPass(createBlockDynamicFolds());
  pm.addNestedPass<mlir::func::FuncOp>(createExposeDivisionsPass());
  pm.addPass(createLiftCFToSCF());
  pm.addPass(createRaiseMemRefToTensor());
  if (!reportsUninitialized(options))
    pm.addPass(createFillEmptyTensors());
  // Before any canonicalization or fusion.
  pm.addPass(createCoverOutputs());
  buildTosaLowering(pm, /*keepsGather=*/checkLevel(options) != "none");
  if (options.optLevel > 0)
    pm.addPass(createSimplify());
  pm.addNestedPass<mlir::func::FuncOp>(createAnnotateKinds());
}
