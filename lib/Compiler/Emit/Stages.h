//===- Stages.h - compiles split at a phase -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --compile-to=PHASE prints a program that --compile-from=PHASE continues. Options of the first compile, and what only
// locations record, are stored in attributes, so that they survive text without locations, bytecode and other tools.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_STAGES_H
#define MICA_LIB_COMPILER_EMIT_STAGES_H

#include "dialects/Mica/IR/MicaDialect.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Emit/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mica::compiler {

/// Prepares `program`, the output of PHASE, for continuation: adds argument names and the stage as attributes.
void noteStage(mlir::ModuleOp program, Phase phase, const CompileOptions &options);

/// Sets in `options` those with which the program was compiled so far, if recorded; and --compile-from, if it was not
/// given. Fails (InvalidInput) if a given option differs, or if the program is of a later phase than options.from.
Status adoptStage(mlir::ModuleOp program, CompileOptions &options);

/// The same for an artifact that is resumed (options.resume).
Status adoptOptions(const artifact::Manifest &origin, CompileOptions &options);

/// The source ops of the kernels and dispatches of a program of phase dispatch or later, as far as recorded: ids and
/// kinds, and positions if it has locations. In the order of the kernels.
std::vector<artifact::OpRecord> describeDispatchedOps(mlir::ModuleOp program);

/// --compile-from=object: relinks the objects of the artifact `options.input`, in a copy of it.
Status linkAgain(const CompileOptions &options);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_STAGES_H
