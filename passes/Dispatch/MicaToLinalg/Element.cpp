//===- Element.cpp - scalar arithmetic ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Element.h. Conversions between types are in ElementCasts.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Element.h"

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

Type tolinalg::computeType(Type type) {
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(type.getContext());
  return type;
}

Value Element::number(double value) const { return tolinalg::number(builder, loc, type, value); }

Value Element::integer(const APInt &value) const {
  return arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, value));
}

Value Element::width() const { return integer(APInt(type.getIntOrFloatBitWidth(), type.getIntOrFloatBitWidth())); }

Value Element::is(arith::CmpFPredicate predicate, Value x, Value y) const {
  return arith::CmpFOp::create(builder, loc, predicate, x, y);
}

Value Element::is(arith::CmpIPredicate predicate, Value x, Value y) const {
  return arith::CmpIOp::create(builder, loc, predicate, x, y);
}

Value Element::select(Value condition, Value x, Value y) const {
  return arith::SelectOp::create(builder, loc, condition, x, y);
}

//===------------------------------------------------------------------------------------------------------------===//
// Arithmetic
//===------------------------------------------------------------------------------------------------------------===//

Value Element::add(Value x, Value y) const { return either<arith::AddFOp, arith::AddIOp>(x, y); }
Value Element::sub(Value x, Value y) const { return either<arith::SubFOp, arith::SubIOp>(x, y); }
Value Element::mul(Value x, Value y) const { return either<arith::MulFOp, arith::MulIOp>(x, y); }
Value Element::larger(Value x, Value y) const { return tolinalg::larger(builder, loc, x, y); }

Value Element::smaller(Value x, Value y) const {
  if (type.isInteger(1))
    return make<arith::AndIOp>(x, y);
  return either<arith::MinimumFOp, arith::MinSIOp>(x, y);
}

Element::Divisor Element::divisorOf(Value y) const {
  Value zero = number(0), one = number(1), minusOne = number(-1);
  Value isZero = is(arith::CmpIPredicate::eq, y, zero);
  Value isMinusOne = is(arith::CmpIPredicate::eq, y, minusOne);
  Value special = make<arith::OrIOp>(isZero, isMinusOne);
  return {zero, isZero, isMinusOne, select(special, one, y)};
}

Value Element::div(Value x, Value y) const {
  if (isFloat())
    return make<arith::DivFOp>(x, y);
  // mica: x / 0 is 0, x / -1 is -x.
  Divisor divisor = divisorOf(y);
  Value quotient = make<arith::DivSIOp>(x, divisor.safe);
  Value negated = make<arith::SubIOp>(divisor.zero, x);
  Value wrapped = select(divisor.isMinusOne, negated, quotient);
  return select(divisor.isZero, divisor.zero, wrapped);
}

Value Element::rem(Value x, Value y) const {
  if (isFloat())
    return make<arith::RemFOp>(x, y);
  // The remainder by 0 is x; by -1 it is 0, as it is by 1.
  Divisor divisor = divisorOf(y);
  Value remainder = make<arith::RemSIOp>(x, divisor.safe);
  return select(divisor.isZero, x, remainder);
}

Value Element::pow(Value x, Value y) const {
  if (isFloat())
    return make<math::PowFOp>(x, y);
  // math.ipowi is undefined for 0 to a negative power; 0 to the first power gives the required 0.
  Value zero = number(0), one = number(1);
  Value isZero = is(arith::CmpIPredicate::eq, x, zero), isInverse = is(arith::CmpIPredicate::slt, y, zero);
  Value undefined = make<arith::AndIOp>(isZero, isInverse);
  Value exponent = select(undefined, one, y);
  return make<math::IPowIOp>(x, exponent);
}

Value Element::neg(Value x) const {
  if (isFloat())
    return make<arith::NegFOp>(x);
  Value zero = number(0);
  return make<arith::SubIOp>(zero, x);
}

Value Element::abs(Value x) const {
  if (isFloat())
    return make<math::AbsFOp>(x);
  // The maximum is correct for the smallest integer too, which math.absi does not guarantee.
  Value negated = neg(x);
  return make<arith::MaxSIOp>(x, negated);
}

//===------------------------------------------------------------------------------------------------------------===//
// Activations
//===------------------------------------------------------------------------------------------------------------===//

