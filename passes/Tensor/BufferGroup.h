//===- BufferGroup.h - operations on buffers as one mica_sched.buffer_region --------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Collects neighbouring operations of one block that work on buffers and puts them into the body of one op on tensors.
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

  /// Whether `op` takes a result of the group or touches a buffer that the group touches.
  bool meets(mlir::Operation *op) const;
  /// Whether `op` takes a result of the group.
  bool feeds(mlir::Operation *op) const;

  /// Whether a result that is no scalar is used behind the group: what comes next must be in it, too.
  bool holdsVectors() const;
  /// The group has effects beyond its buffers.
  void runOnHost() { host = true; }
  /// Whether something in it prints or calls: what does so after it comes after it.
  bool runsOnHost() const { return host; }

  /// Makes the op at the builder's place, writes what it updates to the table, and erases the operations of the group.
  mlir::LogicalResult flush(mlir::OpBuilder &builder);

private:
  bool isLocal(mlir::Value root) const;
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::IRMapping &mapping, mlir::Value buffer);

  BufferValues &values;
  llvm::SetVector<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> touched, written; ///< roots
  bool host = false;
};

} // namespace mica

#endif // MICA_PASSES_TENSOR_BUFFERGROUP_H
