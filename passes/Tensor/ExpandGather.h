//===- ExpandGather.h - expanding tensor.gather and tensor.scatter ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream has no lowering of these ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_EXPANDGATHER_H
#define MICA_PASSES_TENSOR_EXPANDGATHER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {

/// The result of `op` as a linalg.generic that extracts each element from the source.
mlir::Value expandGather(mlir::OpBuilder &b, mlir::tensor::GatherOp op);

/// The result of `op` as an scf.forall that inserts one slice of the source per coordinate vector: the op requires that
/// these are unique.
mlir::Value expandScatter(mlir::OpBuilder &b, mlir::tensor::ScatterOp op);

} // namespace mica

#endif // MICA_PASSES_TENSOR_EXPANDGATHER_H
