//===- CopyGroup.h - copying a tensor by a separate kernel -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared by the passes after mica-dispatch-outline-kernels that copy tensors; a second run of it makes the kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_COPYGROUP_H
#define MICA_PASSES_DISPATCH_COPYGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// An unused group number of `function`.
int64_t nextGroup(mlir::func::FuncOp function);

/// An elementwise copy of `tensor`, in group `group`.
mlir::Value makeCopyGroup(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor, int64_t group);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_COPYGROUP_H
