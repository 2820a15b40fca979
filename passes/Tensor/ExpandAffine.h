//===- ExpandAffine.h - affine ops of functions that are inlined anywhere ----------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of affine take the arguments of a function as symbols. Inlined into a loop or branch, these are other values,
// which no symbol may be.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_EXPANDAFFINE_H
#define MICA_PASSES_TENSOR_EXPANDAFFINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Makes the body of `callee` one that may take the place of `call`: where that is in a loop or branch, ops of affine
/// become arithmetic and scf loops. What cannot be expanded stays.
void expandAffineForCall(mlir::func::CallOp call, mlir::func::FuncOp callee);

} // namespace mica

#endif // MICA_PASSES_TENSOR_EXPANDAFFINE_H
