//===- IntegerPowers.h - integer powers that are undefined --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// 0 to a negative power divides by zero. `math.ipowi` says so of no operand, and Mica's expansions give 0 there.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_INTEGERPOWERS_H
#define MICA_PASSES_CHECK_INTEGERPOWERS_H

#include "mlir/Dialect/Math/IR/Math.h"

namespace mica {

/// What checks say about such a power.
inline constexpr llvm::StringLiteral kZeroInverted = "0 to a negative power, a division by zero";

/// Whether `op` is a `math.ipowi` that may raise 0 to a negative power: neither are all exponents constants that are
/// not negative, nor all bases constants that are not 0, nor is another exponent chosen there.
bool mayInvertZero(mlir::Operation *op);

/// What must not be 0, in each lane or element: the base where the exponent is negative, else `one`. `zero` and `one`
/// have the type of the operands.
mlir::Value invertedBase(mlir::OpBuilder &builder, mlir::math::IPowIOp power, mlir::Value zero, mlir::Value one);

} // namespace mica

#endif // MICA_PASSES_CHECK_INTEGERPOWERS_H
