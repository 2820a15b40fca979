//===- ExpandVectors.cpp - vector ops that convert-vector-to-llvm leaves -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// By upstream's patterns: reductions of several dimensions, scans, and masks.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDVECTORS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ExpandVectors : mica::impl::ExpandVectorsBase<ExpandVectors> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<vector::VectorDialect>(op->getDialect()))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    RewritePatternSet patterns(&getContext());
    vector::populateVectorMultiReductionLoweringPatterns(patterns,
                                                         vector::VectorMultiReductionLowering::InnerReduction);
    vector::populateVectorScanLoweringPatterns(patterns);
    vector::populateVectorMaskOpLoweringPatterns(patterns);
    (void)applyOpPatternsGreedily(
        ops, std::move(patterns),
        GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingAndNewOps).enableFolding(false));
  }
};
} // namespace
