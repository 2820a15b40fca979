//===- TaskListBuilder.h - one straight-line region becomes a task list -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The half of mica-schedule-form-task-lists that builds lists: buffers, arena, tasks, dependencies.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_TASKLISTBUILDER_H
#define MICA_PASSES_SCHEDULE_TASKLISTBUILDER_H

#include "passes/Schedule/HostTensors.h"

#include "llvm/ADT/SetVector.h"

namespace mica {

/// A list, and the values of the host function that its submit passes. `buffers` are tensors still: each stands for its
/// memory.
struct BuiltTaskList {
  sched::TaskListOp list;
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<mlir::Value> scalars;
};

/// Builds the list of `segment` with `builder`. `outlives` says of the root of a tensor whether its memory is the host
/// function's; the others live in the list alone. Fails with an error where a kernel is called in a way lists cannot
/// say. `symbols` finds the kernels.
mlir::FailureOr<BuiltTaskList> buildTaskList(mlir::OpBuilder &builder, llvm::StringRef name, const Segment &segment,
                                             HostSizes &sizes, mlir::SymbolTableCollection &symbols,
                                             llvm::function_ref<bool(mlir::Value)> outlives);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_TASKLISTBUILDER_H
