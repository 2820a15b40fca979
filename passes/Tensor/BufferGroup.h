//===- BufferGroup.h - operations on buffers as one mica_sched.buffer_region --------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Collects adjacent operations of one block on buffers, and moves them into the body of one op on tensors.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BUFFERGROUP_H
#define MICA_PASSES_TENSOR_BUFFERGROUP_H

#include "passes/Tensor/BufferValues.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mica {

class BufferGroup {
public:
  explicit BufferGroup(BufferValues &values) : values(values) {}

  bool empty() const { return ops.empty(); }
  void add(mlir::Operation *op);

  /// Whether `op` uses a result of the group or accesses a buffer of the group.
  bool meets(mlir::Operation *op) const;
  /// Whether `op` uses a result of the group.
  bool feeds(mlir::Operation *op) const;

  /// Whether a nonscalar result is used after the group: then the users must be included.
  bool holdsVectors() const;
  /// Marks that the group has effects besides those on its buffers.
  void runOnHost() { host = true; }
  /// Whether an op in it prints or calls: later ops that do so must follow it.
  bool runsOnHost() const { return host; }

  /// Creates the op at the builder's insertion point, updates the table of buffer values, and erases the operations.
  mlir::LogicalResult flush(mlir::OpBuilder &builder);

private:
  bool isLocal(mlir::Value root) const;
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::IRMapping &mapping, mlir::Value buffer);

  BufferValues &values;
  llvm::SetVector<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> touched, written;  ///< roots
  llvm::SmallVector<mlir::Location> checkedViews; ///< whose sizes are checked in the op
  bool host = false;
};

} // namespace mica

#endif // MICA_PASSES_TENSOR_BUFFERGROUP_H
