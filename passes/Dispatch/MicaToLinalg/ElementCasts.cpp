//===- ElementCasts.cpp - scalar conversions ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every conversion rounds once. If it takes two steps, the first one rounds to odd: the last bit of an inexact result
// is 1, so that the second rounding never sees a false tie.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Element.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

static unsigned bitsOf(Type type) { return type.getIntOrFloatBitWidth(); }

/// Converts f64 to f32, rounded to odd; clamped to the largest f32.
static Value roundToOdd(const Element &e, Value x) {
  Element narrow = e.on(e.builder.getF32Type()), bits = e.on(e.builder.getI32Type());
  Value nearest = arith::TruncFOp::create(e.builder, e.loc, narrow.type, x);
  Value back = arith::ExtFOp::create(e.builder, e.loc, e.type, nearest);
  Value pattern = arith::BitcastOp::create(e.builder, e.loc, bits.type, nearest);
  // Round toward zero first: one unit less if the nearest value is larger.
  Value magnitude = e.make<math::AbsFOp>(x), reached = e.make<math::AbsFOp>(back);
  Value tooLarge = e.is(arith::CmpFPredicate::OGT, reached, magnitude);
  Value one = bits.number(1);
  Value less = bits.make<arith::SubIOp>(pattern, one);
  pattern = bits.select(tooLarge, less, pattern);
  Value inexact = e.is(arith::CmpFPredicate::UNE, back, x);
  Value odd = bits.make<arith::OrIOp>(pattern, one);
  pattern = bits.select(inexact, odd, pattern);
  return arith::BitcastOp::create(e.builder, e.loc, narrow.type, pattern);
}

Value Element::convertFloat(Type to, Value x) const {
  if (to == type)
    return x;
  Type f32 = builder.getF32Type();
  if (bitsOf(type) < 32) // exact
    return on(f32).convertFloat(to, arith::ExtFOp::create(builder, loc, f32, x));
  if (bitsOf(to) > bitsOf(type))
    return arith::ExtFOp::create(builder, loc, to, x);
  if (bitsOf(type) == 64 && bitsOf(to) < 32)
    return on(f32).convertFloat(to, roundToOdd(*this, x));
  return arith::TruncFOp::create(builder, loc, to, x);
}

/// An i64 in which the bits that exceed the mantissa of f64 are one sticky bit.
static Value withStickyBit(const Element &e, Value x) {
  Value mask = e.integer(APInt(64, 0x3ff)), zero = e.number(0), sticky = e.integer(APInt(64, 0x400));
  Value low = e.make<arith::AndIOp>(x, mask);
  Value any = e.is(arith::CmpIPredicate::ne, low, zero);
  Value bit = e.select(any, sticky, zero);
  Value high = e.make<arith::XOrIOp>(x, low);
  Value jammed = e.make<arith::OrIOp>(high, bit);
  // Numbers that f64 represents are unchanged.
  Value half = e.integer(APInt(64, uint64_t(1) << 53)), shifted = e.make<arith::AddIOp>(x, half);
  Value end = e.integer(APInt(64, uint64_t(1) << 54));
  Value exact = e.is(arith::CmpIPredicate::ult, shifted, end);
  return e.select(exact, x, jammed);
}

Value Element::toFloat(Type to, Value x, bool isUnsigned) const {
  auto convert = [&](Type into, Value value) -> Value {
    if (isUnsigned || type.isInteger(1))
      return arith::UIToFPOp::create(builder, loc, into, value);
    return arith::SIToFPOp::create(builder, loc, into, value);
  };
  if (bitsOf(to) >= 32)
    return convert(to, x);
  Type f32 = builder.getF32Type(), f64 = builder.getF64Type();
  // f32 represents integers up to 24 bits; larger ones overflow in all narrower types except bf16.
  if (bitsOf(type) <= 16 || !isa<BFloat16Type>(to))
    return on(f32).convertFloat(to, convert(f32, x));
  if (bitsOf(type) == 64 && !isUnsigned)
    x = withStickyBit(*this, x);
  return on(f64).convertFloat(to, convert(f64, x));
}

