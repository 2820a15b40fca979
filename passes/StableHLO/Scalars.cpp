//===- Scalars.cpp - elementwise ops on scalars ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The ops of a computation work on tensors of rank 0; in a linalg.generic or a loop they work on scalars:
//
//   %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// becomes
//   %0 = arith.cmpf ogt, %a, %b : f32
//
// Whether integers are unsigned is read from the op's attribute stablehlo.unsigned.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/CHLODialect.h"
#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {

class Scalars {
public:
  Scalars(Operation *op, ValueRange operands, OpBuilder &builder)
      : op(op), operands(operands), builder(builder), loc(op->getLoc()),
        element(operands.empty() ? Type() : operands.front().getType()), isFloat(isa_and_present<FloatType>(element)),
        isUnsigned(isUnsignedOperand(op, 0)) {}

  FailureOr<Value> convert();

private:
  template <typename Twin> FailureOr<Value> twin() { return Twin::create(builder, loc, operands).getResult(); }
  template <typename OfFloats> FailureOr<Value> ofFloats() { return isFloat ? twin<OfFloats>() : refused(); }
  template <typename OfIntegers> FailureOr<Value> ofIntegers() {
    return isInteger(element) ? twin<OfIntegers>() : refused();
  }
  template <typename OfFloats, typename OfSigned, typename OfUnsigned = OfSigned> FailureOr<Value> ofNumbers() {
    if (isFloat)
      return twin<OfFloats>();
    if (!isInteger(element))
      return refused();
    return isUnsigned ? twin<OfUnsigned>() : twin<OfSigned>();
  }
  /// `OfBits` is the op on i1.
  template <typename OfFloats, typename OfSigned, typename OfUnsigned, typename OfBits> FailureOr<Value> ofAll() {
    return isBool(element) ? twin<OfBits>() : ofNumbers<OfFloats, OfSigned, OfUnsigned>();
  }
  template <typename OfBits> FailureOr<Value> ofBits() {
    return element.isSignlessInteger() ? twin<OfBits>() : refused();
  }
  FailureOr<Value> refused() {
    std::string type;
    llvm::raw_string_ostream(type) << element;
    return refuse(op, element ? "elements of type " + type + " are not" : std::string("it has no operands"));
  }

