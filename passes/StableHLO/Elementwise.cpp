//===- Elementwise.cpp - converting elementwise stablehlo ops ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Most ops have a twin in mica. Those without one, which math has, become a linalg.generic.
//
//   %0 = stablehlo.add %a, %b : tensor<4xf32>        %0 = mica.add %a, %b : tensor<4xf32>
//   %1 = stablehlo.add %p, %q : tensor<4xi1>         %1 = mica.logical_or %p, %q : tensor<4xi1>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotomica;
namespace hlo = mica::stablehlo;

namespace {

class Elementwise {
public:
  Elementwise(Operation *op, OpBuilder &builder)
      : op(op), builder(builder), loc(op->getLoc()), type(cast<RankedTensorType>(op->getResult(0).getType())),
        element(op->getNumOperands() == 0 ? Type() : elementOf(op->getOperand(0))),
        isFloat(isa_and_present<FloatType>(element)), isNumber(isFloat || (element && isInteger(element))) {}

  Converted convert();

private:
  LogicalResult wrongElements(StringRef supported) {
    return refuse(op, "elements are of type " + text(element) + "; it works on " + supported);
  }

  static std::string text(Type type) {
    std::string result;
    llvm::raw_string_ostream(result) << type;
    return result;
  }

  template <typename Twin> Converted twin() {
    return Values{Twin::create(builder, loc, type, op->getOperands()).getResult()};
  }
  template <typename Twin> Converted ofFloats() { return isFloat ? twin<Twin>() : Converted(wrongElements("floats")); }
  template <typename Twin> Converted ofNumbers() {
    return isNumber ? twin<Twin>() : Converted(wrongElements("floats and signed integers"));
  }
  template <typename Twin> Converted ofAll() {
    return isNumber || isBool(element) ? twin<Twin>() : Converted(wrongElements("floats, signed integers and i1"));
  }
  template <typename Twin> Converted ofIntegers() {
    return isInteger(element) ? twin<Twin>() : Converted(wrongElements("signed integers"));
  }
  template <typename Bits, typename Logical> Converted ofBits() {
    if (isBool(element))
      return twin<Logical>();
    return isInteger(element) ? twin<Bits>() : Converted(wrongElements("signed integers and i1"));
  }

  /// A linalg.generic of the op `Scalar`.
  template <typename Scalar> Converted generic(bool floats) {
    if (floats ? !isFloat : !isInteger(element))
      return wrongElements(floats ? "floats" : "signed integers");
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(builder, loc, op->getOperand(0), dim));
    Value empty = tensor::EmptyOp::create(builder, loc, type, sizes);
    SmallVector<AffineMap> maps(op->getNumOperands() + 1, builder.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    auto loop = linalg::GenericOp::create(
        builder, loc, type, op->getOperands(), empty, maps, iterators,
        [](OpBuilder &inner, Location at, ValueRange arguments) {
          Value result = Scalar::create(inner, at, arguments.back().getType(), arguments.drop_back()).getResult();
          linalg::YieldOp::create(inner, at, result);
        });
    return Values{loop.getResult(0)};
  }

  Value compare(Comparison kind, Value lhs, Value rhs) {
    Type result = RankedTensorType::get(type.getShape(), builder.getI1Type());
    return CompareOp::create(builder, loc, result, kind, lhs, rhs);
  }

  Converted sign();
  Converted convertCompare(hlo::CompareOp compare);
  Converted convertConvert();

  /// A constant of one value that broadcasts to the result.
  Value one(double value) {
    return splat(builder, loc, RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1), element), value);
  }

  Operation *op;
  OpBuilder &builder;
  Location loc;
  RankedTensorType type;
  Type element;
  bool isFloat, isNumber;
};

/// Of floats: NaN for NaN, a zero with its sign for a zero.
Converted Elementwise::sign() {
  if (!isNumber)
    return wrongElements("floats and signed integers");
  Value input = op->getOperand(0);
  Value positive = compare(Comparison::Gt, input, one(0)), negative = compare(Comparison::Lt, input, one(0));
  Value other = SelectOp::create(builder, loc, type, negative, one(-1), input);
  return Values{SelectOp::create(builder, loc, type, positive, one(1), other).getResult()};
}

Converted Elementwise::convertCompare(hlo::CompareOp op) {
  if (!isNumber && !isBool(element))
    return wrongElements("floats, signed integers and i1");
  if (op.getCompareType() == hlo::ComparisonType::UNSIGNED && !isBool(element))
    return refuse(op, "UNSIGNED on signless integers is not; SIGNED is");
  static constexpr std::pair<hlo::ComparisonDirection, Comparison> kKinds[] = {
      {hlo::ComparisonDirection::EQ, Comparison::Eq}, {hlo::ComparisonDirection::NE, Comparison::Ne},
      {hlo::ComparisonDirection::GE, Comparison::Ge}, {hlo::ComparisonDirection::GT, Comparison::Gt},
      {hlo::ComparisonDirection::LE, Comparison::Le}, {hlo::ComparisonDirection::LT, Comparison::Lt}};
  for (auto [direction, kind] : kKinds)
    if (direction == op.getComparisonDirection())
      return Values{CompareOp::create(builder, loc, type, kind, op.getLhs(), op.getRhs()).getResult()};
  return failure();
}

