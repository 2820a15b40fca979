//===- ExpandBatches.cpp - expanding batch dimensions of an attention's products ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A batched product has one batch dimension, the mask and the softmax of an attention have two: reshapes lie between
// them, and each is a kernel. With the dimensions of the softmax in both products, no reshape is left between them:
//
//   %1 = product (8x64x96);  %2 = expand_shape %1 (2x4x64x96);  softmax;  %4 = collapse_shape %3 (8x64x96);  product
//   =>
//   %1 = product (2x4x64x96);  softmax;  product (2x4x64x32)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDBATCHES
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Elementwise ops between a product and a softmax: scale, mask, soft cap.
static constexpr unsigned kMostSteps = 6;

static bool isProduct(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && classify(op) == OpClass::Contraction && !ShapedType::isDynamicShape(generic.getStaticLoopRanges());
}

/// Whether the rows of `value` are reduced, behind at most `steps` elementwise ops.
static bool feedsReduction(Value value, unsigned steps = kMostSteps) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (classify(user) == OpClass::Reduction)
      return true;
    return classify(user) == OpClass::Elementwise && steps > 0 && user->getNumResults() == 1 &&
           feedsReduction(user->getResult(0), steps - 1);
  });
}

/// Whether `value` comes from exponentials, through at most `steps` elementwise ops.
static bool comesFromExponentials(Value value, unsigned steps = kMostSteps) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || classify(op) != OpClass::Elementwise)
    return false;
  if (llvm::any_of(*op.getBlock(), [](Operation &inner) { return isa<math::ExpOp>(inner); }))
    return true;
  return steps > 0 && llvm::any_of(op.getDpsInputs(), [&](Value input) {
           return isa<RankedTensorType>(input.getType()) && comesFromExponentials(input, steps - 1);
         });
}

/// Whether a reshape between the op of `operand` and its producer separates a product of an attention from its softmax.
static bool separatesProduct(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  // The scores: their product is followed by expand_shape.
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner()))
    return isProduct(producer) && producer->hasOneUse() && feedsReduction(expand.getResult());
  // The weights: collapse_shape precedes their product.
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(producer);
  return collapse && isProduct(operand->getOwner()) && comesFromExponentials(collapse.getSrc());
}

namespace {
struct ExpandBatches : mica::impl::ExpandBatchesBase<ExpandBatches> {
  using ExpandBatchesBase::ExpandBatchesBase;

  void runOnOperation() override {
    bool any = false;
    getOperation()->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        any |= isa<RankedTensorType>(operand.get().getType()) && separatesProduct(&operand);
    });
    if (!any)
      return;
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, separatesProduct);
    linalg::FillOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::populateFoldTensorEmptyPatterns(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(maxIterations);
    // If the limit is reached, the IR is correct but has more reshapes.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace
