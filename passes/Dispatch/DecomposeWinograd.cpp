//===- DecomposeWinograd.cpp - decomposing Winograd's transforms to matmuls --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A transform multiplies the tiles of an image by a constant matrix from the left and by its transpose from the right.
// Each of the two becomes one contraction over the whole image, with channels as its innermost loop:
//
//   %r = linalg.winograd_filter_transform fmr(F_4_3) ins(%g : tensor<Fx3x3xC>) outs(..) -> tensor<6x6xCxF>
//   =>
//   %t[x, w, c, f] = sum over h of G[x, h] * %g[f, h, w, c]
//   %r[x, y, c, f] = sum over w of G[y, w] * %t[x, w, c, f]
//
// Upstream's decomposition is a loop nest around slices of single tiles, each of which would become a separate kernel,
// and its matrices have the accuracy of f32. Here they are exact in the accumulator type, f32 or f64.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/DecomposeWinograd.h"

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;
using utils::IteratorType;

namespace {

/// A matrix of integers with a common denominator, row by row.
struct Matrix {
  int64_t rows, columns;
  ArrayRef<int> numerators;
  int denominator;
};

/// G, B^T and A^T of F(m, r), with MLIR's scaling of their rows.
struct Algorithm {
  Matrix filter, input, output;
};

constexpr int filter23[] = {-2, 0, 0, 1, -1, 1, 1, 1, 1, 0, 0, 2};
constexpr int input23[] = {-1, 0, 1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, -1, 0, 1};
constexpr int output23[] = {1, 1, 1, 0, 0, -1, 1, 1};

constexpr int filter43[] = {12, 0, 0, -4, 4, -4, -4, -4, -4, 1, -2, 4, 1, 2, 4, 0, 0, 12};
constexpr int input43[] = {4, 0, -5, 0,  1, 0, 0, 4,  -4, -1, 1, 0, 0, -4, -4, 1,  1, 0,
                           0, 4, -2, -4, 2, 0, 0, -4, -2, 4,  2, 0, 0, 4,  0,  -5, 0, 1};
constexpr int output43[] = {4, 8, 8, 4, 4, 0, 0, -8, 8, -8, 8, 0, 0, 8, 8, 16, 16, 0, 0, -8, 8, -32, 32, 16};

constexpr int filter25[] = {60,  0, 0,  0, 0,  10, -10, 10, -10, 10, -10, -10, -10, -10, -10,
                            -16, 8, -4, 2, -1, 1,  2,   4,  8,   16, 0,   0,   0,   0,   60};
constexpr int input25[] = {2, 3, -4, -3, 2, 0, 0, 2,  1,  -5, 2, 0, 0, -2, -5, -1, 2,  0,
                           0, 4, -2, -4, 2, 0, 0, -2, -4, 2,  4, 0, 0, 2,  3,  -4, -3, 2};
constexpr int output25[] = {8, 16, 16, 32, 16, 0, 0, -16, 16, -16, 32, 8};

/// The identity, for a dimension that is not transformed.
constexpr int one[] = {1};
Matrix unit() { return {1, 1, one, 1}; }

Algorithm algorithmOf(linalg::WinogradConv2DFmr fmr) {
  switch (fmr) {
  case linalg::WinogradConv2DFmr::F_2_3:
    return {{4, 3, filter23, 2}, {4, 4, input23, 1}, {2, 4, output23, 1}};
  case linalg::WinogradConv2DFmr::F_4_3:
    return {{6, 3, filter43, 12}, {6, 6, input43, 16}, {4, 6, output43, 1}};
  case linalg::WinogradConv2DFmr::F_2_5:
    return {{6, 5, filter25, 60}, {6, 6, input25, 16}, {2, 6, output25, 1}};
  }
  llvm_unreachable("all algorithms are above");
}

/// Builds the contractions of one transform.
class Products : public Lowering {
public:
  Products(OpBuilder &builder, Location loc, Type element)
      : Lowering(builder, loc), element(element), wide(widened(element)) {}

  /// The accumulator type.
  Type wideType() const { return wide; }
  OpFoldResult size(Value value, int64_t dim) { return tensor::getMixedSize(builder, loc, value, dim); }
  OpFoldResult index(int64_t value) { return builder.getIndexAttr(value); }
  AffineExpr loop(unsigned number) { return builder.getAffineDimExpr(number); }

  /// A tensor of `sizes`, one parallel loop for each: reduces, over one more loop, the last, matrix[loop `row`, last]
  /// times the element of `value` at `position`.
  Value multiply(const Matrix &matrix, unsigned row, Value value, ArrayRef<AffineExpr> position,
                 ArrayRef<OpFoldResult> sizes) {
    SmallVector<APFloat> numbers;
    for (int numerator : matrix.numerators) {
      APFloat &number = numbers.emplace_back(double(numerator) / matrix.denominator);
      bool inexact;
      number.convert(cast<FloatType>(wide).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    }
    Value factors = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(RankedTensorType::get({matrix.rows, matrix.columns}, wide), numbers));
    unsigned summed = sizes.size();
    MLIRContext *context = builder.getContext();
    SmallVector<AffineMap> maps = {AffineMap::get(summed + 1, 0, {loop(row), loop(summed)}, context),
                                   AffineMap::get(summed + 1, 0, position, context),
                                   mapWithout(summed + 1, summed, context)};
    SmallVector<IteratorType> iterators(summed, IteratorType::parallel);
    iterators.push_back(IteratorType::reduction);
    return generic({factors, value}, filled(sizes, cast<TypedAttr>(builder.getZeroAttr(wide))), maps, iterators,
                   [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                     Value product = arith::MulFOp::create(b, loc, args[0], widenTo(b, loc, args[1], wide));
                     return arith::AddFOp::create(b, loc, args[2], product);
                   });
  }

