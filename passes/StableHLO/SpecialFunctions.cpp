//===- SpecialFunctions.cpp - functions of chlo on scalars --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// All are computed in f64, whatever the elements are, and rounded once: results of f32 and narrower floats are within a
// unit in the last place but where noted.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Arithmetic on f64.
class Formula {
public:
  Formula(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value number(double value) { return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value)); }
  Value add(Value a, Value b) { return arith::AddFOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
  Value div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  template <typename Op> Value of(Value a) { return Op::create(builder, loc, a); }
  Value abs(Value a) { return of<math::AbsFOp>(a); }
  Value log(Value a) { return of<math::LogOp>(a); }
  Value exp(Value a) { return of<math::ExpOp>(a); }
  Value floor(Value a) { return of<math::FloorOp>(a); }
  Value power(Value a, Value b) { return math::PowFOp::create(builder, loc, a, b); }
  Value is(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value equal(Value a, Value b) { return is(arith::CmpFPredicate::OEQ, a, b); }
  Value less(Value a, Value b) { return is(arith::CmpFPredicate::OLT, a, b); }
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value chosen(Value pred, Value a, Value b) { return arith::SelectOp::create(builder, loc, pred, a, b); }
  Value chosen(Value pred, double a, Value b) { return chosen(pred, number(a), b); }
  /// The polynomial whose coefficients these are, the highest first.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = add(mul(sum, x), number(coefficient));
    return sum;
  }

  Value lgamma(Value x);
  Value digamma(Value x);
  Value zeta(Value x, Value q);
  Value polygamma(Value n, Value x);
  Value erfInv(Value x);
  Value besselI1e(Value x);

private:
  /// The distance of |x| to the nearest integer.
  Value toNearest(Value x) {
    Value magnitude = abs(x), rest = sub(magnitude, floor(magnitude));
    return chosen(less(number(0.5), rest), sub(number(1), rest), rest);
  }

  OpBuilder &builder;
  Location loc;
};

/// Lanczos' approximation with g = 7 and 9 terms, of an absolute error of 1e-15; below 0.5 the reflection.
Value Formula::lgamma(Value x) {
  static constexpr double kTerms[] = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
                                      -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
                                      9.9843695780195716e-6, 1.5056327351493116e-7};
  Value half = number(0.5), one = number(1);
  Value isLow = less(x, half);
  Value z = chosen(isLow, neg(x), sub(x, one));
  Value sum = number(0.99999999999980993);
  for (auto [index, term] : llvm::enumerate(kTerms))
    sum = add(sum, div(number(term), add(z, number(double(index + 1)))));
  Value t = add(z, number(7.5));
  Value logOfT = log(t);
  // (z + 1/2) log t - t, without the loss of a large difference.
  Value main = mul(sub(add(z, half), div(t, logOfT)), logOfT);
  Value result = add(add(number(0.5 * std::log(2 * std::numbers::pi)), main), log(sum));
  Value sine = of<math::SinOp>(mul(number(std::numbers::pi), toNearest(x)));
  Value reflected = sub(number(std::log(std::numbers::pi)), add(log(sine), result));
  Value isPole = equal(sine, number(0));
  result = chosen(isLow, chosen(isPole, kInfinity, reflected), result);
  return chosen(equal(abs(x), number(kInfinity)), kInfinity, result);
}

/// The asymptotic series after ten steps of the recurrence; below 0.5 the reflection.
Value Formula::digamma(Value x) {
  Value one = number(1), isLow = less(x, number(0.5));
  Value z = chosen(isLow, sub(one, x), x);
  Value sum = number(0);
  for (int step = 9; step >= 0; --step)
    sum = add(sum, div(one, add(z, number(step))));
  Value y = add(z, number(10)), square = div(one, mul(y, y));
  // B(2k) / 2k, from k = 7 down.
  static constexpr double kTerms[] = {1.0 / 12,  -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                                      1.0 / 252, -1.0 / 120,     1.0 / 12,  0};
  Value result = sub(sub(log(y), div(number(0.5), y)), polynomial(square, kTerms));
  result = sub(result, sum);
  // The cotangent of pi x has the sign of the signed distance to the nearest integer.
  Value rest = sub(x, of<math::RoundEvenOp>(x));
  Value angle = mul(number(std::numbers::pi), rest);
  Value cotangent = div(of<math::CosOp>(angle), of<math::SinOp>(angle));
  Value reflected = sub(result, mul(number(std::numbers::pi), cotangent));
  result = chosen(isLow, reflected, result);
  Value isPole = both(is(arith::CmpFPredicate::OLE, x, number(0)), equal(x, floor(x)));
  return chosen(isPole, kNaN, result);
}

