//===- SmallTypes.cpp - element types that mica does not have -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Floats of 8 bits other than f8E4M3FN and f8E5M2 are carried in f32, which holds each of their values, and integers of
// 2 bits in those of 4. An op that computes rounds its result to the type, or keeps its low bits:
//
//   %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E4M3FNUZ>
// becomes
//   round_nearest_even(x / unit) * unit, for the distance `unit` of the type's numbers near x; NaN beyond the largest
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Common.h"
#include "passes/StableHLO/Complex.h"
#include "passes/StableHLO/Refusals.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

/// The type that carries the elements; null for types that need none.
static Type carrierOf(Type element) {
  if (isa<Float8E4M3FNUZType, Float8E5M2FNUZType, Float8E4M3B11FNUZType, Float8E4M3Type, Float8E3M4Type>(element))
    return Float32Type::get(element.getContext());
  if (auto integer = dyn_cast<IntegerType>(element); integer && integer.getWidth() == 2)
    return IntegerType::get(element.getContext(), 4, integer.getSignedness());
  return {};
}

bool hlotypes::isSmall(Type type) { return bool(carrierOf(getElementTypeOrSelf(type))); }

namespace {
class Rounder : public Arith {
public:
  using Arith::Arith;

  /// `value`, of the carrier's elements, as the nearest one of `element`.
  Value rounded(Value value, Type element) {
    if (auto integer = dyn_cast<IntegerType>(element)) {
      Value two = integers(value, 2);
      Value up = hlo::ShiftLeftOp::create(builder, loc, value.getType(), value, two);
      if (integer.isUnsigned())
        return hlo::ShiftRightLogicalOp::create(builder, loc, value.getType(), up, two);
      return hlo::ShiftRightArithmeticOp::create(builder, loc, value.getType(), up, two);
    }
    const llvm::fltSemantics &format = cast<FloatType>(element).getFloatSemantics();
    const int least = APFloat::semanticsMinExponent(format), digits = int(APFloat::semanticsPrecision(format)) - 1;
    const double largest = APFloat::getLargest(format).convertToDouble();
    const bool isWide = getElementTypeOrSelf(value).isF64();
    const int64_t fraction = isWide ? 52 : 23, bias = isWide ? 1023 : 127;
    Value bits = hlo::BitcastConvertOp::create(builder, loc,
                                               tensorOf(value).clone(builder.getIntegerType(isWide ? 64 : 32)), value);
    Value field = integers(bits, (2 * bias + 1) << fraction);
    Value exponent = hlo::ShiftRightLogicalOp::create(
        builder, loc, bits.getType(), hlo::AndOp::create(builder, loc, bits.getType(), bits, field).getResult(),
        integers(bits, fraction));
    // The exponent of the unit, biased as that of the value.
    Value unit = sub(max(exponent, integers(bits, least + bias)), integers(bits, digits));
    const auto power = [&](Value biased) -> Value {
      Value shifted = hlo::ShiftLeftOp::create(builder, loc, bits.getType(), biased, integers(bits, fraction));
      return hlo::BitcastConvertOp::create(builder, loc, value.getType(), shifted);
    };
    Value scaled = mul(value, power(sub(integers(bits, 2 * bias), unit)));
    Value result = mul(apply<hlo::RoundEvenOp>(scaled), power(unit));
    const bool hasInfinity = APFloat::semanticsHasInf(format);
    // A type without a negative zero has NaN in its place.
    if (!hasInfinity)
      result = add(result, number(result, 0));
    Value beyond = less(number(result, largest), apply<hlo::AbsOp>(result));
    Value other = number(result, hasInfinity ? std::numeric_limits<double>::infinity()
                                             : std::numeric_limits<double>::quiet_NaN());
    if (hasInfinity)
      other = select(less(result, number(result, 0)), neg(other), other);
    return select(beyond, other, result);
  }

private:
  Value integers(Value like, int64_t value) {
    return constantLike(like, builder.getIntegerAttr(tensorOf(like).getElementType(), value));
  }
};
} // namespace

/// Adds the rounding after ops that compute.
static LogicalResult roundResults(Operation *op) {
  const auto isIn = [](TypeRange types) { return llvm::any_of(types, hlotypes::isSmall); };
  if (!isIn(op->getOperandTypes()) && !isIn(op->getResultTypes()))
    return success();
  if (isa<hlo::BitcastConvertOp>(op))
    return hlotomica::refuse(op, "the bits of elements that are carried in a wider type");
  if (auto constant = dyn_cast<hlo::ConstantOp>(op)) {
    // A resource has the bytes of its type.
    return isa<DenseElementsAttr>(constant.getValue()) ? success()
                                                       : hlotomica::refuse(op, "its value is given in the text");
  }
  if (!isa_and_present<hlo::StableHLODialect>(op->getDialect()) || carriesElements(op) || movesElements(op))
    return success();
  OpBuilder builder(op);
  if (auto convert = dyn_cast<hlo::ConvertOp>(op); convert && getElementTypeOrSelf(op->getOperand(0)).isF64()) {
    // Rounded once: what is left for f32 is exact.
    const Type element = getElementTypeOrSelf(convert.getType());
    if (isa<FloatType>(element))
      op->setOperand(0, Rounder(builder, op->getLoc()).rounded(op->getOperand(0), element));
  }
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    const Type element = getElementTypeOrSelf(result.getType());
    const Type carrier = carrierOf(element);
    if (!carrier)
      continue;
    // The types of both sides become those of the carrier.
    result.setType(tensorOf(result).clone(carrier));
    Value rounded = Rounder(builder, op->getLoc()).rounded(result, element);
    result.replaceUsesWithIf(rounded, [&](OpOperand &use) {
      return use.getOwner()->getBlock() != op->getBlock() || rounded.getDefiningOp()->isBeforeInBlock(use.getOwner());
    });
  }
  return success();
}

static DenseElementsAttr carried(DenseElementsAttr value) {
  const Type carrier = carrierOf(value.getElementType());
  auto type = value.getType().clone(carrier);
  if (auto floats = dyn_cast<FloatType>(carrier)) {
    SmallVector<APFloat> numbers;
    for (APFloat number : value.getValues<APFloat>()) {
      bool losesInfo = false;
      number.convert(floats.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      numbers.push_back(number);
    }
    return DenseElementsAttr::get(type, numbers);
  }
  const bool isUnsigned = value.getElementType().isUnsignedInteger();
  return DenseElementsAttr::get(type, llvm::map_to_vector(value.getValues<APInt>(), [&](const APInt &number) {
                                  return isUnsigned ? number.zext(4) : number.sext(4);
                                }));
}

LogicalResult hlotypes::widenSmallTypes(ModuleOp module) {
  if (failed(hlotomica::forEachFunction(module, [](Operation *function) {
        SmallVector<Operation *> ops;
        function->walk([&](Operation *op) { ops.push_back(op); });
        LogicalResult status = success();
        for (Operation *op : ops)
          if (failed(roundResults(op)))
            status = failure();
        return status;
      })))
    return failure();
  AttrTypeReplacer replacer;
  replacer.addReplacement([](Type type) -> std::optional<Type> {
    if (Type carrier = carrierOf(type))
      return carrier;
    return std::nullopt;
  });
  replacer.addReplacement([](DenseElementsAttr attribute) {
    Attribute result = carrierOf(attribute.getElementType()) ? carried(attribute) : attribute;
    return std::pair(result, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  return success();
}
