//===- HostTensors.h - tensors of a host function: whose memory, which sizes ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the formation of task lists asks of a host function while it is still on tensors: which values are views of the
// same memory, which sizes they have, and which dispatches form a straight-line region.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_HOSTTENSORS_H
#define MICA_PASSES_SCHEDULE_HOSTTENSORS_H

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace mica {

/// Whether `op` prints or calls out of the program: what the program does before must be done by then.
bool isHostEffect(mlir::Operation *op);

/// Whether `op` is a reshape or cast of a tensor: its result is the memory of its first operand.
bool isHostView(mlir::Operation *op);

/// The value whose memory `tensor` is: itself, or what it is a view of (as `isView` says) or a change in place.
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
  /// Sizes given from now on are `to` where they were `from`, which is about to be erased.
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

/// Cuts a host function into segments. A segment ends where the host needs a result (tensor.extract), where control
/// flow with tensors begins, and at the end of its block.
llvm::SmallVector<Segment> findSegments(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTTENSORS_H
