//===- TaskLists.h - task lists as plain data -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The data of the schedule from which the driver writes host/tasks.json and the manifest: the lists, the constants they
// use and the entries, as plain structs. They correspond one to one to the structures of
// include/mica/Artifact/Manifest.h, which the passes do not include:
//
//   TaskListInfo::Buffer   -> artifact::BufferRecord   (same kinds, same fields)
//   TaskListInfo::Task     -> artifact::TaskRecord     (opIds name the site: one artifact::SiteRecord per task)
//   TaskListInfo           -> artifact::TaskList       (position in the vector = the number that host code submits)
//   constants[i]           -> artifact::ConstantRecord i
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_TASKLISTS_H
#define MICA_PASSES_SCHEDULE_TASKLISTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <string>
#include <vector>

namespace mica {

/// One mica_sched.task_list.
struct TaskListInfo {
  enum class BufferKind { Parameter, Constant, Arena, Dynamic };

  /// One buffer that tasks use. A view is a separate buffer, of the kind of its base.
  struct Buffer {
    BufferKind kind = BufferKind::Arena;
    int64_t index = 0;       ///< Parameter: position among the buffer parameters; Constant: position in `constants`
    int64_t offset = 0;      ///< bytes into the arena, parameter or constant
    int64_t bytes = 0;       ///< size where static, else -1
    int64_t sizeScalar = -1; ///< Dynamic: the scalar parameter with its size in bytes
    int64_t viewOf = -1;     ///< Dynamic: position of the buffer of which it is a view; -1: none
    mlir::MemRefType type;
    /// Constant: each rank has one of the parts of `partBytes` that follow each other (mica_sched.parts). Empty: it is
    /// whole.
    std::vector<int64_t> grid, axes;
    int64_t partBytes = 0;
  };

  struct Task {
    std::string kernel;
    std::vector<int64_t> buffers; ///< positions in `buffers`
    std::vector<int64_t> scalars; ///< positions among the scalar parameters
    std::vector<int64_t> deps;    ///< positions in `tasks`
    std::vector<std::string> opIds;
    std::string device;
  };

  std::string name;
  int64_t parameters = 0;
  int64_t scalars = 0;
  int64_t arenaBytes = 0;
  std::vector<Buffer> buffers;
  std::vector<Task> tasks;
};

/// The values of the constant buffers of `program`, each once, in the order of their first use: task lists in order,
/// then host functions. The position is the argument of `constant` of the host ABI. Valid in any phase from `schedule`
/// to `lowered` before the host function is lowered, or afterwards, when only the lists refer to constants.
std::vector<mlir::ElementsAttr> collectConstants(mlir::ModuleOp program);

/// The task lists of `program` in order. Valid from phase `schedule` to `lowered`; the lists must verify.
std::vector<TaskListInfo> collectTaskLists(mlir::ModuleOp program);

/// The position of list `name` in the result of collectTaskLists, -1 if there is none.
int64_t taskListIndex(mlir::ModuleOp program, llvm::StringRef name);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_TASKLISTS_H
