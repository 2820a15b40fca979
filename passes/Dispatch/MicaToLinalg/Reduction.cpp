//===- Reduction.cpp - reductions and normalizations of mica to linalg -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Statistics of a row (its maximum, sum, mean, the inverse of its deviation) are tensors without the reduced dimensions:
// divisions and square roots then run once per row, over a vector of rows, and not once per element.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

/// Applies `body`, which gives a value of type `element`, to every element of a tensor.
Value mapElements(Lowering &lowering, Value value, Type element, Body body) {
  auto type = cast<RankedTensorType>(value.getType());
  return lowering.parallel(value, lowering.builder.getMultiDimIdentityMap(type.getRank()),
                           tensor::getMixedSizes(lowering.builder, lowering.loc, value), element, body);
}

Value mapElements(Lowering &lowering, Value value, Body body) {
  return mapElements(lowering, value, getElementTypeOrSelf(value.getType()), body);
}

/// The last of a body's arguments is what was combined so far.
Value accumulateSum(OpBuilder &b, Location loc, ValueRange args) { return sum(b, loc, args.back(), args[0]); }
Value accumulateMax(OpBuilder &b, Location loc, ValueRange args) { return larger(b, loc, args.back(), args[0]); }
Value accumulateMin(OpBuilder &b, Location loc, ValueRange args) { return smaller(b, loc, args.back(), args[0]); }
Value accumulateProduct(OpBuilder &b, Location loc, ValueRange args) {
  if (isa<FloatType>(args[0].getType()))
    return arith::MulFOp::create(b, loc, args.back(), args[0]);
  return arith::MulIOp::create(b, loc, args.back(), args[0]);
}

TypedAttr zeroOf(Lowering &lowering, Type element) { return lowering.builder.getZeroAttr(element); }
TypedAttr zeroOf(Lowering &lowering, Value value) { return zeroOf(lowering, getElementTypeOrSelf(value.getType())); }

/// The mean of `value`, reduced by `dims` from its sums.
Value meanOf(Lowering &lowering, Value value, Value sums, ArrayRef<int64_t> dims) {
  OpFoldResult count = lowering.product(value, dims);
  return mapElements(lowering, sums, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return arith::DivFOp::create(b, loc, args[0], asFloat(b, loc, count, args[0].getType()));
  });
}

struct LowerReduce : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The result without the reduced dimensions.
  static Value combine(Lowering &lowering, ReduceOp op) {
    Value input = op.getInput();
    ArrayRef<int64_t> dims = op.getDims();
    Type element = getElementTypeOrSelf(input), wide = widened(element);
    switch (op.getKind()) {
    case ReduceKind::Sum:
      return lowering.reduce(input, dims, zeroOf(lowering, element), accumulateSum);
    case ReduceKind::Prod:
      return lowering.reduce(input, dims, lowering.builder.getOneAttr(element), accumulateProduct);
    case ReduceKind::Max:
      return lowering.reduce(input, dims, leastValue(element), accumulateMax);
    case ReduceKind::Min:
      return lowering.reduce(input, dims, greatestValue(element), accumulateMin);
    case ReduceKind::Mean:
      // Rounded to the element type once, after the division.
      Value sums =
          lowering.reduce(input, dims, zeroOf(lowering, wide), [&](OpBuilder &b, Location loc, ValueRange args) {
            return sum(b, loc, args.back(), widenTo(b, loc, args[0], wide));
          });
      OpFoldResult count = lowering.product(input, dims);
      return mapElements(lowering, sums, element, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value mean = arith::DivFOp::create(b, loc, args[0], asFloat(b, loc, count, wide));
        return narrowTo(b, loc, mean, element);
      });
    }
    llvm_unreachable("all kinds are above");
  }

  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value result = combine(lowering, op);
    if (op.getKeepDims()) {
      // The type that follows from the operand, since the written one may know another set of dimensions.
      auto type = cast<RankedTensorType>(result.getType());
      SmallVector<int64_t> shape;
      for (int64_t dim = 0, next = 0, rank = op.getInput().getType().getRank(); dim < rank; ++dim)
        shape.push_back(llvm::is_contained(op.getDims(), dim) ? 1 : type.getDimSize(next++));
      SmallVector<OpFoldResult> sizes;
      for (int64_t dim = 0, next = 0, rank = shape.size(); dim < rank; ++dim)
        sizes.push_back(llvm::is_contained(op.getDims(), dim)
                            ? OpFoldResult(rewriter.getIndexAttr(1))
                            : tensor::getMixedSize(rewriter, op.getLoc(), result, next++));
      result =
          lowering.insertUnitDims(result, op.getDims(), RankedTensorType::get(shape, type.getElementType()), sizes);
    }
    replace(rewriter, op, result);
    return success();
  }
};

