//===- FailureClassification.h - whether a failed pass rejected the program ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A failed pass is a fault of Mica (exit code 2), except in two cases where the program is at fault.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DIAGNOSTICS_FAILURECLASSIFICATION_H
#define MICA_LIB_COMPILER_DIAGNOSTICS_FAILURECLASSIFICATION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"

namespace mica::compiler {

/// Whether `pass` fails on unsupported programs: rejecting them is part of its function.
bool refusesPrograms(llvm::StringRef pass);

/// Whether `program` contains attributes or ops that only the compiler's own passes create, written by hand or printed
/// after one of them. Costs a walk.
bool holdsPlans(mlir::ModuleOp program);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DIAGNOSTICS_FAILURECLASSIFICATION_H
