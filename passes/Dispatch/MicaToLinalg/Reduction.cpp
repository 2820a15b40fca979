//===- Reduction.cpp - lowering reductions and softmax -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Statistics of a row (its maximum, sum, mean, inverse deviation) are tensors without the reduced dimensions: divisions
// and square roots are then computed once per row, not once per element.
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

/// Applies `body`, which returns a value of type `element`, to every element of a tensor.
Value mapElements(Lowering &lowering, Value value, Type element, Body body) {
  auto type = cast<RankedTensorType>(value.getType());
  return lowering.parallel(value, lowering.builder.getMultiDimIdentityMap(type.getRank()),
                           tensor::getMixedSizes(lowering.builder, lowering.loc, value), element, body);
}

/// The last argument of a body is the accumulator.
Value accumulateSum(OpBuilder &b, Location loc, ValueRange args) { return sum(b, loc, args.back(), args[0]); }
Value accumulateMax(OpBuilder &b, Location loc, ValueRange args) { return larger(b, loc, args.back(), args[0]); }
Value accumulateMin(OpBuilder &b, Location loc, ValueRange args) { return smaller(b, loc, args.back(), args[0]); }
Value accumulateProduct(OpBuilder &b, Location loc, ValueRange args) {
  if (isa<FloatType>(args[0].getType()))
    return arith::MulFOp::create(b, loc, args.back(), args[0]);
  return arith::MulIOp::create(b, loc, args.back(), args[0]);
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
      // The type inferred from the operand, since the written type may have other static dimensions.
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

/// Before: `%r = mica.softmax %x axis = 1`. After: four generics: the row's maximum, `e^(x - max)`, the inverse of the
/// row's sum of these, and their product. Intermediates of elements narrower than f32 are f32.
struct LowerSoftmax : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value input = op.getInput();
    RankedTensorType type = op.getType();
    Type element = type.getElementType(), wide = widened(element);
    int64_t axis = op.getAxis();
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, op.getLoc(), input);
    SmallVector<AffineMap> maps = {rewriter.getMultiDimIdentityMap(type.getRank()),
                                   mapWithout(type.getRank(), axis, rewriter.getContext())};

    const auto marked = [&](Value value) {
      value.getDefiningOp()->setAttr(kSoftmaxAttr, rewriter.getUnitAttr());
      return value;
    };
    Value largest = lowering.reduce(input, axis, leastValue(element), [&](OpBuilder &b, Location loc, ValueRange args) {
      return marked(accumulateMax(b, loc, args));
    });
    Value powers = lowering.parallel({input, largest}, maps, sizes, wide,
                                     [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Value x = widenTo(b, loc, args[0], wide), most = widenTo(b, loc, args[1], wide);
                                       Value below = arith::SubFOp::create(b, loc, x, most);
                                       return marked(math::ExpOp::create(b, loc, below));
                                     });
    Value sums = lowering.reduce(powers, axis, zeroOf(lowering, wide), accumulateSum);
    Value inverse = mapElements(lowering, sums, wide, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      return arith::DivFOp::create(b, loc, number(b, loc, wide, 1), args[0]);
    });
    replace(rewriter, op,
            lowering.parallel({powers, inverse}, maps, sizes, element,
                              [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                Value quotient = arith::MulFOp::create(b, loc, args[0], args[1]);
                                return narrowTo(b, loc, quotient, element);
                              }));
    return success();
  }
};

} // namespace

void tolinalg::populateReductionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerReduce, LowerSoftmax>(patterns.getContext());
}
