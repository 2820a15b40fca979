//===- PhasePipelines.h - the passes of phases, with those that a compile adds --------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: builds the pipelines of passes/Pipelines for a compile.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_PHASEPIPELINES_H
#define MICA_LIB_COMPILER_DRIVER_PHASEPIPELINES_H

#include "mica/Compiler/Driver/Compile.h"
#include "mica/Compiler/Record/PassRecorder.h"
#include "passes/Pipelines/Phases.h"
#include "passes/Shard/Passes.h"

#include <vector>

namespace mica::compiler {

/// Adds the passes of phases [first, last] to `pm`, for each phase its own and then those that the user added; after
/// phase input, also those for `shardings`. Returns the number of passes of each phase. Errors: InvalidInput if
/// options.addedPasses do not parse.
Result<std::vector<PassRecorder::PhaseSpan>> buildPhases(Phase first, Phase last, mlir::OpPassManager &pm,
                                                         const PipelineOptions &pipelineOptions,
                                                         const CompileOptions &options,
                                                         const std::optional<AnnotateProgramOptions> &shardings);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_PHASEPIPELINES_H
