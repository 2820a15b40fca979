//===- ProgramHeader.h - what a program needs of the runtime ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The compiler's side of mica/ABI/Program.h. The features are read off the code itself, so they are right for programs
// that were edited by hand in any phase.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_PROGRAMHEADER_H
#define MICA_LIB_COMPILER_CODEGEN_PROGRAMHEADER_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>

namespace mica::compiler {

/// MICA_FEATURE_* that the code of `program`, of phase lowered, relies on: its host functions and its kernels.
uint64_t requiredFeatures(mlir::ModuleOp program);

/// Adds the constants `mica_program_header` and `mica_abi_version` to `host`.
void addProgramHeader(mlir::ModuleOp host, uint64_t features);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_PROGRAMHEADER_H
