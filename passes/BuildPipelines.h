//===- BuildPipelines.h - pipelines of the phases -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Assembles the pipelines from the builders of the areas and of the target. mica-compile and mica-opt run the same
// functions, so every recorded pipeline can be run by hand.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_BUILDPIPELINES_H
#define MICA_PASSES_BUILDPIPELINES_H

#include "passes/Pipelines/Phases.h"

namespace mica {

/// Appends the passes of `phase` to `pm`, which is anchored on builtin.module. options.target is the name of a target.
void buildPhasePipeline(Phase phase, mlir::OpPassManager &pm, const PipelineOptions &options);

/// Appends all phases from `first` to `last`, inclusive.
void buildPipeline(Phase first, Phase last, mlir::OpPassManager &pm, const PipelineOptions &options);

/// Registers `mica-phase-<name>` for every phase and `mica-pipeline` for the whole.
void registerPipelines();

} // namespace mica

#endif // MICA_PASSES_BUILDPIPELINES_H
