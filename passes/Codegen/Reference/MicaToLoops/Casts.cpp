//===- Casts.cpp - conversions of element types -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica.cast, mica.quantize and mica.dequantize, mica.iota and mica.one_hot, mica.constant.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace mica::plain {

/// Converts `x`, a whole number or NaN, to the nearest integer of `bits` bits, NaN to 0.
static Value saturated(Emitter &e, Value x, unsigned bits) {
  double end = std::ldexp(1.0, bits - 1);
  int64_t most = APInt::getSignedMaxValue(bits).getSExtValue(), least = APInt::getSignedMinValue(bits).getSExtValue();
  Value isAbove = e.ge(x, e.real(end)), isBelow = e.lt(x, e.real(-end));
  Value isOutside = e.either(e.either(isAbove, isBelow), e.isNaN(x));
  Value inside = e.make<arith::FPToSIOp>(Type(e.b.getI64Type()), e.select(isOutside, e.real(0), x));
  return e.select(isAbove, e.integer(most), e.select(isBelow, e.integer(least), inside));
}

static Value castElement(Emitter &e, CastOp op, Value x, Type to) {
  bool wraps = op.getOverflow() == Overflow::Wrap;
  if (isa<FloatType>(to))
    return x.getType().isF64() ? x : e.nearestReal(x, to);
  unsigned bits = to.getIntOrFloatBitWidth();
  if (bits == 1)
    return e.widen(e.ne(x, e.zeroLike(x)));
  if (x.getType().isF64()) {
    Value isNegative = e.lt(x, e.real(0));
    Value toZero = e.select(isNegative, e.make<math::CeilOp>(x), e.make<math::FloorOp>(x));
    Value whole = op.getRounding() == Rounding::NearestEven ? e.roundEven(x) : toZero;
    return saturated(e, whole, wraps ? 64 : bits);
  }
  if (wraps)
    return x;
  Value most = e.integer(APInt::getSignedMaxValue(bits).getSExtValue());
  Value least = e.integer(APInt::getSignedMinValue(bits).getSExtValue());
  return e.smaller(e.larger(x, least), most);
}

static void emitCast(CastOp op) {
  Emitter e(op);
  Value result = e.result(), input = e.buffer(op.getInput());
  e.loop(e.sizes(result),
         [&](ArrayRef<Value> at) { e.store(castElement(e, op, e.load(input, at), e.elementOf(result)), result, at); });
  e.replace(result);
}

/// Scale and zero point of the element at `at`; the zero point is an i64, 0 if not given.
template <typename OpT> static std::pair<Value, Value> parametersAt(Emitter &e, OpT op, ArrayRef<Value> at) {
  SmallVector<Value> where;
  if (std::optional<int64_t> axis = op.getAxis())
    where.push_back(at[*axis]);
  Value scale = e.load(e.buffer(op.getScale()), where), zero = e.integer(0);
  if (op.getZeroPoint())
    zero = e.load(e.buffer(op.getZeroPoint()), where);
  return {scale, zero};
}

/// The value of `x`, an integer of `bits` bits.
static Value stored(Emitter &e, Value x, unsigned bits, bool isUnsigned) {
  return isUnsigned ? e.both(x, e.integer(int64_t((uint64_t(1) << bits) - 1))) : x;
}

static void emitQuantize(QuantizeOp op) {
  Emitter e(op);
  Value result = e.result(), input = e.buffer(op.getInput());
  unsigned bits = e.bits(result);
  bool isUnsigned = op.getUnsignedStorage();
  Type f32 = e.b.getF32Type(), f64 = e.b.getF64Type();
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    auto [scale, zero] = parametersAt(e, op, at);
    Value quotient = e.div(e.load(input, at), scale);
    if (e.bits(input) <= 32)
      quotient = e.make<arith::ExtFOp>(f64, e.make<arith::TruncFOp>(f32, quotient));
    Value whole = e.roundEven(quotient);
    whole = e.select(e.isNaN(whole), e.real(0), whole);
    Value sum = e.add(whole, e.toReal(stored(e, zero, bits, isUnsigned)));
    Value least = e.real(isUnsigned ? 0 : -std::ldexp(1.0, bits - 1));
    Value most = e.real(std::ldexp(1.0, bits - (isUnsigned ? 0 : 1)) - 1);
    Value inside = e.smaller(e.larger(sum, least), most);
    e.store(e.make<arith::FPToSIOp>(Type(e.b.getI64Type()), inside), result, at);
  });
  e.replace(result);
}

static void emitDequantize(DequantizeOp op) {
  Emitter e(op);
  Value result = e.result(), input = e.buffer(op.getInput());
  unsigned bits = e.bits(input);
  bool isUnsigned = op.getUnsignedStorage();
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    auto [scale, zero] = parametersAt(e, op, at);
    Value difference = e.sub(stored(e, e.load(input, at), bits, isUnsigned), stored(e, zero, bits, isUnsigned));
    e.store(e.mul(e.toReal(difference), scale), result, at);
  });
  e.replace(result);
}

static void emitIota(IotaOp op) {
  Emitter e(op);
  Value result = e.result();
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value place = e.toInteger(at[op.getAxis()]);
    e.store(e.isFloat(result) ? e.nearestReal(place, e.elementOf(result)) : place, result, at);
  });
  e.replace(result);
}

static void emitOneHot(OneHotOp op) {
  Emitter e(op);
  Value result = e.result(), indices = e.buffer(op.getIndices());
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    SmallVector<Value> where(at);
    where.erase(where.begin() + op.getAxis());
    Value isHere = e.eq(e.load(indices, where), e.toInteger(at[op.getAxis()]));
    e.store(e.select(isHere, e.number(result, 1), e.number(result, 0)), result, at);
  });
  e.replace(result);
}

bool emitCasts(Operation *op) {
  if (auto cast = dyn_cast<CastOp>(op))
    return emitCast(cast), true;
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    return emitQuantize(quantize), true;
  if (auto dequantize = dyn_cast<DequantizeOp>(op))
    return emitDequantize(dequantize), true;
  if (auto iota = dyn_cast<IotaOp>(op))
    return emitIota(iota), true;
  if (auto oneHot = dyn_cast<OneHotOp>(op))
    return emitOneHot(oneHot), true;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    OpBuilder b(op);
    constant.replaceAllUsesWith(
        arith::ConstantOp::create(b, op->getLoc(), llvm::cast<TypedAttr>(constant.getValue())).getResult());
    op->erase();
    return true;
  }
  return false;
}

} // namespace mica::plain
