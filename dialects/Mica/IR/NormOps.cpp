//===- NormOps.cpp - normalizations ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints of the operations of NormOps.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;

static LogicalResult verifyEpsilon(Operation *op, StringRef label, FloatAttr epsilon) {
  if (!epsilon.getValue().isFinite() || epsilon.getValue().isNegative())
    return op->emitOpError() << "(" << label << ") epsilon must be finite and not negative, got " << epsilon;
  return success();
}

/// An optional parameter has one element per channel, that is per element of dim `axis` of the first operand.
static LogicalResult verifyPerChannel(Operation *op, StringRef label, StringRef name, Value value, int64_t axis) {
  if (!value)
    return success();
  auto type = cast<RankedTensorType>(value.getType());
  int64_t channels = cast<RankedTensorType>(op->getOperand(0).getType()).getDimSize(axis);
  if (mayHaveSizes(op, label, name, value, {sizeIn("the input", op->getOperand(0), axis)}))
    return success();
  return op->emitOpError() << "(" << label << ") the " << name << " must have one element per channel, shape "
                           << shapeText({channels}) << " (input dim " << axis << "), got "
                           << shapeText(type.getShape());
}

LogicalResult RmsNormOp::verifyConstraints() {
  if (failed(verifyElements(*this, Elements::Float)) || failed(verifyAxis(*this, "C2", getAxis())))
    return failure();
  ArrayRef<int64_t> normalized = getInput().getType().getShape().drop_front(getAxis());
  if (Value scale = getScale()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(scale.getType()).getShape();
    if (!mayHaveSizes(*this, "C3", "scale", scale, sizesFrom("the input", getInput(), getAxis())))
      return emitOpError() << "(C3) the scale must have the shape of the input from dim " << getAxis() << " on, "
                           << shapeText(normalized) << ", got " << shapeText(shape);
  }
  return failure(failed(verifyEpsilon(*this, "C4", getEpsilonAttr())) || failed(verifySameType(*this, "C5")));
}

LogicalResult BatchNormOp::verifyConstraints() {
  if (failed(verifyElements(*this, Elements::Float)) || failed(verifyAxis(*this, "C2", getAxis())))
    return failure();
  const std::pair<StringRef, Value> parameters[] = {
      {"mean", getMean()}, {"variance", getVariance()}, {"scale", getScale()}, {"bias", getBias()}};
  for (auto [name, value] : parameters)
    if (failed(verifyPerChannel(*this, "C3", name, value, getAxis())))
      return failure();
  return failure(failed(verifyEpsilon(*this, "C4", getEpsilonAttr())) || failed(verifySameType(*this, "C5")));
}

LogicalResult GroupNormOp::verifyConstraints() {
  if (failed(verifyElements(*this, Elements::Float)))
    return failure();
  int64_t rank = getInput().getType().getRank(), axis = getAxis(), groups = getGroups();
  if (axis < 1 || axis >= rank)
    return emitOpError() << "(C2) axis must be at least 1 (dim 0 is the batch) and smaller than the operand's rank "
                         << rank << ", got " << axis;
  int64_t channels = getInput().getType().getDimSize(axis);
  if (groups < 1 || !mayDivide(*this, "C3", "groups", groups, sizeIn("the input", getInput(), axis)))
    return emitOpError() << "(C3) groups must be at least 1 and divide the channels, got " << groups << " for "
                         << shapeText({channels}) << " channels (input dim " << axis << ")";
  return failure(failed(verifyPerChannel(*this, "C4", "scale", getScale(), axis)) ||
                 failed(verifyPerChannel(*this, "C4", "bias", getBias(), axis)) ||
                 failed(verifyEpsilon(*this, "C5", getEpsilonAttr())) || failed(verifySameType(*this, "C6")));
}
