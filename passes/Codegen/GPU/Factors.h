//===- Factors.h - the factors of a contraction -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The body of a contraction adds x * y to an accumulator. A factor is x without lossless conversions: an element of an
// input, or a value computed from elements of several inputs (8-bit weights times their scale). Private to
// passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_FACTORS_H
#define MICA_PASSES_CODEGEN_GPU_FACTORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace mica::device {

/// Both factors of the product that the body of `op` accumulates; nullopt if the body has another form.
std::optional<std::pair<mlir::Value, mlir::Value>> factorsOf(mlir::linalg::GenericOp op);

/// The inputs from which `factor`, of the body of `op`, is computed, the one that depends on most loops first; none if
/// it depends on anything else except values from outside of the op.
llvm::SmallVector<mlir::OpOperand *> inputsOf(mlir::linalg::GenericOp op, mlir::Value factor);

/// Clones the computation of `value` of the body `block` to the insertion point; `mapping` has the replacements of body
/// values, and receives the clones. `onClone`, if set, is called with each new operation.
mlir::Value computeAgain(mlir::OpBuilder &builder, mlir::Block *block, mlir::Value value, mlir::IRMapping &mapping,
                         llvm::function_ref<void(mlir::Operation *)> onClone = nullptr);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_FACTORS_H
