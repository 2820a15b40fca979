//===- Phase.cpp - the pipeline of phases of the area Schedule --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What runs in the phase schedule, in order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Pipelines/Phases.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mica;
using namespace mlir;

void mica::buildSchedulePhase(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createFormTaskLists());
  OpPassManager &host = pm.nest<func::FuncOp>();
  host.addPass(createCanonicalizerPass());
  host.addPass(createCSEPass());
}

void mica::buildHostLoweredPhase(OpPassManager &pm, const PipelineOptions &options) {
  OpPassManager &host = pm.nest<func::FuncOp>();
  // Code on buffers that stays in the host function; there is none of it in most programs.
  host.addPass(createConvertLinalgToLoopsPass());
  host.addPass(createConvertVectorToSCFPass());
  host.addPass(memref::createExpandStridedMetadataPass());
  host.addPass(createLowerAffinePass());
  host.addPass(createSCFToControlFlowPass());
  host.addPass(arith::createArithExpandOpsPass());
  pm.addPass(createConvertMicaSchedToLLVM());
}