  /// Converts the sums to the element type and adds `added`, if given.
  Value finish(Value sums, Value added = {}) {
    if (!added && wide == element)
      return sums;
    int64_t rank = cast<RankedTensorType>(sums.getType()).getRank();
    SmallVector<Value> inputs = {sums};
    if (added)
      inputs.push_back(added);
    SmallVector<AffineMap> maps(inputs.size(), builder.getMultiDimIdentityMap(rank));
    return parallel(inputs, maps, tensor::getMixedSizes(builder, loc, sums), element,
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      Value total = args[0];
                      if (added)
                        total = arith::AddFOp::create(b, loc, total, widenTo(b, loc, args[1], wide));
                      return narrowTo(b, loc, total, element);
                    });
  }

private:
  Type element, wide;
};

int64_t dimOf(Value value, int64_t dim) { return cast<RankedTensorType>(value.getType()).getDimSize(dim); }

template <typename Op> bool isFloatOnTensors(Op op) {
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  return type && isa<FloatType>(type.getElementType());
}

struct DecomposeFilter : OpRewritePattern<linalg::WinogradFilterTransformOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::WinogradFilterTransformOp op, PatternRewriter &rewriter) const override {
    if (!isFloatOnTensors(op))
      return rewriter.notifyMatchFailure(op, "not on tensors of floats");
    Products p(rewriter, op.getLoc(), getElementTypeOrSelf(op.getResult().getType()));
    Value filter = op.getFilter();
    Matrix matrix = algorithmOf(op.getFmr()).filter;
    Matrix left = dimOf(filter, 1) == 1 ? unit() : matrix, right = dimOf(filter, 2) == 1 ? unit() : matrix;
    OpFoldResult f = p.size(filter, 0), c = p.size(filter, 3);
    // Loops of the first: x, w, c, f, then h. Of the second: x, y, c, f, then w.
    Value half = p.multiply(left, 0, filter, {p.loop(3), p.loop(4), p.loop(1), p.loop(2)},
                            {p.index(left.rows), p.size(filter, 2), c, f});
    Value sums = p.multiply(right, 1, half, {p.loop(0), p.loop(4), p.loop(2), p.loop(3)},
                            {p.index(left.rows), p.index(right.rows), c, f});
    replace(rewriter, op, p.finish(sums));
    return success();
  }
};

struct DecomposeInput : OpRewritePattern<linalg::WinogradInputTransformOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::WinogradInputTransformOp op, PatternRewriter &rewriter) const override {
    if (!isFloatOnTensors(op))
      return rewriter.notifyMatchFailure(op, "not on tensors of floats");
    Products p(rewriter, op.getLoc(), getElementTypeOrSelf(op.getResult().getType()));
    Value input = op.getInput(), output = op.getOutput();
    Algorithm algorithm = algorithmOf(op.getFmr());
    bool byRow = dimOf(output, 0) != 1, byColumn = dimOf(output, 1) != 1;
    Matrix left = byRow ? algorithm.input : unit(), right = byColumn ? algorithm.input : unit();
    int64_t down = byRow ? algorithm.output.rows : 1, across = byColumn ? algorithm.output.rows : 1;
    OpFoldResult s = p.size(output, 2), t = p.size(output, 3), n = p.size(input, 0), c = p.size(input, 3);
    // Loops of the first: x, s, n, w, c, then h. Of the second: x, y, s, t, n, c, then w.
    Value half = p.multiply(left, 0, input, {p.loop(2), p.loop(1) * down + p.loop(5), p.loop(3), p.loop(4)},
                            {p.index(left.rows), s, n, p.size(input, 2), c});
    Value sums =
        p.multiply(right, 1, half, {p.loop(0), p.loop(2), p.loop(4), p.loop(3) * across + p.loop(6), p.loop(5)},
                   {p.index(left.rows), p.index(right.rows), s, t, n, c});
    replace(rewriter, op, p.finish(sums));
    return success();
  }
};

struct DecomposeOutput : OpRewritePattern<linalg::WinogradOutputTransformOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::WinogradOutputTransformOp op, PatternRewriter &rewriter) const override {
    if (!isFloatOnTensors(op))
      return rewriter.notifyMatchFailure(op, "not on tensors of floats");
    auto type = cast<RankedTensorType>(op.getResult().getType());
    Products p(rewriter, op.getLoc(), type.getElementType());
    Value value = op.getValue();
    Matrix matrix = algorithmOf(op.getFmr()).output;
    Matrix left = dimOf(value, 0) == 1 ? unit() : matrix, right = dimOf(value, 1) == 1 ? unit() : matrix;
    OpFoldResult s = p.size(value, 2), t = p.size(value, 3), n = p.size(value, 4), f = p.size(value, 5);
    // Loops of the first: n, s, h, t, y, f, then x. Of the second: n, s, h, t, w, f, then y.
    Value half = p.multiply(left, 2, value, {p.loop(6), p.loop(4), p.loop(1), p.loop(3), p.loop(0), p.loop(5)},
                            {n, s, p.index(left.rows), t, p.size(value, 1), f});
    Value sums = p.multiply(right, 4, half, {p.loop(0), p.loop(1), p.loop(2), p.loop(3), p.loop(6), p.loop(5)},
                            {n, s, p.index(left.rows), t, p.index(right.rows), f});
    Value image = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), sums,
                                                  SmallVector<ReassociationIndices>{{0}, {1, 2}, {3, 4}, {5}});
    replace(rewriter, op, p.finish(castTo(rewriter, op.getLoc(), image, type.clone(p.wideType())), op.getOutput()));
    return success();
  }
};

} // namespace

void mica::populateDecomposeWinogradPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeFilter, DecomposeInput, DecomposeOutput>(patterns.getContext());
}
