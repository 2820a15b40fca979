//===- HostTensors.h - memory and sizes of tensors in host functions --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Analyses of host functions on tensors, for the formation of task lists: which values are views of the same memory,
// their sizes, and which dispatches form a straight-line region.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_HOSTTENSORS_H
#define MICA_PASSES_SCHEDULE_HOSTTENSORS_H

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace mica {

/// Whether `op` has effects outside of the program, such as printing: everything before it must be complete.
bool isHostEffect(mlir::Operation *op);

/// Whether `op` is a reshape or cast of a tensor: its result shares the memory of its first operand.
bool isHostView(mlir::Operation *op);

/// The value whose memory `tensor` shares: itself, or the one of which it is a view (according to `isView`) or an
/// in-place update.
mlir::Value viewRoot(mlir::Value tensor, bool (*isView)(mlir::Operation *) = isHostView);

/// The buffer type of a tensor: same shape and element type, identity layout.
mlir::MemRefType bufferTypeOf(mlir::Value tensor);

/// Sizes of tensors as index values of the host function.
class HostSizes {
public:
  /// Size `dim` of `tensor`, as a value that dominates every use of `tensor`.
  mlir::Value size(mlir::Value tensor, int64_t dim);
  /// The sizes of its dynamic dimensions, outermost first.
  llvm::SmallVector<mlir::Value> dynamicSizes(mlir::Value tensor);
  /// From now on uses `to` instead of `from`, which is about to be erased.
  void replace(mlir::Value from, mlir::Value to) { replaced[from] = to; }

private:
  mlir::Value compute(mlir::Value tensor, int64_t dim);
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> known;
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;
};

/// A straight-line region: dispatches that can be submitted together, right before `end`.
struct Segment {
  llvm::SmallVector<sched::DispatchOp> dispatches;
  mlir::Operation *end = nullptr;
};

/// Splits a host function into segments. A segment ends where the host needs a result (tensor.extract), where control
/// flow with tensors begins, and at the end of its block.
llvm::SmallVector<Segment> findSegments(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTTENSORS_H
