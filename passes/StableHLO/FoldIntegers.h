//===- FoldIntegers.h - evaluates ops on constant integers --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For the computations of sizes, which have few elements.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_FOLDINTEGERS_H
#define MICA_PASSES_STABLEHLO_FOLDINTEGERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mica::hlotypes {

/// The elements of a constant of integers or booleans; null for other values, and for more than 64 elements.
mlir::DenseIntElementsAttr constantOf(mlir::Value value);

/// The result of `op`, whose operands are such constants, or of which the sizes are known; null for others.
mlir::DenseIntElementsAttr foldIntegers(mlir::Operation *op);

} // namespace mica::hlotypes

#endif // MICA_PASSES_STABLEHLO_FOLDINTEGERS_H
