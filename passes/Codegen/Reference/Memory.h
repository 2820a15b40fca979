//===- Memory.h - buffers as addresses --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Buffers of task lists and constants are addresses with a type: dynamic sizes come from the task that uses them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_MEMORY_H
#define MICA_PASSES_CODEGEN_REFERENCE_MEMORY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mica {

/// The address of a buffer, as an index.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);
/// A buffer of `type`, row-major without gaps, at `pointer` (an LLVM pointer); `sizes` are its dynamic sizes.
mlir::Value bufferAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::Value pointer,
                     mlir::ValueRange sizes);
/// `address`, an index, plus `offset` bytes, as an LLVM pointer.
mlir::Value pointerTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address, int64_t offset);
/// Bytes of a buffer of `type`; on overflow or a negative size the maximum index, for which allocation fails.
mlir::Value bytesOrMost(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::ValueRange sizes,
                        int64_t elementBytes);
/// Allocates memory for a buffer of `type` with the ABI's alignment.
mlir::Value allocate(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::ValueRange sizes);

/// Whether the program may store to `buffer`, through views, loops, branches and calls, or gives away its address.
bool mayStoreTo(mlir::Value buffer);

/// Lets each function below `root` return copies of tensors that may be constants. Upstream's bufferization lets
/// callers write to what a call returns (docs/UpstreamFindings.md).
void copyReturnedConstants(mlir::Operation *root);
/// Lets each `scf.for` and `scf.while` below `root` pass on copies of tensors that are passed on twice, or that
/// something else may share: upstream's bufferization takes the results for memory of their own
/// (docs/UpstreamFindings.md).
void copySharedYields(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_REFERENCE_MEMORY_H
