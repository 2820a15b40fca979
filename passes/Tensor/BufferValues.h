//===- BufferValues.h - the tensor that a buffer holds ---------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// While a function is raised from top to bottom, every buffer has a current tensor value. This table maps buffers to
// them: reading a buffer (or a view of it) returns a tensor, storing to it replaces the value.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BUFFERVALUES_H
#define MICA_PASSES_TENSOR_BUFFERVALUES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/MapVector.h"

namespace mica {

/// Whether the result of `op` is the memory of its first operand with another shape or type.
bool isBufferView(mlir::Operation *op);

/// The buffer of which `buffer` is a view, through any number of views. Not mica::rootBuffer, because memref.transpose
/// does not implement ViewLikeOpInterface.
mlir::Value rootOfBuffer(mlir::Value buffer);

/// The tensor type of the elements of a buffer.
mlir::RankedTensorType tensorTypeOf(mlir::MemRefType type);

class BufferValues {
public:
  bool isKnown(mlir::Value root) const { return current.contains(root); }
  mlir::Value &operator[](mlir::Value root) { return current[root]; }
  mlir::Value lookup(mlir::Value root) const { return current.lookup(root); }

  /// Whether `read` and `write` support the views between `buffer` and its root.
  bool canFollow(mlir::Value buffer) const;

  /// The current value of `buffer`, a root or a supported view.
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

  /// Sets the current value of `buffer`.
  void write(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::Value tensor);

private:
  llvm::MapVector<mlir::Value, mlir::Value> current; ///< root -> tensor
};

} // namespace mica

#endif // MICA_PASSES_TENSOR_BUFFERVALUES_H
