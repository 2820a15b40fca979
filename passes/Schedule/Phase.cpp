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

using namespace mica;

void mica::buildSchedulePhase(mlir::OpPassManager &pm, const PipelineOptions &options) {}
