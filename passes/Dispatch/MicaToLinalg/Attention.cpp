//===- Attention.cpp - lowering attention and rotary embeddings --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Attention is two matmuls and a softmax. With query [b, h, s, d], key [b, g, t, d] and value [b, g, t, e], all heads
// of a group are rows of one matmul:
//   scores  = mica.matmul [b*g, h/g*s, d] x [b*g, t, d] transposed
//   scores  = linalg.generic over [b, g, h/g, s, t]: times scale, plus mask, -inf where causal
//   weights = mica.softmax
//   result  = mica.matmul [b*g, h/g*s, t] x [b*g, t, e]
// The matmuls and the softmax are lowered with all others.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

/// Reshapes with the location of one operation. Known sizes are static in the type.
class Shapes {
public:
  explicit Shapes(Lowering &lowering) : builder(lowering.builder), loc(lowering.loc) {}

  Value collapse(Value value, ArrayRef<ReassociationIndices> groups) {
    return tensor::CollapseShapeOp::create(builder, loc, value, groups);
  }
  Value expand(Value value, ArrayRef<ReassociationIndices> groups, ArrayRef<OpFoldResult> sizes) {
    return expandTo(builder, loc, value, groups, sizes);
  }

private:
  OpBuilder &builder;
  Location loc;
};

struct LowerAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Lowering lowering(rewriter, loc);
    Shapes shapes(lowering);
    auto size = [&](Value value, int64_t dim) { return tensor::getMixedSize(rewriter, loc, value, dim); };
    int64_t heads = op.getQuery().getType().getDimSize(1), groups = op.getKey().getType().getDimSize(1);
    int64_t shared = heads / groups;
    OpFoldResult b = size(op.getQuery(), 0), s = size(op.getQuery(), 2), t = size(op.getKey(), 2);
    OpFoldResult g = rewriter.getIndexAttr(groups), n = rewriter.getIndexAttr(shared);

    // [b, h, s, x] as [b * g, h / g * s, x], and [b, g, t, x] as [b * g, t, x].
    const SmallVector<ReassociationIndices> byHead = {{0, 1}, {2}, {3}}, byGroup = {{0, 1}, {2, 3}, {4}},
                                            split = {{0}, {1, 2}, {3}, {4}};
    Value query = op.getQuery();
    if (shared > 1)
      query = shapes.collapse(shapes.expand(query, split, {b, g, n, s, size(query, 3)}), byGroup);
    else
      query = shapes.collapse(query, byHead);
    Value key = shapes.collapse(op.getKey(), byHead), value = shapes.collapse(op.getValue(), byHead);

    Value scores = product(lowering, query, key, /*transposed=*/true);
    bool positioned = op.getMask() || op.getCausal();
    SmallVector<OpFoldResult> whole = {b, g, n, s, t};
    if (shared == 1)
      whole.erase(whole.begin() + 2);
    if (positioned)
      scores = shapes.expand(scores, shared > 1 ? byGroup : byHead, whole);
    scores = scaled(op, lowering, shapes, scores, shared > 1);
    Value weights = SoftmaxOp::create(rewriter, loc, scores.getType(), scores, typeOf(scores).getRank() - 1);
    if (positioned)
      weights = shapes.collapse(weights, shared > 1 ? byGroup : byHead);

    Value result = product(lowering, weights, value, /*transposed=*/false);
    whole.back() = size(op.getValue(), 3);
    result = shapes.expand(result, shared > 1 ? byGroup : byHead, whole);
    if (shared > 1)
      result = shapes.collapse(result, split);
    if (Type element = op.getType().getElementType(); element != typeOf(result).getElementType())
      result = lowering.parallel(
          result, rewriter.getMultiDimIdentityMap(4), tensor::getMixedSizes(rewriter, loc, result), element,
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value { return narrowTo(b, loc, args[0], element); });
    replace(rewriter, op, result);
    return success();
  }