  Value integer(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  Value number(double value) { return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(element, value)); }
  Value compared(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value chosen(Value pred, Value a, Value b) { return arith::SelectOp::create(builder, loc, pred, a, b); }

  FailureOr<Value> convertCompare(hlo::CompareOp compare);
  FailureOr<Value> convertConvert(Type to, bool toUnsigned);
  FailureOr<Value> convertDivision(bool wantsRemainder);
  FailureOr<Value> convertPower();
  FailureOr<Value> convertReducePrecision(hlo::ReducePrecisionOp reduce);
  template <typename Shift> FailureOr<Value> convertShift(bool keepsSign);

  Operation *op;
  ValueRange operands;
  OpBuilder &builder;
  Location loc;
  Type element;
  bool isFloat, isUnsigned;
};

arith::CmpFPredicate predicateOf(hlo::ComparisonDirection direction) {
  using Direction = hlo::ComparisonDirection;
  switch (direction) {
  case Direction::EQ:
    return arith::CmpFPredicate::OEQ;
  case Direction::NE:
    return arith::CmpFPredicate::UNE;
  case Direction::GE:
    return arith::CmpFPredicate::OGE;
  case Direction::GT:
    return arith::CmpFPredicate::OGT;
  case Direction::LE:
    return arith::CmpFPredicate::OLE;
  case Direction::LT:
    return arith::CmpFPredicate::OLT;
  }
  llvm_unreachable("all directions are handled");
}

arith::CmpIPredicate predicateOf(hlo::ComparisonDirection direction, bool isUnsigned) {
  using Direction = hlo::ComparisonDirection;
  switch (direction) {
  case Direction::EQ:
    return arith::CmpIPredicate::eq;
  case Direction::NE:
    return arith::CmpIPredicate::ne;
  case Direction::GE:
    return isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
  case Direction::GT:
    return isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  case Direction::LE:
    return isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle;
  case Direction::LT:
    return isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  }
  llvm_unreachable("all directions are handled");
}

FailureOr<Value> Scalars::convertCompare(hlo::CompareOp compare) {
  const hlo::ComparisonType order = compare.getCompareType().value_or(hlo::ComparisonType::NOTYPE);
  const hlo::ComparisonDirection direction = compare.getComparisonDirection();
  if (isFloat && order == hlo::ComparisonType::TOTALORDER) {
    Value a = orderedBits(builder, loc, operands[0]), b = orderedBits(builder, loc, operands[1]);
    return compared(predicateOf(direction, /*isUnsigned=*/false), a, b);
  }
  if (isFloat)
    return arith::CmpFOp::create(builder, loc, predicateOf(direction), operands[0], operands[1]).getResult();
  if (!element.isSignlessInteger())
    return refused();
  if (order == hlo::ComparisonType::UNSIGNED && !isUnsigned && !isBool(element))
    return refuse(op, "UNSIGNED on signless integers is not; SIGNED is");
  return compared(predicateOf(direction, isUnsigned || isBool(element)), operands[0], operands[1]);
}

/// Integers keep their low bits; floats out of an integer type's range, which the specification leaves open, saturate.
FailureOr<Value> Scalars::convertConvert(Type to, bool toUnsigned) {
  Value from = operands[0];
  if (element == to)
    return from;
  const bool fromUnsigned = isUnsigned || isBool(element);
  if (isBool(to)) {
    if (isFloat)
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, from, number(0)).getResult();
    return compared(arith::CmpIPredicate::ne, from, integer(element, 0));
  }
  if (auto target = dyn_cast<FloatType>(to)) {
    if (!isFloat && element.isSignlessInteger())
      return fromUnsigned ? arith::UIToFPOp::create(builder, loc, to, from).getResult()
                          : arith::SIToFPOp::create(builder, loc, to, from).getResult();
    if (!isFloat)
      return refused();
    if (element.getIntOrFloatBitWidth() < target.getWidth())
      return arith::ExtFOp::create(builder, loc, to, from).getResult();
    if (element.getIntOrFloatBitWidth() == target.getWidth()) {
      Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), from);
      return arith::TruncFOp::create(builder, loc, to, wide).getResult();
    }
    return arith::TruncFOp::create(builder, loc, to, from).getResult();
  }
  if (!to.isSignlessInteger())
    return refused();
  const unsigned width = to.getIntOrFloatBitWidth();
  if (isFloat) {
    // Saturate in 64-bit floats, where all limits but those of 64-bit integers are exact.
    Type wide = builder.getF64Type();
    Value value = element == wide ? from : arith::ExtFOp::create(builder, loc, wide, from).getResult();
    const double least = toUnsigned ? 0.0 : -std::ldexp(1.0, int(width) - 1);
    const double beyond = std::ldexp(1.0, toUnsigned ? int(width) : int(width) - 1);
    const auto wideNumber = [&](double x) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(wide, x));
    };
    const APInt most = toUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
    const APInt lowest = toUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width);
    const auto limit = [&](const APInt &x) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(to, x));
    };
    const auto is = [&](arith::CmpFPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpFOp::create(builder, loc, predicate, a, b);
    };
    Value isHigh = is(arith::CmpFPredicate::OGE, value, wideNumber(beyond)),
          isLow = is(arith::CmpFPredicate::OLE, value, wideNumber(least)),
          isNaN = is(arith::CmpFPredicate::UNO, value, value);
    Value out = arith::OrIOp::create(builder, loc, arith::OrIOp::create(builder, loc, isHigh, isLow), isNaN);
    Value inside = chosen(out, wideNumber(0), value);
    // A signed conversion of 64 bits holds all unsigned values of fewer.
    Value result;
    if (toUnsigned && width == 64)
      result = arith::FPToUIOp::create(builder, loc, to, inside);
    else {
      result = arith::FPToSIOp::create(builder, loc, builder.getI64Type(), inside);
      if (width < 64)
        result = arith::TruncIOp::create(builder, loc, to, result);
    }
    result = chosen(isHigh, limit(most), result);
    result = chosen(isLow, limit(lowest), result);
    return chosen(isNaN, limit(APInt::getZero(width)), result);
  }
  if (!element.isSignlessInteger())
    return refused();
  if (element.getIntOrFloatBitWidth() > width)
    return arith::TruncIOp::create(builder, loc, to, from).getResult();
  return fromUnsigned ? arith::ExtUIOp::create(builder, loc, to, from).getResult()
                      : arith::ExtSIOp::create(builder, loc, to, from).getResult();
}

