//===- RegisterPasses.cpp - registering all passes of Mica's tools ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RegisterPasses.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/RegisterPasses.h"

#include "passes/BuildPipelines.h"
#include "passes/Check/Passes.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Codegen/Sim/Passes.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Shard/Passes.h"
#include "passes/Specialize/Passes.h"
#include "passes/StableHLO/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/InitAllPasses.h"

void mica::registerMicaPasses() {
  registerMicaStableHLOPasses();
  registerMicaTensorPasses();
  registerMicaShardPasses();
  registerMicaDispatchPasses();
  registerMicaSchedulePasses();
  registerMicaCheckPasses();
  registerMicaCodegenPasses();
  registerMicaCPUPasses();
  registerMicaReferencePasses();
  registerMicaSimPasses();
  registerMicaGPUPasses();
  registerMicaSpecializePasses();
  registerPipelines();
  registerReferencePipeline();
  registerSimPipeline();
}

void mica::registerAllPasses() {
  mlir::registerAllPasses();
  registerMicaPasses();
}
