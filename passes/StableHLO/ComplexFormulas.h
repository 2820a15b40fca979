//===- ComplexFormulas.h - complex functions of real ones ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The formulas by which legalize-stablehlo-types (on tensors, by ops of stablehlo) and mica-tensor-split-complex (on
// scalars, by arith and math) replace complex ops. They hold for 64-bit floats: callers widen narrower ones, except for
// sums, products and comparisons.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_COMPLEXFORMULAS_H
#define MICA_PASSES_STABLEHLO_COMPLEXFORMULAS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <limits>

namespace mica {

/// The real and the imaginary part of a complex value. `im` is null where a value is real.
struct ComplexParts {
  mlir::Value re, im;
};

/// `Arith` creates ops on real values: add, sub, mul, div, max, min, neg, number(like, double), equal, less,
/// select(pred, a, b), both, either (of conditions), and the functions abs, sqrt, exp, expm1, log, log1p, cbrt, sin,
/// cos, tan, tanh and atan2. Its methods evaluate to values of the type of their operands.
template <typename Arith> class ComplexFormulas : public Arith {
public:
  using Arith::Arith;
  using Value = mlir::Value;
  using Arith::add, Arith::sub, Arith::mul, Arith::div, Arith::max, Arith::neg, Arith::equal, Arith::less,
      Arith::select;

  ComplexParts sum(ComplexParts a, ComplexParts b) { return {add(a.re, b.re), add(a.im, b.im)}; }
  ComplexParts product(ComplexParts a, ComplexParts b) {
    return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))};
  }
  ComplexParts scaled(ComplexParts a, Value by) { return {mul(a.re, by), mul(a.im, by)}; }
  ComplexParts negated(ComplexParts a) { return {neg(a.re), neg(a.im)}; }
  ComplexParts number(ComplexParts like, double re) { return {Arith::number(like.re, re), Arith::number(like.re, 0)}; }
  ComplexParts chosen(Value pred, ComplexParts a, ComplexParts b) {
    return {select(pred, a.re, b.re), select(pred, a.im, b.im)};
  }

  /// max * sqrt(1 + (min / max)^2), which overflows only if the magnitude does.
  Value magnitude(ComplexParts z) {
    Value a = Arith::abs(z.re), b = Arith::abs(z.im);
    Value high = max(a, b), low = Arith::min(a, b);
    Value infinity = Arith::number(a, std::numeric_limits<double>::infinity());
    Value zero = Arith::number(a, 0), ratio = div(low, high);
    Value result = mul(high, Arith::sqrt(add(Arith::number(a, 1), mul(ratio, ratio))));
    result = select(equal(high, zero), zero, result);
    Value isInfinite = Arith::either(equal(a, infinity), equal(b, infinity));
    return select(isInfinite, infinity, result);
  }

  /// `function` of z. Where sums overflow, or products of tiny numbers lose digits, it is computed of z * 2^120 or
  /// z / 2^4, and the result is multiplied by `ofTiny` or `ofHuge`.
  ComplexParts withinRange(ComplexParts z, double ofTiny, double ofHuge,
                           llvm::function_ref<ComplexParts(ComplexParts)> function) {
    Value size = max(Arith::abs(z.re), Arith::abs(z.im));
    Value isTiny = less(size, Arith::number(size, 0x1p-960)), isHuge = less(Arith::number(size, 0x1p1000), size);
    const auto factor = [&](double tiny, double huge) {
      return select(isTiny, Arith::number(size, tiny),
                    select(isHuge, Arith::number(size, huge), Arith::number(size, 1)));
    };
    return scaled(function(scaled(z, factor(0x1p120, 0x1p-4))), factor(ofTiny, ofHuge));
  }

  /// As in C (annex G): where both parts would be NaN, a zero divisor and an infinite dividend give an infinity, and an
  /// infinite divisor gives 0.
  ComplexParts quotient(ComplexParts a, ComplexParts b) {
    const ComplexParts plain =
        withinRange(a, 0x1p-120, 0x1p4, [&](ComplexParts dividend) { return plainQuotient(dividend, b); });
    Value isKnown = Arith::either(equal(plain.re, plain.re), equal(plain.im, plain.im));
    return chosen(isKnown, plain, quotientOfInfinities(a, b, plain));
  }

  /// The quotient if the divisor is 0, or one of both is infinite; `other` if neither.
  ComplexParts quotientOfInfinities(ComplexParts a, ComplexParts b, ComplexParts other) {
    Value zero = Arith::number(b.re, 0), one = Arith::number(b.re, 1);
    Value infinity = Arith::number(b.re, std::numeric_limits<double>::infinity());
    const auto isInfinite = [&](Value part) { return equal(Arith::abs(part), infinity); };
    const auto isFinite = [&](ComplexParts z) {
      return Arith::both(less(Arith::abs(z.re), infinity), less(Arith::abs(z.im), infinity));
    };
    const auto signOfInfinity = [&](Value part) {
      return select(isInfinite(part), select(less(part, zero), neg(one), one), zero);
    };
    // The product with the conjugate, which has the direction of the quotient.
    const auto turned = [&](ComplexParts x, ComplexParts y) {
      return ComplexParts{add(mul(x.re, y.re), mul(x.im, y.im)), sub(mul(x.im, y.re), mul(x.re, y.im))};
    };
    const ComplexParts signsOfA = {signOfInfinity(a.re), signOfInfinity(a.im)};
    const ComplexParts signsOfB = {signOfInfinity(b.re), signOfInfinity(b.im)};
    Value isDivisorInfinite = Arith::both(isFinite(a), Arith::either(isInfinite(b.re), isInfinite(b.im)));
    Value isDividendInfinite = Arith::both(isFinite(b), Arith::either(isInfinite(a.re), isInfinite(a.im)));
    Value isDivisorZero = Arith::both(equal(b.re, zero), equal(b.im, zero));
    ComplexParts result = chosen(isDivisorInfinite, scaled(turned(a, signsOfB), zero), other);
    result = chosen(isDividendInfinite, scaled(turned(signsOfA, b), infinity), result);
    return chosen(isDivisorZero, scaled(a, div(one, b.re)), result);
  }

  /// The divisor is divided by its larger part first.
  ComplexParts plainQuotient(ComplexParts a, ComplexParts b) {
    Value scale = max(Arith::abs(b.re), Arith::abs(b.im));
    Value one = Arith::number(scale, 1), zero = Arith::number(scale, 0);
    scale = select(equal(scale, zero), one, scale);
    Value c = div(b.re, scale), d = div(b.im, scale);
    Value squares = add(mul(c, c), mul(d, d));
    // The scale is divided by last: multiplied with the squares it would overflow, or lose digits where it is tiny.
    return {div(div(add(mul(a.re, c), mul(a.im, d)), squares), scale),
            div(div(sub(mul(a.im, c), mul(a.re, d)), squares), scale)};
  }

  ComplexParts exponential(ComplexParts z) {
    Value e = Arith::exp(z.re), zero = Arith::number(e, 0);
    Value im = mul(e, Arith::sin(z.im));
    return {mul(e, Arith::cos(z.im)), select(equal(z.im, zero), z.im, im)};
  }

  Value angle(ComplexParts z) { return Arith::atan2(z.im, z.re); }

  /// log |z|. Near the unit circle the magnitude would round to 1; elsewhere no square overflows.
  Value logarithmOfMagnitude(ComplexParts z) {
    Value a = Arith::abs(z.re), b = Arith::abs(z.im);
    Value high = max(a, b), low = Arith::min(a, b);
    Value zero = Arith::number(a, 0), half = Arith::number(a, 0.5), one = Arith::number(a, 1),
          two = Arith::number(a, 2);
    const auto halfLog1p = [&](Value x) { return mul(half, Arith::log1p(x)); };
    Value ratio = div(low, high);
    // 0 / 0 and inf / inf: the larger part decides.
    ratio = select(equal(low, high), select(equal(high, zero), zero, one), ratio);
    Value far = add(Arith::log(high), halfLog1p(mul(ratio, ratio)));
    Value near = halfLog1p(add(mul(sub(high, one), add(high, one)), mul(low, low)));
    Value isNear = Arith::both(less(half, high), less(high, two));
    return select(isNear, near, far);
  }

  ComplexParts logarithm(ComplexParts z) { return {logarithmOfMagnitude(z), angle(z)}; }

  /// Of small numbers |1 + z|^2 - 1 keeps their digits; of others it may overflow.
  ComplexParts logarithmPlusOne(ComplexParts z) {
    Value two = Arith::number(z.re, 2), half = Arith::number(z.re, 0.5), one = Arith::number(z.re, 1);
    Value square = add(mul(z.re, add(two, z.re)), mul(z.im, z.im));
    const ComplexParts sum = {add(one, z.re), z.im};
    Value isSmall = less(max(Arith::abs(z.re), Arith::abs(z.im)), half);
    return {select(isSmall, mul(half, Arith::log1p(square)), logarithmOfMagnitude(sum)), angle(sum)};
  }

  ComplexParts cubicRoot(ComplexParts z) {
    return withinRange(z, 0x1p-40, 2.5198420997897464, [&](ComplexParts inside) {
      Value r = Arith::cbrt(magnitude(inside));
      Value third = div(angle(inside), Arith::number(inside.re, 3));
      return ComplexParts{mul(r, Arith::cos(third)), mul(r, Arith::sin(third))};
    });
  }

  /// No exponential overflows: that of z or of -z is used, whichever is at most 1.
  ComplexParts logistic(ComplexParts z) {
    Value isNegative = less(z.re, Arith::number(z.re, 0));
    const ComplexParts e = exponential(chosen(isNegative, z, negated(z))), one = number(z, 1);
    return quotient(chosen(isNegative, e, one), sum(one, e));
  }

  ComplexParts direction(ComplexParts z) {
    Value size = max(Arith::abs(z.re), Arith::abs(z.im)), zero = Arith::number(size, 0);
    Value isZero = equal(size, zero);
    const ComplexParts scaledDown = {div(z.re, size), div(z.im, size)};
    Value length = magnitude(scaledDown);
    return chosen(isZero, number(z, 0), {div(scaledDown.re, length), div(scaledDown.im, length)});
  }

  /// The zeros of sine are kept, which the hyperbolic functions, where infinite, would make NaN.
  ComplexParts sine(ComplexParts z) {
    Value re = mul(Arith::sin(z.re), hyperbolicCosine(z.im));
    return {select(equal(z.re, Arith::number(z.re, 0)), z.re, re), mul(Arith::cos(z.re), hyperbolicSine(z.im))};
  }
  ComplexParts cosine(ComplexParts z) {
    Value im = mul(Arith::sin(z.re), hyperbolicSine(z.im));
    im = select(equal(z.re, Arith::number(z.re, 0)), mul(z.re, z.im), im);
    return {mul(Arith::cos(z.re), hyperbolicCosine(z.im)), neg(im)};
  }

  ComplexParts exponentialMinusOne(ComplexParts z) {
    Value half = Arith::sin(mul(z.im, Arith::number(z.im, 0.5)));
    Value correction = mul(Arith::number(half, 2), mul(half, half));
    Value re = sub(mul(Arith::expm1(z.re), Arith::cos(z.im)), correction);
    return {re, exponential(z).im};
  }

  /// `value` with the sign of `sign`, which may be a zero.
  Value withSign(Value value, Value sign) {
    Value zero = Arith::number(sign, 0), one = Arith::number(sign, 1);
    Value isNegative = less(select(equal(sign, zero), div(one, sign), sign), zero);
    return select(isNegative, neg(value), value);
  }

  ComplexParts root(ComplexParts z) {
    return withinRange(z, 0x1p-60, 0x1p2, [&](ComplexParts inside) { return plainRoot(inside); });
  }

  ComplexParts plainRoot(ComplexParts z) {
    Value half = Arith::number(z.re, 0.5), zero = Arith::number(z.re, 0);
    Value large = Arith::sqrt(add(mul(half, magnitude(z)), mul(half, Arith::abs(z.re))));
    Value small = div(mul(half, Arith::abs(z.im)), large);
    small = select(equal(large, zero), zero, small);
    Value isLeft = less(z.re, zero);
    return {select(isLeft, small, large), withSign(select(isLeft, large, small), z.im)};
  }

  ComplexParts hyperbolicTangent(ComplexParts z) {
    Value t = Arith::tanh(z.re), u = Arith::tan(z.im), one = Arith::number(t, 1);
    Value tt = mul(t, t), uu = mul(u, u), below = add(one, mul(tt, uu));
    return {div(mul(t, add(one, uu)), below), div(mul(u, sub(one, tt)), below)};
  }

  /// e^|a| / 2, which is finite for a little more than e^|a|, where the functions are large.
  Value selectLarge(Value a, Value otherwise) {
    Value size = Arith::abs(a), half = Arith::number(a, 0.5);
    Value root = Arith::exp(mul(half, size));
    return select(less(Arith::number(a, 700), size), mul(mul(half, root), root), otherwise);
  }
  Value hyperbolicCosine(Value a) {
    return selectLarge(a, mul(Arith::number(a, 0.5), add(Arith::exp(a), Arith::exp(neg(a)))));
  }
  Value hyperbolicSine(Value a) {
    Value size = Arith::abs(a);
    Value small = mul(Arith::number(a, 0.5), sub(Arith::expm1(size), Arith::expm1(neg(size))));
    return withSign(selectLarge(a, small), a);
  }

  ComplexParts power(ComplexParts z, ComplexParts w) {
    ComplexParts result = exponential(product(w, logarithm(z)));
    Value zero = Arith::number(z.re, 0);
    const auto isZero = [&](ComplexParts a) -> Value { return Arith::both(equal(a.re, zero), equal(a.im, zero)); };
    result = chosen(isZero(z), number(z, 0), result);
    return chosen(isZero(w), number(z, 1), result);
  }
};

} // namespace mica

#endif // MICA_PASSES_STABLEHLO_COMPLEXFORMULAS_H
