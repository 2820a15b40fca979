//===- SoftmaxSizes.h - sizes that only one operand of linalg.softmax has -------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A linalg.softmax may have a static size where its other operand has a dynamic one. Upstream decomposes it to an op
// that the verifier rejects.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_SOFTMAXSIZES_H
#define MICA_PASSES_TENSOR_SOFTMAXSIZES_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Casts the operands of each linalg.softmax on tensors below `root` to the static sizes that either has.
void castSoftmaxOperands(mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_SOFTMAXSIZES_H
