//===- Inference.h - helpers for shape inference -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Sizes of operands and results as constants or values. Internal to dialects/Mica/IR.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_INFERENCE_H
#define MICA_DIALECTS_MICA_IR_INFERENCE_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica::inference {

using Types = llvm::SmallVectorImpl<mlir::Type>;

inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The size of one dimension of a value: a constant, or a tensor.dim.
inline mlir::OpFoldResult sizeOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t dim) {
  return mlir::tensor::getMixedSize(builder, loc, value, dim);
}

/// Replaces sizes by those that are static in the result type; an inferred `?` may be static there.
inline llvm::LogicalResult finishShape(mlir::OpBuilder &builder, mlir::Operation *op,
                                       llvm::SmallVector<mlir::OpFoldResult> sizes,
                                       mlir::ReifiedRankedShapedTypeDims &shapes) {
  auto type = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!mlir::ShapedType::isDynamic(size))
      sizes[dim] = builder.getIndexAttr(size);
  shapes.push_back(std::move(sizes));
  return llvm::success();
}

} // namespace mica::inference

#endif // MICA_DIALECTS_MICA_IR_INFERENCE_H
