//===- Norms.cpp - lowering normalizations -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The statistics of a row, group or channel are separate tensors, so that divisions and square roots are computed once
// for each, followed by one pass over the input. They are computed in f32 for narrower elements.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

/// Applies `body` to every element of a tensor.
Value mapElements(Lowering &lowering, ValueRange values, Type element, Body body) {
  auto type = cast<RankedTensorType>(values[0].getType());
  SmallVector<AffineMap> maps(values.size(), lowering.builder.getMultiDimIdentityMap(type.getRank()));
  return lowering.parallel(values, maps, tensor::getMixedSizes(lowering.builder, lowering.loc, values[0]), element,
                           body);
}

/// The mean over `dims` of `term` applied to the elements of `inputs`, in the type `wide`.
Value meanOver(Lowering &lowering, ValueRange inputs, ArrayRef<int64_t> dims, Type wide, Body term) {
  auto zero = cast<TypedAttr>(lowering.builder.getZeroAttr(wide));
  Value sums = lowering.reduce(inputs, dims, zero, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value added = term(b, loc, args);
    return arith::AddFOp::create(b, loc, args.back(), added);
  });
  OpFoldResult count = lowering.product(inputs[0], dims);
  return mapElements(lowering, sums, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return arith::DivFOp::create(b, loc, args[0], asFloat(b, loc, count, wide));
  });
}

/// 1 / sqrt(x + epsilon) of each element, in the type `wide`.
Value inverseRoot(Lowering &lowering, Value values, double epsilon, Type wide) {
  return mapElements(lowering, values, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    Value x = widenTo(b, loc, args[0], wide), added = number(b, loc, wide, epsilon);
    Value raised = arith::AddFOp::create(b, loc, x, added);
    Value root = math::SqrtOp::create(b, loc, raised), one = number(b, loc, wide, 1);
    return arith::DivFOp::create(b, loc, one, root);
  });
}

/// `(input - mean) * inverse * scale + bias`; mean, scale and bias are optional. The maps give the loops over the input
/// on which the statistics and parameters depend.
Value normalize(Lowering &lowering, Value input, Value mean, Value inverse, AffineMap statistics, Value scale,
                Value bias, AffineMap parameters) {
  OpBuilder &builder = lowering.builder;
  auto type = cast<RankedTensorType>(input.getType());
  Type element = type.getElementType(), wide = widened(element);
  SmallVector<Value> inputs = {input, inverse};
  SmallVector<AffineMap> maps = {builder.getMultiDimIdentityMap(type.getRank()), statistics};
  for (auto [value, map] : {std::pair(mean, statistics), std::pair(scale, parameters), std::pair(bias, parameters)})
    if (value) {
      inputs.push_back(value);
      maps.push_back(map);
    }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, lowering.loc, input);
  return lowering.parallel(inputs, maps, sizes, element, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    unsigned next = 2;
    auto take = [&] { return widenTo(b, loc, args[next++], wide); };
    Value x = widenTo(b, loc, args[0], wide), factor = widenTo(b, loc, args[1], wide);
    if (mean)
      x = arith::SubFOp::create(b, loc, x, take());
    x = arith::MulFOp::create(b, loc, x, factor);
    if (scale)
      x = arith::MulFOp::create(b, loc, x, take());
    if (bias)
      x = arith::AddFOp::create(b, loc, x, take());
    return narrowTo(b, loc, x, element);
  });
}

/// The mean of the elements over `dims`, and the mean of their squared deviations.
std::pair<Value, Value> meanAndVariance(Lowering &lowering, Value input, ArrayRef<int64_t> dims, Type wide) {
  Value mean = meanOver(lowering, input, dims, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return widenTo(b, loc, args[0], wide);
  });
  Value variance =
      meanOver(lowering, {input, mean}, dims, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value x = widenTo(b, loc, args[0], wide), difference = arith::SubFOp::create(b, loc, x, args[1]);
        return arith::MulFOp::create(b, loc, difference, difference);
      });
  return {mean, variance};
}

