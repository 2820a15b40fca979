//===- Factors.h - what a product multiplies --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The body of a product adds x * y to a sum. A factor is what x is but for conversions that lose nothing: an element of
// an input, or something computed of elements of some inputs (weights of 8 bits times their scale). Private to
// passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_FACTORS_H
#define MICA_PASSES_CODEGEN_GPU_FACTORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace mica::device {

/// Both factors of what the body of `op` adds to its sum; nullopt where it does something else.
std::optional<std::pair<mlir::Value, mlir::Value>> factorsOf(mlir::linalg::GenericOp op);

/// The inputs whose elements `factor`, of the body of `op`, is computed of, the one that moves with most loops first;
/// none where it needs more than those and what is defined outside.
llvm::SmallVector<mlir::OpOperand *> inputsOf(mlir::linalg::GenericOp op, mlir::Value factor);

/// `value` of the body `block`, computed again at the insertion point; `mapping` holds what stands for values of the
/// body, and gets what is computed. `onClone`, where given, is called with each new operation.
mlir::Value computeAgain(mlir::OpBuilder &builder, mlir::Block *block, mlir::Value value, mlir::IRMapping &mapping,
                         llvm::function_ref<void(mlir::Operation *)> onClone = nullptr);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_FACTORS_H
