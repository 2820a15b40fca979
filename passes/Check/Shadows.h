//===- Shadows.h - shadows of buffers ---------------------------------------------------------------------------===//
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

/// Removes the shadows under `root` for which `drop` holds: erases stores to them, and treats loads from them as
/// initialized. Canonicalization removes the rest.
void dropShadows(mlir::Operation *root, llvm::function_ref<bool(check::ShadowOp)> drop);

/// The operand of `op` that it stores to memory unchanged; null if it is not such a store.
mlir::OpOperand *storedOperand(mlir::Operation *op);
/// The buffer from which `op` loads elements; null if it is not such a load.
mlir::OpOperand *loadedBuffer(mlir::Operation *op);
/// The buffer to which a store of storedOperand() stores.
mlir::OpOperand *storedBuffer(mlir::Operation *op);

/// Whether the only use of the results of `op` is as an operand of a select: both operands of a select are computed in
/// advance, so operands of `op` count as used only where its result is selected.
bool isUsedByChoice(mlir::Operation *op);

/// Whether `op` only moves elements of its operands to its results, or selects among them.
bool isMovement(mlir::Operation *op);
/// Whether `operand` of such an operation is moved; other operands control the selection.
bool isMoved(mlir::OpOperand &operand);

/// The allocation that the views up to `buffer` start from, and the index there of the element at `indices`. Arithmetic
/// is created by `builder`.
std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>
indexInMemory(mlir::RewriterBase &builder, mlir::Location loc, mlir::Value buffer, llvm::ArrayRef<mlir::Value> indices);

/// Whether every element of `buffer` (an allocation in `home`, or an argument of the function whose entry block is
/// `home`) is certainly written before any element is read, as far as loops and indices show.
bool isFilledFirst(mlir::Value buffer, mlir::Block *home);

} // namespace mica

#endif // MICA_PASSES_CHECK_SHADOWS_H
