//===- HostFunctions.h - functions that run without kernels -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass that rejects an op reports its position. The function there then runs without kernels, and so do its callers,
// because calls of scheduled functions are inlined. Its callees are cloned, so that other callers keep their kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H
#define MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H

#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "mica/Compiler/Emit/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica::compiler {

/// Adds to `functions` those of `program`, as it was written, that cannot have kernels because of `errors`. False if no
/// entry of the program remains, nothing is added, or an error is in no function.
bool addHostFunctions(mlir::ModuleOp program, const std::vector<RecordedDiagnostic> &errors,
                      std::vector<HostFunction> &functions);

/// `options` for a compile of `text` in which `functions` run without kernels.
CompileOptions withHostFunctions(CompileOptions options, const std::string &text,
                                 const std::vector<HostFunction> &functions);

/// The first sentence of `error`, without hints.
std::string reasonOf(const RecordedDiagnostic &error);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H
