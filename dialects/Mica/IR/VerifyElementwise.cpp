//===- VerifyElementwise.cpp - constraints of functions, logic and casts ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The labelled constraints of MathOps.td, LogicOps.td, CastOps.td and GeneratorOps.td, in the order of their
// descriptions.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

//===------------------------------------------------------------------------------------------------------------===//
// Functions and logic
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult PowOp::verifyConstraints() { return verifyBinary(*this, Elements::Number); }
LogicalResult RemOp::verifyConstraints() { return verifyBinary(*this, Elements::Number); }
LogicalResult LogicalAndOp::verifyConstraints() { return verifyBinary(*this, Elements::Bool); }
LogicalResult LogicalOrOp::verifyConstraints() { return verifyBinary(*this, Elements::Bool); }
LogicalResult LogicalXorOp::verifyConstraints() { return verifyBinary(*this, Elements::Bool); }
LogicalResult BitwiseAndOp::verifyConstraints() { return verifyBinary(*this, Elements::Int); }
LogicalResult BitwiseOrOp::verifyConstraints() { return verifyBinary(*this, Elements::Int); }
LogicalResult BitwiseXorOp::verifyConstraints() { return verifyBinary(*this, Elements::Int); }
LogicalResult ShiftLeftOp::verifyConstraints() { return verifyBinary(*this, Elements::Int); }
LogicalResult ShiftRightArithmeticOp::verifyConstraints() { return verifyBinary(*this, Elements::Int); }
LogicalResult ShiftRightLogicalOp::verifyConstraints() { return verifyBinary(*this, Elements::Int); }
LogicalResult CompareOp::verifyConstraints() { return verifyBinary(*this, Elements::Any); }

LogicalResult AbsOp::verifyConstraints() { return verifyUnary(*this, Elements::Number); }
LogicalResult LogOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult SqrtOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult RsqrtOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult SinOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult CosOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult FloorOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult CeilOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult RoundOp::verifyConstraints() { return verifyUnary(*this, Elements::Float); }
LogicalResult LogicalNotOp::verifyConstraints() { return verifyUnary(*this, Elements::Bool); }
LogicalResult BitwiseNotOp::verifyConstraints() { return verifyUnary(*this, Elements::Int); }

LogicalResult ClampOp::verifyConstraints() {
  if (failed(verifyElements(*this, Elements::Number)))
    return failure();
  Type element = getInput().getType().getElementType();
  for (auto [name, bound] : {std::pair("min", getMin()), std::pair("max", getMax())})
    if (bound.getType() != element || !isa<FloatAttr, IntegerAttr>(bound))
      return emitOpError() << "(C2) " << name << " must have the operand's element type " << element << ", got "
                           << bound;
  bool ordered;
  if (isa<FloatType>(element))
    ordered = cast<FloatAttr>(getMin()).getValue() <= cast<FloatAttr>(getMax()).getValue();
  else
    ordered = cast<IntegerAttr>(getMin()).getValue().sle(cast<IntegerAttr>(getMax()).getValue());
  if (!ordered)
    return emitOpError() << "(C3) min must not be above max, got " << getMin() << " and " << getMax();
  return verifySameType(*this, "C4");
}

LogicalResult SelectOp::verifyConstraints() {
  if (failed(verifyElementsOf(*this, "condition", getCondition(), Elements::Bool)))
    return failure();
  Type onTrue = getOnTrue().getType().getElementType(), onFalse = getOnFalse().getType().getElementType();
  if (onTrue != onFalse)
    return emitOpError() << "(C2) on_true and on_false must have one element type, got " << onTrue << " and "
                         << onFalse;
  if (failed(verifyBroadcast(*this, "C3", "C4", "on_true", getOnTrue(), "on_false", getOnFalse())) ||
      failed(verifyBroadcast(*this, "C3", "C4", "condition", getCondition(), "on_true", getOnTrue())) ||
      failed(verifyBroadcast(*this, "C3", "C4", "condition", getCondition(), "on_false", getOnFalse())))
    return failure();
  return verifyResult(*this, "C5");
}

//===------------------------------------------------------------------------------------------------------------===//
// Casts
//===------------------------------------------------------------------------------------------------------------===//

/// The first operand and the result have the same static shape.
static LogicalResult verifySameShape(Operation *op, StringRef label) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType()),
       to = cast<RankedTensorType>(op->getResult(0).getType());
  if (!mayHaveResultSizes(op, label, op->getResult(0), sizesFrom("the input", op->getOperand(0), 0)))
    return op->emitOpError() << "(" << label << ") the result must have the operand's shape "
                             << shapeText(from.getShape()) << ", got " << shapeText(to.getShape());
  return success();
}

