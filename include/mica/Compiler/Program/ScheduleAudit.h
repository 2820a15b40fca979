//===- ScheduleAudit.h - faults of schedules ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Whether the order of tasks holds whatever the runtime makes of it. Tasks that use one piece of memory, one of which
// writes it, need a dependency, direct or through others; memory of the arena is not reused while what it holds is
// still read; a host function waits before it accesses what a list may still use, one that the iteration before
// submitted included; and what an iteration passes to the next is not released. A run shows such a fault only by
// chance, so that a pass that has nothing to do with it would be blamed.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_PROGRAM_SCHEDULEAUDIT_H
#define MICA_COMPILER_PROGRAM_SCHEDULEAUDIT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// Something that the order of a program's tasks does not ensure.
struct ScheduleFault {
  enum class Kind {
    MissingDependency, ///< two tasks may run at once, or in either order
    Overlap,           ///< a task overwrites memory of the arena that a later one reads
    MissingWait,       ///< a host function accesses memory that a submitted list may still use
    Released,          ///< a loop releases a buffer that it passes to its next iteration
  };
  Kind kind = Kind::MissingDependency;
  std::string where;                ///< "task list main_0", "function main"
  std::string text;                 ///< a sentence, of the two operations and the memory that both access
  std::string fix;                  ///< what to add, and where; "" where that is not known
  mlir::Operation *op = nullptr;    ///< what should wait, overwrites, or releases
  mlir::Operation *other = nullptr; ///< for which it should wait; the reader of an Overlap; else null
};

/// What is audited. Of host functions some buffers are only known by where they come from, so that what is said of them
/// is for schedules that somebody edited.
enum class AuditScope { TaskLists, All };

/// The faults of the task lists, and of the host functions, of `program`, a state of phase schedule or later whose
/// kernels say what they access.
std::vector<ScheduleFault> auditSchedule(mlir::ModuleOp program, AuditScope scope = AuditScope::All);

/// The same, as errors at the operations, or where `locate` says that these are.
mlir::LogicalResult verifySchedule(mlir::ModuleOp program, AuditScope scope = AuditScope::All,
                                   llvm::function_ref<mlir::Location(mlir::Operation *)> locate = nullptr);

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_SCHEDULEAUDIT_H
