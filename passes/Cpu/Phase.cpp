//===- Phase.cpp - the pipeline of phases of the area Cpu -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What runs in the phases kernel and lowered for the CPU, in order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Cpu/Passes.h"
#include "passes/Pipelines/Phases.h"

using namespace mica;

void mica::buildCpuKernelPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {}
void mica::buildCpuLoweredPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {}
