//===- HostFunctions.h - functions and ops that run without kernels -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass that rejects an op reports its position. The op there then becomes a host function of its own
// (mica-tensor-outline-host-ops). If this fails as well, its whole function runs without kernels, and its calls become
// host functions of their own in turn. Callees are cloned, so that other callers keep their kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H
#define MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H

#include "lib/Compiler/Diagnostics/ErrorHelp.h"
#include "mica/Compiler/Emit/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace mica::compiler {

/// Adds to `parts` the ops and functions of `program`, as it was written, that cannot have kernels because of `errors`.
/// False if no entry of the program remains, nothing is added, or an error is in no function.
bool addHostParts(mlir::ModuleOp program, const std::vector<RecordedDiagnostic> &errors,
                  std::vector<HostFunction> &parts);

/// `options` for a compile of `text` in which `parts` run without kernels.
CompileOptions withHostParts(CompileOptions options, const std::string &text, const std::vector<HostFunction> &parts);

/// The first sentence of `error`, without hints.
std::string reasonOf(const RecordedDiagnostic &error);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DRIVER_HOSTFUNCTIONS_H
