//===- ComplexMath.cpp - complex functions of real ones ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Functions of numbers of 32-bit floats are computed in 64 bits, where no intermediate result overflows.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

Value Arith::add(Value a, Value b) { return hlo::AddOp::create(builder, loc, a.getType(), a, b); }
Value Arith::sub(Value a, Value b) { return hlo::SubtractOp::create(builder, loc, a.getType(), a, b); }
Value Arith::mul(Value a, Value b) { return hlo::MulOp::create(builder, loc, a.getType(), a, b); }
Value Arith::div(Value a, Value b) { return hlo::DivOp::create(builder, loc, a.getType(), a, b); }
Value Arith::max(Value a, Value b) { return hlo::MaxOp::create(builder, loc, a.getType(), a, b); }
Value Arith::neg(Value a) { return hlo::NegOp::create(builder, loc, a.getType(), a); }

Value Arith::number(Value like, double value) {
  auto type = cast<RankedTensorType>(like.getType());
  Attribute one = builder.getFloatAttr(type.getElementType(), value);
  return hlo::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, one));
}

static Value compared(Arith &arith, hlo::ComparisonDirection direction, Value a, Value b) {
  Type type = cast<RankedTensorType>(a.getType()).clone(arith.builder.getI1Type());
  return hlo::CompareOp::create(arith.builder, arith.loc, type, a, b, direction, hlo::ComparisonTypeAttr());
}

Value Arith::equal(Value a, Value b) { return compared(*this, hlo::ComparisonDirection::EQ, a, b); }
Value Arith::less(Value a, Value b) { return compared(*this, hlo::ComparisonDirection::LT, a, b); }

Value Arith::select(Value pred, Value a, Value b) {
  return hlo::SelectOp::create(builder, loc, a.getType(), pred, a, b);
}

Value Arith::as(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return hlo::ConvertOp::create(builder, loc, type.clone(element), value);
}

namespace {
class Complex : public Arith {
public:
  using Arith::Arith;

