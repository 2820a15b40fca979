//===- SoftmaxSizes.cpp - sizes that only one operand of linalg.softmax has ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SoftmaxSizes.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/SoftmaxSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

static void castOperands(linalg::SoftmaxOp op) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto output = dyn_cast<RankedTensorType>(op.getOutput().getType());
  if (!input || !output || input.getShape() == output.getShape())
    return;
  SmallVector<int64_t> shape(input.getShape());
  for (auto [size, other] : llvm::zip_equal(shape, output.getShape()))
    size = ShapedType::isDynamic(size) ? other : size;
  OpBuilder builder(op);
  auto cast = [&](OpOperand &operand, RankedTensorType type) {
    if (type.getShape() != ArrayRef(shape))
      operand.set(tensor::CastOp::create(builder, op.getLoc(), type.clone(shape), operand.get()));
  };
  cast(op.getInputMutable(), input);
  cast(op.getOutputMutable(), output);
  if (op->getNumResults() == 0 || output.getShape() == ArrayRef(shape))
    return;
  Value result = op->getResult(0);
  result.setType(output.clone(shape));
  builder.setInsertionPointAfter(op);
  auto back = tensor::CastOp::create(builder, op.getLoc(), output, result);
  result.replaceAllUsesExcept(back, back);
}

void mica::castSoftmaxOperands(Operation *root) { root->walk(castOperands); }
