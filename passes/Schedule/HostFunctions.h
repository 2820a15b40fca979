//===- HostFunctions.h - inlining functions that run without kernels ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica_sched.host_functions.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_HOSTFUNCTIONS_H
#define MICA_PASSES_SCHEDULE_HOSTFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace mica {

/// Moves the functions of each mica_sched.host_functions of `program`, which is in the LLVM dialect, to its top level,
/// and adds a declaration with the signature of each entry. Conflicting symbols are renamed; symbols that several
/// functions share (slots of helpers, declarations) are merged.
mlir::LogicalResult inlineHostFunctions(mlir::ModuleOp program);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTFUNCTIONS_H