/// A quotient by 0 is 0 and a remainder by 0 the dividend; the least number divided by -1 is itself.
FailureOr<Value> Scalars::convertDivision(bool wantsRemainder) {
  if (isFloat)
    return wantsRemainder ? twin<arith::RemFOp>() : twin<arith::DivFOp>();
  if (!isInteger(element))
    return refused();
  Value a = operands[0], b = operands[1], zero = integer(element, 0), one = integer(element, 1);
  Value isZero = compared(arith::CmpIPredicate::eq, b, zero);
  if (isUnsigned) {
    Value divisor = chosen(isZero, one, b);
    if (wantsRemainder)
      return chosen(isZero, a, arith::RemUIOp::create(builder, loc, a, divisor));
    return chosen(isZero, zero, arith::DivUIOp::create(builder, loc, a, divisor));
  }
  Value isMinusOne = compared(arith::CmpIPredicate::eq, b, integer(element, -1));
  Value isSpecial = arith::OrIOp::create(builder, loc, isZero, isMinusOne);
  Value divisor = chosen(isSpecial, one, b);
  if (wantsRemainder) {
    Value result = arith::RemSIOp::create(builder, loc, a, divisor);
    return chosen(isZero, a, result);
  }
  Value quotient = arith::DivSIOp::create(builder, loc, a, divisor);
  Value negated = arith::SubIOp::create(builder, loc, zero, a);
  return chosen(isZero, zero, chosen(isMinusOne, negated, quotient));
}

/// Of integers: squares of the base for each bit of the exponent. A negative exponent gives the reciprocal, rounded
/// toward 0.
FailureOr<Value> Scalars::convertPower() {
  if (isFloat)
    return twin<math::PowFOp>();
  if (!isInteger(element))
    return refused();
  Value base = operands[0], exponent = operands[1], zero = integer(element, 0), one = integer(element, 1);
  Value result = one, square = base;
  const unsigned width = element.getIntOrFloatBitWidth();
  for (unsigned bit = 0; bit < width; ++bit) {
    Value mask =
        arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, APInt::getOneBitSet(width, bit)));
    Value isSet = compared(arith::CmpIPredicate::ne, arith::AndIOp::create(builder, loc, exponent, mask), zero);
    result = chosen(isSet, arith::MulIOp::create(builder, loc, result, square), result);
    square = arith::MulIOp::create(builder, loc, square, square);
  }
  if (isUnsigned)
    return result;
  Value minusOne = integer(element, -1);
  Value isOdd = compared(arith::CmpIPredicate::ne, arith::AndIOp::create(builder, loc, exponent, one), zero);
  Value ofMinusOne = chosen(isOdd, minusOne, one);
  Value reciprocal = chosen(compared(arith::CmpIPredicate::eq, base, one), one,
                            chosen(compared(arith::CmpIPredicate::eq, base, minusOne), ofMinusOne, zero));
  return chosen(compared(arith::CmpIPredicate::slt, exponent, zero), reciprocal, result);
}

