//===- Windows.cpp - converting tosa convolutions, pooling, pad and resize to mica ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The filter of a depthwise convolution, which has the results of each channel in a separate dimension, is reshaped to
// that of a grouped convolution; the borders that a transposed convolution adds are negative pads:
//
//   %0 = tosa.depthwise_conv2d %x, %w, ... : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, ...) -> tensor<1x6x6x8xf32>
//   ->
//   %1 = mica.reshape %w : (tensor<3x3x4x2xf32>) -> tensor<3x3x1x8xf32>
//   %0 = mica.conv2d %x, %1 ... layout = nhwc_hwcf groups = 4
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/TosaToMica/Common.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Convolutions
//===------------------------------------------------------------------------------------------------------------===//

/// Whether the accumulator type `accumulator` gives mica's results, which accumulate floats narrower than f32 in f32.
bool accumulatesAlike(Type accumulator, Type element) {
  return accumulator == element || (accumulator.isF32() && (element.isF16() || element.isBF16()));
}

/// The bias `bias` of `op` for `outputs` channels of the result.
Value biasOf(PatternRewriter &rewriter, Operation *op, Value bias, OpFoldResult outputs) {
  auto type = cast<RankedTensorType>(bias.getType());
  const std::optional<int64_t> count = getConstantIntValue(outputs);
  if (type.getDimSize(0) != 1 || count == 1)
    return repeatedBias(rewriter, op->getLoc(), bias, outputs);
  auto repeated = RankedTensorType::get({count.value_or(ShapedType::kDynamic)}, type.getElementType());
  SmallVector<Value> sizes;
  if (!count)
    sizes.push_back(cast<Value>(outputs));
  return BroadcastOp::create(rewriter, op->getLoc(), repeated, bias, sizes);
}

/// The number of channels of the result of a convolution whose weights have them first.
OpFoldResult firstOf(PatternRewriter &rewriter, Value weights) {
  return tensor::getMixedSize(rewriter, weights.getLoc(), weights, 0);
}

/// Common conditions of the convolutions of tosa.
template <typename TosaOp> LogicalResult checkConvolution(PatternRewriter &rewriter, TosaOp op) {
  if (!haveOneType({op.getInput(), op.getWeight(), op.getBias(), op.getOutput()}, Elements::Number))
    return rewriter.notifyMatchFailure(op, kTypes);
  if (!accumulatesAlike(op.getAccType(), getElementTypeOrSelf(op.getBias().getType())))
    return rewriter.notifyMatchFailure(op, "sums are taken in another type");
  if (!isZero(op.getInputZp()) || !isZero(op.getWeightZp()))
    return rewriter.notifyMatchFailure(op, kZeroPoints);
  return success();
}

struct ConvertConv2d : OpRewritePattern<tosa::Conv2DOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::Conv2DOp op, PatternRewriter &rewriter) const override {
    if (failed(checkConvolution(rewriter, op)))
      return failure();
    Value bias = biasOf(rewriter, op, op.getBias(), firstOf(rewriter, op.getWeight()));
    rewriter.replaceOpWithNewOp<Conv2dOp>(op, op.getType(), op.getInput(), op.getWeight(), bias, ConvLayout::NhwcFhwc,
                                          op.getStride(), op.getDilation(), op.getPad(), /*groups=*/1);
    return success();
  }
};

struct ConvertDepthwise : OpRewritePattern<tosa::DepthwiseConv2DOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::DepthwiseConv2DOp op, PatternRewriter &rewriter) const override {
    if (failed(checkConvolution(rewriter, op)))
      return failure();
    auto filter = cast<RankedTensorType>(op.getWeight().getType());
    if (!filter.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "the number of channels is not known");
    int64_t channels = filter.getDimSize(2), outputs = channels * filter.getDimSize(3);
    Value bias = biasOf(rewriter, op, op.getBias(), rewriter.getIndexAttr(outputs));
    auto type =
        RankedTensorType::get({filter.getDimSize(0), filter.getDimSize(1), 1, outputs}, filter.getElementType());
    Value weight = ReshapeOp::create(rewriter, op.getLoc(), type, op.getWeight());
    rewriter.replaceOpWithNewOp<Conv2dOp>(op, op.getType(), op.getInput(), weight, bias, ConvLayout::NhwcHwcf,
                                          op.getStride(), op.getDilation(), op.getPad(), channels);
    return success();
  }
};

