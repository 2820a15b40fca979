//===- DynamicPack.h - lowering linalg.pack with tiles of any size -------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_DYNAMICPACK_H
#define MICA_PASSES_CODEGEN_COMMON_DYNAMICPACK_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mica {

/// Rewrites `op`, as upstream's lowerPack does where all tiles have static sizes; else as a tensor.pad and a
/// linalg.generic that reads from it, since upstream lowers no view of several dynamic sizes.
llvm::LogicalResult lowerPack(mlir::RewriterBase &rewriter, mlir::linalg::PackOp op);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_COMMON_DYNAMICPACK_H
