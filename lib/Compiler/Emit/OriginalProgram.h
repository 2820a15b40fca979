//===- OriginalProgram.h - the program as parsed, for the reference evaluator -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: `input.orig.mlirbc` of an artifact is the program before any pass. The reference evaluator evaluates it, so
// that a miscompile by any pass is detected. Its constants share constants.bin with those of the compiled program.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_ORIGINALPROGRAM_H
#define MICA_LIB_COMPILER_EMIT_ORIGINALPROGRAM_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace mica::compiler {

/// The program that the reference evaluator uses for an artifact made of `file`: a copy of `parsed`, or, if `file` is
/// the `input.mlirbc` of an artifact (compiled again with other checks), that artifact's original. Before any pass.
Result<mlir::OwningOpRef<mlir::ModuleOp>> originalOf(mlir::ModuleOp parsed, const std::string &file);

/// Replaces each constant of `original` that should not be printed (more than 64 elements, except splats, and every
/// resource) by a resource named by the hash of its bytes. If phase input gave a name to equal bytes, it is used, so
/// that the bytes are stored once.
void nameConstants(mlir::ModuleOp original);

/// The bytecode of `program` without the bytes of its resources; `name` is the file's, for the error.
Result<std::string> bytecodeOf(mlir::ModuleOp program, const std::string &name);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ORIGINALPROGRAM_H
