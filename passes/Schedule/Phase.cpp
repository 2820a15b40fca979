//===- Phase.cpp - the pipeline of phases of the area Schedule --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipeline of the phase schedule.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Pipelines/Canonicalize.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Schedule/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mica;
using namespace mlir;

void mica::buildSchedulePhase(OpPassManager &pm, const PipelineOptions &options) {
  pm.addPass(createFormTaskLists());
  OpPassManager &host = pm.nest<func::FuncOp>();
  host.addPass(createHostCanonicalize());
  host.addPass(createMergeEqualOps());
  host.addPass(createReleaseMemory());
}

void mica::buildHostLoweredPhase(OpPassManager &pm, const PipelineOptions &options) {
  // First, because lowered checks are sites of kernels too.
  pm.nest<ModuleOp>().addPass(createRecordLaunches());
  OpPassManager &host = pm.nest<func::FuncOp>();
  // Before loops become blocks, because checks need their bounds.
  const StringRef level = checkLevel(options);
  if (level != "none") {
    host.addPass(createConvertLinalgToLoopsPass());
    host.addPass(createLowerAffineAccessesPass());
  }
  InsertChecksPassOptions insert;
  insert.level = level == "user" ? "divisions" : level.str();
  host.addPass(createInsertChecksPass(insert));
  if (options.proveChecks || level == "user")
    host.addPass(createProveChecksPass());
  if (level != "user")
    host.addPass(createHostCanonicalize());
  pm.addPass(createLowerChecksPass());
  OpPassManager &lowered = pm.nest<func::FuncOp>();
  // Code on buffers that stays in the host function; most programs have none.
  lowered.addPass(createConvertLinalgToLoopsPass());
  if (options.nanCheck)
    lowered.addPass(createProbeFloatsPass());
  lowered.addPass(createWatchLoopsPass());
  lowered.addPass(createConvertVectorToSCFPass());
  lowered.addPass(memref::createExpandStridedMetadataPass());
  lowered.addPass(createExpandCeilDivisionsPass());
  lowered.addPass(createLowerAffinePass());
  lowered.addPass(createConvertSCFToCFPass());
  // Narrow float scalars, as in kernels.
  SmallVector<std::string> emulated = llvm::to_vector(ArrayRef<std::string>(options.emulatedFloats));
  lowered.addPass(createExpandPowersPass());
  lowered.addPass(createEmulateNarrowIntsPass());
  lowered.addPass(createExpandNarrowFloatCastsPass({emulated}));
  pm.addPass(createConvertExpm1Log1pPass());
  ConvertMicaSchedToLLVMOptions lowering;
  lowering.trackReads = options.trackReads;
  pm.addPass(createConvertMicaSchedToLLVM(lowering));
  pm.addPass(createDefineExtremaPass());
  pm.addPass(createInlineHostFunctions());
  if (!emulated.empty())
    pm.addPass(createLegalizeFloatStoragePass({emulated}));
}
