//===- HostFunctions.h - the functions of a program that no kernel takes ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass that refuses an operation names its position. The function there has no kernels then, and no more have those
// that call it: calls of scheduled functions are inlined. What it calls is copied, so that other functions keep theirs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H
#define MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H

#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "mica/Compiler/Emit/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica::compiler {

/// Adds to `functions` those of `program`, as it was written, that have no kernels because of `errors`. False where no
/// entry of the program is left, where nothing is added, or where an error is of no function.
bool addHostFunctions(mlir::ModuleOp program, const std::vector<RecordedDiagnostic> &errors,
                      std::vector<HostFunction> &functions);

/// `options` for a compile of `text` in which `functions` have no kernels.
CompileOptions withHostFunctions(CompileOptions options, const std::string &text,
                                 const std::vector<HostFunction> &functions);

/// The first sentence of `error`, without what to do.
std::string reasonOf(const RecordedDiagnostic &error);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H