struct LowerLayerNorm : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LayerNormOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t rank = op.getType().getRank();
    Type wide = widened(op.getType().getElementType());
    SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, op.getAxis()));
    SmallVector<int64_t> normalized = llvm::to_vector(llvm::seq<int64_t>(op.getAxis(), rank));
    auto [mean, variance] = meanAndVariance(lowering, op.getInput(), normalized, wide);
    Value inverse = inverseRoot(lowering, variance, op.getEpsilon().convertToDouble(), wide);
    MLIRContext *context = rewriter.getContext();
    replace(rewriter, op,
            normalize(lowering, op.getInput(), mean, inverse, mapWithout(rank, normalized, context), op.getScale(),
                      op.getBias(), mapWithout(rank, rows, context)));
    return success();
  }
};

struct LowerRmsNorm : OpRewritePattern<RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RmsNormOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t rank = op.getType().getRank();
    Type wide = widened(op.getType().getElementType());
    SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, op.getAxis()));
    SmallVector<int64_t> normalized = llvm::to_vector(llvm::seq<int64_t>(op.getAxis(), rank));
    Value squares =
        meanOver(lowering, op.getInput(), normalized, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value x = widenTo(b, loc, args[0], wide);
          return arith::MulFOp::create(b, loc, x, x);
        });
    Value inverse = inverseRoot(lowering, squares, op.getEpsilon().convertToDouble(), wide);
    replace(rewriter, op,
            normalize(lowering, op.getInput(), Value(), inverse, mapWithout(rank, normalized, rewriter.getContext()),
                      op.getScale(), Value(), mapWithout(rank, rows, rewriter.getContext())));
    return success();
  }
};

struct LowerBatchNorm : OpRewritePattern<BatchNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchNormOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t rank = op.getType().getRank();
    Type wide = widened(op.getType().getElementType());
    Value inverse = inverseRoot(lowering, op.getVariance(), op.getEpsilon().convertToDouble(), wide);
    AffineMap channel = AffineMap::get(rank, 0, rewriter.getAffineDimExpr(op.getAxis()));
    replace(rewriter, op,
            normalize(lowering, op.getInput(), op.getMean(), inverse, channel, op.getScale(), op.getBias(), channel));
    return success();
  }
};

/// The groups become a separate dimension, by reshapes that do not move data.
struct LowerGroupNorm : OpRewritePattern<GroupNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GroupNormOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t axis = op.getAxis(), groups = op.getGroups(), rank = op.getType().getRank() + 1;
    Type wide = widened(op.getType().getElementType());
    Value input = lowering.divided(op.getInput(), axis, groups);
    Value scale = op.getScale() ? lowering.divided(op.getScale(), 0, groups) : Value();
    Value bias = op.getBias() ? lowering.divided(op.getBias(), 0, groups) : Value();
    SmallVector<int64_t> normalized;
    for (int64_t dim = 1; dim < rank; ++dim)
      if (dim != axis)
        normalized.push_back(dim);

    auto [mean, variance] = meanAndVariance(lowering, input, normalized, wide);
    Value inverse = inverseRoot(lowering, variance, op.getEpsilon().convertToDouble(), wide);
    AffineMap channel = AffineMap::get(rank, 0, {rewriter.getAffineDimExpr(axis), rewriter.getAffineDimExpr(axis + 1)},
                                       rewriter.getContext());
    Value result = normalize(lowering, input, mean, inverse, mapWithout(rank, normalized, rewriter.getContext()), scale,
                             bias, channel);
    replace(rewriter, op, lowering.merged(result, axis));
    return success();
  }
};

} // namespace

void tolinalg::populateNormPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerLayerNorm, LowerRmsNorm, LowerBatchNorm, LowerGroupNorm>(patterns.getContext());
}
