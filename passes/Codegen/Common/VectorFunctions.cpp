//===- VectorFunctions.cpp - logarithms, sine, cosine and power on vectors ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For f32. Where f32 is not accurate enough for intermediate values they are f64: half as many lanes, no table, no
// branch.
//
// log(x), x = m * 2^n with m in [sqrt(1/2), sqrt(2)), taken apart as bits; a subnormal x is multiplied by 2^23 before:
//   s = (m - 1) / (m + 1)
//   log(x) = n * ln 2 + 2 s + s^3 P(s^2), P of degree 2, relative error 3e-9 before rounding; ln 2 in two parts
//   log2(x) = n + (2 s + s^3 P(s^2)) * log2(e), log2(e) in two parts: whole for powers of two
//
// sin(x) and cos(x), n = roundeven(x * 2/pi), in f64:
//   r = (x - n * high) - n * low    pi/2 in two parts; n times the first, of 23 bits, is exact up to |n| = 2^30
//   by the last two bits of n: +-(r + r^3 P(r^2)) or +-(1 - r^2/2 + r^4 Q(r^2)) in f32, relative error 1e-8 before
//   rounding
// Vectors with an element of magnitude 2^29 or more take a branch in which n and r are exact for every f32 (Payne and
// Hanek, Radian Reduction for Trigonometric Functions, 1983): with x = M * 2^e, the bits of 2/pi of weights 2^(2-e) and
// more give multiples of 4 and are left out, the 96 bits behind them times M, modulo 2^96, are x * 2/pi modulo 4 to
// within 2^-70.
//
// pow(x, y) = +-2^(y log2|x|), in f64: log2|x| as above by a polynomial in s^2 of relative error 5e-12, so that the
// product, of at most 160, is exact to 1e-9, and so is 2^f by a polynomial of degree 7 for f in [-1/2, 1/2]. Rounding
// to f32 gives subnormals, 0 and infinity where they belong. The cases that IEEE 754 lists come by selects:
//   y = 0, x = 1, |x| = 1 with y infinite   1
//   x < 0, y no whole number                NaN; y odd: the result is negative
//   x = 0 and x infinite                    log2|x| is an infinity, which the product with y hands on
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/VectorArithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using mica::cpu::Arithmetic;
using F = arith::CmpFPredicate;
using I = arith::CmpIPredicate;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool isF32(Operation *op) {
  Type type = op->getResult(0).getType();
  return getElementTypeOrSelf(type).isF32() && !isa<TensorType>(type);
}

/// A positive normal number, decomposed.
struct FloatParts {
  Value fraction; ///< s = (m - 1) / (m + 1) for its mantissa m in [sqrt(1/2), sqrt(2))
  Value exponent; ///< its exponent as a float
};

FloatParts takeApart(const Arithmetic &a, Value x) {
  int64_t mantissaBits = a.isDouble() ? 52 : 23, halfRoot = a.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Value bits = a.bitcast(a.integerType(), x);
  Value distance = a.make<arith::SubIOp>(bits, a.integer(halfRoot));
  Value exponent = a.make<arith::ShRSIOp>(distance, a.integer(mantissaBits));
  Value whole = a.make<arith::ShLIOp>(exponent, a.integer(mantissaBits));
  Value m = a.bitcast(a.type, a.make<arith::SubIOp>(bits, whole));
  Value one = a.constant(1);
  Value below = a.sub(m, one), above = a.add(m, one);
  if (a.isDouble()) // few targets have a conversion from i64
    exponent = arith::TruncIOp::create(a.b, a.loc, a.shaped(a.b.getI32Type()), exponent);
  return {a.make<arith::DivFOp>(below, above), arith::SIToFPOp::create(a.b, a.loc, a.type, exponent)};
}

