//===- HostAudit.h - faults of host functions as schedules --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the part of auditSchedule() on host functions.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_PROGRAM_HOSTAUDIT_H
#define MICA_LIB_COMPILER_PROGRAM_HOSTAUDIT_H

#include "mica/Compiler/Program/ScheduleAudit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mica::compiler {

/// Accesses of memory that a submitted list may still use, and buffers that a loop releases too early. Lists wait for
/// each other, in the order of their submission.
std::vector<ScheduleFault> auditHostFunction(mlir::func::FuncOp function, mlir::SymbolTableCollection &symbols);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_HOSTAUDIT_H