/// Before: `%r = mica.softmax %x axis = 1`. After: four generics, the row's maximum, `e^(x - max)`, the inverse of the
/// row's sum of these, and their product.
struct LowerSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value input = op.getInput();
    RankedTensorType type = op.getType();
    int64_t axis = op.getAxis();
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, op.getLoc(), input);
    SmallVector<AffineMap> maps = {rewriter.getMultiDimIdentityMap(type.getRank()),
                                   mapWithout(type.getRank(), axis, rewriter.getContext())};

    Value largest = lowering.reduce(input, axis, leastValue(type.getElementType()), accumulateMax);
    Value powers = lowering.parallel({input, largest}, maps, sizes, type.getElementType(),
                                     [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Value below = arith::SubFOp::create(b, loc, args[0], args[1]);
                                       return math::ExpOp::create(b, loc, below);
                                     });
    Value sums = lowering.reduce(powers, axis, zeroOf(lowering, input), accumulateSum);
    Value inverse = mapElements(lowering, sums, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
      return arith::DivFOp::create(b, loc, number(b, loc, args[0].getType(), 1), args[0]);
    });
    replace(rewriter, op,
            lowering.parallel({powers, inverse}, maps, sizes, type.getElementType(),
                              [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                return arith::MulFOp::create(b, loc, args[0], args[1]);
                              }));
    return success();
  }
};

/// After: the rows' sums, means, sums of squared differences, 1 / sqrt(variance + epsilon), then one pass over the input.
struct LowerLayerNorm : OpRewritePattern<LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LayerNormOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value input = op.getInput();
    RankedTensorType type = op.getType();
    Type element = type.getElementType();
    int64_t rank = type.getRank();
    SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, op.getAxis()));
    SmallVector<int64_t> normalized = llvm::to_vector(llvm::seq<int64_t>(op.getAxis(), rank));

    Value sums = lowering.reduce(input, normalized, zeroOf(lowering, input), accumulateSum);
    Value mean = meanOf(lowering, input, sums, normalized);
    Value squares = lowering.reduce({input, mean}, normalized, zeroOf(lowering, input),
                                    [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                      Value difference = arith::SubFOp::create(b, loc, args[0], args[1]);
                                      Value square = arith::MulFOp::create(b, loc, difference, difference);
                                      return arith::AddFOp::create(b, loc, args[2], square);
                                    });
    OpFoldResult count = lowering.product(input, normalized);
    double epsilon = op.getEpsilon().convertToDouble();
    Value inverse = mapElements(lowering, squares, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Value variance = arith::DivFOp::create(b, loc, args[0], asFloat(b, loc, count, element));
      Value raised = arith::AddFOp::create(b, loc, variance, number(b, loc, element, epsilon));
      Value deviation = math::SqrtOp::create(b, loc, raised);
      return arith::DivFOp::create(b, loc, number(b, loc, element, 1), deviation);
    });

    AffineMap rowMap = mapWithout(rank, normalized, rewriter.getContext());
    AffineMap parameterMap = mapWithout(rank, rows, rewriter.getContext());
    SmallVector<Value> inputs = {input, mean, inverse};
    SmallVector<AffineMap> maps = {rewriter.getMultiDimIdentityMap(rank), rowMap, rowMap};
    for (Value parameter : {op.getScale(), op.getBias()}) {
      if (!parameter)
        continue;
      inputs.push_back(parameter);
      maps.push_back(parameterMap);
    }
    bool hasScale = static_cast<bool>(op.getScale()), hasBias = static_cast<bool>(op.getBias());
    auto normalize = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Value difference = arith::SubFOp::create(b, loc, args[0], args[1]);
      Value result = arith::MulFOp::create(b, loc, difference, args[2]);
      if (hasScale)
        result = arith::MulFOp::create(b, loc, result, args[3]);
      if (hasBias)
        result = arith::AddFOp::create(b, loc, result, args[hasScale ? 4 : 3]);
      return result;
    };
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, op.getLoc(), input);
    replace(rewriter, op, lowering.parallel(inputs, maps, sizes, element, normalize));
    return success();
  }
};

} // namespace

void tolinalg::populateReductionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerReduce, LowerSoftmax, LowerLayerNorm>(patterns.getContext());
}
