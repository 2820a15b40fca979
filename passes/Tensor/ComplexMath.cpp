//===- ComplexMath.cpp - complex ops on pairs of scalars ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Sums and products are computed in the type of the parts, everything else in 64-bit floats.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/ComplexMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;

namespace {
/// Ops of arith and math on scalar floats.
class ScalarArith {
public:
  ScalarArith(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value add(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
  Value max(Value a, Value b) { return arith::MaximumFOp::create(builder, loc, a, b); }
  Value min(Value a, Value b) { return arith::MinimumFOp::create(builder, loc, a, b); }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value number(Value like, double value) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(like.getType(), value));
  }
  Value equal(Value a, Value b) { return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, a, b); }
  Value less(Value a, Value b) { return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b); }
  Value select(Value condition, Value a, Value b) { return arith::SelectOp::create(builder, loc, condition, a, b); }
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value atan2(Value y, Value x) { return math::Atan2Op::create(builder, loc, y, x); }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }
  Value cbrt(Value a) { return math::CbrtOp::create(builder, loc, a); }
  Value exp(Value a) { return math::ExpOp::create(builder, loc, a); }
  Value expm1(Value a) { return math::ExpM1Op::create(builder, loc, a); }
  Value log(Value a) { return math::LogOp::create(builder, loc, a); }
  Value log1p(Value a) { return math::Log1pOp::create(builder, loc, a); }
  Value sin(Value a) { return math::SinOp::create(builder, loc, a); }
  Value cos(Value a) { return math::CosOp::create(builder, loc, a); }
  Value tan(Value a) { return math::TanOp::create(builder, loc, a); }
  Value tanh(Value a) { return math::TanhOp::create(builder, loc, a); }
  /// `value` rounded or extended to `type`.
  Value as(Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }

  OpBuilder &builder;
  Location loc;
};

using Formulas = ComplexFormulas<ScalarArith>;
} // namespace

/// atan(y / x) as -i log((x + i y) / sqrt(x^2 + y^2)).
static ComplexParts arcTangent(ComplexParts y, ComplexParts x, Formulas &c) {
  const ComplexParts turned = {c.sub(x.re, y.im), c.add(x.im, y.re)};
  const ComplexParts length = c.root(c.sum(c.product(x, x), c.product(y, y)));
  const ComplexParts logarithm = c.logarithm(c.quotient(turned, length));
  return {logarithm.im, c.neg(logarithm.re)};
}

/// `z` to the power of an integer, in polar form; 1 for a power of 0, of any z.
static ComplexParts integerPower(ComplexParts z, Value exponent, Formulas &c) {
  Value n = arith::SIToFPOp::create(c.builder, c.loc, z.re.getType(), exponent);
  Value radius = math::PowFOp::create(c.builder, c.loc, c.magnitude(z), n), turn = c.mul(n, c.angle(z));
  Value zero = c.ScalarArith::number(n, 0);
  const ComplexParts power = {c.mul(radius, c.cos(turn)), c.mul(radius, c.sin(turn))};
  return c.chosen(c.equal(n, zero), c.number(z, 1), power);
}

/// A function of numbers in 64-bit floats.
static ComplexParts computeFunction(Operation *op, ArrayRef<ComplexParts> z, Formulas &c) {
  return llvm::TypeSwitch<Operation *, ComplexParts>(op)
      .Case([&](complex::AbsOp) {
        return ComplexParts{c.magnitude(z[0]), Value()};
      })
      .Case([&](complex::AngleOp) {
        return ComplexParts{c.angle(z[0]), Value()};
      })
      .Case([&](complex::Atan2Op) { return arcTangent(z[0], z[1], c); })
      .Case([&](complex::CosOp) { return c.cosine(z[0]); })
      .Case([&](complex::DivOp) { return c.quotient(z[0], z[1]); })
      .Case([&](complex::ExpOp) { return c.exponential(z[0]); })
      .Case([&](complex::Expm1Op) { return c.exponentialMinusOne(z[0]); })
      .Case([&](complex::LogOp) { return c.logarithm(z[0]); })
      .Case([&](complex::Log1pOp) { return c.logarithmPlusOne(z[0]); })
      .Case([&](complex::PowOp) { return c.power(z[0], z[1]); })
      .Case([&](complex::PowiOp) { return integerPower(z[0], z[1].re, c); })
      .Case([&](complex::RsqrtOp) { return c.quotient(c.number(z[0], 1), c.root(z[0])); })
      .Case([&](complex::SignOp) { return c.direction(z[0]); })
      .Case([&](complex::SinOp) { return c.sine(z[0]); })
      .Case([&](complex::SqrtOp) { return c.root(z[0]); })
      .Case([&](complex::TanOp) {
        const ComplexParts t = c.hyperbolicTangent({c.neg(z[0].im), z[0].re});
        return ComplexParts{t.im, c.neg(t.re)};
      })
      .Case([&](complex::TanhOp) { return c.hyperbolicTangent(z[0]); })
      .DefaultUnreachable("isComplexMath");
}

