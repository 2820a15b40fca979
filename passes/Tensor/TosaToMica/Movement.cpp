//===- Movement.cpp - converting tosa data movement ops to mica --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Part of convert-tosa-to-mica. Before:
//   %0 = tosa.gather %values, %indices : (tensor<2x50x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
// After:
//   %0 = mica.gather %values, %indices axis = 1 batch_dims = 1 : ...
//
// Ops with dynamic positions and multiples are not converted. Out-of-range indices, which are undefined in tosa, read 0
// and write nothing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/TosaToMica/Common.h"

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

constexpr StringLiteral kPlaces = "places are known at run time only";

/// Indices of gather and scatter; tosa's verifier has checked that they are integers.
bool areIndices(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return isa<RankedTensorType>(value.getType()) && (element.isInteger(32) || element.isInteger(64));
}

/// The values of a constant !tosa.shape, none below `least`.
std::optional<SmallVector<int64_t>> numbersOf(Value shape, int64_t least) {
  std::optional<SmallVector<int64_t>> numbers = constantShape(shape);
  if (numbers && llvm::any_of(*numbers, [&](int64_t number) { return number < least; }))
    return std::nullopt;
  return numbers;
}

struct ConvertConcat : OpRewritePattern<tosa::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ConcatOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> values(op.getInput1());
    values.push_back(op.getOutput());
    if (!haveOneType(values))
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), op.getInput1(), op.getAxis());
    return success();
  }
};

struct ConvertGather : OpRewritePattern<tosa::GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::GatherOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getValues(), op.getOutput()}) || !areIndices(op.getIndices()))
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<GatherOp>(op, op.getType(), op.getValues(), op.getIndices(), /*axis=*/1,
                                          /*batch_dims=*/1);
    return success();
  }
};

struct ConvertScatter : OpRewritePattern<tosa::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ScatterOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getValuesIn(), op.getInput(), op.getValuesOut()}) || !areIndices(op.getIndices()))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (op.getValuesIn().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "the result's shape is written differently");
    rewriter.replaceOpWithNewOp<ScatterOp>(op, op.getType(), ScatterKind::Update, op.getValuesIn(), op.getIndices(),
                                           op.getInput(), /*axis=*/1, /*batch_dims=*/1);
    return success();
  }
};

struct ConvertSlice : OpRewritePattern<tosa::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::SliceOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput1(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    std::optional<SmallVector<int64_t>> start = numbersOf(op.getStart(), 0), size = numbersOf(op.getSize(), 0);
    if (!start || !size)
      return rewriter.notifyMatchFailure(op, kPlaces);
    SmallVector<int64_t> strides(start->size(), 1);
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getInput1(), ValueRange(), ValueRange(), *start, *size,
                                         strides);
    return success();
  }
};

struct ConvertTile : OpRewritePattern<tosa::TileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::TileOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput1(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    std::optional<SmallVector<int64_t>> multiples = numbersOf(op.getMultiples(), 1);
    if (!multiples)
      return rewriter.notifyMatchFailure(op, kPlaces);
    rewriter.replaceOpWithNewOp<TileOp>(op, op.getType(), op.getInput1(), *multiples);
    return success();
  }
};

struct ConvertReverse : OpRewritePattern<tosa::ReverseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ReverseOp op, PatternRewriter &rewriter) const override {
    Value input = op.getInput1();
    if (!haveOneType({input, op.getOutput()}) || input.getType() != op.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    const int64_t dims[] = {static_cast<int64_t>(op.getAxis())};
    rewriter.replaceOpWithNewOp<FlipOp>(op, op.getType(), input, dims);
    return success();
  }
};

} // namespace

void tosatomica::populateGatherPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertGather>(patterns.getContext());
}

void tosatomica::populateMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertConcat, ConvertScatter, ConvertSlice, ConvertTile, ConvertReverse>(patterns.getContext());
}
