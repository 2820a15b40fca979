//===- AxisOps.cpp - operations along one dimension --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints and result shapes of the operations of AxisOps.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"
#include "dialects/Mica/IR/Inference.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;
using namespace mica::inference;

template <typename OpTy> static LogicalResult verifyArg(OpTy op) {
  if (failed(verifyElements(op, Elements::Number)) || failed(verifyAxis(op, "C2", op.getAxis())))
    return failure();
  RankedTensorType input = op.getInput().getType(), result = op.getType();
  if (!mayBeAtLeast(op, "C3", sizeIn("the input", op.getInput(), op.getAxis()), 1))
    return op.emitOpError() << "(C3) dim " << op.getAxis() << " of the input has no element";
  if (!result.getElementType().isInteger(32) && !result.getElementType().isInteger(64))
    return op.emitOpError() << "(C4) positions must be i32 or i64, got " << result.getElementType();
  SmallVector<int64_t> shape(input.getShape());
  SmallVector<ConstrainedSize> sizes = sizesFrom("the input", op.getInput(), 0);
  if (op.getKeepDims()) {
    shape[op.getAxis()] = 1;
    sizes[op.getAxis()] = sizeGiven("the kept dim", Builder(op.getContext()).getIndexAttr(1));
  } else {
    shape.erase(shape.begin() + op.getAxis());
    sizes.erase(sizes.begin() + op.getAxis());
  }
  if (!mayHaveResultSizes(op, "C5", op.getResult(), sizes))
    return op.emitOpError() << "(C5) the result must have shape " << shapeText(shape) << ", got " << result;
  return success();
}

LogicalResult ArgMaxOp::verifyConstraints() { return verifyArg(*this); }
LogicalResult ArgMinOp::verifyConstraints() { return verifyArg(*this); }

template <typename OpTy>
static LogicalResult reifyArg(OpBuilder &builder, OpTy op, ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, op.getLoc(), op.getInput());
  if (op.getKeepDims())
    sizes[op.getAxis()] = builder.getIndexAttr(1);
  else
    sizes.erase(sizes.begin() + op.getAxis());
  return finishShape(builder, op, std::move(sizes), shapes);
}

LogicalResult ArgMaxOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyArg(builder, *this, shapes);
}
LogicalResult ArgMinOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  return reifyArg(builder, *this, shapes);
}

LogicalResult CumSumOp::verifyConstraints() {
  return failure(failed(verifyElements(*this, Elements::Number)) || failed(verifyAxis(*this, "C2", getAxis())) ||
                 failed(verifySameType(*this, "C3")));
}
