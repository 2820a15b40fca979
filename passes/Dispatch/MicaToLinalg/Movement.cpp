//===- Movement.cpp - lowering data movement ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops that move whole blocks (slice, split, concat) become the corresponding tensor op; the others a linalg.generic,
// which uses tensor.extract if there is no indexing map.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// By computed positions
//===------------------------------------------------------------------------------------------------------------===//

/// The slices of `input` at `indices` along `axis`, as mica.gather has it.
Value gather(Lowering &lowering, Value input, Value indices, int64_t axis, int64_t batchDims,
             ArrayRef<OpFoldResult> sizes) {
  OpBuilder &builder = lowering.builder;
  Type element = typeOf(input).getElementType();
  auto zero = cast<TypedAttr>(builder.getZeroAttr(element));
  int64_t extent = typeOf(input).getDimSize(axis);
  if (extent == 0)
    return lowering.filled(sizes, zero);
  int64_t rank = sizes.size(), replaced = typeOf(indices).getRank() - batchDims;
  SmallVector<AffineExpr> places;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim < batchDims || (dim >= axis && dim < axis + replaced))
      places.push_back(builder.getAffineDimExpr(dim));
  AffineMap map = AffineMap::get(rank, 0, places, builder.getContext());
  Value size =
      getValueOrCreateConstantIndexOp(builder, lowering.loc, tensor::getMixedSize(builder, lowering.loc, input, axis));
  return lowering.parallel(indices, map, sizes, element, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value index = arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
    // Compared as unsigned, a negative index is larger than every size.
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, size);
    Value none = arith::ConstantOp::create(b, loc, zero);
    SmallVector<Value> position;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim < axis || dim >= axis + replaced)
        position.push_back(linalg::IndexOp::create(b, loc, dim));
    position.insert(position.begin() + axis, index);
    if (!ShapedType::isDynamic(extent)) {
      Value first = arith::ConstantIndexOp::create(b, loc, 0);
      position[axis] = arith::SelectOp::create(b, loc, inside, index, first);
      Value element = tensor::ExtractOp::create(b, loc, input, position);
      return arith::SelectOp::create(b, loc, inside, element, none);
    }
    // There may be no element at all that could be read for an index out of range.
    auto branch = scf::IfOp::create(
        b, loc, inside,
        [&](OpBuilder &inner, Location innerLoc) {
          Value element = tensor::ExtractOp::create(inner, innerLoc, input, position);
          scf::YieldOp::create(inner, innerLoc, element);
        },
        [&](OpBuilder &inner, Location innerLoc) { scf::YieldOp::create(inner, innerLoc, none); });
    return branch.getResult(0);
  });
}

struct LowerGather : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    replace(
        rewriter, op,
        gather(lowering, op.getInput(), op.getIndices(), op.getAxis(), op.getBatchDims(), resultSizes(rewriter, op)));
    return success();
  }
};

struct LowerEmbedding : OpRewritePattern<EmbeddingOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(EmbeddingOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    replace(rewriter, op, gather(lowering, op.getTable(), op.getIndices(), 0, 0, resultSizes(rewriter, op)));
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// By fixed positions
//===------------------------------------------------------------------------------------------------------------===//

/// A slice; an empty tensor if it has no elements: tensor.extract_slice requires an offset below the size.
Value sliceOf(OpBuilder &builder, Location loc, Value input, ArrayRef<OpFoldResult> offsets,
              ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  if (llvm::any_of(sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); }))
    return tensor::EmptyOp::create(builder, loc, sizes, getElementTypeOrSelf(input));
  return tensor::ExtractSliceOp::create(builder, loc, input, offsets, sizes, strides);
}

struct LowerConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    replace(rewriter, op, tensor::ConcatOp::create(rewriter, op.getLoc(), op.getAxis(), op.getInputs()));
    return success();
  }
};

struct LowerSplit : OpRewritePattern<SplitOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SplitOp op, PatternRewriter &rewriter) const override {
    int64_t rank = op.getInput().getType().getRank(), axis = op.getAxis(), from = 0;
    SmallVector<OpFoldResult> offsets(rank, rewriter.getIndexAttr(0)), strides(rank, rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, op.getLoc(), op.getInput());
    SmallVector<Value> parts;
    for (auto [size, result] : llvm::zip_equal(op.getSizes(), op.getResults())) {
      offsets[axis] = rewriter.getIndexAttr(from);
      sizes[axis] = rewriter.getIndexAttr(size);
      Value part = sliceOf(rewriter, op.getLoc(), op.getInput(), offsets, sizes, strides);
      parts.push_back(castTo(rewriter, op.getLoc(), part, result.getType()));
      from += size;
    }
    rewriter.replaceOp(op, parts);
    return success();
  }
};

