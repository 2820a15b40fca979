//===- Elementwise.cpp - elementwise ops --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits one loop nest over the result; each operand is read at the same position, or at 0 if its static size is 1.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace mica::plain {

namespace {

/// Computes one element of an op from its operands, which are f64 or i64; `bits` is the width of the first operand's
/// type.
class Element {
public:
  Element(Emitter &e, unsigned bits, ArrayRef<Value> args) : e(e), bits(bits), args(args), x(args[0]) {}

  /// The element of `op`'s result; null if it is not elementwise.
  Value of(Operation *op);

private:
  Value y() const { return args[1]; }
  bool isReal() const { return x.getType().isF64(); }
  Value integer(int64_t value) { return e.integer(value); }
  /// 1 / (1 + e^-x)
  Value logistic(Value value) { return e.div(e.real(1), e.add(e.real(1), e.exp(e.make<arith::NegFOp>(value)))); }
  /// An integer of the operand's type, interpreted as unsigned.
  Value asUnsigned(Value value) {
    return bits == 64 ? value : e.both(value, integer(int64_t((uint64_t(1) << bits) - 1)));
  }
  Value isBelowWidth(Value amount) { return e.make<arith::CmpIOp>(arith::CmpIPredicate::ult, amount, integer(bits)); }
  Value quotient();
  Value remainder();
  Value power();
  Value gelu(GeluApproximation approximate);
  Value clamp(ClampOp op);
  Value bound(Attribute attribute) {
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return e.real(number.getValueAsDouble());
    return integer(cast<IntegerAttr>(attribute).getValue().getSExtValue());
  }

  Emitter &e;
  unsigned bits;
  ArrayRef<Value> args;
  Value x;
};

} // namespace

Value Element::quotient() {
  if (isReal())
    return e.div(x, y());
  Value byZero = e.eq(y(), integer(0)), byMinusOne = e.eq(y(), integer(-1));
  Value divisor = e.select(e.either(byZero, byMinusOne), integer(1), y());
  return e.select(byZero, integer(0), e.select(byMinusOne, e.sub(integer(0), x), e.div(x, divisor)));
}

Value Element::remainder() {
  if (isReal())
    return e.make<arith::RemFOp>(x, y());
  Value byZero = e.eq(y(), integer(0)), byMinusOne = e.eq(y(), integer(-1));
  Value divisor = e.select(e.either(byZero, byMinusOne), integer(1), y());
  return e.select(byZero, x, e.select(byMinusOne, integer(0), e.rem(x, divisor)));
}

Value Element::power() {
  if (isReal())
    return e.make<math::PowFOp>(x, y());
  // Exponentiation by squaring.
  SmallVector<Value> last =
      e.fold(e.index(64), {integer(1), x, y()}, [&](ArrayRef<Value>, ArrayRef<Value> carried) -> SmallVector<Value> {
        Value isSet = e.ne(e.both(carried[2], integer(1)), integer(0));
        Value product = e.mul(carried[0], carried[1]);
        return {e.select(isSet, product, carried[0]), e.mul(carried[1], carried[1]),
                e.make<arith::ShRUIOp>(carried[2], integer(1))};
      });
  Value isOdd = e.ne(e.both(y(), integer(1)), integer(0));
  Value sign = e.select(isOdd, integer(-1), integer(1));
  Value inverse = e.select(e.eq(x, integer(1)), integer(1), e.select(e.eq(x, integer(-1)), sign, integer(0)));
  return e.select(e.lt(y(), integer(0)), inverse, last[0]);
}

Value Element::gelu(GeluApproximation approximate) {
  if (approximate == GeluApproximation::None) {
    // 1 + erf(t) cancels for negative t, erfc(-t) does not.
    Value t = e.div(e.make<arith::NegFOp>(x), e.real(std::numbers::sqrt2));
    return e.mul(e.div(x, e.real(2)), e.make<math::ErfcOp>(t));
  }
  Value cube = e.mul(e.mul(e.mul(e.real(0.044715), x), x), x);
  Value u = e.mul(e.real(std::sqrt(2 / std::numbers::pi)), e.add(x, cube));
  return e.mul(x, logistic(e.mul(e.real(2), u))); // (1 + tanh(u)) / 2 = 1 / (1 + e^(-2u))
}

Value Element::clamp(ClampOp op) { return e.smaller(e.larger(x, bound(op.getMin())), bound(op.getMax())); }