/// Integers keep their low bits; floats out of an integer type's range, which the specification leaves open, saturate.
Converted Elementwise::convertConvert() {
  const Type to = type.getElementType();
  const auto isKnown = [](Type some) { return isa<FloatType>(some) || isInteger(some) || isBool(some); };
  if (!isKnown(element) || !isKnown(to))
    return wrongElements("floats, signed integers and i1");
  if (element == to)
    return Values{op->getOperand(0)};
  const Overflow overflow = isFloat ? Overflow::Saturate : Overflow::Wrap;
  return Values{CastOp::create(builder, loc, type, op->getOperand(0), overflow, Rounding::TowardZero).getResult()};
}

Converted Elementwise::convert() {
  auto compare = dyn_cast<hlo::CompareOp>(op);
  const bool isTotal = compare && compare.getCompareType() == hlo::ComparisonType::TOTALORDER;
  if ((op->hasAttr(hlo::kUnsignedAttr) && !isa<hlo::SelectOp>(op)) || isTotal || isa<hlo::IsFiniteOp>(op))
    return convertByScalars(op, builder);
  return llvm::TypeSwitch<Operation *, Converted>(op)
      .Case([&](hlo::AbsOp) { return ofNumbers<AbsOp>(); })
      .Case([&](hlo::CbrtOp) { return generic<math::CbrtOp>(true); })
      .Case([&](hlo::CeilOp) { return ofFloats<CeilOp>(); })
      .Case([&](hlo::ClzOp) { return generic<math::CountLeadingZerosOp>(false); })
      .Case([&](hlo::CosineOp) { return ofFloats<CosOp>(); })
      .Case([&](hlo::ExpOp) { return ofFloats<ExpOp>(); })
      .Case([&](hlo::Expm1Op) { return generic<math::ExpM1Op>(true); })
      .Case([&](hlo::FloorOp) { return ofFloats<FloorOp>(); })
      .Case([&](hlo::LogOp) { return ofFloats<LogOp>(); })
      .Case([&](hlo::Log1pOp) { return generic<math::Log1pOp>(true); })
      .Case([&](hlo::LogisticOp) { return ofFloats<SigmoidOp>(); })
      .Case([&](hlo::NegOp) { return ofNumbers<NegOp>(); })
      .Case([&](hlo::NotOp) { return ofBits<BitwiseNotOp, LogicalNotOp>(); })
      .Case([&](hlo::PopulationCountOp) { return generic<math::CtPopOp>(false); })
      .Case([&](hlo::RoundAfzOp) { return generic<math::RoundOp>(true); })
      .Case([&](hlo::RoundEvenOp) { return ofFloats<RoundOp>(); })
      .Case([&](hlo::RsqrtOp) { return ofFloats<RsqrtOp>(); })
      .Case([&](hlo::SignOp) { return sign(); })
      .Case([&](hlo::SineOp) { return ofFloats<SinOp>(); })
      .Case([&](hlo::SqrtOp) { return ofFloats<SqrtOp>(); })
      .Case([&](hlo::TanOp) { return generic<math::TanOp>(true); })
      .Case([&](hlo::TanhOp) { return ofFloats<TanhOp>(); })
      .Case([&](hlo::AddOp) { return isBool(element) ? twin<LogicalOrOp>() : ofNumbers<AddOp>(); })
      .Case([&](hlo::AndOp) { return ofBits<BitwiseAndOp, LogicalAndOp>(); })
      .Case([&](hlo::Atan2Op) { return generic<math::Atan2Op>(true); })
      .Case([&](hlo::DivOp) { return ofNumbers<DivOp>(); })
      .Case([&](hlo::MaxOp) { return ofAll<MaxOp>(); })
      .Case([&](hlo::MinOp) { return ofAll<MinOp>(); })
      .Case([&](hlo::MulOp) { return ofAll<MulOp>(); })
      .Case([&](hlo::OrOp) { return ofBits<BitwiseOrOp, LogicalOrOp>(); })
      .Case([&](hlo::PowOp) { return ofNumbers<PowOp>(); })
      .Case([&](hlo::RemOp) { return ofNumbers<RemOp>(); })
      .Case([&](hlo::ShiftLeftOp) { return ofIntegers<ShiftLeftOp>(); })
      .Case([&](hlo::ShiftRightArithmeticOp) { return ofIntegers<ShiftRightArithmeticOp>(); })
      .Case([&](hlo::ShiftRightLogicalOp) { return ofIntegers<ShiftRightLogicalOp>(); })
      .Case([&](hlo::SubtractOp) { return ofNumbers<SubOp>(); })
      .Case([&](hlo::XorOp) { return ofBits<BitwiseXorOp, LogicalXorOp>(); })
      .Case([&](hlo::CompareOp compare) { return convertCompare(compare); })
      .Case([&](hlo::ConvertOp) { return convertConvert(); })
      .Case([&](hlo::SelectOp select) -> Converted {
        Value pred = withRank(builder, loc, select.getPred(), type.getRank());
        return Values{SelectOp::create(builder, loc, type, pred, select.getOnTrue(), select.getOnFalse()).getResult()};
      })
      .Case([&](hlo::ClampOp clamp) -> Converted {
        if (!isNumber)
          return wrongElements("floats and signed integers");
        Value low = withRank(builder, loc, clamp.getMin(), type.getRank());
        Value high = withRank(builder, loc, clamp.getMax(), type.getRank());
        Value raised = MaxOp::create(builder, loc, type, clamp.getOperand(), low);
        return Values{MinOp::create(builder, loc, type, raised, high).getResult()};
      })
      .Default(
          [&](Operation *) -> Converted { return refuse(op, "no conversion exists; docs/StableHLO.md lists them"); });
}

} // namespace

Converted hlotomica::convertElementwise(Operation *op, OpBuilder &builder) {
  return Elementwise(op, builder).convert();
}
