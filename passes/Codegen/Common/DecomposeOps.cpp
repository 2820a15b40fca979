//===- DecomposeOps.cpp - decomposing structured tensor ops to fills, slices and generics -----------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Rewrites ops that no strategy handles directly to the few forms that all of them handle:
//
//   tensor.collapse_shape of no elements, of sizes not all known -> tensor.empty
//   strides of slices of one element -> 1
//   tensor.concat    -> tensor.empty + tensor.insert_slice per operand; many of them, stored as the kernel's result:
//                       each into its part of the buffer
//   tensor.pad       -> linalg.fill + tensor.insert_slice
//   linalg.pack      -> pad + expand_shape + transpose
//   linalg.unpack    -> transpose + collapse_shape + extract_slice
//   linalg.softmax   -> max, exp of difference, sum, quotient
//   named linalg     -> linalg.generic
//   tensor.expand_shape whose result's type says a size that it is also given -> that size once
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/DynamicPack.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_DECOMPOSEOPSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Before: `tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<32xf32> into tensor<8x4xf32>`, as casts that
/// fold leave it. After: `output_shape [8, 4]`. Upstream's bufferization rejects the first.
struct SettleExpandedSizes : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op, PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    bool changed = false;
    for (auto [size, known] : llvm::zip_equal(sizes, op.getResultType().getShape())) {
      if (ShapedType::isDynamic(known) || isa<Attribute>(size))
        continue;
      size = rewriter.getIndexAttr(known);
      changed = true;
    }
    if (!changed)
      return failure();
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, op.getResultType(), op.getSrc(),
                                                       op.getReassociationIndices(), sizes);
    return success();
  }
};

/// Upstream's transposes crash on scalars, which need no packing or unpacking.
template <typename OpT> static bool replaceIfScalar(OpT op, PatternRewriter &rewriter) {
  if (op.getSourceType().getRank() != 0)
    return false;
  rewriter.replaceOp(op, op.getSource());
  return true;
}

struct LowerPack : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::PackOp op, PatternRewriter &rewriter) const override {
    if (replaceIfScalar(op, rewriter))
      return success();
    return mica::lowerPack(rewriter, op);
  }
};

struct LowerUnPack : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::UnPackOp op, PatternRewriter &rewriter) const override {
    if (replaceIfScalar(op, rewriter))
      return success();
    return linalg::lowerUnPack(rewriter, op, /*lowerUnpadLikeWithExtractSlice=*/false);
  }
};

struct LowerSoftmax : OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::SoftmaxOp op, PatternRewriter &rewriter) const override {
    // As in mica-dispatch-generalize-ops.
    if (!isa<FloatType>(op.getInputOperandType().getElementType()))
      return rewriter.notifyMatchFailure(op, "has elements that are no floats");
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// Upstream computes the collapsed size 0 if one factor is 0 and another is dynamic, and then rejects it.
struct NothingCollapsed : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op, PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getSrcType();
    if (!llvm::is_contained(from.getShape(), 0) || from.hasStaticShape())
      return failure();
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(rewriter, op, sizes)))
      return failure();
    SmallVector<Value> dynamic;
    for (auto [size, known] : llvm::zip_equal(sizes[0], op.getResultType().getShape()))
      if (ShapedType::isDynamic(known))
        dynamic.push_back(getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, op.getResultType(), dynamic);
    return success();
  }
};

/// With one element, the stride is irrelevant. Upstream's search for the dropped dimensions of a view fails on other
/// strides.
template <typename OpTy> struct StrideOfOne : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> strides(op.getStaticStrides());
    for (auto [stride, size] : llvm::zip_equal(strides, op.getMixedSizes()))
      if (isConstantIntValue(size, 1) && !ShapedType::isDynamic(stride))
        stride = 1;
    if (ArrayRef(strides) == op.getStaticStrides())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setStaticStrides(strides); });
    return success();
  }
};

/// Stores a concatenation of many operands part by part. Bufferization's time for a chain of insertions grows with the
/// fourth power of its length.
///
/// Before: `%r = tensor.concat dim(0) %a, %b, ...` and `bufferization.materialize_in_destination %r in .. %out`. After:
/// `bufferization.materialize_in_destination %a in .. %outA` with `%outA = memref.subview %out[0] ..`, and so on.
struct StoreConcatParts : OpRewritePattern<tensor::ConcatOp> {
  explicit StoreConcatParts(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(tensor::ConcatOp op, PatternRewriter &rewriter) const override {
    constexpr unsigned kMostInserted = 16;
    if (op.getInputs().size() <= kMostInserted || !op->hasOneUse())
      return failure();
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(*op->user_begin());
    if (!store || !isa<MemRefType>(store.getDest().getType()) || op->getBlock() != store->getBlock())
      return failure();
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(store);
    const unsigned rank = op.getResultType().getRank();
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)), strides(rank, rewriter.getIndexAttr(1));
    OpFoldResult &offset = offsets[op.getDim()];
    AffineExpr sum = rewriter.getAffineSymbolExpr(0) + rewriter.getAffineSymbolExpr(1);
    for (Value input : op.getInputs()) {
      SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, input);
      Value part = memref::SubViewOp::create(rewriter, loc, store.getDest(), offsets, sizes, strides);
      bufferization::MaterializeInDestinationOp::create(rewriter, store.getLoc(), /*result=*/Type(), input, part,
                                                        store.getRestrict(), store.getWritable());
      offset = affine::makeComposedFoldedAffineApply(rewriter, loc, sum, {offset, sizes[op.getDim()]});
    }
    rewriter.eraseOp(store);
    rewriter.eraseOp(op);
    return success();
  }
};

struct DecomposeOpsPass : mica::impl::DecomposeOpsPassBase<DecomposeOpsPass> {
  using DecomposeOpsPassBase::DecomposeOpsPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    linalg::populateDecomposePadPatterns(patterns);
    linalg::populateLinalgNamedOpsGeneralizationPatterns(patterns);
    patterns.add<LowerPack, LowerUnPack, LowerSoftmax, StoreConcatParts, NothingCollapsed, SettleExpandedSizes,
                 StrideOfOne<tensor::ExtractSliceOp>, StrideOfOne<tensor::InsertSliceOp>>(&getContext());
    GreedyRewriteConfig config;
    config.setMaxIterations(maxIterations);
    // If no fixed point is reached, the rest is still valid input for the following passes.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace
