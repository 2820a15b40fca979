//===- Coverage.h - outputs that an op writes completely --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An init of which all elements are written, and which the body does not read, only provides a shape; the elements of
// any other init are part of the result.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_COVERAGE_H
#define MICA_PASSES_TENSOR_COVERAGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mica {

/// Whether every element of the init `init` that `op` writes is computed by one iteration, or by the iterations of
/// reduction loops that accumulate into it. Otherwise the last iteration determines the element, and a loop without
/// iterations leaves the init's value.
bool writesOnce(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

/// Whether `op` certainly writes every element of its init `init`, each once: each dimension is indexed by one loop, or
/// has size 1. False if this depends on dynamic sizes.
bool writesWhole(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

} // namespace mica

#endif // MICA_PASSES_TENSOR_COVERAGE_H