Value Element::saturate(IntegerType to, Value x, bool isUnsigned) const {
  unsigned bits = to.getWidth();
  // A float type that represents the bounds, and an integer type that is wide enough for both.
  if (bits >= 32 && bitsOf(type) == 32) {
    Type f64 = builder.getF64Type();
    return on(f64).saturate(to, arith::ExtFOp::create(builder, loc, f64, x), isUnsigned);
  }
  Value zero = number(0);
  Value isNumber = is(arith::CmpFPredicate::ORD, x, x);
  Value value = select(isNumber, x, zero);
  Value least = number(isUnsigned ? 0 : -std::ldexp(1.0, bits - 1));
  double end = std::ldexp(1.0, bits - (isUnsigned ? 0 : 1));
  // The largest i64 is not an f64: use the largest f64 below 2^63, and correct it at the end.
  Value most = number(bits == 64 ? std::nextafter(end, 0.0) : end - 1);
  Value raised = make<arith::MaximumFOp>(value, least);
  Value inside = make<arith::MinimumFOp>(raised, most);
  auto wide = builder.getIntegerType(bits == 64 || (isUnsigned && bits == 32) ? 64 : 32);
  Value whole = arith::FPToSIOp::create(builder, loc, wide, inside);
  if (bits == 64) {
    Value limit = number(end), largest = on(to).integer(APInt::getSignedMaxValue(64));
    Value beyond = is(arith::CmpFPredicate::OGE, x, limit);
    whole = on(to).select(beyond, largest, whole);
  }
  if (wide != to)
    whole = arith::TruncIOp::create(builder, loc, to, whole);
  return whole;
}

/// Converts an integer to a narrower type, clamped.
static Value clampInteger(const Element &e, Type to, Value x) {
  unsigned bits = bitsOf(e.type), narrow = bitsOf(to);
  Value least = e.integer(APInt::getSignedMinValue(narrow).sext(bits));
  Value most = e.integer(APInt::getSignedMaxValue(narrow).sext(bits));
  Value raised = e.make<arith::MaxSIOp>(x, least);
  Value inside = e.make<arith::MinSIOp>(raised, most);
  return arith::TruncIOp::create(e.builder, e.loc, to, inside);
}

Value Element::castTo(Type to, Value x, Overflow overflow, Rounding rounding) const {
  if (to == type)
    return x;
  if (to.isInteger(1)) {
    Element wide = on(computeType(type));
    Value value = isFloat() ? convertFloat(wide.type, x) : x;
    Value zero = wide.number(0);
    return isFloat() ? is(arith::CmpFPredicate::UNE, value, zero) : is(arith::CmpIPredicate::ne, value, zero);
  }
  if (isFloat() && isa<FloatType>(to))
    return convertFloat(to, x);
  if (!isFloat() && isa<FloatType>(to))
    return toFloat(to, x);
  if (isFloat()) {
    Element wide = on(computeType(type));
    Value value = convertFloat(wide.type, x);
    value = rounding == Rounding::NearestEven ? wide.make<math::RoundEvenOp>(value) : wide.make<math::TruncOp>(value);
    auto integer = overflow == Overflow::Wrap ? builder.getI64Type() : cast<IntegerType>(to);
    Value whole = wide.saturate(integer, value);
    return on(integer).castTo(to, whole, Overflow::Wrap, Rounding::TowardZero);
  }
  if (type.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, to, x);
  if (bitsOf(to) > bitsOf(type))
    return arith::ExtSIOp::create(builder, loc, to, x);
  if (overflow == Overflow::Saturate)
    return clampInteger(*this, to, x);
  return arith::TruncIOp::create(builder, loc, to, x);
}
