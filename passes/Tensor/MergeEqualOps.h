//===- MergeEqualOps.h - common subexpression elimination of large programs -------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_MERGEEQUALOPS_H
#define MICA_PASSES_TENSOR_MERGEEQUALOPS_H

namespace mlir {
class DominanceInfo;
class Operation;
class RewriterBase;
} // namespace mlir

namespace mica {

/// Runs upstream's common subexpression elimination in `root`, in linear time. Upstream's hash of an op excludes its
/// regions, so all `scf.if` on one condition are compared with each other; here ops of a large group are first
/// distinguished by a hash of their regions. In a large group, ops that only become equal during this call are not
/// merged.
void mergeEqualOps(mlir::RewriterBase &rewriter, mlir::DominanceInfo &dominance, mlir::Operation *root);

} // namespace mica

#endif // MICA_PASSES_TENSOR_MERGEEQUALOPS_H