  Parts sum(Parts a, Parts b) { return {add(a.re, b.re), add(a.im, b.im)}; }
  Parts product(Parts a, Parts b) {
    return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))};
  }
  Parts scaled(Parts a, Value by) { return {mul(a.re, by), mul(a.im, by)}; }
  Parts negated(Parts a) { return {neg(a.re), neg(a.im)}; }
  Parts number(Parts like, double re) { return {Arith::number(like.re, re), Arith::number(like.re, 0)}; }
  Parts chosen(Value pred, Parts a, Parts b) { return {select(pred, a.re, b.re), select(pred, a.im, b.im)}; }

  /// max * sqrt(1 + (min / max)^2), which overflows only if the magnitude does.
  Value magnitude(Parts z) {
    Value a = apply<hlo::AbsOp>(z.re), b = apply<hlo::AbsOp>(z.im);
    Value high = max(a, b), low = hlo::MinOp::create(builder, loc, a.getType(), a, b);
    Value infinity = Arith::number(a, std::numeric_limits<double>::infinity());
    Value zero = Arith::number(a, 0), ratio = div(low, high);
    Value result = mul(high, apply<hlo::SqrtOp>(add(Arith::number(a, 1), mul(ratio, ratio))));
    result = select(equal(high, zero), zero, result);
    Value isInfinite =
        hlo::OrOp::create(builder, loc, equal(a, infinity).getType(), equal(a, infinity), equal(b, infinity));
    return select(isInfinite, infinity, result);
  }

  /// `function` of z. Where sums overflow, or products of tiny numbers lose digits, it is computed of z * 2^120 or
  /// z / 2^4, and the result is multiplied by `ofTiny` or `ofHuge`.
  Parts withinRange(Parts z, double ofTiny, double ofHuge, llvm::function_ref<Parts(Parts)> function) {
    Value size = max(apply<hlo::AbsOp>(z.re), apply<hlo::AbsOp>(z.im));
    Value isTiny = less(size, Arith::number(size, 0x1p-960)), isHuge = less(Arith::number(size, 0x1p1000), size);
    const auto factor = [&](double tiny, double huge) {
      return select(isTiny, Arith::number(size, tiny),
                    select(isHuge, Arith::number(size, huge), Arith::number(size, 1)));
    };
    return scaled(function(scaled(z, factor(0x1p120, 0x1p-4))), factor(ofTiny, ofHuge));
  }

  Parts quotient(Parts a, Parts b) {
    return withinRange(a, 0x1p-120, 0x1p4, [&](Parts dividend) { return plainQuotient(dividend, b); });
  }

  /// The divisor is divided by its larger part first.
  Parts plainQuotient(Parts a, Parts b) {
    Value scale = max(apply<hlo::AbsOp>(b.re), apply<hlo::AbsOp>(b.im));
    Value one = Arith::number(scale, 1), zero = Arith::number(scale, 0);
    scale = select(equal(scale, zero), one, scale);
    Value c = div(b.re, scale), d = div(b.im, scale);
    Value squares = add(mul(c, c), mul(d, d));
    // The scale is divided by last: multiplied with the squares it would overflow, or lose digits where it is tiny.
    return {div(div(add(mul(a.re, c), mul(a.im, d)), squares), scale),
            div(div(sub(mul(a.im, c), mul(a.re, d)), squares), scale)};
  }

  Parts exponential(Parts z) {
    Value e = apply<hlo::ExpOp>(z.re), zero = Arith::number(e, 0);
    Value im = mul(e, apply<hlo::SineOp>(z.im));
    return {mul(e, apply<hlo::CosineOp>(z.im)), select(equal(z.im, zero), z.im, im)};
  }

  Value angle(Parts z) { return hlo::Atan2Op::create(builder, loc, z.re.getType(), z.im, z.re); }

  /// log |z|. Near the unit circle the magnitude would round to 1; elsewhere no square overflows.
  Value logarithmOfMagnitude(Parts z) {
    Value a = apply<hlo::AbsOp>(z.re), b = apply<hlo::AbsOp>(z.im);
    Value high = max(a, b), low = hlo::MinOp::create(builder, loc, a.getType(), a, b);
    Value zero = Arith::number(a, 0), half = Arith::number(a, 0.5), one = Arith::number(a, 1),
          two = Arith::number(a, 2);
    const auto halfLog1p = [&](Value x) { return mul(half, apply<hlo::Log1pOp>(x)); };
    Value ratio = div(low, high);
    // 0 / 0 and inf / inf: the larger part decides.
    ratio = select(equal(low, high), select(equal(high, zero), zero, one), ratio);
    Value far = add(apply<hlo::LogOp>(high), halfLog1p(mul(ratio, ratio)));
    Value near = halfLog1p(add(mul(sub(high, one), add(high, one)), mul(low, low)));
    Value isNear = hlo::AndOp::create(builder, loc, equal(a, b).getType(), less(half, high), less(high, two));
    return select(isNear, near, far);
  }

  Parts logarithm(Parts z) { return {logarithmOfMagnitude(z), angle(z)}; }

  /// Of small numbers |1 + z|^2 - 1 keeps their digits; of others it may overflow.
  Parts logarithmPlusOne(Parts z) {
    Value two = Arith::number(z.re, 2), half = Arith::number(z.re, 0.5), one = Arith::number(z.re, 1);
    Value square = add(mul(z.re, add(two, z.re)), mul(z.im, z.im));
    const Parts sum = {add(one, z.re), z.im};
    Value isSmall = less(max(apply<hlo::AbsOp>(z.re), apply<hlo::AbsOp>(z.im)), half);
    return {select(isSmall, mul(half, apply<hlo::Log1pOp>(square)), logarithmOfMagnitude(sum)), angle(sum)};
  }

  Parts cubicRoot(Parts z) {
    return withinRange(z, 0x1p-40, 2.5198420997897464, [&](Parts inside) {
      Value r = apply<hlo::CbrtOp>(magnitude(inside));
      Value third = div(angle(inside), Arith::number(inside.re, 3));
      return Parts{mul(r, apply<hlo::CosineOp>(third)), mul(r, apply<hlo::SineOp>(third))};
    });
  }

  /// No exponential overflows: that of z or of -z is used, whichever is at most 1.
  Parts logistic(Parts z) {
    Value isNegative = less(z.re, Arith::number(z.re, 0));
    const Parts e = exponential(chosen(isNegative, z, negated(z))), one = number(z, 1);
    return quotient(chosen(isNegative, e, one), sum(one, e));
  }

  Parts direction(Parts z) {
    Value size = max(apply<hlo::AbsOp>(z.re), apply<hlo::AbsOp>(z.im)), zero = Arith::number(size, 0);
    Value isZero = equal(size, zero);
    const Parts scaledDown = {div(z.re, size), div(z.im, size)};
    Value length = magnitude(scaledDown);
    return chosen(isZero, number(z, 0), {div(scaledDown.re, length), div(scaledDown.im, length)});
  }

  /// The zeros of sine are kept, which the hyperbolic functions, where infinite, would make NaN.
  Parts sine(Parts z) {
    Value re = mul(apply<hlo::SineOp>(z.re), hyperbolicCosine(z.im));
    return {select(equal(z.re, Arith::number(z.re, 0)), z.re, re),
            mul(apply<hlo::CosineOp>(z.re), hyperbolicSine(z.im))};
  }
  Parts cosine(Parts z) {
    Value im = mul(apply<hlo::SineOp>(z.re), hyperbolicSine(z.im));
    im = select(equal(z.re, Arith::number(z.re, 0)), mul(z.re, z.im), im);
    return {mul(apply<hlo::CosineOp>(z.re), hyperbolicCosine(z.im)), neg(im)};
  }

  Parts exponentialMinusOne(Parts z) {
    Value half = apply<hlo::SineOp>(mul(z.im, Arith::number(z.im, 0.5)));
    Value correction = mul(Arith::number(half, 2), mul(half, half));
    Value re = sub(mul(apply<hlo::Expm1Op>(z.re), apply<hlo::CosineOp>(z.im)), correction);
    return {re, exponential(z).im};
  }

  /// `value` with the sign of `sign`, which may be a zero.
  Value withSign(Value value, Value sign) {
    Value zero = Arith::number(sign, 0), one = Arith::number(sign, 1);
    Value isNegative = less(select(equal(sign, zero), div(one, sign), sign), zero);
    return select(isNegative, neg(value), value);
  }

  Parts root(Parts z) {
    return withinRange(z, 0x1p-60, 0x1p2, [&](Parts inside) { return plainRoot(inside); });
  }

  Parts plainRoot(Parts z) {
    Value half = Arith::number(z.re, 0.5), zero = Arith::number(z.re, 0);
    Value large = apply<hlo::SqrtOp>(add(mul(half, magnitude(z)), mul(half, apply<hlo::AbsOp>(z.re))));
    Value small = div(mul(half, apply<hlo::AbsOp>(z.im)), large);
    small = select(equal(large, zero), zero, small);
    Value isLeft = less(z.re, zero);
    return {select(isLeft, small, large), withSign(select(isLeft, large, small), z.im)};
  }

  Parts hyperbolicTangent(Parts z) {
    Value t = apply<hlo::TanhOp>(z.re), u = apply<hlo::TanOp>(z.im), one = Arith::number(t, 1);
    Value tt = mul(t, t), uu = mul(u, u), below = add(one, mul(tt, uu));
    return {div(mul(t, add(one, uu)), below), div(mul(u, sub(one, tt)), below)};
  }

  /// e^|a| / 2, which is finite for a little more than e^|a|, where the functions are large.
  Value selectLarge(Value a, Value otherwise) {
    Value size = apply<hlo::AbsOp>(a), half = Arith::number(a, 0.5);
    Value root = apply<hlo::ExpOp>(mul(half, size));
    return select(less(Arith::number(a, 700), size), mul(mul(half, root), root), otherwise);
  }
  Value hyperbolicCosine(Value a) {
    return selectLarge(a, mul(Arith::number(a, 0.5), add(apply<hlo::ExpOp>(a), apply<hlo::ExpOp>(neg(a)))));
  }
  Value hyperbolicSine(Value a) {
    Value size = apply<hlo::AbsOp>(a);
    Value small = mul(Arith::number(a, 0.5), sub(apply<hlo::Expm1Op>(size), apply<hlo::Expm1Op>(neg(size))));
    return withSign(selectLarge(a, small), a);
  }

  Parts power(Parts z, Parts w) {
    Parts result = exponential(product(w, logarithm(z)));
    Value zero = Arith::number(z.re, 0);
    const auto isZero = [&](Parts a) -> Value {
      Value re = equal(a.re, zero), im = equal(a.im, zero);
      return hlo::AndOp::create(builder, loc, re.getType(), re, im);
    };
    result = chosen(isZero(z), number(z, 0), result);
    return chosen(isZero(w), number(z, 1), result);
  }
};
} // namespace

