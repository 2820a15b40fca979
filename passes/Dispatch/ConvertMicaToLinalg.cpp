//===- ConvertMicaToLinalg.cpp - pass convert-mica-to-linalg -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %0 = mica.add %a, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
// After:
//   %row = tensor.collapse_shape %b [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
//   %n = tensor.dim %a, %c0 : tensor<?x8xf32>
//   %empty = tensor.empty(%n) : tensor<?x8xf32>
//   %0 = linalg.generic {indexing_maps = [(d0, d1) -> (d0, d1), (d0, d1) -> (d1), (d0, d1) -> (d0, d1)], ...} ...
//
// The patterns are in MicaToLinalg/, by topic. Ops that become other mica ops (attention) are lowered first; then one
// walk lowers everything, since no other pattern creates mica ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTMICATOLINALG
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

void mica::populateMicaToLinalgPatterns(RewritePatternSet &patterns) {
  tolinalg::populateAxisPatterns(patterns);
  tolinalg::populateElementwisePatterns(patterns);
  tolinalg::populateImagePatterns(patterns);
  tolinalg::populateNormPatterns(patterns);
  tolinalg::populateWindowPatterns(patterns);
  tolinalg::populateContractionPatterns(patterns);
  tolinalg::populateReductionPatterns(patterns);
  tolinalg::populateShapePatterns(patterns);
  tolinalg::populateMovementPatterns(patterns);
  tolinalg::populateScatterPatterns(patterns);
  tolinalg::populateSortPatterns(patterns);
  tolinalg::populateRopePatterns(patterns);
  tolinalg::populateControlFlowPatterns(patterns);
}

namespace {

/// Replaces tensor.dim of results by the sizes of their operands, and finally of the function's arguments, so that
/// shapes can be computed before any tensor is.
LogicalResult resolveSizes(Operation *root) {
  SmallVector<Operation *> sizes;
  root->walk([&](tensor::DimOp op) { sizes.push_back(op); });
  RewritePatternSet patterns(root->getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, root->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.enableFolding(true);
  return applyOpPatternsGreedily(sizes, std::move(patterns), config);
}

struct ConvertMicaToLinalg : mica::impl::ConvertMicaToLinalgBase<ConvertMicaToLinalg> {
  using ConvertMicaToLinalgBase::ConvertMicaToLinalgBase;

  void runOnOperation() override {
    RewritePatternSet composed(&getContext());
    tolinalg::populateAttentionPatterns(composed);
    walkAndApplyPatterns(getOperation(), std::move(composed));

    RewritePatternSet patterns(&getContext());
    populateMicaToLinalgPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    WalkResult left = getOperation()->walk([&](Operation *op) {
      if (!isa_and_present<MicaDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("has no lowering to linalg");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted() || failed(resolveSizes(getOperation())))
      return signalPassFailure();
  }
};

} // namespace
