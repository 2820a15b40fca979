//===- Shadows.h - what is known of the elements of buffers -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to passes/Check.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_SHADOWS_H
#define MICA_PASSES_CHECK_SHADOWS_H

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mica {

/// Removes the shadows under `root` for which `drop` holds: stores to them go, and what is loaded from them counts as
/// written. Canonicalization takes the rest.
void dropShadows(mlir::Operation *root, llvm::function_ref<bool(check::ShadowOp)> drop);

/// The operand of `op` that it stores to memory unchanged; null where it is no store of that kind.
mlir::OpOperand *storedOperand(mlir::Operation *op);
/// The buffer that `op` loads elements from; null where it is no such load.
mlir::OpOperand *loadedBuffer(mlir::Operation *op);
/// The buffer that a store of storedOperand() stores to.
mlir::OpOperand *storedBuffer(mlir::Operation *op);

/// Whether `op` computes what a select may choose, and nothing else does with it: compilers work out both sides
/// beforehand, so its operands are used only where it is chosen.
bool isUsedByChoice(mlir::Operation *op);

/// Whether `op` moves elements of its operands to its results without looking at them, or is such a one.
bool isMovement(mlir::Operation *op);
/// Whether `operand` of such an operation is moved; others choose what is.
bool isMoved(mlir::OpOperand &operand);

/// In terms of the memory that the views on the way to `buffer` begin at: that memory, and the index there of the
/// element at `indices`. Arithmetic is made by `builder`.
std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>
indexInMemory(mlir::RewriterBase &builder, mlir::Location loc, mlir::Value buffer, llvm::ArrayRef<mlir::Value> indices);

/// Whether every element of `buffer` (an allocation in `home`, or an argument whose function begins with `home`) is
/// written before any is read, as far as loops and indices say so for certain.
bool isFilledFirst(mlir::Value buffer, mlir::Block *home);

} // namespace mica

#endif // MICA_PASSES_CHECK_SHADOWS_H
