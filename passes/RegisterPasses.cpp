//===- RegisterPasses.cpp - every pass Mica's tools offer -------------------------------------------------------===//
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

#include "passes/Check/Passes.h"
#include "passes/Cpu/Passes.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Gpu/Passes.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Plain/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Sim/Passes.h"
#include "passes/Specialize/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/InitAllPasses.h"

void mica::registerMicaPasses() {
  registerMicaTensorPasses();
  registerMicaDispatchPasses();
  registerMicaSchedulePasses();
  registerMicaCheckPasses();
  registerMicaCpuPasses();
  registerMicaPlainPasses();
  registerMicaSimPasses();
  registerMicaGpuPasses();
  registerMicaSpecializePasses();
  registerPipelines();
  registerPlainPipeline();
  registerSimPipeline();
}

void mica::registerAllPasses() {
  mlir::registerAllPasses();
  registerMicaPasses();
}
