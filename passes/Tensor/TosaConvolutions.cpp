//===- TosaConvolutions.cpp - convolutions whose weights have open sizes ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %r = tosa.conv3d %x, %w, %b, ... : (tensor<1x4x4x4x2xf32>, tensor<?x2x2x2x2xf32>, tensor<?xf32>, ...)
// After:
//   %sums = linalg.generic ins(%b) outs(tensor.empty(%channels))
//   %filter = linalg.transpose ins(%w) permutation = [1, 2, 3, 4, 0]
//   %r = linalg.conv_3d_ndhwc_dhwcf ins(%x, %filter) outs(%sums)
//
// Upstream's conversions lower these convolutions only if the weights and the bias have static sizes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"
#include "passes/Tensor/TosaToMica/Common.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

/// The rows, columns or planes that windows of `kernel` elements have in `extent` elements and their padding.
OpFoldResult positions(OpBuilder &builder, Location loc, OpFoldResult extent, OpFoldResult kernel,
                       ArrayRef<int64_t> pad, int64_t stride, int64_t dilation) {
  AffineExpr size, window;
  bindSymbols(builder.getContext(), size, window);
  AffineExpr room = size + (pad[0] + pad[1] - 1) - (window - 1) * dilation;
  return affine::makeComposedFoldedAffineApply(builder, loc, room.floorDiv(stride) + 1, {extent, kernel});
}

/// `image` with `pad` (before and after, per spatial dimension) elements of `border` around it.
Value padded(OpBuilder &builder, Location loc, Value image, ArrayRef<int64_t> pad, TypedAttr border) {
  if (llvm::all_of(pad, [](int64_t size) { return size == 0; }))
    return image;
  const int64_t rank = cast<RankedTensorType>(image.getType()).getRank();
  SmallVector<OpFoldResult> low(rank, builder.getIndexAttr(0)), high = low;
  for (int64_t dim = 1; dim < rank - 1; ++dim) {
    low[dim] = builder.getIndexAttr(pad[2 * (dim - 1)]);
    high[dim] = builder.getIndexAttr(pad[2 * (dim - 1) + 1]);
  }
  Value element = arith::ConstantOp::create(builder, loc, border);
  return tensor::PadOp::create(builder, loc, Type(), image, low, high, element);
}

/// A tensor.empty of `type`, whose dynamic sizes are those of `sizes`.
Value emptyOf(OpBuilder &builder, Location loc, RankedTensorType type, ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  return tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType(), dynamic);
}

/// `empty`, every position of which gets the element of `bias` that `map` says, in the type of the sums.
Value startFromBias(OpBuilder &builder, Location loc, Value bias, Value empty, AffineMap map) {
  auto type = cast<RankedTensorType>(empty.getType());
  SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
  SmallVector<AffineMap> maps{map, builder.getMultiDimIdentityMap(type.getRank())};
  Type sums = type.getElementType();
  return linalg::GenericOp::create(builder, loc, type, bias, empty, maps, parallel,
                                   [&](OpBuilder &inner, Location loc, ValueRange elements) {
                                     Value element = elements[0];
                                     if (element.getType() != sums)
                                       element = isa<FloatType>(sums)
                                                     ? arith::ExtFOp::create(inner, loc, sums, element).getResult()
                                                     : arith::ExtSIOp::create(inner, loc, sums, element).getResult();
                                     linalg::YieldOp::create(inner, loc, element);
                                   })
      .getResult(0);
}

/// The zero points of a convolution, as `_q` ops of linalg take them; nothing if both are 0.
struct ZeroPoints {
  int64_t image = 0, weight = 0;

  bool areZero() const { return image == 0 && weight == 0; }
  void append(OpBuilder &builder, Location loc, SmallVectorImpl<Value> &inputs) const {
    for (int64_t point : {image, weight})
      inputs.push_back(arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(point)));
  }
};

