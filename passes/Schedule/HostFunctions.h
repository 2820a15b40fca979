//===- HostFunctions.h - functions that no kernel takes, as part of the host code ---------------------------------===//
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

/// Moves the functions of each mica_sched.host_functions of `program`, which is in the LLVM dialect, to its top, and
/// adds a function without a body that has the signature of each entry. Symbols whose names are taken get others; what
/// several functions of one program have in common (slots of helpers, declarations) is there once.
mlir::LogicalResult inlineHostFunctions(mlir::ModuleOp program);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTFUNCTIONS_H
