//===- Common.cpp - what may be converted from tosa to mica ---------------------------------------------------===//
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

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

static bool haveOneType(ValueRange values, llvm::function_ref<bool(Type)> isAllowed) {
  Type first = getElementTypeOrSelf(values[0].getType());
  if (!isAllowed(first))
    return false;
  return llvm::all_of(values, [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && getElementTypeOrSelf(value.getType()) == first;
  });
}

static bool isWide(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(32) || type.isInteger(64) || type.isInteger(1);
}

bool tosatomica::haveOneMicaType(ValueRange values) {
  return haveOneType(values, [](Type type) {
    return isWide(type) || type.isF16() || type.isBF16() || type.isInteger(16) || type.isInteger(8);
  });
}

bool tosatomica::haveOneWideType(ValueRange values) { return haveOneType(values, isWide); }

bool tosatomica::isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }
bool tosatomica::isBool(Value value) { return getElementTypeOrSelf(value.getType()).isInteger(1); }

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
