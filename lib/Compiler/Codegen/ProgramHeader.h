//===- ProgramHeader.h - the program header -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The compiler's side of mica/ABI/Program.h. The features are derived from the code itself, so they are also correct
// for programs that were edited by hand.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_PROGRAMHEADER_H
#define MICA_LIB_COMPILER_CODEGEN_PROGRAMHEADER_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>

namespace mica::compiler {

/// The MICA_FEATURE_* bits that the host functions and kernels of `program`, of phase lowered, require.
uint64_t requiredFeatures(mlir::ModuleOp program);

/// Adds the constants `mica_program_header` and `mica_abi_version` to `host`.
void addProgramHeader(mlir::ModuleOp host, uint64_t features);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_PROGRAMHEADER_H
