//===- ScheduleAudit.h - faults of task lists ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: whether the order of tasks holds whatever the runtime makes of it. Tasks that use one piece of memory, one
// of which writes it, need a dependency, direct or through others; and memory of the arena is not reused while what it
// holds is still read. A run shows such a fault only by chance, so that a pass that has nothing to do with it would be
// blamed.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_SCHEDULEAUDIT_H
#define MICA_LIB_BISECT_SCHEDULEAUDIT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mica::bisect {

struct ScheduleFault {
  enum class Kind {
    MissingDependency, ///< two tasks may run at once, or in either order
    Overlap,           ///< a task overwrites memory of the arena that a later one reads
  };
  Kind kind = Kind::MissingDependency;
  std::string list;
  int64_t first = 0, second = 0; ///< tasks, from 0: the earlier one, and the one that should wait or that overwrites
  int64_t reader = -1;           ///< of an Overlap: who reads what was overwritten
  std::string text;              ///< a sentence
};

/// The faults of all task lists of `program`, a state of phase schedule or later whose kernels say what they access.
std::vector<ScheduleFault> auditSchedule(mlir::ModuleOp program);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_SCHEDULEAUDIT_H