/// Euler's and Maclaurin's formula after nine terms.
Value Formula::zeta(Value x, Value q) {
  Value sum = number(0), negative = neg(x), one = number(1), zero = number(0);
  for (int step = 0; step < 9; ++step)
    sum = add(sum, power(add(q, number(step)), negative));
  Value a = add(q, number(9)), tail = power(a, negative);
  Value result = add(add(sum, div(mul(tail, a), sub(x, one))), mul(number(0.5), tail));
  // B(2k) / (2k)!
  static constexpr double kTerms[] = {1.0 / 12,
                                      -1.0 / 720,
                                      1.0 / 30240,
                                      -1.0 / 1209600,
                                      1.0 / 47900160,
                                      -691.0 / 1307674368000.0,
                                      1.0 / 74724249600.0,
                                      -3617.0 / 10670622842880000.0,
                                      43867.0 / 5109094217170944000.0,
                                      -174611.0 / 802857662698291200000.0};
  Value factor = mul(x, div(tail, a)), correction = zero, square = mul(a, a);
  for (auto [index, term] : llvm::enumerate(kTerms)) {
    correction = add(correction, mul(number(term), factor));
    const double k = double(index + 1);
    factor = mul(factor, div(mul(add(x, number(2 * k - 1)), add(x, number(2 * k))), square));
  }
  result = chosen(equal(tail, zero), sum, add(result, correction));
  Value isInteger = equal(x, floor(x)), half = mul(x, number(0.5));
  Value isEven = equal(half, floor(half));
  Value isLow = is(arith::CmpFPredicate::OLE, q, zero), isPole = both(isLow, equal(q, floor(q)));
  Value atPole = chosen(isEven, number(kInfinity), number(kNaN));
  result = chosen(both(isLow, is(arith::CmpFPredicate::UNE, x, floor(x))), kNaN, result);
  result = chosen(both(isPole, isInteger), atPole, result);
  result = chosen(equal(x, one), kInfinity, result);
  return chosen(less(x, one), kNaN, result);
}

Value Formula::polygamma(Value n, Value x) {
  Value one = number(1), next = add(n, one), half = mul(n, number(0.5));
  Value isEven = equal(half, floor(half));
  Value magnitude = mul(exp(lgamma(next)), zeta(next, x));
  Value result = chosen(isEven, neg(magnitude), magnitude);
  result = chosen(equal(n, number(0)), digamma(x), result);
  Value isWrong = either(less(n, number(0)), is(arith::CmpFPredicate::UNE, n, floor(n)));
  return chosen(isWrong, kNaN, result);
}

/// Giles' approximation, made better by three steps of Halley's iteration on erf, or on erfc where x is near 1.
Value Formula::erfInv(Value x) {
  static constexpr double kInner[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                      -0.00125372503, -0.00417768164, 0.246640727,    1.50140941};
  static constexpr double kOuter[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                      -0.0076224613,   0.00943887047,  1.00167406,    2.83297682};
  Value one = number(1), magnitude = abs(x), rest = sub(one, magnitude);
  Value w = neg(log(mul(rest, add(one, magnitude))));
  Value factor = chosen(less(w, number(5)), polynomial(sub(w, number(2.5)), kInner),
                        polynomial(sub(of<math::SqrtOp>(w), number(3)), kOuter));
  Value y = mul(factor, magnitude);
  for (int step = 0; step < 3; ++step) {
    Value ofErf = sub(of<math::ErfOp>(y), magnitude), ofErfc = sub(rest, of<math::ErfcOp>(y));
    Value error = chosen(less(number(0.5), magnitude), ofErfc, ofErf);
    Value slope = mul(number(2 / std::sqrt(std::numbers::pi)), exp(neg(mul(y, y))));
    Value by = div(error, slope);
    y = sub(y, div(by, add(one, mul(y, by))));
  }
  y = chosen(equal(magnitude, one), kInfinity, y);
  y = chosen(less(one, magnitude), kNaN, y);
  return math::CopySignOp::create(builder, loc, y, x);
}

/// The power series up to 30, the asymptotic series beyond.
Value Formula::besselI1e(Value x) {
  Value magnitude = abs(x), half = mul(magnitude, number(0.5)), square = mul(half, half), one = number(1);
  Value inner = one;
  for (int k = 64; k >= 1; --k)
    inner = add(one, mul(mul(square, number(1.0 / (double(k) * (k + 1)))), inner));
  inner = mul(mul(inner, half), exp(neg(magnitude)));
  Value inverse = div(one, magnitude), outer = one;
  for (int k = 20; k >= 1; --k)
    outer = add(one, mul(mul(inverse, number(-(4.0 - double(2 * k - 1) * (2 * k - 1)) / (8.0 * k))), outer));
  outer = div(outer, of<math::SqrtOp>(mul(number(2 * std::numbers::pi), magnitude)));
  Value result = chosen(less(magnitude, number(30)), inner, outer);
  result = chosen(is(arith::CmpFPredicate::UNO, x, x), kNaN, result);
  return math::CopySignOp::create(builder, loc, result, x);
}