template <typename Shift> FailureOr<Value> Scalars::convertShift(bool keepsSign) {
  if (!isInteger(element))
    return refused();
  const unsigned width = element.getIntOrFloatBitWidth();
  Value limit = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, APInt(width, width - 1)));
  Value isFar = compared(arith::CmpIPredicate::ugt, operands[1], limit);
  Value by = chosen(isFar, limit, operands[1]);
  Value shifted = Shift::create(builder, loc, operands[0], by);
  return keepsSign ? shifted : chosen(isFar, integer(element, 0), shifted);
}

/// Rounds to nearest, ties to even, in the integer of the bits; then limits the exponent.
FailureOr<Value> Scalars::convertReducePrecision(hlo::ReducePrecisionOp reduce) {
  if (!isFloat)
    return refused();
  const auto &semantics = cast<FloatType>(element).getFloatSemantics();
  if (!APFloat::hasSignBitInMSB(semantics) || !APFloat::semanticsHasInf(semantics))
    return refused();
  const unsigned width = element.getIntOrFloatBitWidth(), mantissa = APFloat::semanticsPrecision(semantics) - 1,
                 exponent = width - 1 - mantissa;
  const unsigned toMantissa = reduce.getMantissaBits(), toExponent = reduce.getExponentBits();
  Type bits = builder.getIntegerType(width);
  const auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, value));
  };
  Value value = arith::BitcastOp::create(builder, loc, bits, operands[0]);
  if (toMantissa < mantissa) {
    const unsigned cut = mantissa - toMantissa;
    Value last = arith::ShRUIOp::create(builder, loc, value, constant(APInt(width, cut)));
    last = arith::AndIOp::create(builder, loc, last, constant(APInt(width, 1)));
    Value half = constant(APInt::getLowBitsSet(width, cut - 1));
    value = arith::AddIOp::create(builder, loc, value, arith::AddIOp::create(builder, loc, last, half));
    value = arith::AndIOp::create(builder, loc, value, constant(~APInt::getLowBitsSet(width, cut)));
  }
  if (toExponent < exponent) {
    const APInt signMask = APInt::getSignMask(width), exponentMask = APInt::getBitsSet(width, mantissa, width - 1);
    // The largest and the smallest exponent that the format has.
    const uint64_t bias = (uint64_t(1) << (exponent - 1)) - 1, reduced = (uint64_t(1) << (toExponent - 1)) - 1;
    const APInt most = APInt(width, bias + reduced).shl(mantissa), least = APInt(width, bias - reduced).shl(mantissa);
    Value kept = arith::AndIOp::create(builder, loc, value, constant(exponentMask));
    Value sign = arith::AndIOp::create(builder, loc, value, constant(signMask));
    Value isHigh = compared(arith::CmpIPredicate::ugt, kept, constant(most));
    Value isLow = compared(arith::CmpIPredicate::ule, kept, constant(least));
    value = chosen(isHigh, arith::OrIOp::create(builder, loc, sign, constant(exponentMask)), value);
    value = chosen(isLow, sign, value);
  }
  Value result = arith::BitcastOp::create(builder, loc, element, value);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, operands[0], operands[0]);
  // Without a mantissa there is no NaN.
  if (toMantissa == 0)
    return chosen(isNaN, number(std::numeric_limits<double>::infinity()), result);
  return chosen(isNaN, operands[0], result);
}