/// What every pattern asks of `op`; the zero points are set.
template <typename OpT> LogicalResult checkOpenWeights(PatternRewriter &rewriter, OpT op, ZeroPoints &zeros) {
  for (Value value : {Value(op.getInput()), Value(op.getWeight()), Value(op.getBias()), Value(op.getOutput())})
    if (!isa<RankedTensorType>(value.getType()))
      return rewriter.notifyMatchFailure(op, "the rank is not known");
  if (cast<ShapedType>(op.getWeight().getType()).hasStaticShape() &&
      cast<ShapedType>(op.getBias().getType()).hasStaticShape())
    return rewriter.notifyMatchFailure(op, "upstream lowers static weights");
  FailureOr<int64_t> image = op.getInputZeroPoint(), weight = op.getWeightZeroPoint();
  if (failed(image) || failed(weight))
    return rewriter.notifyMatchFailure(op, "a zero point is not constant");
  Type element = getElementTypeOrSelf(op.getInput().getType());
  zeros = isa<IntegerType>(element) ? ZeroPoints{*image, *weight} : ZeroPoints();
  return success();
}

template <typename OpT> TypedAttr borderOf(OpBuilder &builder, OpT op, const ZeroPoints &zeros) {
  Type element = getElementTypeOrSelf(op.getInput().getType());
  return isa<IntegerType>(element) ? TypedAttr(builder.getIntegerAttr(element, zeros.image))
                                   : builder.getZeroAttr(element);
}

/// Replaces `op` by `sums`, converted to the type of the result.
template <typename OpT> void replaceBySums(PatternRewriter &rewriter, OpT op, Value sums) {
  Type type = op.getType();
  if (getElementTypeOrSelf(type) == getElementTypeOrSelf(sums.getType()))
    rewriter.replaceOp(op, sums);
  else
    rewriter.replaceOpWithNewOp<tosa::CastOp>(op, type, sums);
}

/// The sizes of the result of `op`: those of its windows, whose sizes are in dimensions `kernelAt` on of the weights,
/// between the batch and `channels`.
template <typename OpT>
SmallVector<OpFoldResult> resultSizes(PatternRewriter &rewriter, OpT op, int64_t kernelAt, OpFoldResult channels) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> image = tensor::getMixedSizes(rewriter, loc, op.getInput());
  SmallVector<OpFoldResult> weight = tensor::getMixedSizes(rewriter, loc, op.getWeight());
  SmallVector<OpFoldResult> sizes{image.front()};
  for (size_t dim = 0; dim + 2 < image.size(); ++dim)
    sizes.push_back(positions(rewriter, loc, image[dim + 1], weight[kernelAt + dim], op.getPad().slice(2 * dim, 2),
                              op.getStride()[dim], op.getDilation()[dim]));
  sizes.push_back(channels);
  return sizes;
}

/// tosa.conv2d and tosa.conv3d, whose weights have the channels of the result first.
template <typename OpT, typename ConvOp, typename QuantizedOp> struct LowerOpenConv : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    ZeroPoints zeros;
    if (failed(checkOpenWeights(rewriter, op, zeros)))
      return failure();
    Location loc = op.getLoc();
    auto result = cast<RankedTensorType>(op.getType());
    OpFoldResult channels = tensor::getMixedSize(rewriter, loc, op.getWeight(), 0);
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op, /*kernelAt=*/1, channels);
    RankedTensorType sums = result.clone(op.getAccType());
    const int64_t rank = result.getRank();
    AffineMap byChannel = AffineMap::get(rank, 0, rewriter.getAffineDimExpr(rank - 1));
    Value start = startFromBias(rewriter, loc, repeatedBias(rewriter, loc, op.getBias(), channels),
                                emptyOf(rewriter, loc, sums, sizes), byChannel);

    Value weight = op.getWeight();
    if (rank == 5) { // linalg has no convolution of planes with the channels of the result first
      const SmallVector<int64_t> order{1, 2, 3, 4, 0};
      SmallVector<OpFoldResult> given = tensor::getMixedSizes(rewriter, loc, weight), moved;
      for (int64_t dim : order)
        moved.push_back(given[dim]);
      auto element = getElementTypeOrSelf(weight.getType());
      Value empty = tensor::EmptyOp::create(rewriter, loc, moved, element);
      weight = linalg::TransposeOp::create(rewriter, loc, weight, empty, order)->getResult(0);
    }
    SmallVector<Value> inputs{padded(rewriter, loc, op.getInput(), op.getPad(), borderOf(rewriter, op, zeros)), weight};
    auto strides = rewriter.getI64TensorAttr(op.getStride()), dilations = rewriter.getI64TensorAttr(op.getDilation());
    Value all;
    if (zeros.areZero()) {
      all = ConvOp::create(rewriter, loc, TypeRange{sums}, inputs, ValueRange{start}, strides, dilations).getResult(0);
    } else {
      zeros.append(rewriter, loc, inputs);
      all = QuantizedOp::create(rewriter, loc, TypeRange{sums}, inputs, ValueRange{start}, strides, dilations)
                .getResult(0);
    }
    replaceBySums(rewriter, op, all);
    return success();
  }
};

