//===- FailureClassification.h - whether a pass that failed refused the program -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass that fails is a fault of Mica (exit code 2), but for two cases in which the program is at fault.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DIAGNOSTICS_FAILURECLASSIFICATION_H
#define MICA_LIB_COMPILER_DIAGNOSTICS_FAILURECLASSIFICATION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace mica::compiler {

/// Whether `pass` fails where a program is not one that is compiled: to find that out is part of its work.
bool refusesPrograms(llvm::StringRef pass);

/// Whether `program` holds what only the compiler's own passes leave, written by hand or printed after one of them.
/// Costs a walk.
bool holdsPlans(mlir::ModuleOp program);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DIAGNOSTICS_FAILURECLASSIFICATION_H
