//===- Axis.cpp - lowering ops along one dimension ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// argmax becomes two reductions: the largest element, then the smallest position with this value.
//
// cumsum is one linalg.generic with two results, the sum so far and its values:
//
//   %0 = mica.cumsum %x axis = 1 : tensor<4x9xf32>
//   ->
//   %s, %0 = linalg.generic (i parallel, j reduction) ins(%x[i, j]) outs(%zero[i], %empty[i, j]) {
//     %sum = arith.addf %so_far, %x
//     linalg.yield %sum, %sum
//   }
//
// The second result is indexed by the reduction loop, whose iterations therefore run in order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;
using utils::IteratorType;

namespace {

template <typename OpTy> struct LowerArg : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  static constexpr bool kLargest = std::is_same_v<OpTy, ArgMaxOp>;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Value input = op.getInput();
    Type element = op.getInput().getType().getElementType(), position = op.getType().getElementType();
    int64_t axis = op.getAxis();
    Value best =
        lowering.reduce(input, axis, kLargest ? leastValue(element) : greatestValue(element),
                        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                          return kLargest ? larger(b, loc, args[1], args[0]) : smaller(b, loc, args[1], args[0]);
                        });
    Value found = lowering.reduce(
        {input, best}, axis, greatestValue(position), [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value isBest;
          if (isa<FloatType>(element)) {
            // If the maximum is NaN, it compares unequal to everything, so NaN elements are matched explicitly.
            Value equal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, args[0], args[1]);
            Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, args[0], args[0]);
            isBest = arith::OrIOp::create(b, loc, equal, isNan);
          } else {
            isBest = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, args[0], args[1]);
          }
          Value here = linalg::IndexOp::create(b, loc, axis);
          Value candidate = arith::IndexCastOp::create(b, loc, position, here);
          Value none = arith::ConstantOp::create(b, loc, greatestValue(position));
          Value chosen = arith::SelectOp::create(b, loc, isBest, candidate, none);
          return smaller(b, loc, args[2], chosen);
        });
    replace(rewriter, op, op.getKeepDims() ? lowering.insertUnitDims(found, axis, input) : found);
    return success();
  }
};

struct LowerCumSum : OpRewritePattern<CumSumOp> {
  using OpRewritePattern::OpRewritePattern;

  /// `value` in reverse order along `axis`.
  static Value reversed(Lowering &lowering, Value value, int64_t axis) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(lowering.builder, lowering.loc, value);
    return lowering.parallel({}, {}, sizes, type.getElementType(),
                             [&](OpBuilder &b, Location loc, ValueRange) -> Value {
                               SmallVector<Value> from;
                               for (int64_t dim = 0; dim < type.getRank(); ++dim)
                                 from.push_back(linalg::IndexOp::create(b, loc, dim));
                               Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[axis]);
                               Value one = arith::ConstantIndexOp::create(b, loc, 1);
                               Value last = arith::SubIOp::create(b, loc, size, one);
                               from[axis] = arith::SubIOp::create(b, loc, last, from[axis]);
                               return tensor::ExtractOp::create(b, loc, value, from);
                             });
  }

  LogicalResult matchAndRewrite(CumSumOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Location loc = op.getLoc();
    int64_t axis = op.getAxis(), rank = op.getType().getRank();
    Type element = op.getType().getElementType(), wide = widened(element);
    Value input = op.getReverse() ? reversed(lowering, op.getInput(), axis) : Value(op.getInput());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, input), rowSizes = sizes;
    rowSizes.erase(rowSizes.begin() + axis);
    Value start = lowering.filled(rowSizes, cast<TypedAttr>(rewriter.getZeroAttr(wide)));
    Value empty = lowering.empty(sizes, element);
    AffineMap all = rewriter.getMultiDimIdentityMap(rank), row = mapWithout(rank, axis, rewriter.getContext());
    SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
    iterators[axis] = IteratorType::reduction;
    auto scan = linalg::GenericOp::create(
        rewriter, loc, TypeRange{start.getType(), empty.getType()}, input, ValueRange{start, empty},
        ArrayRef<AffineMap>{all, row, all}, iterators, [&](OpBuilder &b, Location bodyLoc, ValueRange args) {
          Value x = widenTo(b, bodyLoc, args[0], wide), after = sum(b, bodyLoc, args[1], x);
          Value written = narrowTo(b, bodyLoc, op.getExclusive() ? args[1] : after, element);
          linalg::YieldOp::create(b, bodyLoc, ValueRange{after, written});
        });
    Value result = scan.getResult(1);
    replace(rewriter, op, op.getReverse() ? reversed(lowering, result, axis) : result);
    return success();
  }
};

} // namespace

void tolinalg::populateAxisPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerArg<ArgMaxOp>, LowerArg<ArgMinOp>, LowerCumSum>(patterns.getContext());
}
