//===- FlattenSignature.h - functions whose values become several -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For passes that replace a value by its parts: legalize-stablehlo-types and mica-tensor-split-complex.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_FLATTENSIGNATURE_H
#define MICA_PASSES_STABLEHLO_FLATTENSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Replaces the types of a function by those that `flatten` gives for each, and repeats the attributes of arguments and
/// results that become several. Block arguments are the caller's.
void flattenSignature(mlir::func::FuncOp function,
                      llvm::function_ref<llvm::SmallVector<mlir::Type>(mlir::Type)> flatten);

/// Of a function whose complex arguments and results are about to become two each: marks the imaginary parts for
/// callers, when flattenSignature has split them. Of other types than f32 and f64 callers see both parts.
void markImaginaryParts(mlir::func::FuncOp function, mlir::FunctionType before);

} // namespace mica

#endif // MICA_PASSES_STABLEHLO_FLATTENSIGNATURE_H
