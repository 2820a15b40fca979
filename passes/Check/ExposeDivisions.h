//===- ExposeDivisions.h - divisions that other ops hide ---------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Affine code may divide by a symbol, and the index dialect has its own division ops; both would be lowered after the
// checks are inserted, and fault if the divisor is 0. This rewrites them to arith ops, which mica-check-insert guards.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_EXPOSEDIVISIONS_H
#define MICA_PASSES_CHECK_EXPOSEDIVISIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Whether `value` is a constant integer, or a vector or tensor of them, and `holds` of each number.
bool isConstantWhere(mlir::Value value, llvm::function_ref<bool(const llvm::APInt &)> holds);

/// Whether `divisor` is a constant, or a vector or tensor of constants, by which every number can be divided: none is 0
/// and, if `isSigned`, none is -1, by which the least number overflows.
bool dividesAlways(mlir::Value divisor, bool isSigned);

/// Whether `shift` is by a constant, or by a vector or tensor of constants, one of which is no number of bits that a
/// shift of its type can have, and something sees the poison that it makes: it is not unused, and not only chosen from
/// by selects.
bool shiftsOut(mlir::Operation *shift);

/// Rewrites every division and shift of `index`, and affine ops that divide by a value, to arithmetic. Other code is
/// unchanged.
llvm::LogicalResult exposeDivisions(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_CHECK_EXPOSEDIVISIONS_H