FailureOr<Value> Scalars::convert() {
  if (isa_and_present<chlo::CHLODialect>(op->getDialect()))
    return convertSpecialFunction(op, operands, builder);
  return llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](hlo::ConstantOp constant) -> FailureOr<Value> {
        const TypedAttr value = splatValue(constant);
        if (!value || !value.getType().isIntOrFloat() ||
            (isa<IntegerType>(value.getType()) && !value.getType().isSignlessInteger()))
          return refused();
        return arith::ConstantOp::create(builder, loc, value).getResult();
      })
      .Case([&](hlo::AddOp) { return ofAll<arith::AddFOp, arith::AddIOp, arith::AddIOp, arith::OrIOp>(); })
      .Case([&](hlo::SubtractOp) { return ofNumbers<arith::SubFOp, arith::SubIOp>(); })
      .Case([&](hlo::MulOp) { return ofAll<arith::MulFOp, arith::MulIOp, arith::MulIOp, arith::AndIOp>(); })
      .Case([&](hlo::MaxOp) { return ofAll<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::OrIOp>(); })
      .Case([&](hlo::MinOp) { return ofAll<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp, arith::AndIOp>(); })
      .Case([&](hlo::DivOp) { return convertDivision(/*wantsRemainder=*/false); })
      .Case([&](hlo::RemOp) { return convertDivision(/*wantsRemainder=*/true); })
      .Case([&](hlo::PowOp) { return convertPower(); })
      .Case([&](hlo::Atan2Op) { return ofFloats<math::Atan2Op>(); })
      .Case([&](hlo::ShiftLeftOp) { return convertShift<arith::ShLIOp>(/*keepsSign=*/false); })
      .Case([&](hlo::ShiftRightLogicalOp) { return convertShift<arith::ShRUIOp>(/*keepsSign=*/false); })
      .Case([&](hlo::ShiftRightArithmeticOp) { return convertShift<arith::ShRSIOp>(/*keepsSign=*/true); })
      .Case([&](hlo::AndOp) { return ofBits<arith::AndIOp>(); })
      .Case([&](hlo::OrOp) { return ofBits<arith::OrIOp>(); })
      .Case([&](hlo::XorOp) { return ofBits<arith::XOrIOp>(); })
      .Case([&](hlo::NotOp) -> FailureOr<Value> {
        if (!element.isSignlessInteger())
          return refused();
        return arith::XOrIOp::create(builder, loc, operands[0], integer(element, -1)).getResult();
      })
      .Case([&](hlo::NegOp) -> FailureOr<Value> {
        if (isFloat)
          return twin<arith::NegFOp>();
        if (!isInteger(element))
          return refused();
        return arith::SubIOp::create(builder, loc, integer(element, 0), operands[0]).getResult();
      })
      .Case([&](hlo::AbsOp) -> FailureOr<Value> {
        if (isFloat)
          return twin<math::AbsFOp>();
        if (!isInteger(element))
          return refused();
        if (isUnsigned)
          return operands[0];
        Value negated = arith::SubIOp::create(builder, loc, integer(element, 0), operands[0]);
        return arith::MaxSIOp::create(builder, loc, operands[0], negated).getResult();
      })
      .Case([&](hlo::SignOp) -> FailureOr<Value> {
        if (isFloat) {
          const auto is = [&](arith::CmpFPredicate predicate) -> Value {
            return arith::CmpFOp::create(builder, loc, predicate, operands[0], number(0));
          };
          return chosen(is(arith::CmpFPredicate::OGT), number(1),
                        chosen(is(arith::CmpFPredicate::OLT), number(-1), operands[0]));
        }
        if (!isInteger(element))
          return refused();
        Value zero = integer(element, 0), isZero = compared(arith::CmpIPredicate::eq, operands[0], zero);
        Value nonzero = integer(element, 1);
        if (!isUnsigned)
          nonzero = chosen(compared(arith::CmpIPredicate::slt, operands[0], zero), integer(element, -1), nonzero);
        return chosen(isZero, zero, nonzero);
      })
      .Case([&](hlo::CbrtOp) { return ofFloats<math::CbrtOp>(); })
      .Case([&](hlo::CeilOp) { return ofFloats<math::CeilOp>(); })
      .Case([&](hlo::FloorOp) { return ofFloats<math::FloorOp>(); })
      .Case([&](hlo::RoundAfzOp) { return ofFloats<math::RoundOp>(); })
      .Case([&](hlo::RoundEvenOp) { return ofFloats<math::RoundEvenOp>(); })
      .Case([&](hlo::CosineOp) { return ofFloats<math::CosOp>(); })
      .Case([&](hlo::SineOp) { return ofFloats<math::SinOp>(); })
      .Case([&](hlo::TanOp) { return ofFloats<math::TanOp>(); })
      .Case([&](hlo::TanhOp) { return ofFloats<math::TanhOp>(); })
      .Case([&](hlo::ExpOp) { return ofFloats<math::ExpOp>(); })
      .Case([&](hlo::Expm1Op) { return ofFloats<math::ExpM1Op>(); })
      .Case([&](hlo::LogOp) { return ofFloats<math::LogOp>(); })
      .Case([&](hlo::Log1pOp) { return ofFloats<math::Log1pOp>(); })
      .Case([&](hlo::SqrtOp) { return ofFloats<math::SqrtOp>(); })
      .Case([&](hlo::RsqrtOp) { return ofFloats<math::RsqrtOp>(); })
      .Case([&](hlo::LogisticOp) -> FailureOr<Value> {
        if (!isFloat)
          return refused();
        // In 32 bits: f8E4M3FN has no infinity, and its exponential of a large number would be NaN.
        const bool isNarrow = element.getIntOrFloatBitWidth() < 32;
        Value x = operands[0];
        if (isNarrow)
          x = arith::ExtFOp::create(builder, loc, builder.getF32Type(), x);
        Value one = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(x.getType(), 1));
        Value e = math::ExpOp::create(builder, loc, arith::NegFOp::create(builder, loc, x));
        Value result = arith::DivFOp::create(builder, loc, one, arith::AddFOp::create(builder, loc, one, e));
        return isNarrow ? arith::TruncFOp::create(builder, loc, element, result).getResult() : result;
      })
      .Case([&](hlo::ClzOp) { return ofIntegers<math::CountLeadingZerosOp>(); })
      .Case([&](hlo::PopulationCountOp) { return ofIntegers<math::CtPopOp>(); })
      .Case([&](hlo::IsFiniteOp) -> FailureOr<Value> {
        if (!isFloat)
          return refused();
        if (!APFloat::semanticsHasInf(cast<FloatType>(element).getFloatSemantics()))
          return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, operands[0], operands[0]).getResult();
        Value magnitude = math::AbsFOp::create(builder, loc, operands[0]);
        return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, magnitude,
                                     number(std::numeric_limits<double>::infinity()))
            .getResult();
      })
      .Case([&](hlo::CompareOp compare) { return convertCompare(compare); })
      .Case([&](hlo::SelectOp) { return twin<arith::SelectOp>(); })
      .Case([&](hlo::ClampOp) -> FailureOr<Value> {
        if (isFloat) {
          Value raised = arith::MaximumFOp::create(builder, loc, operands[1], operands[0]);
          return arith::MinimumFOp::create(builder, loc, raised, operands[2]).getResult();
        }
        if (!isInteger(element))
          return refused();
        if (isUnsigned) {
          Value raised = arith::MaxUIOp::create(builder, loc, operands[1], operands[0]);
          return arith::MinUIOp::create(builder, loc, raised, operands[2]).getResult();
        }
        Value raised = arith::MaxSIOp::create(builder, loc, operands[1], operands[0]);
        return arith::MinSIOp::create(builder, loc, raised, operands[2]).getResult();
      })
      .Case([&](hlo::ConvertOp convert) {
        return convertConvert(getElementTypeOrSelf(convert.getType()), isUnsignedResult(op, 0));
      })
      .Case([&](hlo::BitcastConvertOp bitcast) -> FailureOr<Value> {
        const Type to = getElementTypeOrSelf(bitcast.getType());
        if (to.getIntOrFloatBitWidth() != element.getIntOrFloatBitWidth())
          return refused();
        if (to == element)
          return operands[0];
        return arith::BitcastOp::create(builder, loc, to, operands[0]).getResult();
      })
      .Case([&](hlo::ReducePrecisionOp reduce) { return convertReducePrecision(reduce); })
      .Case<hlo::ReshapeOp, hlo::BroadcastInDimOp, hlo::TransposeOp>([&](Operation *move) -> FailureOr<Value> {
        if (cast<RankedTensorType>(move->getResult(0).getType()).getRank() != 0)
          return refuse(op, "in a computation on elements, all values have rank 0");
        return operands[0];
      })
      .Default([&](Operation *) -> FailureOr<Value> {
        return refuse(op, "in a computation on elements, the ops are elementwise");
      });
}

} // namespace