/// Weights HWCM; the channel of the result is c * M + m.
struct LowerOpenDepthwise : OpRewritePattern<tosa::DepthwiseConv2DOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::DepthwiseConv2DOp op, PatternRewriter &rewriter) const override {
    ZeroPoints zeros;
    if (failed(checkOpenWeights(rewriter, op, zeros)))
      return failure();
    Location loc = op.getLoc();
    auto result = cast<RankedTensorType>(op.getType()), filter = cast<RankedTensorType>(op.getWeight().getType());
    OpFoldResult groups = tensor::getMixedSize(rewriter, loc, op.getWeight(), 2),
                 each = tensor::getMixedSize(rewriter, loc, op.getWeight(), 3);
    AffineExpr first, second;
    bindSymbols(getContext(), first, second);
    OpFoldResult channels = affine::makeComposedFoldedAffineApply(rewriter, loc, first * second, {groups, each});

    // The sums of channel c, multiple m, start with bias c * M + m.
    Value bias = repeatedBias(rewriter, loc, op.getBias(), channels);
    SmallVector<int64_t> split{filter.getDimSize(2), filter.getDimSize(3)};
    auto splitType = RankedTensorType::get(split, getElementTypeOrSelf(bias.getType()));
    SmallVector<ReassociationIndices> both{{0, 1}};
    if (splitType.hasStaticShape() != cast<ShapedType>(bias.getType()).hasStaticShape()) {
      int64_t number = splitType.hasStaticShape() ? splitType.getNumElements() : ShapedType::kDynamic;
      bias = tensor::CastOp::create(rewriter, loc, RankedTensorType::get({number}, splitType.getElementType()), bias);
    }
    bias = tensor::ExpandShapeOp::create(rewriter, loc, splitType, bias, both, {groups, each});
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op, /*kernelAt=*/0, groups);
    sizes.push_back(each);
    SmallVector<int64_t> shape(result.getShape().drop_back());
    llvm::append_range(shape, split);
    auto sums = RankedTensorType::get(shape, op.getAccType());
    AffineMap byChannel =
        AffineMap::get(5, 0, {rewriter.getAffineDimExpr(3), rewriter.getAffineDimExpr(4)}, getContext());
    Value start = startFromBias(rewriter, loc, bias, emptyOf(rewriter, loc, sums, sizes), byChannel);

    SmallVector<Value> inputs{padded(rewriter, loc, op.getInput(), op.getPad(), borderOf(rewriter, op, zeros)),
                              op.getWeight()};
    auto strides = rewriter.getI64TensorAttr(op.getStride()), dilations = rewriter.getI64TensorAttr(op.getDilation());
    Value all;
    if (zeros.areZero()) {
      all = linalg::DepthwiseConv2DNhwcHwcmOp::create(rewriter, loc, TypeRange{sums}, inputs, ValueRange{start},
                                                      strides, dilations)
                .getResult(0);
    } else {
      zeros.append(rewriter, loc, inputs);
      all = linalg::DepthwiseConv2DNhwcHwcmQOp::create(rewriter, loc, TypeRange{sums}, inputs, ValueRange{start},
                                                       strides, dilations)
                .getResult(0);
    }
    SmallVector<ReassociationIndices> joined{{0}, {1}, {2}, {3, 4}};
    all = tensor::CollapseShapeOp::create(rewriter, loc, all, joined);
    RankedTensorType type = result.clone(op.getAccType());
    if (all.getType() != type)
      all = tensor::CastOp::create(rewriter, loc, type, all);
    replaceBySums(rewriter, op, all);
    return success();
  }
};

} // namespace

void mica::populateTosaConvolutionPatterns(RewritePatternSet &patterns) {
  patterns
      .add<LowerOpenConv<tosa::Conv2DOp, linalg::Conv2DNhwcFhwcOp, linalg::Conv2DNhwcFhwcQOp>,
           LowerOpenConv<tosa::Conv3DOp, linalg::Conv3DNdhwcDhwcfOp, linalg::Conv3DNdhwcDhwcfQOp>, LowerOpenDepthwise>(
          patterns.getContext());
}
