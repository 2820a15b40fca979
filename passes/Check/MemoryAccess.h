//===- MemoryAccess.h - the elements that an operation accesses -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For passes/Check, passes/Codegen/GPU and passes/Codegen/Reference: one description for the many access ops of memref
// and vector.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_MEMORYACCESS_H
#define MICA_PASSES_CHECK_MEMORYACCESS_H

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/IR/Builders.h"

namespace mica {

/// `sizes` elements of `buffer` per dimension, from `indices` on; no sizes: one element.
struct MemoryAccess {
  check::Access kind = check::Access::Load;
  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> indices, sizes;
};

/// Whether `op` accesses elements in a form that describeAccess() supports.
bool isKnownAccess(mlir::Operation *op);

/// Whether `op` may access memory in an unknown form: calls, raw addresses, casts to arbitrary shapes.
bool isUnknownAccess(mlir::Operation *op);

/// The elements that `op` accesses; `builder` is positioned before it and creates missing values (such as sizes of
/// masked vectors).
MemoryAccess describeAccess(mlir::OpBuilder &builder, mlir::Operation *op);

/// Lowers mica_check.in_bounds: whether `sizes` elements (none: one) from `indices` on are in `buffer`.
mlir::Value buildInBounds(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::ValueRange indices,
                          mlir::ValueRange sizes);

/// The values of a report about elements of `buffer`: per dimension the index, the number of elements (no `sizes`:
/// one), and the extent. Missing values are created at `builder`.
llvm::SmallVector<mlir::Value> reportedValues(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer,
                                              mlir::ValueRange indices, mlir::ValueRange sizes);

} // namespace mica

#endif // MICA_PASSES_CHECK_MEMORYACCESS_H
