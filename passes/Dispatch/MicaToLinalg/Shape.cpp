//===- Shape.cpp - lowering constants and reshapes ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reshapes become tensor.collapse_shape and tensor.expand_shape, which do not move data; transposes and broadcasts
// become the linalg ops of that name.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

struct LowerConstant : OpRewritePattern<ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConstantOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, cast<TypedAttr>(op.getValue()));
    return success();
  }
};

struct LowerTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value empty = lowering.empty(resultSizes(rewriter, op), op.getType().getElementType());
    auto result = linalg::TransposeOp::create(rewriter, op.getLoc(), op.getInput(), empty, op.getPermutation());
    replace(rewriter, op, result->getResult(0));
    return success();
  }
};

struct LowerBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    RankedTensorType from = op.getInput().getType(), to = op.getType();
    int64_t added = to.getRank() - from.getRank();
    SmallVector<int64_t> dropped, repeated = llvm::to_vector(llvm::seq<int64_t>(0, added));
    for (int64_t dim = 0; dim < from.getRank(); ++dim) {
      if (from.getDimSize(dim) != 1 || to.getDimSize(dim + added) == 1)
        continue;
      dropped.push_back(dim);
      repeated.push_back(dim + added);
    }
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    // Copy static sizes of the operand to the result: linalg requires both to agree.
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      if (to.isDynamicDim(dim + added) && from.getDimSize(dim) != 1 && !from.isDynamicDim(dim))
        sizes[dim + added] = rewriter.getIndexAttr(from.getDimSize(dim));
    Value input = lowering.dropUnitDims(op.getInput(), dropped), empty = lowering.empty(sizes, to.getElementType());
    auto kept = cast<RankedTensorType>(input.getType());
    if (kept.getRank() == to.getRank() && repeated.empty()) {
      replace(rewriter, op, input);
      return success();
    }
    // And static sizes of the result to the operand.
    SmallVector<int64_t> shape;
    auto emptyType = cast<RankedTensorType>(empty.getType());
    for (int64_t dim = 0; dim < to.getRank(); ++dim)
      if (!llvm::is_contained(repeated, dim))
        shape.push_back(emptyType.getDimSize(dim));
    auto told = RankedTensorType::get(shape, to.getElementType());
    if (told != kept)
      input = tensor::CastOp::create(rewriter, op.getLoc(), told, input);
    auto result = linalg::BroadcastOp::create(rewriter, op.getLoc(), input, empty, repeated);
    replace(rewriter, op, result->getResult(0));
    return success();
  }
};

struct LowerReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  /// `type` with its dynamic size, if it has one, computed from `count` elements.
  static RankedTensorType withCount(RankedTensorType type, int64_t count) {
    SmallVector<int64_t> shape(type.getShape());
    int64_t others = 1;
    for (int64_t size : shape)
      others *= ShapedType::isDynamic(size) ? 1 : size;
    if (type.getNumDynamicDims() != 1 || others == 0)
      return type;
    llvm::replace(shape, ShapedType::kDynamic, count / others);
    return RankedTensorType::get(shape, type.getElementType());
  }

  static Value castTo(OpBuilder &builder, Location loc, Value value, RankedTensorType type) {
    if (value.getType() == type)
      return value;
    return tensor::CastOp::create(builder, loc, type, value);
  }

  static Value collapse(OpBuilder &builder, Location loc, Value value, ArrayRef<ReassociationIndices> groups) {
    return tensor::CollapseShapeOp::create(builder, loc, value, groups);
  }

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType from = op.getInput().getType(), to = op.getType();
    // A static number of elements on one side may determine the dynamic size of the other.
    if (from.hasStaticShape())
      to = withCount(to, from.getNumElements());
    else if (to.hasStaticShape())
      from = withCount(from, to.getNumElements());
    Value input = castTo(rewriter, loc, op.getInput(), from);
    SmallVector<OpFoldResult> sizes =
        to.hasStaticShape() ? getAsIndexOpFoldResult(rewriter.getContext(), to.getShape()) : resultSizes(rewriter, op);
    if (from == to && from.getNumDynamicDims() <= 1) {
      replace(rewriter, op, input);
      return success();
    }

    if (auto groups = getReassociationIndicesForReshape(from, to); groups && from.getNumDynamicDims() <= 1) {
      if (from.getRank() > to.getRank() && tensor::CollapseShapeOp::inferCollapsedType(from, *groups) == to) {
        replace(rewriter, op, collapse(rewriter, loc, input, *groups));
        return success();
      }
      if (from.getRank() < to.getRank() && tensor::CollapseShapeOp::inferCollapsedType(to, *groups) == from) {
        replace(rewriter, op, expandTo(rewriter, loc, input, *groups, sizes));
        return success();
      }
    }

    // Otherwise via a tensor of rank 1.
    auto oneGroup = [](int64_t rank) {
      SmallVector<ReassociationIndices> groups(1);
      llvm::append_range(groups[0], llvm::seq<int64_t>(0, rank));
      return groups;
    };
    Value row = input;
    if (from.getRank() == 0)
      row = tensor::ExpandShapeOp::create(rewriter, loc, RankedTensorType::get({1}, from.getElementType()), input,
                                          ArrayRef<ReassociationIndices>{});
    else if (from.getRank() > 1)
      row = collapse(rewriter, loc, input, oneGroup(from.getRank()));
    int64_t count = to.hasStaticShape() ? to.getNumElements() : ShapedType::kDynamic;
    row = castTo(rewriter, loc, row, RankedTensorType::get({count}, to.getElementType()));
    Value result = row;
    if (to.getRank() == 0)
      result = collapse(rewriter, loc, row, {});
    else if (to.getRank() > 1)
      result = expandTo(rewriter, loc, row, oneGroup(to.getRank()), sizes);
    replace(rewriter, op, result);
    return success();
  }
};

} // namespace

void tolinalg::populateShapePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerConstant, LowerTranspose, LowerBroadcast, LowerReshape>(patterns.getContext());
}
