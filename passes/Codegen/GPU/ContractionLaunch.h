//===- ContractionLaunch.h - launches with a block of threads per tile of a contraction -------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits the launch of a contraction (ContractionPlan.h) with its fused ops. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_CONTRACTIONLAUNCH_H
#define MICA_PASSES_CODEGEN_GPU_CONTRACTIONLAUNCH_H

#include "passes/Codegen/GPU/ContractionPlan.h"
#include "passes/Codegen/GPU/LaunchBuilder.h"

namespace mica::device {

/// A contraction with the ops fused with it.
struct ContractionGroup {
  Contraction product;
  mlir::linalg::GenericOp fill; ///< elementwise op that computes initial values; null: they are in the result buffer
  mlir::Value start;            ///< the initial value, if it is a single one
  mlir::linalg::GenericOp epilogue; ///< the elementwise op that is the only reader of the results, or null

  llvm::SmallVector<mlir::linalg::GenericOp> ops() const;
};

/// The contraction `run[at]` with the ops of `run` that are fused with it. There are no ops with effects between those
/// of `run`.
std::optional<ContractionGroup> contractionGroupAt(llvm::ArrayRef<mlir::linalg::GenericOp> run, size_t at);

/// Emits a launch for `group` as `plan` says, at the insertion point of `rewriter`, which follows all of its ops. The
/// caller erases them. Null if there is nothing to do; fails if the plan does not fit the contraction.
mlir::FailureOr<mlir::gpu::LaunchOp> launchContraction(mlir::RewriterBase &rewriter, LaunchBuilder &builder,
                                                       const ContractionGroup &group, const ContractionPlan &plan);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_CONTRACTIONLAUNCH_H
