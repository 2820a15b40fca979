//===- FoldViews.cpp - folding views into the accesses through them -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-codegen-fold-views.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_FOLDVIEWSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether `name`, as llvm::getTypeName writes it, is a pattern that moves a vector to a buffer of another shape.
static bool reshapesVectors(StringRef name) {
  return name.contains("::vector::") && (name.contains("OfExpandShape") || name.contains("OfCollapseShape"));
}

namespace {
struct FoldViewsPass : mica::impl::FoldViewsPassBase<FoldViewsPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    memref::populateFoldMemRefAliasOpPatterns(set);
    llvm::erase_if(set.getNativePatterns(), [](const std::unique_ptr<RewritePattern> &pattern) {
      return reshapesVectors(pattern->getDebugName());
    });
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override { (void)applyPatternsGreedily(getOperation(), patterns); }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
