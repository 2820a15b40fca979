//===- Coverage.h - which outputs an op writes whole ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An init whose elements are all written, and which the body does not read, is only a shape; the elements of any other
// one are part of the result.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_COVERAGE_H
#define MICA_PASSES_TENSOR_COVERAGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mica {

/// Whether every element of the init `init` that `op` writes is made by one step of its loops, or by the steps of
/// reduction loops that accumulate into it. Where not, the last step decides, and a loop that makes no step leaves the
/// init's value.
bool writesOnce(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

/// Whether `op` surely writes every element of its init `init`, each once: a dimension of it is one loop,
/// or of size 1. False where sizes
/// known at run time only decide it.
bool writesWhole(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

} // namespace mica

#endif // MICA_PASSES_TENSOR_COVERAGE_H
