//===- CheckStructured.h - structured ops access what their operands have -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A part of mica-reference-check-reshapes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_CHECKSTRUCTURED_H
#define MICA_PASSES_CODEGEN_REFERENCE_CHECKSTRUCTURED_H

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace mica {

/// Asserts before `op`, on tensors or buffers, that dimensions of one loop are equal, and that all positions that other
/// maps give exist, unless a loop has no turns. What is known of static sizes is not asserted; a static size of 0 is
/// one that upstream's verifier says nothing of.
void checkStructured(mlir::linalg::LinalgOp op);

} // namespace mica

#endif // MICA_PASSES_CODEGEN_REFERENCE_CHECKSTRUCTURED_H