template <typename OpT> struct ExpandLog : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return failure();
    Arithmetic a{rewriter, op.getLoc(), op.getType()};
    Value x = op.getOperand(), zero = a.constant(0);
    Value isSubnormal = a.is(F::OLT, x, a.constant(1.17549435e-38));
    Value scaled = a.mul(x, a.constant(8388608));
    auto [s, n] = takeApart(a, a.select(isSubnormal, scaled, x));
    n = a.sub(n, a.select(isSubnormal, a.constant(23), zero));
    Value z = a.mul(s, s);
    Value p = a.polynomial(z, {0.29590317391958663, 0.39988550987644092, 0.66666685603283138});
    Value cube = a.mul(s, z);
    Value y = a.mulAdd(cube, p, a.add(s, s));
    if (std::is_same_v<OpT, math::Log2Op>) {
      Value low = a.mulAdd(y, a.constant(1.92596299e-8), n);
      y = a.mulAdd(y, a.constant(1.44269502), low);
    } else {
      y = a.mulAdd(n, a.constant(-2.12194440e-4), y);
      y = a.mulAdd(n, a.constant(0.693359375), y);
    }
    Value finite = a.is(F::OLT, x, a.constant(kInfinity));
    y = a.select(finite, y, x);
    Value isZero = a.is(F::OEQ, x, zero), isPositive = a.is(F::OGT, x, zero);
    Value other = a.select(isZero, a.constant(-kInfinity), a.constant(kNaN));
    rewriter.replaceOp(op, a.select(isPositive, y, other));
    return success();
  }
};

/// An angle as a quadrant and the remainder.
struct Angle {
  Value rest;     ///< in [-pi/4, pi/4], f64
  Value quadrant; ///< i32; only the last two bits matter
};

/// The bits of 2/pi, the first of weight 1/2.
constexpr uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                   0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};

/// The angle of each element of `x`, of f32 and of magnitude 2^29 at least. Any angle for elements that are smaller,
/// NaN or infinite.
Angle reduceLargeAngle(const Arithmetic &a, Value x) {
  Arithmetic wide = a.on(a.b.getF64Type());
  auto toI64 = [&](Value v) -> Value { return arith::ExtUIOp::create(a.b, a.loc, wide.integerType(), v); };
  auto shiftRight = [&](Value v, int64_t n) { return wide.make<arith::ShRUIOp>(v, wide.integer(n)); };
  auto low = [&](Value v) { return wide.make<arith::AndIOp>(v, wide.integer(0xffffffff)); };

  Value bits = a.bitcast(a.integerType(), x);
  Value mantissa = a.make<arith::OrIOp>(a.make<arith::AndIOp>(bits, a.integer(0x7fffff)), a.integer(0x800000));
  Value biased = a.make<arith::AndIOp>(a.make<arith::ShRUIOp>(bits, a.integer(23)), a.integer(255));
  // x = M * 2^e; bits of 2/pi of weight above 2^(2-e) are skipped.
  Value skipped = a.make<arith::SubIOp>(biased, a.integer(150 + 2));
  skipped = a.make<arith::MaxSIOp>(skipped, a.integer(0));
  skipped = a.make<arith::MinSIOp>(skipped, a.integer(104 - 2));
  Value word = a.make<arith::ShRUIOp>(skipped, a.integer(5));
  Value shift = toI64(a.make<arith::AndIOp>(skipped, a.integer(31)));
  SmallVector<Value> isWord;
  for (int64_t i = 0; i != 3; ++i)
    isWord.push_back(a.is(I::eq, word, a.integer(i)));
  SmallVector<Value> words; // four words of 2/pi from the first relevant one
  for (int64_t i = 0; i != 4; ++i) {
    Value chosen = wide.integer(kTwoOverPi[i + 3]);
    for (int64_t first = 2; first >= 0; --first)
      chosen = a.select(isWord[first], wide.integer(kTwoOverPi[i + first]), chosen);
    words.push_back(chosen);
  }
  Value factor = toI64(mantissa), carry;
  SmallVector<Value> product(3); // M times the 96 bits, modulo 2^96, most significant word first
  for (int64_t i = 2; i >= 0; --i) {
    Value pair = wide.make<arith::OrIOp>(wide.make<arith::ShLIOp>(words[i], wide.integer(32)), words[i + 1]);
    Value window = shiftRight(wide.make<arith::ShLIOp>(pair, shift), 32);
    Value part = wide.make<arith::MulIOp>(factor, window);
    if (carry)
      part = wide.make<arith::AddIOp>(part, carry);
    carry = shiftRight(part, 32);
    product[i] = low(part);
  }
  // Quarter turns, as a 64-bit fixed-point number with two integer bits.
  Value turns = wide.make<arith::OrIOp>(wide.make<arith::ShLIOp>(product[0], wide.integer(32)), product[1]);
  Value rounded = wide.make<arith::AddIOp>(turns, wide.integer(int64_t(1) << 61));
  Value whole = shiftRight(rounded, 62);
  Value rest = wide.make<arith::SubIOp>(turns, wide.make<arith::ShLIOp>(whole, wide.integer(62)));
  Value angle = arith::SIToFPOp::create(a.b, a.loc, wide.type, rest);
  angle = wide.mul(angle, wide.constant(1.57079632679489661923 * 0x1p-62));
  Value quadrant = arith::TruncIOp::create(a.b, a.loc, a.integerType(), whole);
  Value isNegative = a.is(I::slt, bits, a.integer(0));
  Value negated = arith::NegFOp::create(a.b, a.loc, angle);
  return {a.select(isNegative, negated, angle),
          a.select(isNegative, a.make<arith::SubIOp>(a.integer(0), quadrant), quadrant)};
}