/// Converts quantized elements to type `to`, minus their zero point. Null if that is not constant.
Value lessZeroPoint(PatternRewriter &rewriter, Value quantized, Value zeroPoint, IntegerType to) {
  DenseElementsAttr zero;
  auto type = cast<RankedTensorType>(quantized.getType());
  if (!matchPattern(zeroPoint, m_Constant(&zero)) || !zero.isSplat())
    return nullptr;
  Location loc = quantized.getLoc();
  RankedTensorType wide = type.clone(to);
  Value cast = CastOp::create(rewriter, loc, wide, quantized);
  if (isZero(zeroPoint))
    return cast;
  APInt number = zero.getSplatValue<APInt>().sext(to.getWidth());
  auto one = RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1), to);
  Value least = mica::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(one, number));
  return SubOp::create(rewriter, loc, wide, cast, least);
}

struct ConvertTransposed : OpRewritePattern<tosa::TransposeConv2DOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::TransposeConv2DOp op, PatternRewriter &rewriter) const override {
    Value input = op.getInput(), weight = op.getWeight();
    // Upstream does not lower transposed convolutions of quantized elements, so these are converted whatever their zero
    // points are.
    auto sums = dyn_cast<IntegerType>(op.getAccType());
    bool isQuantized = sums && getElementTypeOrSelf(input.getType()).isInteger(8) &&
                       getElementTypeOrSelf(weight.getType()).isInteger(8) &&
                       haveOneType({op.getBias(), op.getOutput()}, Elements::Integer) &&
                       getElementTypeOrSelf(op.getType()) == sums;
    if (!isQuantized && failed(checkConvolution(rewriter, op)))
      return failure();
    if (isQuantized) {
      input = lessZeroPoint(rewriter, input, op.getInputZp(), sums);
      weight = lessZeroPoint(rewriter, weight, op.getWeightZp(), sums);
      if (!input || !weight)
        return rewriter.notifyMatchFailure(op, "a zero point is no constant");
    }
    Value bias = biasOf(rewriter, op, op.getBias(), firstOf(rewriter, op.getWeight()));
    SmallVector<int64_t> pads = llvm::map_to_vector(op.getOutPad(), [](int64_t pad) { return -pad; });
    rewriter.replaceOpWithNewOp<Conv2dTransposeOp>(op, op.getType(), input, weight, bias, ConvTransposeLayout::NhwcFhwc,
                                                   op.getStride(), ArrayRef<int64_t>{1, 1}, pads, /*groups=*/1);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Pools
//===------------------------------------------------------------------------------------------------------------===//

/// Whether no window of a pool consists of padding only, which mica's constraint (C4) forbids.
bool everyWindowCoversImage(ArrayRef<int64_t> kernel, ArrayRef<int64_t> pads) {
  return pads[0] < kernel[0] && pads[1] < kernel[0] && pads[2] < kernel[1] && pads[3] < kernel[1];
}

struct ConvertMaxPool : OpRewritePattern<tosa::MaxPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::MaxPool2dOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput(), op.getOutput()}, Elements::Number))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (isFloat(op.getInput()) && !propagatesNan(op))
      return rewriter.notifyMatchFailure(op, kNanMode);
    if (!everyWindowCoversImage(op.getKernel(), op.getPad()))
      return rewriter.notifyMatchFailure(op, "a window lies in the padding");
    rewriter.replaceOpWithNewOp<MaxPoolOp>(op, op.getType(), op.getInput(), ImageLayout::Nhwc, op.getKernel(),
                                           op.getStride(), ArrayRef<int64_t>{1, 1}, op.getPad(), /*ceil_mode=*/false);
    return success();
  }
};

