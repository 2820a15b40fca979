//===- TaskListBuilder.h - building a task list from a straight-line region -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The part of mica-schedule-form-task-lists that builds lists: buffers, arena, tasks, dependencies.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_TASKLISTBUILDER_H
#define MICA_PASSES_SCHEDULE_TASKLISTBUILDER_H

#include "passes/Schedule/ConstantParts.h"
#include "passes/Schedule/HostTensors.h"

#include "llvm/ADT/SetVector.h"

namespace mica {

/// A list, and the operands of its submit. `buffers` are still tensors: each represents its memory.
struct BuiltTaskList {
  sched::TaskListOp list;
  llvm::SmallVector<mlir::Value> buffers;
  llvm::SmallVector<mlir::Value> scalars;
};

/// Builds the list of `segment` with `builder`. `outlives` returns whether the memory of a root value belongs to the
/// host function; otherwise it is private to the list. Fails with an error if a kernel is called in a form that lists
/// do not support. `symbols` finds the kernels. `parts`: root values that are parts of constants; no dispatch of the
/// segment writes them.
mlir::FailureOr<BuiltTaskList> buildTaskList(mlir::OpBuilder &builder, llvm::StringRef name, const Segment &segment,
                                             HostSizes &sizes, mlir::SymbolTableCollection &symbols,
                                             const llvm::DenseMap<mlir::Value, ConstantParts> &parts,
                                             llvm::function_ref<bool(mlir::Value)> outlives);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_TASKLISTBUILDER_H
