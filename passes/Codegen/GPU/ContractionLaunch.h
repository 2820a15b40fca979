//===- ContractionLaunch.h - a launch with a block of threads per tile of a product -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes the launch of a product (ContractionPlan.h) with what is done to its results. Private to passes/Codegen/GPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_GPU_CONTRACTIONLAUNCH_H
#define MICA_PASSES_CODEGEN_GPU_CONTRACTIONLAUNCH_H

#include "passes/Codegen/GPU/ContractionPlan.h"
#include "passes/Codegen/GPU/LaunchBuilder.h"

namespace mica::device {

/// A product with its neighbours.
struct ContractionGroup {
  Contraction product;
  mlir::linalg::GenericOp fill; ///< the elementwise op that says what sums begin with; null: with what the result holds
  mlir::Value start;            ///< the number that is, where it is one
  mlir::linalg::GenericOp epilogue; ///< elementwise op on the results, the only one to read them, or null

  llvm::SmallVector<mlir::linalg::GenericOp> ops() const;
};

/// The product `run[at]` with the ops of `run`, which has nothing with effects in between, that are done with it.
std::optional<ContractionGroup> contractionGroupAt(llvm::ArrayRef<mlir::linalg::GenericOp> run, size_t at);

/// A launch that does `group` as `plan` says, at the insertion point of `rewriter`, which follows all of its ops. They
/// stay, for the caller to erase. Null where there is nothing to do; fails where the plan is not one for the product.
mlir::FailureOr<mlir::gpu::LaunchOp> launchContraction(mlir::RewriterBase &rewriter, LaunchBuilder &builder,
                                                       const ContractionGroup &group, const ContractionPlan &plan);

} // namespace mica::device

#endif // MICA_PASSES_CODEGEN_GPU_CONTRACTIONLAUNCH_H