/// A function that is computed in wider floats.
static std::optional<Parts> computeFunction(Operation *op, ArrayRef<Parts> z, Complex &c) {
  return llvm::TypeSwitch<Operation *, std::optional<Parts>>(op)
      .Case([&](hlo::DivOp) { return c.quotient(z[0], z[1]); })
      .Case([&](hlo::ExpOp) { return c.exponential(z[0]); })
      .Case([&](hlo::LogOp) { return c.logarithm(z[0]); })
      .Case([&](hlo::Log1pOp) { return c.logarithmPlusOne(z[0]); })
      .Case([&](hlo::Expm1Op) { return c.exponentialMinusOne(z[0]); })
      .Case([&](hlo::SqrtOp) { return c.root(z[0]); })
      .Case([&](hlo::RsqrtOp) { return c.quotient(c.number(z[0], 1), c.root(z[0])); })
      .Case([&](hlo::TanhOp) { return c.hyperbolicTangent(z[0]); })
      .Case([&](hlo::TanOp) {
        const Parts t = c.hyperbolicTangent({c.neg(z[0].im), z[0].re});
        return Parts{t.im, c.neg(t.re)};
      })
      .Case([&](hlo::SineOp) { return c.sine(z[0]); })
      .Case([&](hlo::CosineOp) { return c.cosine(z[0]); })
      .Case([&](hlo::CbrtOp) { return c.cubicRoot(z[0]); })
      .Case([&](hlo::LogisticOp) { return c.logistic(z[0]); })
      .Case([&](hlo::PowOp) { return c.power(z[0], z[1]); })
      .Case([&](hlo::AbsOp) {
        return Parts{c.magnitude(z[0]), Value()};
      })
      .Case([&](hlo::SignOp) { return c.direction(z[0]); })
      .Default(std::optional<Parts>());
}