/// In memory the real part comes first, so it is the low half of an integer.
static ComplexParts castBits(complex::BitcastOp op, ComplexParts operand, OpBuilder &builder) {
  Location loc = op.getLoc();
  Type from = op.getOperand().getType(), to = op.getType();
  auto number = cast<ComplexType>(isa<ComplexType>(from) ? from : to);
  const unsigned width = number.getElementType().getIntOrFloatBitWidth();
  Type half = builder.getIntegerType(width), whole = builder.getIntegerType(2 * width);
  Value shift = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(whole, width));
  if (isa<ComplexType>(from)) {
    const auto bits = [&](Value part) -> Value {
      return arith::ExtUIOp::create(builder, loc, whole, arith::BitcastOp::create(builder, loc, half, part));
    };
    Value high = arith::ShLIOp::create(builder, loc, bits(operand.im), shift);
    Value all = arith::OrIOp::create(builder, loc, bits(operand.re), high);
    return {to == whole ? all : Value(arith::BitcastOp::create(builder, loc, to, all)), Value()};
  }
  Value all = operand.re;
  if (from != whole)
    all = arith::BitcastOp::create(builder, loc, whole, all);
  const auto part = [&](Value bits) -> Value {
    Value low = arith::TruncIOp::create(builder, loc, half, bits);
    return arith::BitcastOp::create(builder, loc, number.getElementType(), low);
  };
  return {part(all), part(arith::ShRUIOp::create(builder, loc, all, shift))};
}

bool mica::isComplexMath(Operation *op) {
  const auto isTaken = [](Type type) {
    auto number = dyn_cast<ComplexType>(type);
    return !number || isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(number.getElementType());
  };
  if (!llvm::all_of(op->getOperandTypes(), isTaken) || !llvm::all_of(op->getResultTypes(), isTaken))
    return false;
  if (auto bits = dyn_cast<complex::BitcastOp>(op)) {
    Type from = bits.getOperand().getType(), to = bits.getType();
    if (isa<ComplexType>(from) == isa<ComplexType>(to))
      return false;
    // Integers of 128 bits have no code everywhere.
    Type real = isa<ComplexType>(from) ? to : from;
    return real.isIntOrFloat() && real.getIntOrFloatBitWidth() <= 64;
  }
  return isa<complex::AbsOp, complex::AddOp, complex::AngleOp, complex::Atan2Op, complex::ConjOp, complex::ConstantOp,
             complex::CosOp, complex::CreateOp, complex::DivOp, complex::EqualOp, complex::ExpOp, complex::Expm1Op,
             complex::ImOp, complex::LogOp, complex::Log1pOp, complex::MulOp, complex::NegOp, complex::NotEqualOp,
             complex::PowOp, complex::PowiOp, complex::ReOp, complex::RsqrtOp, complex::SignOp, complex::SinOp,
             complex::SqrtOp, complex::SubOp, complex::TanOp, complex::TanhOp>(op);
}

ComplexParts mica::computeComplexOp(Operation *op, ArrayRef<ComplexParts> z, OpBuilder &builder) {
  Formulas c(builder, op->getLoc());
  if (auto constant = dyn_cast<complex::ConstantOp>(op)) {
    const auto make = [&](Attribute part) -> Value {
      return arith::ConstantOp::create(builder, op->getLoc(), cast<TypedAttr>(part));
    };
    return {make(constant.getValue()[0]), make(constant.getValue()[1])};
  }
  if (auto bits = dyn_cast<complex::BitcastOp>(op))
    return castBits(bits, z[0], builder);
  if (isa<complex::CreateOp>(op))
    return {z[0].re, z[1].re};
  if (isa<complex::ReOp>(op))
    return {z[0].re, Value()};
  if (isa<complex::ImOp>(op))
    return {z[0].im, Value()};
  if (isa<complex::ConjOp>(op))
    return {z[0].re, c.neg(z[0].im)};
  if (isa<complex::NegOp>(op))
    return c.negated(z[0]);
  if (isa<complex::AddOp>(op))
    return c.sum(z[0], z[1]);
  if (isa<complex::SubOp>(op))
    return {c.sub(z[0].re, z[1].re), c.sub(z[0].im, z[1].im)};
  if (isa<complex::MulOp>(op))
    return c.product(z[0], z[1]);
  if (isa<complex::EqualOp>(op))
    return {c.both(c.equal(z[0].re, z[1].re), c.equal(z[0].im, z[1].im)), Value()};
  if (isa<complex::NotEqualOp>(op)) {
    const auto differ = [&](Value a, Value b) -> Value {
      return arith::CmpFOp::create(builder, op->getLoc(), arith::CmpFPredicate::UNE, a, b);
    };
    return {c.either(differ(z[0].re, z[1].re), differ(z[0].im, z[1].im)), Value()};
  }
  const Type element = z[0].re.getType(), wide = builder.getF64Type();
  SmallVector<ComplexParts> widened;
  for (ComplexParts part : z)
    widened.push_back(part.im ? ComplexParts{c.as(part.re, wide), c.as(part.im, wide)} : part);
  const ComplexParts result = computeFunction(op, widened, c);
  return {c.as(result.re, element), result.im ? c.as(result.im, element) : Value()};
}
