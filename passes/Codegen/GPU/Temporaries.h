//===- Temporaries.h - memory for what a kernel computes on the way ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Threads have no memory to allocate from. What they allocate is made room for by the host before their launch, which
// needs a size there: the one asked for, or what it cannot exceed. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_TEMPORARIES_H
#define MICA_PASSES_CODEGEN_GPU_TEMPORARIES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace mica::device {

/// The product of `factors`, at the insertion point; the largest number there is where it does not fit, so that nobody
/// has as much.
mlir::Value saturatedProduct(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> factors);

/// How many bytes a buffer of `type` and the dynamic `sizes` takes, at the insertion point.
mlir::Value temporaryBytes(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type, mlir::ValueRange sizes);

/// Numbers, made at the insertion point of `builder`, that the sizes of `alloc` are, or do not exceed. `isKnown`: what
/// may be used there. nullopt where there are none.
std::optional<llvm::SmallVector<mlir::Value>> boundsOfSizes(mlir::OpBuilder &builder, mlir::memref::AllocOp alloc,
                                                            llvm::function_ref<bool(mlir::Value)> isKnown);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_TEMPORARIES_H
