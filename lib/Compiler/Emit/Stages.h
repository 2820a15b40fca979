//===- Stages.h - programs between two compiles -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --compile-to=PHASE prints a program that --compile-from=PHASE takes up. What the first compile was told and what only
// its locations say travels in attributes, so that text without locations, bytecode and other tools in between keep it.
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

/// Makes `program`, which PHASE gave, one that can be taken up: arguments get their names, the program its stage.
void noteStage(mlir::ModuleOp program, Phase phase, const CompileOptions &options);

/// Sets in `options` what the program was compiled with so far, where it says so; --compile-from too, where it was not
/// given. Fails (InvalidInput) where an option was given that is another one, or where the program is of a later phase
/// than options.from.
Status adoptStage(mlir::ModuleOp program, CompileOptions &options);

/// The same for an artifact that is resumed (options.resume).
Status adoptOptions(const artifact::Manifest &origin, CompileOptions &options);

/// The ops that the kernels and dispatches of a program of phase dispatch or later stand for, as far as it still says:
/// ids and kinds, and positions where it has locations. In the order of the kernels.
std::vector<artifact::OpRecord> describeDispatchedOps(mlir::ModuleOp program);

/// --compile-from=object: links the objects of the artifact `options.input` again, into a copy of it.
Status linkAgain(const CompileOptions &options);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_STAGES_H