/// Whether any lane of the i1 or vector of i1 is true.
Value anyOf(const Arithmetic &a, Value condition) {
  auto vector = dyn_cast<VectorType>(condition.getType());
  if (!vector)
    return condition;
  if (vector.getRank() != 1)
    condition = vector::ShapeCastOp::create(
        a.b, a.loc, VectorType::get(vector.getNumElements(), vector.getElementType()), condition);
  return vector::ReductionOp::create(a.b, a.loc, vector::CombiningKind::OR, condition);
}

template <typename OpT> struct ExpandSinCos : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return failure();
    Arithmetic a{rewriter, op.getLoc(), op.getType()}, wide = a.on(rewriter.getF64Type());
    Value x = arith::ExtFOp::create(rewriter, a.loc, wide.type, op.getOperand());
    Value magic = wide.constant(6755399441055744.0); // 1.5 * 2^52: the low bits of the sum are n
    Value t = wide.mulAdd(x, wide.constant(0.63661977236758134308), magic);
    Value n = wide.sub(t, magic);
    Value r = wide.mulAdd(n, wide.constant(-1.570796251296997070312), x);
    r = wide.mulAdd(n, wide.constant(-7.5497899548918821292e-8), r);
    Value quadrant = arith::TruncIOp::create(rewriter, a.loc, a.integerType(), wide.bitcast(wide.integerType(), t));

    // NaN and infinities use the first path, which returns NaN.
    Value magnitude = math::AbsFOp::create(rewriter, a.loc, op.getOperand());
    Value isLarge = a.make<arith::AndIOp>(a.is(F::OGE, magnitude, a.constant(0x1p29)),
                                          a.is(F::OLT, magnitude, a.constant(kInfinity)));
    auto branch = scf::IfOp::create(rewriter, a.loc, TypeRange{r.getType(), quadrant.getType()}, anyOf(a, isLarge),
                                    /*addThenBlock=*/true, /*addElseBlock=*/true);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(branch.thenBlock());
      Angle exact = reduceLargeAngle(a, op.getOperand());
      Value rest = a.select(isLarge, exact.rest, r), quarter = a.select(isLarge, exact.quadrant, quadrant);
      scf::YieldOp::create(rewriter, a.loc, ValueRange{rest, quarter});
      rewriter.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(rewriter, a.loc, ValueRange{r, quadrant});
    }
    r = branch.getResult(0);
    quadrant = branch.getResult(1);
    if (std::is_same_v<OpT, math::CosOp>) // cos(x) = sin(x + pi/2)
      quadrant = a.make<arith::AddIOp>(quadrant, a.integer(1));

    Value angle = arith::TruncFOp::create(rewriter, a.loc, a.type, r);
    angle = a.atMost(a.atLeast(angle, a.constant(-0.785398185)), a.constant(0.785398185));
    Value u = a.mul(angle, angle);
    Value p = a.polynomial(u, {-0.000195853732063, 0.00833273655917, -0.166666646018});
    Value sine = a.mulAdd(a.mul(angle, u), p, angle);
    Value q = a.polynomial(u, {2.45454186684e-5, -0.00138882912974, 0.0416666645988});
    Value cosine = a.mulAdd(a.mul(u, u), q, a.mulAdd(u, a.constant(-0.5), a.constant(1)));
    Value odd = a.make<arith::AndIOp>(quadrant, a.integer(1));
    Value result = a.select(a.is(I::ne, odd, a.integer(0)), cosine, sine);
    Value upper = a.make<arith::AndIOp>(quadrant, a.integer(2));
    Value sign = a.make<arith::ShLIOp>(upper, a.integer(30));
    Value bits = a.bitcast(a.integerType(), result);
    result = a.bitcast(a.type, a.make<arith::XOrIOp>(bits, sign));
    if (std::is_same_v<OpT, math::SinOp>) // also for -0
      result = a.select(a.is(F::OEQ, op.getOperand(), a.constant(0)), op.getOperand(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// 2^t for t in [-200, 200], in f64.
Value exp2(const Arithmetic &a, Value t) {
  Value magic = a.constant(6755399441055744.0);
  Value sum = a.add(t, magic), n = a.sub(sum, magic), f = a.sub(t, n);
  Value y = a.polynomial(f, {0.00015461444698569129, 0.0013400428177615838, 0.0096180566785246381, 0.055503272266703021,
                             0.24022650922288758, 0.6931472067028326, 1.0});
  Value bits = a.bitcast(a.integerType(), sum);
  bits = a.make<arith::ShLIOp>(bits, a.integer(52));
  bits = a.make<arith::AddIOp>(bits, a.integer(int64_t(1023) << 52));
  return a.mul(y, a.bitcast(a.type, bits));
}

struct ExpandPow : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    if (!isF32(op))
      return failure();
    Arithmetic narrow{rewriter, op.getLoc(), op.getType()}, a = narrow.on(rewriter.getF64Type());
    Value x = arith::ExtFOp::create(rewriter, a.loc, a.type, op.getLhs());
    Value y = arith::ExtFOp::create(rewriter, a.loc, a.type, op.getRhs());
    Value zero = a.constant(0), one = a.constant(1), infinity = a.constant(kInfinity);
    Value base = math::AbsFOp::create(rewriter, a.loc, x);

    auto [s, n] = takeApart(a, base);
    Value z = a.mul(s, s);
    Value p = a.polynomial(
        z, {0.34092163714915334, 0.41166292472410469, 0.57708373762411773, 0.96179667260674906, 2.8853900817906103});
    Value log = a.mulAdd(s, p, n);
    log = a.select(a.is(F::OLT, base, infinity), log, base);
    log = a.select(a.is(F::OEQ, base, zero), a.constant(-kInfinity), log);
    Value t = a.mul(y, log);
    Value magnitude = math::AbsFOp::create(rewriter, a.loc, y);
    Value endless = a.make<arith::AndIOp>(a.is(F::OEQ, base, one), a.is(F::OEQ, magnitude, infinity));
    Value trivial = a.make<arith::OrIOp>(a.is(F::OEQ, y, zero), a.is(F::OEQ, x, one));
    t = a.select(a.make<arith::OrIOp>(trivial, endless), zero, t);
    Value power = exp2(a, a.atMost(a.atLeast(t, a.constant(-200)), a.constant(200)));

    Value halved = a.mul(y, a.constant(0.5));
    auto isWhole = [&](Value v) { return a.is(F::OEQ, v, math::FloorOp::create(rewriter, a.loc, v)); };
    Value whole = isWhole(y), even = isWhole(halved);
    Value isOdd = a.make<arith::XOrIOp>(whole, a.make<arith::AndIOp>(whole, even));
    Value negative = a.is(I::slt, a.bitcast(a.integerType(), x), a.integer(0));
    Value negated = arith::NegFOp::create(rewriter, a.loc, power);
    power = a.select(a.make<arith::AndIOp>(isOdd, negative), negated, power);
    // A negative number, finite and not 0, to a power that is not an integer; t is NaN if y is.
    Value below = a.make<arith::AndIOp>(a.is(F::OLT, x, zero), a.is(F::OLT, base, infinity));
    Value undefined = a.make<arith::AndIOp>(below, a.is(F::UNE, y, math::FloorOp::create(rewriter, a.loc, y)));
    power = a.select(undefined, a.constant(kNaN), power);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, narrow.type, power);
    return success();
  }
};

} // namespace

void mica::cpu::populateVectorFunctionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandLog<math::LogOp>, ExpandLog<math::Log2Op>, ExpandSinCos<math::SinOp>, ExpandSinCos<math::CosOp>,
               ExpandPow>(patterns.getContext(), /*benefit=*/2);
}
