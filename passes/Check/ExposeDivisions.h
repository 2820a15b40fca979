//===- ExposeDivisions.h - divisions that other ops hide ---------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Affine code may divide by a symbol, and the index dialect has divisions of its own; what they are lowered to later
// faults where the divisor is 0. Here they become operations of arith, which mica-check-insert guards.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_EXPOSEDIVISIONS_H
#define MICA_PASSES_CHECK_EXPOSEDIVISIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Replaces every division and shift of `index`, and affine ops that divide by a value, by arithmetic. Code without
/// them stays as it is.
llvm::LogicalResult exposeDivisions(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_CHECK_EXPOSEDIVISIONS_H
