//===- Arctangents.h - the arctangent of two zeros ---------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Upstream folds math.atan2 of two constant zeros to NaN (docs/UpstreamFindings.md).
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_ARCTANGENTS_H
#define MICA_PASSES_TENSOR_ARCTANGENTS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Gives each math.atan2 below `root` a second operand that is 1 or -1, with the sign of the zero, where both operands
/// are zeros: the result is the same, and no fold sees two zeros.
void separateZeroArctangents(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_ARCTANGENTS_H