static bool flag(Operation *op, size_t index) {
  auto flags = op->getAttrOfType<DenseBoolArrayAttr>(hlo::kUnsignedAttr);
  return flags && index < flags.asArrayRef().size() && flags.asArrayRef()[index];
}

bool hlotomica::isUnsignedOperand(Operation *op, size_t index) { return flag(op, index); }
bool hlotomica::isUnsignedResult(Operation *op, size_t index) { return flag(op, op->getNumOperands() + index); }

Value hlotomica::orderedBits(OpBuilder &builder, Location loc, Value value) {
  const unsigned width = value.getType().getIntOrFloatBitWidth();
  Type bits = builder.getIntegerType(width);
  Value integer = arith::BitcastOp::create(builder, loc, bits, value);
  Value rest = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, APInt::getSignedMaxValue(width)));
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, 0));
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, integer, zero);
  Value flipped = arith::XOrIOp::create(builder, loc, integer, rest);
  return arith::SelectOp::create(builder, loc, isNegative, flipped, integer);
}

FailureOr<Value> hlotomica::convertScalar(Operation *op, ValueRange operands, OpBuilder &builder) {
  return Scalars(op, operands, builder).convert();
}

Converted hlotomica::convertToScalars(Block &block, ArrayRef<Value> arguments, OpBuilder &builder) {
  IRMapping scalars;
  scalars.map(block.getArguments(), arguments);
  const auto scalarsOf = [&](Operation &op) -> Converted {
    Values values;
    for (Value operand : op.getOperands()) {
      if (!scalars.contains(operand)) {
        // A value of the function around it.
        if (!isa<RankedTensorType>(operand.getType()) || typeOf(operand).getRank() != 0)
          return refuse(&op, "a computation on elements uses values of rank 0");
        scalars.map(operand, scalarOf(builder, op.getLoc(), operand));
      }
      values.push_back(scalars.lookup(operand));
    }
    return values;
  };
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() != 0 || op.getNumResults() != 1)
      return refuse(&op, "in a computation on elements, the ops are elementwise");
    Converted operands = scalarsOf(op);
    if (failed(operands))
      return failure();
    FailureOr<Value> result = Scalars(&op, *operands, builder).convert();
    if (failed(result))
      return failure();
    scalars.map(op.getResult(0), *result);
  }
  return scalarsOf(block.back());
}

/// Operands of rank 0 hold for all elements.
Converted hlotomica::convertByScalars(Operation *op, OpBuilder &builder) {
  const Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  const int64_t rank = type.getRank();
  SmallVector<AffineMap> maps;
  Value whole;
  for (Value operand : op->getOperands()) {
    const bool isScalar = typeOf(operand).getRank() == 0 && rank != 0;
    maps.push_back(isScalar ? AffineMap::get(rank, 0, builder.getContext()) : builder.getMultiDimIdentityMap(rank));
    if (!isScalar)
      whole = operand;
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, whole, dim));
  Value empty = tensor::EmptyOp::create(builder, loc, type, sizes);
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  LogicalResult status = success();
  auto loop =
      linalg::GenericOp::create(builder, loc, type, op->getOperands(), empty, maps, iterators,
                                [&](OpBuilder &inner, Location at, ValueRange arguments) {
                                  FailureOr<Value> result = convertScalar(op, arguments.drop_back(), inner);
                                  status = LogicalResult(result);
                                  linalg::YieldOp::create(inner, at, succeeded(result) ? *result : arguments.back());
                                });
  if (failed(status)) {
    loop.erase();
    return failure();
  }
  return Values{loop.getResult(0)};
}
