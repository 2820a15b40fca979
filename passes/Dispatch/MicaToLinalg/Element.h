//===- Element.h - scalar arithmetic -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Builders for the bodies of elementwise operations. Each statement creates one operation: the evaluation order of
// function arguments is unspecified, and the IR must not depend on it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_MICATOLINALG_ELEMENT_H
#define MICA_PASSES_DISPATCH_MICATOLINALG_ELEMENT_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mica::tolinalg {

/// Arithmetic on scalars of `type`, all with one location.
struct Element {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;

  bool isFloat() const { return llvm::isa<mlir::FloatType>(type); }
  /// The same for another type.
  Element on(mlir::Type other) const { return {builder, loc, other}; }

  mlir::Value number(double value) const;
  mlir::Value integer(const llvm::APInt &value) const;

  template <typename OpT> mlir::Value make(mlir::Value x, mlir::Value y) const {
    return OpT::create(builder, loc, x, y);
  }
  template <typename OpT> mlir::Value make(mlir::Value x) const { return OpT::create(builder, loc, x); }
  template <typename FloatOp, typename IntOp> mlir::Value either(mlir::Value x, mlir::Value y) const {
    return isFloat() ? make<FloatOp>(x, y) : make<IntOp>(x, y);
  }
  mlir::Value is(mlir::arith::CmpFPredicate predicate, mlir::Value x, mlir::Value y) const;
  mlir::Value is(mlir::arith::CmpIPredicate predicate, mlir::Value x, mlir::Value y) const;
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) const;

  // The operations of the dialect, on values of `type`.
  mlir::Value add(mlir::Value x, mlir::Value y) const;
  mlir::Value sub(mlir::Value x, mlir::Value y) const;
  mlir::Value mul(mlir::Value x, mlir::Value y) const;
  mlir::Value div(mlir::Value x, mlir::Value y) const;
  mlir::Value rem(mlir::Value x, mlir::Value y) const;
  mlir::Value pow(mlir::Value x, mlir::Value y) const;
  mlir::Value larger(mlir::Value x, mlir::Value y) const;
  mlir::Value smaller(mlir::Value x, mlir::Value y) const;
  mlir::Value neg(mlir::Value x) const;
  mlir::Value abs(mlir::Value x) const;
  mlir::Value relu(mlir::Value x) const;
  mlir::Value sigmoid(mlir::Value x) const;
  mlir::Value silu(mlir::Value x) const;
  mlir::Value gelu(mlir::Value x, GeluApproximation approximate) const;
  mlir::Value compare(Comparison kind, mlir::Value x, mlir::Value y) const;
  mlir::Value invert(mlir::Value x) const;
  /// Shifts by at least the width of the type give 0 (or the sign).
  mlir::Value shiftLeft(mlir::Value x, mlir::Value amount) const;
  mlir::Value shiftRightArithmetic(mlir::Value x, mlir::Value amount) const;
  mlir::Value shiftRightLogical(mlir::Value x, mlir::Value amount) const;

  /// `x` in another type, with the semantics of mica.cast.
  mlir::Value castTo(mlir::Type to, mlir::Value x, Overflow overflow, Rounding rounding) const;
  /// A float in another float type, rounded once.
  mlir::Value convertFloat(mlir::Type to, mlir::Value x) const;
  /// An integer, signed or not, in a float type, rounded once.
  mlir::Value toFloat(mlir::Type to, mlir::Value x, bool isUnsigned = false) const;
  /// Converts a whole float (infinities included) to an integer type as wide as `to`, clamped to its range; NaN to 0.
  mlir::Value saturate(mlir::IntegerType to, mlir::Value x, bool isUnsigned = false) const;

private:
  /// An integer divisor without the two values for which processors trap: `safe` is 1 instead of 0 and -1. `zero` is
  /// the constant.
  struct Divisor {
    mlir::Value zero, isZero, isMinusOne, safe;
  };
  Divisor divisorOf(mlir::Value y) const;
  mlir::Value width() const;
};

/// The type in which floats of `type` are computed: f32 for narrower ones.
mlir::Type computeType(mlir::Type type);

} // namespace mica::tolinalg

#endif // MICA_PASSES_DISPATCH_MICATOLINALG_ELEMENT_H
