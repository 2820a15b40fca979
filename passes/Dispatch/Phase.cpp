//===- Phase.cpp - the pipeline of phases of the area Dispatch --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What runs in the phase dispatch, in order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/Passes.h"
#include "passes/Pipelines/Phases.h"

using namespace mica;

void mica::buildDispatchPhase(mlir::OpPassManager &pm, const PipelineOptions &options) {}