Value Element::relu(Value x) const {
  Value zero = number(0);
  if (!isFloat())
    return make<arith::MaxSIOp>(x, zero);
  // Unordered: NaN is kept. One comparison and one select are cheaper than a maximum with -0 < +0.
  Value kept = is(arith::CmpFPredicate::UGT, x, zero);
  return select(kept, x, zero);
}

// exp(-|x|) does not overflow, so that results are correct down to the smallest subnormal, where 1 / (1 + e^(-x)) is 0
// once e^(-x) overflows.

Value Element::sigmoid(Value x) const {
  Value zero = number(0), one = number(1);
  Value power = make<math::ExpOp>(neg(abs(x)));
  Value above = select(is(arith::CmpFPredicate::OLT, x, zero), power, one);
  return make<arith::DivFOp>(above, add(one, power));
}

Value Element::silu(Value x) const {
  // e^(-|x|) as a square: x is multiplied by its root twice, because the exponential may be subnormal where the result
  // is not.
  Value zero = number(0), one = number(1), half = number(0.5);
  Value root = make<math::ExpOp>(neg(mul(abs(x), half)));
  Value scaled = mul(mul(x, root), root);
  Value above = select(is(arith::CmpFPredicate::OLT, x, zero), scaled, x);
  return make<arith::DivFOp>(above, add(one, mul(root, root)));
}

Value Element::gelu(Value x, GeluApproximation approximate) const {
  Value bell;
  if (approximate == GeluApproximation::None) {
    Value scale = number(1 / std::sqrt(2.0)), scaled = mul(x, scale);
    bell = make<math::ErfOp>(scaled);
  } else {
    Value square = mul(x, x), cube = mul(square, x);
    Value third = number(0.044715), correction = mul(third, cube), corrected = add(x, correction);
    Value scale = number(std::sqrt(2 / M_PI)), scaled = mul(scale, corrected);
    bell = make<math::TanhOp>(scaled);
  }
  Value half = number(0.5), halved = mul(half, x), one = number(1), raised = add(one, bell);
  return mul(halved, raised);
}

//===------------------------------------------------------------------------------------------------------------===//
// Comparison and bits
//===------------------------------------------------------------------------------------------------------------===//

Value Element::compare(Comparison kind, Value x, Value y) const {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  bool isBool = type.isInteger(1); // false < true: compare as unsigned
  auto [onFloat, onInt] = [&]() -> std::pair<F, I> {
    switch (kind) {
    case Comparison::Eq:
      return {F::OEQ, I::eq};
    case Comparison::Ne:
      return {F::UNE, I::ne};
    case Comparison::Lt:
      return {F::OLT, isBool ? I::ult : I::slt};
    case Comparison::Le:
      return {F::OLE, isBool ? I::ule : I::sle};
    case Comparison::Gt:
      return {F::OGT, isBool ? I::ugt : I::sgt};
    case Comparison::Ge:
      return {F::OGE, isBool ? I::uge : I::sge};
    }
    llvm_unreachable("all cases are above");
  }();
  return isFloat() ? is(onFloat, x, y) : is(onInt, x, y);
}

Value Element::invert(Value x) const {
  Value ones = integer(APInt::getAllOnes(type.getIntOrFloatBitWidth()));
  return make<arith::XOrIOp>(x, ones);
}

Value Element::shiftLeft(Value x, Value amount) const {
  Value bits = width(), zero = number(0);
  Value inside = is(arith::CmpIPredicate::ult, amount, bits);
  Value safe = select(inside, amount, zero);
  Value shifted = make<arith::ShLIOp>(x, safe);
  return select(inside, shifted, zero);
}

Value Element::shiftRightLogical(Value x, Value amount) const {
  Value bits = width(), zero = number(0);
  Value inside = is(arith::CmpIPredicate::ult, amount, bits);
  Value safe = select(inside, amount, zero);
  Value shifted = make<arith::ShRUIOp>(x, safe);
  return select(inside, shifted, zero);
}

Value Element::shiftRightArithmetic(Value x, Value amount) const {
  Value most = number(type.getIntOrFloatBitWidth() - 1);
  Value safe = make<arith::MinUIOp>(amount, most);
  return make<arith::ShRSIOp>(x, safe);
}