private:
  /// A batched matrix product in the accumulator type: narrower elements are extended in its body, and nothing is
  /// rounded between here and the result of the attention.
  static Value product(Lowering &lowering, Value lhs, Value rhs, bool transposed) {
    OpBuilder &builder = lowering.builder;
    Location loc = lowering.loc;
    Value init =
        lowering.filled({tensor::getMixedSize(builder, loc, lhs, 0), tensor::getMixedSize(builder, loc, lhs, 1),
                         tensor::getMixedSize(builder, loc, rhs, transposed ? 1 : 2)},
                        builder.getFloatAttr(widened(typeOf(lhs).getElementType()), 0));
    auto product = linalg::BatchMatmulOp::create(builder, loc, init.getType(), ValueRange{lhs, rhs}, ValueRange{init});
    if (transposed) {
      AffineExpr b, m, n, k;
      bindDims(builder.getContext(), b, m, n, k);
      auto map = [&](ArrayRef<AffineExpr> exprs) { return AffineMap::get(4, 0, exprs, builder.getContext()); };
      product.setIndexingMapsAttr(builder.getAffineMapArrayAttr({map({b, m, k}), map({b, n, k}), map({b, m, n})}));
    }
    return product.getResult(0);
  }

  /// The scores times the scale, plus the mask, and -inf where `causal` excludes a key. Their last dimensions are s and
  /// t.
  static Value scaled(AttentionOp op, Lowering &lowering, Shapes &shapes, Value scores, bool grouped) {
    OpBuilder &builder = lowering.builder;
    int64_t rank = typeOf(scores).getRank();
    auto element = cast<FloatType>(typeOf(scores).getElementType());
    double scale = op.getScale() ? op.getScale()->convertToDouble() : 1 / std::sqrt(double(headSize(op)));
    SmallVector<Value> inputs = {scores};
    SmallVector<AffineMap> maps = {builder.getMultiDimIdentityMap(rank)};
    Value mask = op.getMask();
    if (mask) {
      inputs.push_back(mask);
      maps.push_back(maskMap(lowering, shapes, inputs.back(), op, grouped, rank));
    }
    if (op.getPosition()) {
      inputs.push_back(op.getPosition());
      maps.push_back(AffineMap::get(rank, 0, builder.getContext()));
    }
    OpFoldResult distance;
    if (op.getCausal() && !op.getPosition()) {
      AffineExpr t, s;
      bindSymbols(builder.getContext(), t, s);
      distance = affine::makeComposedFoldedAffineApply(builder, lowering.loc, t - s,
                                                       {tensor::getMixedSize(builder, lowering.loc, op.getKey(), 2),
                                                        tensor::getMixedSize(builder, lowering.loc, op.getQuery(), 2)});
    }
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, lowering.loc, scores);
    return lowering.parallel(inputs, maps, sizes, element, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Value score = arith::MulFOp::create(b, loc, args[0], number(b, loc, element, scale));
      Value never = number(b, loc, element, -std::numeric_limits<double>::infinity());
      if (mask && typeOf(mask).getElementType().isInteger(1))
        score = arith::SelectOp::create(b, loc, args[1], score, never);
      else if (mask)
        score = arith::AddFOp::create(b, loc, score, widenTo(b, loc, args[1], element));
      if (!op.getCausal())
        return score;
      Value from = linalg::IndexOp::create(b, loc, rank - 2), to = linalg::IndexOp::create(b, loc, rank - 1);
      Value behind = distance
                         ? getValueOrCreateConstantIndexOp(b, loc, distance)
                         : arith::IndexCastOp::create(b, loc, b.getIndexType(), args[inputs.size() - 1]).getResult();
      Value last = arith::AddIOp::create(b, loc, from, behind);
      Value seen = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, to, last);
      return arith::SelectOp::create(b, loc, seen, score, never);
    });
  }

  static int64_t headSize(AttentionOp op) {
    int64_t size = op.getQuery().getType().getDimSize(3);
    return ShapedType::isDynamic(size) ? op.getKey().getType().getDimSize(3) : size;
  }

  /// The indexing map of the mask's non-broadcast dimensions over the loops of the scores; drops the others from
  /// `mask`, and splits its heads like those of the scores.
  static AffineMap maskMap(Lowering &lowering, Shapes &shapes, Value &mask, AttentionOp op, bool grouped,
                           int64_t rank) {
    OpBuilder &builder = lowering.builder;
    int64_t missing = 4 - typeOf(mask).getRank(), groups = op.getKey().getType().getDimSize(1);
    SmallVector<int64_t> repeated;
    SmallVector<AffineExpr> exprs;
    SmallVector<OpFoldResult> sizes;
    SmallVector<ReassociationIndices> split;
    bool splits = false;
    for (auto [dim, size] : llvm::enumerate(typeOf(mask).getShape())) {
      int64_t of = dim + missing;
      if (size == 1) {
        repeated.push_back(dim);
        continue;
      }
      ReassociationIndices &group = split.emplace_back();
      auto add = [&](int64_t loop, OpFoldResult loopSize) {
        group.push_back(exprs.size());
        exprs.push_back(builder.getAffineDimExpr(loop));
        sizes.push_back(loopSize);
      };
      if (of == 1 && grouped) {
        splits = true;
        add(1, builder.getIndexAttr(groups));
        add(2, builder.getIndexAttr(op.getQuery().getType().getDimSize(1) / groups));
      } else {
        add(of < 2 ? of : rank - 4 + of, tensor::getMixedSize(builder, lowering.loc, mask, dim));
      }
    }
    mask = lowering.dropUnitDims(mask, repeated);
    if (splits)
      mask = shapes.expand(mask, split, sizes);
    return AffineMap::get(rank, 0, exprs, builder.getContext());
  }
};

