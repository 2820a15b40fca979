//===- Phase.cpp - the pipeline of phases of the area Dispatch --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipeline of the phase dispatch.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Targets.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Pipelines/Canonicalize.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mica;
using namespace mlir;

void mica::buildDispatchPhase(OpPassManager &pm, const PipelineOptions &options, const TargetInfo &target) {
  bool fuse = options.optLevel > 0;
  // One function per entry, so that kernels of a callee and its caller can be in one task list.
  pm.addPass(createInlineCalls());
  pm.addPass(createSymbolDCEPass());

  // Repeated, because a compile may begin here.
  pm.addPass(createCoverOutputs());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createCheckReshapes());
  functions.addPass(createConvertMicaToLinalg());
  functions.addPass(createConvertElementwiseToLinalgPass());
  functions.addPass(createGeneralizeOps());
  functions.addPass(createInferDimEqualities());
  if (fuse)
    functions.addPass(createDropUnitDims());
  const bool tilesOnCpu = fuse && !target.launches && options.optLevel >= 2;
  if (tilesOnCpu)
    functions.addPass(createExpandBatches());
  functions.addPass(createOutlineVectorCode());
  FormGroupsOptions groups;
  groups.fuse = fuse;
  // Targets that copy tiles before the multiplication compute prologues in the copy; CPUs multiply 8-bit integers.
  groups.prologues = target.hasWarps                             ? Prologues::All
                     : !target.launches && options.optLevel >= 2 ? Prologues::Widening
                                                                 : Prologues::None;
  groups.padding = groups.attention = tilesOnCpu;
  groups.materialize = !options.materialize.empty();
  functions.addPass(createFormGroups(groups));
  pm.addPass(createOutlineKernels());

  // Host functions only: sizes of results are computed from sizes of arguments.
  OpPassManager &host = pm.nest<func::FuncOp>();
  host.addPass(memref::createResolveShapedTypeResultDimsPass());
  host.addPass(createHostCanonicalize());
  host.addPass(createMergeEqualOps());
  // Last, because merging equal dispatches may make two results one tensor.
  host.addPass(createInsertInplaceCopies());
  host.addPass(createCopyResults());
  pm.addPass(createOutlineKernels());
}