/// One step in the integer of the bits.
Value nextAfter(OpBuilder &builder, Location loc, Value x, Value y) {
  auto element = cast<FloatType>(x.getType());
  const unsigned width = element.getWidth();
  Type bits = builder.getIntegerType(width);
  const auto integer = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, value));
  };
  const auto is = [&](arith::CmpFPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  };
  const auto chosen = [&](Value pred, Value a, Value b) -> Value {
    return arith::SelectOp::create(builder, loc, pred, a, b);
  };
  Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, 0));
  Value ofX = arith::BitcastOp::create(builder, loc, bits, x), ofY = arith::BitcastOp::create(builder, loc, bits, y);
  Value sign = integer(APInt::getSignMask(width)), one = integer(APInt(width, 1));
  Value smallest = arith::OrIOp::create(builder, loc, arith::AndIOp::create(builder, loc, ofY, sign), one);
  // Away from 0 where y is beyond x.
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, ofX, integer(APInt(width, 0)));
  Value isUp = is(arith::CmpFPredicate::OGT, y, x);
  Value isAway = arith::XOrIOp::create(builder, loc, isUp, isNegative);
  Value moved =
      chosen(isAway, arith::AddIOp::create(builder, loc, ofX, one), arith::SubIOp::create(builder, loc, ofX, one));
  moved = chosen(is(arith::CmpFPredicate::OEQ, x, zero), smallest, moved);
  Value result = arith::BitcastOp::create(builder, loc, element, moved);
  result = chosen(is(arith::CmpFPredicate::OEQ, x, y), y, result);
  return chosen(is(arith::CmpFPredicate::UNO, x, y), arith::AddFOp::create(builder, loc, x, y), result);
}

} // namespace

FailureOr<Value> hlotomica::convertSpecialFunction(Operation *op, ValueRange operands, OpBuilder &builder) {
  const Location loc = op->getLoc();
  auto element = operands.empty() ? FloatType() : dyn_cast<FloatType>(operands.front().getType());
  if (!element)
    return refuse(op, "elements are floats");
  if (isa<chlo::NextAfterOp>(op))
    return nextAfter(builder, loc, operands[0], operands[1]);
  Formula f(builder, loc);
  const bool isWide = element.isF64();
  const auto widened = [&](Value value) -> Value {
    return isWide ? value : arith::ExtFOp::create(builder, loc, builder.getF64Type(), value).getResult();
  };
  Value x = widened(operands[0]), y = operands.size() > 1 ? widened(operands[1]) : Value();
  const auto isInfinity = [&](double value) { return f.equal(x, f.number(value)); };
  if (isa<chlo::IsInfOp>(op))
    return f.equal(f.abs(x), f.number(kInfinity));
  if (isa<chlo::IsPosInfOp>(op))
    return isInfinity(kInfinity);
  if (isa<chlo::IsNegInfOp>(op))
    return isInfinity(-kInfinity);
  Value result = llvm::TypeSwitch<Operation *, Value>(op)
                     .Case([&](chlo::AcosOp) { return f.of<math::AcosOp>(x); })
                     .Case([&](chlo::AcoshOp) { return f.of<math::AcoshOp>(x); })
                     .Case([&](chlo::AsinOp) { return f.of<math::AsinOp>(x); })
                     .Case([&](chlo::AsinhOp) { return f.of<math::AsinhOp>(x); })
                     .Case([&](chlo::AtanOp) { return f.of<math::AtanOp>(x); })
                     .Case([&](chlo::AtanhOp) { return f.of<math::AtanhOp>(x); })
                     .Case([&](chlo::BesselI1eOp) { return f.besselI1e(x); })
                     .Case([&](chlo::CoshOp) { return f.of<math::CoshOp>(x); })
                     .Case([&](chlo::DigammaOp) { return f.digamma(x); })
                     .Case([&](chlo::ErfOp) { return f.of<math::ErfOp>(x); })
                     .Case([&](chlo::ErfInvOp) { return f.erfInv(x); })
                     .Case([&](chlo::ErfcOp) { return f.of<math::ErfcOp>(x); })
                     .Case([&](chlo::LgammaOp) { return f.lgamma(x); })
                     .Case([&](chlo::SinhOp) { return f.of<math::SinhOp>(x); })
                     .Case([&](chlo::TanOp) { return f.of<math::TanOp>(x); })
                     .Case([&](chlo::PolygammaOp) { return f.polygamma(x, y); })
                     .Case([&](chlo::ZetaOp) { return f.zeta(x, y); })
                     .Default([](Operation *) { return Value(); });
  if (!result)
    return refuse(op, "no conversion exists; docs/StableHLO.md lists them");
  return isWide ? result : arith::TruncFOp::create(builder, loc, element, result).getResult();
}