/// Before: `mica.rope %x cos %c sin %s : (tensor<8x64xf32>, tensor<8x32xf32>, tensor<8x32xf32>) -> ...`. After: the
/// pairs as a dimension, `tensor<8x2x32xf32>`, and one loop that reads each element and the other one of its pair.
struct LowerRope : OpRewritePattern<RopeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RopeOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Lowering lowering(rewriter, loc);
    Shapes shapes(lowering);
    RankedTensorType type = op.getType();
    Type wide = widened(type.getElementType());
    int64_t rank = type.getRank(), half = type.getDimSize(rank - 1) / 2;
    // Loops: those of the input except the last, then the position within the pair and the number of the pair, or in
    // the other order.
    int64_t which = op.getInterleaved() ? rank : rank - 1, pair = op.getInterleaved() ? rank - 1 : rank;
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, op.getInput());
    sizes.pop_back();
    sizes.resize(rank + 1);
    sizes[which] = rewriter.getIndexAttr(2);
    sizes[pair] = rewriter.getIndexAttr(half);
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < rank; ++dim)
      groups.push_back({dim});
    groups.back().push_back(rank);

    Value input = shapes.expand(op.getInput(), groups, sizes);
    AffineMap table = AffineMap::get(
        rank + 1, 0, {rewriter.getAffineDimExpr(rank - 2), rewriter.getAffineDimExpr(pair)}, rewriter.getContext());
    auto rotate = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      SmallVector<Value> position;
      for (int64_t dim = 0; dim <= rank; ++dim)
        position.push_back(linalg::IndexOp::create(b, loc, dim));
      Value one = arith::ConstantIndexOp::create(b, loc, 1), zero = arith::ConstantIndexOp::create(b, loc, 0);
      Value first = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, position[which], zero);
      position[which] = arith::SubIOp::create(b, loc, one, position[which]);
      Value other = tensor::ExtractOp::create(b, loc, input, position);
      Value kept = arith::MulFOp::create(b, loc, widenTo(b, loc, args[0], wide), widenTo(b, loc, args[1], wide));
      Value added = arith::MulFOp::create(b, loc, widenTo(b, loc, other, wide), widenTo(b, loc, args[2], wide));
      Value removed = arith::NegFOp::create(b, loc, added);
      Value turned = arith::AddFOp::create(b, loc, kept, arith::SelectOp::create(b, loc, first, removed, added));
      return narrowTo(b, loc, turned, type.getElementType());
    };
    Value rotated =
        lowering.parallel({input, op.getCos(), op.getSin()}, {rewriter.getMultiDimIdentityMap(rank + 1), table, table},
                          sizes, type.getElementType(), rotate);
    replace(rewriter, op, shapes.collapse(rotated, groups));
    return success();
  }
};

} // namespace

void tolinalg::populateAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerAttention>(patterns.getContext());
}

void tolinalg::populateRopePatterns(RewritePatternSet &patterns) { patterns.add<LowerRope>(patterns.getContext()); }
