//===- BufferLayouts.h - allocations with a layout ----------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Memory is allocated row-major and without gaps. An allocation whose type says otherwise becomes one that is.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_BUFFERLAYOUTS_H
#define MICA_DIALECTS_BUFFERLAYOUTS_H

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mica {

/// Rewrites each allocation in `root` that has a layout: to one without, if nothing sees the layout, else to a buffer
/// of one dimension and a view of it with these strides. Fails, with an error, for a layout that strides cannot express
/// and that other operations see.
llvm::LogicalResult dropAllocatedLayouts(mlir::Operation *root);

} // namespace mica

#endif // MICA_DIALECTS_BUFFERLAYOUTS_H
