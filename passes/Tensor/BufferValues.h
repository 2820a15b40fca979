//===- BufferValues.h - the tensor that a buffer holds ---------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// While a function is read from top to bottom, every buffer it has holds one tensor at a time. This is that table:
// reading a buffer (or a view of it) gives a tensor, storing to it puts a new one in its place.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_BUFFERVALUES_H
#define MICA_PASSES_TENSOR_BUFFERVALUES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/MapVector.h"

namespace mica {

/// Whether `op` gives the memory of its first operand under another shape or type.
bool isBufferView(mlir::Operation *op);

/// The buffer that `buffer` is a view of, through any number of these. memref.transpose is one of them, and no
/// ViewLikeOpInterface, which is why this is not mica::rootBuffer.
mlir::Value rootOfBuffer(mlir::Value buffer);

/// The tensor type of the elements of a buffer.
mlir::RankedTensorType tensorTypeOf(mlir::MemRefType type);

class BufferValues {
public:
  bool isKnown(mlir::Value root) const { return current.contains(root); }
  mlir::Value &operator[](mlir::Value root) { return current[root]; }
  mlir::Value lookup(mlir::Value root) const { return current.lookup(root); }

  /// Whether `read` and `write` can follow the views between `buffer` and its root.
  bool canFollow(mlir::Value buffer) const;

  /// What `buffer`, a root or a view that can be followed, holds.
  mlir::Value read(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

  /// From here on `buffer` holds `tensor`.
  void write(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::Value tensor);

private:
  llvm::MapVector<mlir::Value, mlir::Value> current; ///< root -> tensor
};

} // namespace mica

#endif // MICA_PASSES_TENSOR_BUFFERVALUES_H
