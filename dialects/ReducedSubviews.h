//===- ReducedSubviews.h - views that leave out dimensions ----------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream finds the dimensions that a memref.subview leaves out by its strides. One with steps has others than its
// source.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_REDUCEDSUBVIEWS_H
#define MICA_DIALECTS_REDUCEDSUBVIEWS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Rewrites each `memref.subview` in `root` of which upstream may find other dropped dimensions, or crash: it becomes a
/// view of all dimensions, and that is collapsed.
void reshapeReducedSubviews(mlir::Operation *root);

} // namespace mica

#endif // MICA_DIALECTS_REDUCEDSUBVIEWS_H