Value Element::of(Operation *op) {
  auto truth = [&](Value condition) { return e.widen(condition); };
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return e.add(x, y()); })
      .Case([&](SubOp) { return e.sub(x, y()); })
      .Case([&](MulOp) { return e.mul(x, y()); })
      .Case([&](DivOp) { return quotient(); })
      .Case([&](RemOp) { return remainder(); })
      .Case([&](PowOp) { return power(); })
      .Case([&](MaxOp) { return e.larger(x, y()); })
      .Case([&](MinOp) { return e.smaller(x, y()); })
      .Case([&](NegOp) { return isReal() ? e.make<arith::NegFOp>(x) : e.sub(integer(0), x); })
      .Case([&](AbsOp) {
        return isReal() ? e.make<math::AbsFOp>(x) : e.select(e.lt(x, integer(0)), e.sub(integer(0), x), x);
      })
      .Case([&](ExpOp) { return e.exp(x); })
      .Case([&](LogOp) { return e.make<math::LogOp>(x); })
      .Case([&](SqrtOp) { return e.sqrt(x); })
      .Case([&](RsqrtOp) { return e.div(e.real(1), e.sqrt(x)); })
      .Case([&](SinOp) { return e.make<math::SinOp>(x); })
      .Case([&](CosOp) { return e.make<math::CosOp>(x); })
      .Case([&](FloorOp) { return e.make<math::FloorOp>(x); })
      .Case([&](CeilOp) { return e.make<math::CeilOp>(x); })
      .Case([&](RoundOp) { return e.roundEven(x); })
      .Case([&](TanhOp) { return e.make<math::TanhOp>(x); })
      .Case([&](ErfOp) { return e.make<math::ErfOp>(x); })
      .Case([&](SigmoidOp) { return logistic(x); })
      .Case([&](SiluOp) { return e.div(x, e.add(e.real(1), e.exp(e.make<arith::NegFOp>(x)))); })
      .Case([&](ReluOp) {
        if (!isReal())
          return e.larger(x, integer(0));
        return e.select(e.either(e.gt(x, e.real(0)), e.isNaN(x)), x, e.real(0));
      })
      .Case([&](GeluOp gelu) { return this->gelu(gelu.getApproximate()); })
      .Case([&](ClampOp clamp) { return this->clamp(clamp); })
      .Case([&](CompareOp compare) { return truth(e.compare(compare.getKind(), x, y())); })
      .Case<LogicalAndOp, BitwiseAndOp>([&](auto) { return e.both(x, y()); })
      .Case<LogicalOrOp, BitwiseOrOp>([&](auto) { return e.either(x, y()); })
      .Case<LogicalXorOp, BitwiseXorOp>([&](auto) { return e.make<arith::XOrIOp>(x, y()); })
      .Case<LogicalNotOp, BitwiseNotOp>([&](auto) { return e.flip(x); })
      .Case([&](ShiftLeftOp) {
        Value amount = asUnsigned(y()), fits = isBelowWidth(amount);
        return e.select(fits, e.make<arith::ShLIOp>(x, e.select(fits, amount, integer(0))), integer(0));
      })
      .Case([&](ShiftRightArithmeticOp) {
        Value amount = asUnsigned(y());
        return e.make<arith::ShRSIOp>(x, e.select(isBelowWidth(amount), amount, integer(bits - 1)));
      })
      .Case([&](ShiftRightLogicalOp) {
        Value amount = asUnsigned(y()), fits = isBelowWidth(amount);
        return e.select(fits, e.make<arith::ShRUIOp>(asUnsigned(x), e.select(fits, amount, integer(0))), integer(0));
      })
      .Default(Value());
}

/// `at`, with 0 in the dimensions in which `tensor` is broadcast.
static SmallVector<Value> repeated(Emitter &e, Value tensor, ArrayRef<Value> at) {
  SmallVector<Value> source(at);
  for (auto [place, known] : llvm::zip_equal(source, cast<RankedTensorType>(tensor.getType()).getShape()))
    if (known == 1)
      place = e.index(0);
  return source;
}

/// Moves the selected operand's elements unchanged.
static void emitSelect(SelectOp op) {
  Emitter e(op);
  Value result = e.result();
  SmallVector<Value> in = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return e.buffer(operand); });
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    SmallVector<Value> args;
    for (auto [operand, buffer] : llvm::zip_equal(op->getOperands(), in))
      args.push_back(e.raw(buffer, repeated(e, operand, at)));
    e.storeRaw(e.select(args[0], args[1], args[2]), result, at);
  });
  e.replace(result);
}

bool emitElementwise(Operation *op) {
  if (auto select = dyn_cast<SelectOp>(op))
    return emitSelect(select), true;
  // Test the kind of op before emitting anything.
  if (!isa<AddOp, SubOp, MulOp, DivOp, RemOp, PowOp, MaxOp, MinOp, NegOp, AbsOp, ExpOp, LogOp, SqrtOp, RsqrtOp, SinOp,
           CosOp, FloorOp, CeilOp, RoundOp, TanhOp, ErfOp, SigmoidOp, SiluOp, ReluOp, GeluOp, ClampOp, CompareOp,
           LogicalAndOp, BitwiseAndOp, LogicalOrOp, BitwiseOrOp, LogicalXorOp, BitwiseXorOp, LogicalNotOp, BitwiseNotOp,
           ShiftLeftOp, ShiftRightArithmeticOp, ShiftRightLogicalOp>(op))
    return false;
  Emitter e(op);
  Value result = e.result();
  SmallVector<Value> in = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return e.buffer(operand); });
  unsigned bits = e.bits(in[0]);
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    SmallVector<Value> args;
    for (auto [operand, buffer] : llvm::zip_equal(op->getOperands(), in))
      args.push_back(e.load(buffer, repeated(e, operand, at)));
    e.store(Element(e, bits, args).of(op), result, at);
  });
  e.replace(result);
  return true;
}

} // namespace mica::plain
