//===- CopyGroup.h - a copy of a tensor as a kernel of its own ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the passes behind mica-dispatch-outline-kernels that copy tensors share; a second run of it makes the kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_COPYGROUP_H
#define MICA_PASSES_DISPATCH_COPYGROUP_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// A number that no group of `function` has.
int64_t nextGroup(mlir::func::FuncOp function);

/// `tensor`, copied element by element, in group `group`.
mlir::Value makeCopyGroup(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor, int64_t group);

} // namespace mica

#endif // MICA_PASSES_DISPATCH_COPYGROUP_H
