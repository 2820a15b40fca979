//===- OriginalProgram.h - the program as parsed, for the oracle --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: `input.orig.mlirbc` of an artifact is the program before any pass ran on it. The reference evaluator
// evaluates it, so a pass that miscompiles is seen wherever it stands in the pipeline. Its constants lie in
// constants.bin beside the compiled program's, each once.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_EMIT_ORIGINALPROGRAM_H
#define MICA_LIB_COMPILER_EMIT_ORIGINALPROGRAM_H

#include "mica/Support/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace mica::compiler {

/// The program that the oracle of an artifact made of `file` evaluates: a copy of `parsed`, or, where `file` is the
/// `input.mlirbc` of an artifact (compiled again with other checks), that artifact's original. Before any pass.
Result<mlir::OwningOpRef<mlir::ModuleOp>> originalOf(mlir::ModuleOp parsed, const std::string &file);

/// Turns each constant of `original` that text does not hold well (more than 64 elements, splats apart, and every
/// resource) into a resource that is named by the hash of its bytes. A name that phase input gave to equal bytes is
/// shared, so that the bytes are stored once; names are taken only where the bytes are equal, so no value changes.
void nameConstants(mlir::ModuleOp original);

/// The bytecode of `program` without the bytes of its resources; `name` is the file's, for the error.
Result<std::string> bytecodeOf(mlir::ModuleOp program, const std::string &name);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_EMIT_ORIGINALPROGRAM_H