static Value logical(OpBuilder &builder, Location loc, bool isAnd, Value a, Value b) {
  if (isAnd)
    return hlo::AndOp::create(builder, loc, a.getType(), a, b);
  return hlo::OrOp::create(builder, loc, a.getType(), a, b);
}

std::optional<Parts> hlotypes::computeComplex(Operation *op, ArrayRef<Parts> operands, OpBuilder &builder) {
  Complex c(builder, op->getLoc());
  if (isa<hlo::AddOp>(op))
    return c.sum(operands[0], operands[1]);
  if (isa<hlo::SubtractOp>(op))
    return Parts{c.sub(operands[0].re, operands[1].re), c.sub(operands[0].im, operands[1].im)};
  if (isa<hlo::MulOp>(op))
    return c.product(operands[0], operands[1]);
  if (isa<hlo::NegOp>(op))
    return c.negated(operands[0]);
  if (auto compare = dyn_cast<hlo::CompareOp>(op)) {
    const hlo::ComparisonDirection direction = compare.getComparisonDirection();
    if (direction != hlo::ComparisonDirection::EQ && direction != hlo::ComparisonDirection::NE)
      return std::nullopt;
    return Parts{logical(builder, op->getLoc(), direction == hlo::ComparisonDirection::EQ,
                         compared(c, direction, operands[0].re, operands[1].re),
                         compared(c, direction, operands[0].im, operands[1].im)),
                 Value()};
  }
  const Type element = getElementTypeOrSelf(operands[0].re), wide = builder.getF64Type();
  SmallVector<Parts> widened;
  for (Parts part : operands)
    widened.push_back({c.as(part.re, wide), c.as(part.im, wide)});
  std::optional<Parts> result = computeFunction(op, widened, c);
  if (!result)
    return std::nullopt;
  return Parts{c.as(result->re, element), result->im ? c.as(result->im, element) : Value()};
}
