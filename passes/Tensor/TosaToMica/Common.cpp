//===- Common.cpp - conditions for converting tosa to mica ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Common.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/TosaToMica/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

static bool isMicaElement(Type type) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type) ||
         type.isInteger(64) || type.isInteger(32) || type.isInteger(16) || type.isInteger(8) || type.isInteger(4) ||
         type.isInteger(1);
}

static bool isAmong(Type type, tosatomica::Elements allowed) {
  bool isFloat = isa<FloatType>(type), isBool = type.isInteger(1);
  switch (allowed) {
  case tosatomica::Elements::Any:
    return true;
  case tosatomica::Elements::Number:
    return !isBool;
  case tosatomica::Elements::Float:
    return isFloat;
  case tosatomica::Elements::Integer:
    return !isFloat && !isBool;
  case tosatomica::Elements::Bool:
    return isBool;
  }
  llvm_unreachable("all kinds of elements are above");
}

bool tosatomica::isMicaTensor(Value value) {
  return isa<RankedTensorType>(value.getType()) && isMicaElement(getElementTypeOrSelf(value.getType()));
}

bool tosatomica::haveOneType(ValueRange values, Elements allowed) {
  Type first = getElementTypeOrSelf(values[0].getType());
  return isAmong(first, allowed) && llvm::all_of(values, [&](Value value) {
           return isMicaTensor(value) && getElementTypeOrSelf(value.getType()) == first;
         });
}

bool tosatomica::isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }

bool tosatomica::isZero(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return false;
  if (isa<FloatType>(constant.getElementType()))
    return constant.getSplatValue<APFloat>().isZero();
  return isa<IntegerType>(constant.getElementType()) && constant.getSplatValue<APInt>().isZero();
}

std::optional<SmallVector<int64_t>> tosatomica::constantShape(Value value) {
  auto shape = value.getDefiningOp<tosa::ConstShapeOp>();
  if (!shape)
    return std::nullopt;
  return llvm::map_to_vector(shape.getValues().getValues<APInt>(),
                             [](const APInt &size) { return size.getSExtValue(); });
}

Value tosatomica::repeatedBias(OpBuilder &builder, Location loc, Value bias, OpFoldResult channels) {
  auto type = cast<RankedTensorType>(bias.getType());
  const std::optional<int64_t> count = getConstantIntValue(channels);
  const bool isOne = type.getDimSize(0) == 1;
  if (count == 1 || (!isOne && !type.isDynamicDim(0)))
    return bias;
  auto repeated = RankedTensorType::get({count.value_or(ShapedType::kDynamic)}, type.getElementType());
  auto repeat = [&](OpBuilder &b) -> Value {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value element = tensor::ExtractOp::create(b, loc, bias, zero);
    SmallVector<Value> sizes;
    if (!count)
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, channels));
    return tensor::SplatOp::create(b, loc, element, repeated, sizes);
  };
  if (isOne)
    return repeat(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value size = tensor::DimOp::create(builder, loc, bias, zero);
  Value hasOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, one);
  auto branch = scf::IfOp::create(
      builder, loc, hasOne, [&](OpBuilder &b, Location) { scf::YieldOp::create(b, loc, repeat(b)); },
      [&](OpBuilder &b, Location) {
        Value all = repeated == type ? bias : Value(tensor::CastOp::create(b, loc, repeated, bias));
        scf::YieldOp::create(b, loc, all);
      });
  return branch.getResult(0);
}
