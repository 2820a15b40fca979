//===- RowLaunch.h - launches with a cooperative group per row --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits the launch of a row group (RowGroup.h). Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_ROWLAUNCH_H
#define MICA_PASSES_CODEGEN_GPU_ROWLAUNCH_H

#include "passes/Codegen/GPU/LaunchBuilder.h"
#include "passes/Codegen/GPU/RowGroup.h"

namespace mica::device {

/// Emits a launch for `group` as `plan` says, at the insertion point of `rewriter`, which follows all of its ops;
/// `ranges` are the group's loops. The caller erases the ops. Null if there is nothing to do.
mlir::gpu::LaunchOp launchRows(mlir::RewriterBase &rewriter, LaunchBuilder &builder, const RowGroup &group,
                               const RowPlan &plan, llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_ROWLAUNCH_H