struct LowerSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
    AffineExpr size, count, offset;
    bindSymbols(rewriter.getContext(), size, count, offset);
    for (auto [dim, stride] : llvm::enumerate(op.getStrides())) {
      OpFoldResult whole = tensor::getMixedSize(rewriter, loc, op.getInput(), dim);
      bool known = isa<Attribute>(offsets[dim]) && isa<Attribute>(sizes[dim]) && isa<Attribute>(whole);
      // Offsets that the verifier has checked are kept; others are clamped. An empty slice begins at most one stride
      // after the end, which the second bound corrects.
      if (known)
        continue;
      MLIRContext *context = rewriter.getContext();
      AffineExpr zero = getAffineConstantExpr(0, context);
      AffineMap upper = AffineMap::get(0, 3, {size - ((count - 1) * stride + 1), size, offset}, context);
      OpFoldResult limited =
          affine::makeComposedFoldedAffineMin(rewriter, loc, upper, {whole, sizes[dim], offsets[dim]});
      AffineMap lower = AffineMap::get(0, 1, {zero, getAffineSymbolExpr(0, context)}, context);
      offsets[dim] = affine::makeComposedFoldedAffineMax(rewriter, loc, lower, {limited});
    }
    SmallVector<OpFoldResult> strides = getAsIndexOpFoldResult(rewriter.getContext(), op.getStrides());
    replace(rewriter, op, sliceOf(rewriter, loc, op.getInput(), offsets, sizes, strides));
    return success();
  }
};

/// Before: `mica.tile %x multiples = [1, 2] : (tensor<?x3xf32>) -> tensor<?x6xf32>`. After: %x repeated along a
/// dimension of its own, `tensor<?x2x3xf32>`, then the two dimensions as one.
struct LowerTile : OpRewritePattern<TileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TileOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    SmallVector<OpFoldResult> from = tensor::getMixedSizes(rewriter, op.getLoc(), op.getInput()), sizes;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> kept;
    for (auto [size, multiple] : llvm::zip_equal(from, op.getMultiples())) {
      ReassociationIndices &group = groups.emplace_back();
      if (multiple != 1) {
        group.push_back(sizes.size());
        sizes.push_back(rewriter.getIndexAttr(multiple));
      }
      group.push_back(sizes.size());
      kept.push_back(sizes.size());
      sizes.push_back(size);
    }
    if (sizes.size() == from.size()) {
      replace(rewriter, op, op.getInput());
      return success();
    }
    SmallVector<AffineExpr> exprs;
    for (int64_t dim : kept)
      exprs.push_back(rewriter.getAffineDimExpr(dim));
    AffineMap map = AffineMap::get(sizes.size(), 0, exprs, rewriter.getContext());
    Value repeated = lowering.parallel(op.getInput(), map, sizes, op.getType().getElementType(),
                                       [](OpBuilder &, Location, ValueRange args) { return args[0]; });
    replace(rewriter, op, tensor::CollapseShapeOp::create(rewriter, op.getLoc(), repeated, groups));
    return success();
  }
};

struct LowerFlip : OpRewritePattern<FlipOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FlipOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value input = op.getInput();
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, op.getLoc(), input);
    replace(rewriter, op,
            lowering.parallel({}, {}, sizes, op.getType().getElementType(),
                              [&](OpBuilder &b, Location loc, ValueRange) -> Value {
                                SmallVector<Value> position;
                                for (auto [dim, size] : llvm::enumerate(sizes)) {
                                  Value at = linalg::IndexOp::create(b, loc, dim);
                                  if (llvm::is_contained(op.getDims(), static_cast<int64_t>(dim))) {
                                    Value one = arith::ConstantIndexOp::create(b, loc, 1);
                                    Value whole = getValueOrCreateConstantIndexOp(b, loc, size);
                                    Value last = arith::SubIOp::create(b, loc, whole, one);
                                    at = arith::SubIOp::create(b, loc, last, at);
                                  }
                                  position.push_back(at);
                                }
                                return tensor::ExtractOp::create(b, loc, input, position);
                              }));
    return success();
  }
};

} // namespace

void tolinalg::populateMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerGather, LowerEmbedding, LowerConcat, LowerSplit, LowerSlice, LowerTile, LowerFlip>(
      patterns.getContext());
}
