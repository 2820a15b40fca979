//===- MemoryAccess.h - which elements of a buffer an operation touches -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For passes/Check, passes/Codegen/GPU and passes/Codegen/Reference. One form for what memref and vector spell in many.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_MEMORYACCESS_H
#define MICA_PASSES_CHECK_MEMORYACCESS_H

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/IR/Builders.h"

namespace mica {

/// From `indices` on, `sizes` elements of `buffer` in each dimension; no sizes: one element.
struct MemoryAccess {
  check::Access kind = check::Access::Load;
  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> indices, sizes;
};

/// Whether `op` touches elements in a form that describeAccess() knows.
bool isKnownAccess(mlir::Operation *op);

/// Whether `op` may touch memory in a form that nothing is known of: calls, addresses, casts that say any shape.
bool isUnknownAccess(mlir::Operation *op);

/// What `op` touches; `builder` stands before it and makes what is missing (sizes of masked vectors, for instance).
MemoryAccess describeAccess(mlir::OpBuilder &builder, mlir::Operation *op);

/// mica_check.in_bounds as arithmetic: whether `sizes` elements (none: one) from `indices` on are in `buffer`.
mlir::Value buildInBounds(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::ValueRange indices,
                          mlir::ValueRange sizes);

/// The numbers that a report of elements of `buffer` has: per dimension the index, how many elements from there on (no
/// `sizes`: one), and the extent. What is missing of them is made at `builder`.
llvm::SmallVector<mlir::Value> reportedValues(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer,
                                              mlir::ValueRange indices, mlir::ValueRange sizes);

} // namespace mica

#endif // MICA_PASSES_CHECK_MEMORYACCESS_H
