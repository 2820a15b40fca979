//===- ComplexMath.h - complex ops on pairs of scalars ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to mica-tensor-split-complex: the ops of the dialect complex, by arith and math.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_COMPLEXMATH_H
#define MICA_PASSES_TENSOR_COMPLEXMATH_H

#include "passes/StableHLO/ComplexFormulas.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace mica {

/// Whether `computeComplexOp` takes `op`, by its name and types.
bool isComplexMath(mlir::Operation *op);

/// Creates the result of `op`, an op of the dialect complex with one result, from the parts of its operands (`im` is
/// null for real ones). `im` of the result is null if it is real.
ComplexParts computeComplexOp(mlir::Operation *op, llvm::ArrayRef<ComplexParts> operands, mlir::OpBuilder &builder);

} // namespace mica

#endif // MICA_PASSES_TENSOR_COMPLEXMATH_H