LogicalResult CastOp::verifyConstraints() {
  if (failed(verifySameShape(*this, "C1")))
    return failure();
  Type from = getInput().getType().getElementType(), to = getType().getElementType();
  if (getRounding() != Rounding::TowardZero && (!isa<FloatType>(from) || !isAllowed(to, Elements::Int)))
    return emitOpError() << "(C2) rounding is allowed only from a float type to an integer type, got from " << from
                         << " to " << to;
  return success();
}

/// Quantization between `real` and `stored`, the types of input and result in one or the other order.
template <typename OpTy>
static LogicalResult verifyQuantization(OpTy op, RankedTensorType real, RankedTensorType stored) {
  bool fromReal = op.getInput().getType() == real;
  auto verifyReal = [&]() -> LogicalResult {
    StringRef label = "C1";
    Type element = real.getElementType(), scale = op.getScale().getType().getElementType();
    if (!isa<FloatType>(element) || scale != element)
      return op.emitOpError() << "(" << label << ") the " << (fromReal ? "input" : "result")
                              << " and the scale must have one float type, got " << element << " and " << scale;
    return success();
  };
  auto verifyStored = [&]() -> LogicalResult {
    Type element = stored.getElementType();
    bool stores = element.isInteger(4) || element.isInteger(8) || element.isInteger(16) || element.isInteger(32);
    if (!stores)
      return op.emitOpError() << "(C2) the elements of the " << (fromReal ? "result" : "input")
                              << " must be i4, i8, i16 or i32, got " << element;
    if (Value zero = op.getZeroPoint(); zero && getElementTypeOrSelf(zero.getType()) != element)
      return op.emitOpError() << "(C2) the zero point must have elements of type " << element << ", got "
                              << getElementTypeOrSelf(zero.getType());
    return success();
  };
  if (failed(verifyReal()) || failed(verifyStored()))
    return failure();
  std::optional<int64_t> axis = op.getAxis();
  SmallVector<int64_t> expected;
  SmallVector<ConstrainedSize> sizes;
  if (axis) {
    if (failed(verifyAxis(op, "C4", *axis)))
      return failure();
    expected.push_back(op.getInput().getType().getDimSize(*axis));
    sizes.push_back(sizeIn("the input", op.getInput(), *axis));
  }
  for (auto [name, value] :
       {std::pair("scale", Value(op.getScale())), std::pair("zero point", Value(op.getZeroPoint()))})
    if (value && !mayHaveSizes(op, "C3", "the " + std::string(name), value, sizes))
      return op.emitOpError() << "(C3) the " << name << " must have shape " << shapeText(expected) << ", got "
                              << shapeText(cast<RankedTensorType>(value.getType()).getShape());
  return verifySameShape(op, "C5");
}

LogicalResult QuantizeOp::verifyConstraints() { return verifyQuantization(*this, getInput().getType(), getType()); }
LogicalResult DequantizeOp::verifyConstraints() { return verifyQuantization(*this, getType(), getInput().getType()); }

//===------------------------------------------------------------------------------------------------------------===//
// Positions
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult IotaOp::verifyConstraints() {
  RankedTensorType type = getType();
  if (!isAllowed(type.getElementType(), Elements::Number))
    return emitOpError() << "(C1) must have elements of " << describe(Elements::Number) << ", got "
                         << type.getElementType();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= type.getRank())
    return emitOpError() << "(C2) axis " << axis << " is outside of the result's rank " << type.getRank();
  if (getSizes().size() != static_cast<size_t>(type.getNumDynamicDims()))
    return emitOpError() << "(C3) one size must be given per dynamic dimension of the result, "
                         << type.getNumDynamicDims() << ", got " << getSizes().size();
  return success();
}

LogicalResult OneHotOp::verifyConstraints() {
  if (failed(verifyElementsOf(*this, "indices", getIndices(), Elements::Int)))
    return failure();
  RankedTensorType type = getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= type.getRank())
    return emitOpError() << "(C2) axis " << axis << " is outside of the result's rank " << type.getRank();
  SmallVector<int64_t> others(type.getShape());
  others.erase(others.begin() + axis);
  SmallVector<ConstrainedSize> sizes = sizesFrom("indices", getIndices(), 0);
  if (static_cast<int64_t>(sizes.size()) + 1 == type.getRank() && !type.isDynamicDim(axis))
    sizes.insert(sizes.begin() + axis, sizeIn("the result", getResult(), axis));
  if (type.isDynamicDim(axis) || !mayHaveResultSizes(*this, "C3", getResult(), sizes))
    return emitOpError() << "(C3) the result must have the shape of the indices, "
                         << shapeText(getIndices().getType().getShape()) << ", and a static size along axis " << axis
                         << ", got " << shapeText(type.getShape());
  return success();
}
