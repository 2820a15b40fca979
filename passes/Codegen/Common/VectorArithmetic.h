//===- VectorArithmetic.h - building arithmetic on vectors --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Helpers for expansions of math functions.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_VECTORARITHMETIC_H
#define MICA_PASSES_CODEGEN_COMMON_VECTORARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica::cpu {

/// Builds arithmetic on one type, f32 or f64 or a vector of one of them.
struct Arithmetic {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;

  /// The same for another element type, with the same shape.
  Arithmetic on(mlir::Type element) const { return {b, loc, shaped(element)}; }
  mlir::Type shaped(mlir::Type element) const {
    auto vector = llvm::dyn_cast<mlir::VectorType>(type);
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  bool isDouble() const { return mlir::getElementTypeOrSelf(type).isF64(); }
  /// Integers as wide as the floats.
  mlir::Type integerType() const { return shaped(isDouble() ? b.getI64Type() : b.getI32Type()); }

  mlir::Value constant(double value) const { return splat(type, b.getFloatAttr(getElementTypeOrSelf(type), value)); }
  mlir::Value integer(int64_t value) const {
    return splat(integerType(), b.getIntegerAttr(getElementTypeOrSelf(integerType()), value));
  }
  mlir::Value splat(mlir::Type as, mlir::TypedAttr attribute) const {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(as))
      attribute = mlir::DenseElementsAttr::get(vector, llvm::cast<mlir::Attribute>(attribute));
    return mlir::arith::ConstantOp::create(b, loc, attribute);
  }

  template <typename OpT> mlir::Value make(mlir::Value x, mlir::Value y) const { return OpT::create(b, loc, x, y); }
  mlir::Value add(mlir::Value x, mlir::Value y) const { return make<mlir::arith::AddFOp>(x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) const { return make<mlir::arith::SubFOp>(x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) const { return make<mlir::arith::MulFOp>(x, y); }
  /// x * y + z, fused where the target can; not math.fma, which is a call into libm where it cannot.
  mlir::Value mulAdd(mlir::Value x, mlir::Value y, mlir::Value z) const {
    auto flags = mlir::arith::FastMathFlagsAttr::get(b.getContext(), mlir::arith::FastMathFlags::contract);
    mlir::Value product = mlir::arith::MulFOp::create(b, loc, x, y, flags);
    return mlir::arith::AddFOp::create(b, loc, product, z, flags);
  }
  /// The polynomial in `x` with these coefficients, highest power first.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) const {
    mlir::Value sum = constant(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = mulAdd(sum, x, constant(coefficient));
    return sum;
  }

  /// The maximum (minimum); `value` if it is NaN. Lowers to one instruction.
  mlir::Value atLeast(mlir::Value value, mlir::Value bound) const {
    return pick(mlir::arith::CmpFPredicate::OGT, bound, value);
  }
  mlir::Value atMost(mlir::Value value, mlir::Value bound) const {
    return pick(mlir::arith::CmpFPredicate::OLT, bound, value);
  }
  mlir::Value pick(mlir::arith::CmpFPredicate predicate, mlir::Value first, mlir::Value second) const {
    return select(is(predicate, first, second), first, second);
  }
  mlir::Value is(mlir::arith::CmpFPredicate predicate, mlir::Value x, mlir::Value y) const {
    return mlir::arith::CmpFOp::create(b, loc, predicate, x, y);
  }
  mlir::Value is(mlir::arith::CmpIPredicate predicate, mlir::Value x, mlir::Value y) const {
    return mlir::arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) const {
    return mlir::arith::SelectOp::create(b, loc, condition, x, y);
  }
  mlir::Value bitcast(mlir::Type to, mlir::Value x) const { return mlir::arith::BitcastOp::create(b, loc, to, x); }
};

/// log, log2, sin, cos and powf on f32; see VectorFunctions.cpp.
void populateVectorFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_COMMON_VECTORARITHMETIC_H