struct ConvertAvgPool : OpRewritePattern<tosa::AvgPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::AvgPool2dOp op, PatternRewriter &rewriter) const override {
    // Integer means of tosa have a special rounding.
    if (!haveOneType({op.getInput(), op.getOutput()}, Elements::Float) ||
        !accumulatesAlike(op.getAccType(), getElementTypeOrSelf(op.getInput().getType())))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!isZero(op.getInputZp()) || !isZero(op.getOutputZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    if (!everyWindowCoversImage(op.getKernel(), op.getPad()))
      return rewriter.notifyMatchFailure(op, "a window lies in the padding");
    rewriter.replaceOpWithNewOp<AvgPoolOp>(op, op.getType(), op.getInput(), ImageLayout::Nhwc, op.getKernel(),
                                           op.getStride(), ArrayRef<int64_t>{1, 1}, op.getPad(), /*ceil_mode=*/false,
                                           /*count_include_pad=*/false);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Borders and sizes
//===------------------------------------------------------------------------------------------------------------===//

struct ConvertPad : OpRewritePattern<tosa::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::PadOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput1(), op.getPadConst(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    std::optional<SmallVector<int64_t>> padding = constantShape(op.getPadding());
    DenseElementsAttr border;
    if (!padding || !matchPattern(op.getPadConst(), m_Constant(&border)) || !border.isSplat())
      return rewriter.notifyMatchFailure(op, "the border is not constant");
    SmallVector<int64_t> low, high;
    for (size_t i = 0; i < padding->size(); i += 2) {
      low.push_back((*padding)[i]);
      high.push_back((*padding)[i + 1]);
    }
    if (llvm::any_of(*padding, [](int64_t size) { return size < 0; }))
      return rewriter.notifyMatchFailure(op, "the size of the border is not known");
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), op.getInput1(), low, high, PadMode::Constant,
                                       border.getSplatValue<TypedAttr>());
    return success();
  }
};

/// The mapping of positions of a result of tosa.resize to one direction of the operand: position p is at (p * d +
/// offset) / n.
struct AxisScale {
  int64_t n, d, offset, in, out;

  /// Whether the mapping is that of `coordinates` of mica.resize.
  bool means(ResizeCoordinates coordinates) const {
    switch (coordinates) {
    case ResizeCoordinates::HalfPixel:
      return d * out == n * in && 2 * offset * out == n * (in - out);
    case ResizeCoordinates::Asymmetric:
      return offset == 0 && (d * out == n * in || out == 1);
    case ResizeCoordinates::AlignCorners:
      return offset == 0 && (d * (out - 1) == n * (in - 1) || out == 1);
    }
    llvm_unreachable("all coordinates are above");
  }
};

struct ConvertResize : OpRewritePattern<tosa::ResizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ResizeOp op, PatternRewriter &rewriter) const override {
    bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
    if (!haveOneType({op.getInput(), op.getOutput()}) || (!isNearest && !isFloat(op.getInput())))
      return rewriter.notifyMatchFailure(op, kTypes);
    std::optional<SmallVector<int64_t>> scale = constantShape(op.getScale()), offset = constantShape(op.getOffset());
    auto input = cast<RankedTensorType>(op.getInput().getType()), output = cast<RankedTensorType>(op.getType());
    if (!scale || !offset)
      return rewriter.notifyMatchFailure(op, "the scale is not constant");
    for (int64_t dim : {1, 2})
      if (input.isDynamicDim(dim) || output.isDynamicDim(dim))
        return rewriter.notifyMatchFailure(op, "height or width is not known");
    AxisScale rows{(*scale)[0], (*scale)[1], (*offset)[0], input.getDimSize(1), output.getDimSize(1)};
    AxisScale columns{(*scale)[2], (*scale)[3], (*offset)[1], input.getDimSize(2), output.getDimSize(2)};
    for (auto coordinates :
         {ResizeCoordinates::HalfPixel, ResizeCoordinates::Asymmetric, ResizeCoordinates::AlignCorners}) {
      if (!rows.means(coordinates) || !columns.means(coordinates))
        continue;
      rewriter.replaceOpWithNewOp<ResizeOp>(op, output, op.getInput(), ValueRange{}, ImageLayout::Nhwc,
                                            isNearest ? ResizeMode::Nearest : ResizeMode::Bilinear, coordinates,
                                            isNearest ? ResizeRounding::PreferCeil : ResizeRounding::PreferFloor);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "the positions are none of those that mica.resize has");
  }
};

} // namespace

void tosatomica::populateWindowPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertConv2d, ConvertDepthwise, ConvertTransposed, ConvertMaxPool, ConvertAvgPool, ConvertPad,
               ConvertResize>(patterns.getContext());
}
