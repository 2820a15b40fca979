//===- Temporaries.h - sizes of temporaries of launches ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Threads cannot allocate memory. The host allocates their temporaries before the launch, which requires the size, or
// an upper bound of it, on the host. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_TEMPORARIES_H
#define MICA_PASSES_CODEGEN_GPU_TEMPORARIES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mica::device {

/// The product of `factors`, at the insertion point; on overflow the maximum value, so that the allocation fails.
mlir::Value saturatedProduct(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> factors);

/// The size in bytes of a buffer of `type` with the dynamic `sizes`, at the insertion point.
mlir::Value temporaryBytes(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::ValueRange sizes);

/// The sizes of `alloc`, or upper bounds of them, computed at the insertion point of `builder`. `isKnown`: whether a
/// value may be used there. nullopt if there are none.
std::optional<llvm::SmallVector<mlir::Value>> boundsOfSizes(mlir::OpBuilder &builder, mlir::memref::AllocOp alloc,
                                                            llvm::function_ref<bool(mlir::Value)> isKnown);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_TEMPORARIES_H
