//===- Windows.cpp - lowering convolutions and pooling -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Convolutions and pools become the named ops of linalg, on a padded image if necessary; other layouts and groups
// become a linalg.generic over the same loops, with a separate loop over groups:
//
//   %0 = mica.conv2d %x, %w layout = nhwc_hwcf groups = 4 : (tensor<1x8x8x8xf32>, tensor<3x3x2x12xf32>) -> ...
//   ->
//   %x4 = tensor.expand_shape %x : tensor<1x8x8x8xf32> into tensor<1x8x8x4x2xf32>
//   %w4 = tensor.expand_shape %w : tensor<3x3x2x12xf32> into tensor<3x3x2x4x3xf32>
//   %r4 = linalg.generic (n, y, x, g, f, i, j, c): r4[n, y, x, g, f] += x4[n, y + i, x + j, g, c] * w4[i, j, c, g, f]
//   %0 = tensor.collapse_shape %r4 : tensor<1x6x6x4x3xf32> into tensor<1x6x6x12xf32>
//
// A depthwise convolution has one loop for groups and channels, and needs no reshapes. A transposed convolution is a
// convolution of the image with zeros inserted between its elements, with the flipped filter.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;
using utils::IteratorType;

namespace {

using Sizes = SmallVector<OpFoldResult>;

//===------------------------------------------------------------------------------------------------------------===//
// Images
//===------------------------------------------------------------------------------------------------------------===//

/// `map` applied to sizes, folded if they are static.
OpFoldResult apply(Lowering &lowering, AffineExpr expr, ArrayRef<OpFoldResult> sizes) {
  return affine::makeComposedFoldedAffineApply(lowering.builder, lowering.loc, expr, sizes);
}

/// The maximum of 0 and `expr`.
OpFoldResult atLeastZero(Lowering &lowering, AffineExpr expr, ArrayRef<OpFoldResult> sizes) {
  MLIRContext *context = lowering.builder.getContext();
  AffineMap map = AffineMap::get(0, sizes.size(), {expr, getAffineConstantExpr(0, context)}, context);
  return affine::makeComposedFoldedAffineMax(lowering.builder, lowering.loc, map, sizes);
}

bool isZero(OpFoldResult size) { return getConstantIntValue(size) == 0; }

/// The image padded by `value`, per dimension in `spatial`.
Value padImage(Lowering &lowering, Value image, ArrayRef<int64_t> spatial, ArrayRef<OpFoldResult> before,
               ArrayRef<OpFoldResult> after, TypedAttr value) {
  if (llvm::all_of(before, isZero) && llvm::all_of(after, isZero))
    return image;
  OpBuilder &builder = lowering.builder;
  Sizes low(cast<RankedTensorType>(image.getType()).getRank(), builder.getIndexAttr(0)), high = low;
  for (auto [axis, dim] : llvm::enumerate(spatial)) {
    low[dim] = before[axis];
    high[dim] = after[axis];
  }
  Value scalar = arith::ConstantOp::create(builder, lowering.loc, value);
  return tensor::PadOp::create(builder, lowering.loc, Type(), image, low, high, scalar, /*nofold=*/false);
}

/// `pads` are pairs (before, after) per dimension; those at `side` (0 or 1).
Sizes sideOf(Lowering &lowering, ArrayRef<int64_t> pads, size_t side) {
  Sizes found;
  for (size_t axis = 0; axis < pads.size() / 2; ++axis)
    found.push_back(lowering.builder.getIndexAttr(pads[2 * axis + side]));
  return found;
}

//===------------------------------------------------------------------------------------------------------------===//
// Convolutions
//===------------------------------------------------------------------------------------------------------------===//

/// A convolution on a padded image.
struct Convolution {
  Value image, filter, bias; ///< the bias may be null
  ConvDims at;
  int64_t filterGroup; ///< the filter's dimension over the channels of all groups
  int64_t groups;
  SmallVector<int64_t> strides, dilations;
  Sizes sizes;  ///< of the result
  Type element; ///< of the result, at least as wide as those of image and filter

  int64_t rank() const { return sizes.size(); }
};

/// The accumulator plus a product, in its type.
Value multiplyAdd(OpBuilder &b, Location loc, ValueRange args) {
  Type element = args[2].getType();
  Value lhs = widenTo(b, loc, args[0], element), rhs = widenTo(b, loc, args[1], element);
  if (isa<FloatType>(element)) {
    Value product = arith::MulFOp::create(b, loc, lhs, rhs);
    return arith::AddFOp::create(b, loc, args[2], product);
  }
  Value product = arith::MulIOp::create(b, loc, lhs, rhs);
  return arith::AddIOp::create(b, loc, args[2], product);
}

/// The initial value of the sums: the bias of the channels `channelDims` of a result of `sizes`, or 0.
Value startOf(Lowering &lowering, Value bias, ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> channelDims,
              Type element) {
  if (!bias)
    return lowering.filled(sizes, zeroOf(lowering, element));
  if (channelDims.size() == 1) {
    SmallVector<int64_t> added;
    for (int64_t dim = 0, rank = sizes.size(); dim < rank; ++dim)
      if (dim != channelDims.front())
        added.push_back(dim);
    Value empty = lowering.empty(sizes, element);
    return linalg::BroadcastOp::create(lowering.builder, lowering.loc, bias, empty, added)->getResult(0);
  }
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : channelDims)
    exprs.push_back(lowering.builder.getAffineDimExpr(dim));
  AffineMap map = AffineMap::get(sizes.size(), 0, exprs, lowering.builder.getContext());
  return lowering.parallel(bias, map, sizes, element,
                           [](OpBuilder &, Location, ValueRange args) -> Value { return args[0]; });
}

/// As many groups as channels of the image and of the result: loops over the result and the window, but not over
/// channels.
Value depthwise(Lowering &lowering, const Convolution &conv) {
  OpBuilder &builder = lowering.builder;
  Value filter = lowering.dropUnitDims(conv.filter, conv.at.filterInput);
  int64_t rank = conv.rank(), loops = rank + conv.at.spatial.size();
  auto loop = [&](int64_t dim) { return builder.getAffineDimExpr(dim); };
  SmallVector<AffineExpr> image(rank), window(rank);
  image[0] = loop(0);
  image[conv.at.channel] = loop(conv.at.channel);
  window[conv.at.filterOutput] = loop(conv.at.channel);
  for (auto [axis, dim] : llvm::enumerate(conv.at.spatial)) {
    image[dim] = loop(dim) * conv.strides[axis] + loop(rank + axis) * conv.dilations[axis];
    window[conv.at.filterSpatial[axis]] = loop(rank + axis);
  }
  window.erase(window.begin() + conv.at.filterInput);
  SmallVector<AffineMap> maps = {AffineMap::get(loops, 0, image, builder.getContext()),
                                 AffineMap::get(loops, 0, window, builder.getContext()),
                                 AffineMap::getMultiDimIdentityMap(loops, builder.getContext()).getMajorSubMap(rank)};
  SmallVector<IteratorType> iterators(loops, IteratorType::parallel);
  std::fill(iterators.begin() + rank, iterators.end(), IteratorType::reduction);
  Value start = startOf(lowering, conv.bias, conv.sizes, conv.at.channel, conv.element);
  return lowering.generic({conv.image, filter}, start, maps, iterators, multiplyAdd);
}

/// Any convolution: loops over the result with its groups, the window, and the channels of a group of the image; the
/// innermost loop is that of the image's innermost dimension.
Value general(Lowering &lowering, const Convolution &conv) {
  OpBuilder &builder = lowering.builder;
  bool grouped = conv.groups > 1;
  int64_t extra = grouped ? 1 : 0, rank = conv.rank() + extra, directions = conv.at.spatial.size();
  int64_t loops = rank + directions + 1;
  bool channelsLast = conv.at.channel == conv.rank() - 1;
  int64_t channelLoop = channelsLast ? loops - 1 : rank, windowLoop = channelsLast ? rank : rank + 1;
  auto inImage = [&](int64_t dim) { return dim >= conv.at.channel ? dim + extra : dim; };
  auto inFilter = [&](int64_t dim) { return dim >= conv.filterGroup ? dim + extra : dim; };
  auto loop = [&](int64_t dim) { return builder.getAffineDimExpr(dim); };

  SmallVector<AffineExpr> image(rank), window(rank);
  image[0] = loop(0);
  image[inImage(conv.at.channel)] = loop(channelLoop);
  window[inFilter(conv.at.filterInput)] = loop(channelLoop);
  window[inFilter(conv.at.filterOutput)] = loop(inImage(conv.at.channel));
  if (grouped)
    image[conv.at.channel] = window[conv.filterGroup] = loop(conv.at.channel);
  for (auto [axis, dim] : llvm::enumerate(conv.at.spatial)) {
    image[inImage(dim)] = loop(inImage(dim)) * conv.strides[axis] + loop(windowLoop + axis) * conv.dilations[axis];
    window[inFilter(conv.at.filterSpatial[axis])] = loop(windowLoop + axis);
  }
  SmallVector<AffineMap> maps = {AffineMap::get(loops, 0, image, builder.getContext()),
                                 AffineMap::get(loops, 0, window, builder.getContext()),
                                 AffineMap::getMultiDimIdentityMap(loops, builder.getContext()).getMajorSubMap(rank)};
  SmallVector<IteratorType> iterators(loops, IteratorType::parallel);
  std::fill(iterators.begin() + rank, iterators.end(), IteratorType::reduction);

  if (!grouped) {
    Value start = startOf(lowering, conv.bias, conv.sizes, conv.at.channel, conv.element);
    return lowering.generic({conv.image, conv.filter}, start, maps, iterators, multiplyAdd);
  }
  Value images = lowering.divided(conv.image, conv.at.channel, conv.groups);
  Value filters = lowering.divided(conv.filter, conv.filterGroup, conv.groups);
  Value biases = conv.bias ? lowering.divided(conv.bias, 0, conv.groups) : Value();
  Sizes sizes = lowering.dividedSizes(conv.sizes, conv.at.channel, conv.groups);
  Value start = startOf(lowering, biases, sizes, {conv.at.channel, conv.at.channel + 1}, conv.element);
  Value result = lowering.generic({images, filters}, start, maps, iterators, multiplyAdd);
  return lowering.merged(result, conv.at.channel);
}

Value convolve(Lowering &lowering, const Convolution &conv) {
  auto filter = cast<RankedTensorType>(conv.filter.getType());
  bool onePerGroup = filter.getDimSize(conv.at.filterInput) == 1 &&
                     filter.getDimSize(conv.filterGroup) == conv.groups && conv.filterGroup == conv.at.filterOutput;
  return conv.groups > 1 && onePerGroup ? depthwise(lowering, conv) : general(lowering, conv);
}

template <typename Named>
Value namedWindow(Lowering &lowering, Value image, Value window, Value init, ArrayRef<int64_t> strides,
                  ArrayRef<int64_t> dilations) {
  OpBuilder &builder = lowering.builder;
  return Named::create(builder, lowering.loc, TypeRange{init.getType()}, ValueRange{image, window}, ValueRange{init},
                       builder.getI64TensorAttr(strides), builder.getI64TensorAttr(dilations))
      .getResult(0);
}

Value namedConv2d(Lowering &lowering, ConvLayout layout, const Convolution &conv) {
  Value start = startOf(lowering, conv.bias, conv.sizes, conv.at.channel, conv.element);
  switch (layout) {
  case ConvLayout::NhwcHwcf:
    return namedWindow<linalg::Conv2DNhwcHwcfOp>(lowering, conv.image, conv.filter, start, conv.strides,
                                                 conv.dilations);
  case ConvLayout::NhwcFhwc:
    return namedWindow<linalg::Conv2DNhwcFhwcOp>(lowering, conv.image, conv.filter, start, conv.strides,
                                                 conv.dilations);
  case ConvLayout::NchwFchw:
    return namedWindow<linalg::Conv2DNchwFchwOp>(lowering, conv.image, conv.filter, start, conv.strides,
                                                 conv.dilations);
  }
  llvm_unreachable("all layouts are above");
}

template <typename OpTy> struct LowerConv : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    ConvDims at = op.getConvDims();
    Value image =
        padImage(lowering, op.getInput(), at.spatial, sideOf(lowering, op.getPads(), 0),
                 sideOf(lowering, op.getPads(), 1), zeroOf(lowering, op.getInput().getType().getElementType()));
    Convolution conv{image,
                     op.getFilter(),
                     op.getBias(),
                     at,
                     at.filterOutput,
                     static_cast<int64_t>(op.getGroups()),
                     llvm::to_vector(op.getStrides()),
                     llvm::to_vector(op.getDilations()),
                     resultSizes(rewriter, op),
                     op.getType().getElementType()};
    if constexpr (std::is_same_v<OpTy, Conv2dOp>) {
      if (conv.groups == 1) {
        replace(rewriter, op, namedConv2d(lowering, op.getLayout(), conv));
        return success();
      }
    }
    replace(rewriter, op, convolve(lowering, conv));
    return success();
  }
};

struct LowerConv2dTranspose : OpRewritePattern<Conv2dTransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The filter, flipped in height and width.
  static Value turned(Lowering &lowering, Value filter, const ConvDims &at) {
    auto type = cast<RankedTensorType>(filter.getType());
    SmallVector<int64_t> turnedDims;
    for (int64_t dim : at.filterSpatial)
      if (type.getDimSize(dim) != 1)
        turnedDims.push_back(dim);
    if (turnedDims.empty())
      return filter;
    Sizes sizes = tensor::getMixedSizes(lowering.builder, lowering.loc, filter);
    return lowering.parallel({}, {}, sizes, type.getElementType(),
                             [&](OpBuilder &b, Location loc, ValueRange) -> Value {
                               SmallVector<Value> from;
                               for (int64_t dim = 0; dim < type.getRank(); ++dim) {
                                 from.push_back(linalg::IndexOp::create(b, loc, dim));
                                 if (!llvm::is_contained(turnedDims, dim))
                                   continue;
                                 Value size = getValueOrCreateConstantIndexOp(b, loc, sizes[dim]);
                                 Value one = arith::ConstantIndexOp::create(b, loc, 1);
                                 Value last = arith::SubIOp::create(b, loc, size, one);
                                 from.back() = arith::SubIOp::create(b, loc, last, from.back());
                               }
                               return tensor::ExtractOp::create(b, loc, filter, from);
                             });
  }

  /// The image with `strides - 1` zeros between its elements and borders such that the window that begins at an element
  /// of the result covers its inputs; a negative border crops.
  static Value spread(Lowering &lowering, Conv2dTransposeOp op, const ConvDims &at) {
    OpBuilder &builder = lowering.builder;
    Location loc = lowering.loc;
    Value image = op.getInput();
    auto type = cast<RankedTensorType>(image.getType());
    int64_t rank = type.getRank();
    Sizes imageSizes = tensor::getMixedSizes(builder, loc, image);
    Sizes sizes = imageSizes, offsets(rank, builder.getIndexAttr(0)), steps(rank, builder.getIndexAttr(1));
    Sizes cutOffsets = offsets, cutSizes = sizes;
    bool cuts = false, spreads = false;
    SmallVector<OpFoldResult> low, high;
    for (auto [axis, dim] : llvm::enumerate(at.spatial)) {
      OpFoldResult kernel = tensor::getMixedSize(builder, loc, op.getFilter(), at.filterSpatial[axis]);
      AffineExpr k = builder.getAffineSymbolExpr(0), size = builder.getAffineSymbolExpr(1);
      AffineExpr reach = (k - 1) * op.getDilations()[axis];
      AffineExpr before = reach - op.getPads()[2 * axis], after = reach - op.getPads()[2 * axis + 1];
      AffineExpr inner = (size - 1) * op.getStrides()[axis] + 1;
      low.push_back(atLeastZero(lowering, before, kernel));
      high.push_back(atLeastZero(lowering, after, kernel));
      spreads |= op.getStrides()[axis] != 1;
      steps[dim] = builder.getIndexAttr(op.getStrides()[axis]);
      offsets[dim] = low.back();
      // The cropped part, and the rest.
      cutOffsets[dim] = atLeastZero(lowering, -before, kernel);
      OpFoldResult cutAfter = atLeastZero(lowering, -after, kernel);
      cuts |= !isZero(cutOffsets[dim]) || !isZero(cutAfter);
      AffineExpr s2 = builder.getAffineSymbolExpr(2), s3 = builder.getAffineSymbolExpr(3);
      sizes[dim] = apply(lowering, inner + s2 + s3, {kernel, imageSizes[dim], low.back(), high.back()});
      cutSizes[dim] = apply(lowering, inner + before + after, {kernel, imageSizes[dim]});
    }
    TypedAttr zero = zeroOf(lowering, type.getElementType());
    if (spreads) {
      Value whole = lowering.filled(sizes, zero);
      image = tensor::InsertSliceOp::create(builder, loc, image, whole, offsets, imageSizes, steps);
    } else {
      image = padImage(lowering, image, at.spatial, low, high, zero);
    }
    if (!cuts)
      return image;
    Sizes ones(rank, builder.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(builder, loc, image, cutOffsets, cutSizes, ones);
  }

  LogicalResult matchAndRewrite(Conv2dTransposeOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    ConvDims at = op.getConvDims();
    bool inputsInAll = op.getLayout() == ConvTransposeLayout::NchwCfhw;
    Convolution conv{spread(lowering, op, at),
                     turned(lowering, op.getFilter(), at),
                     op.getBias(),
                     at,
                     inputsInAll ? at.filterInput : at.filterOutput,
                     static_cast<int64_t>(op.getGroups()),
                     {1, 1},
                     llvm::to_vector(op.getDilations()),
                     resultSizes(rewriter, op),
                     op.getType().getElementType()};
    replace(rewriter, op, convolve(lowering, conv));
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Pools
//===------------------------------------------------------------------------------------------------------------===//

/// linalg's pool on the image, padded by `outside` up to the end of the last windows.
template <typename NhwcOp, typename NchwOp, typename PoolOp>
Value lowerWindows(Lowering &lowering, PoolOp op, ArrayRef<OpFoldResult> sizes, TypedAttr outside, TypedAttr init) {
  OpBuilder &builder = lowering.builder;
  ImageDims dims = op.getImageDims();
  const int64_t spatial[] = {dims.height, dims.width};
  Sizes before = sideOf(lowering, op.getPads(), 0), after = sideOf(lowering, op.getPads(), 1);
  if (op.getCeilMode()) {
    for (auto [axis, dim] : llvm::enumerate(spatial)) {
      AffineExpr positions = builder.getAffineSymbolExpr(0), size = builder.getAffineSymbolExpr(1);
      int64_t extent = (op.getKernel()[axis] - 1) * op.getDilations()[axis] + 1, pad = op.getPads()[2 * axis];
      AffineExpr reach = (positions - 1) * op.getStrides()[axis] + extent - pad - size;
      after[axis] =
          atLeastZero(lowering, reach, {sizes[dim], tensor::getMixedSize(builder, lowering.loc, op.getInput(), dim)});
    }
  }
  Value image = padImage(lowering, op.getInput(), spatial, before, after, outside);
  Value output = lowering.filled(sizes, init);
  // linalg's pools take the window's shape from an operand that is never read.
  Value window = lowering.empty(getAsIndexOpFoldResult(builder.getContext(), op.getKernel()), init.getType());
  if (op.getLayout() == ImageLayout::Nhwc)
    return namedWindow<NhwcOp>(lowering, image, window, output, op.getStrides(), op.getDilations());
  return namedWindow<NchwOp>(lowering, image, window, output, op.getStrides(), op.getDilations());
}

struct LowerMaxPool : OpRewritePattern<MaxPoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxPoolOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    TypedAttr least = leastValue(op.getType().getElementType());
    replace(rewriter, op,
            lowerWindows<linalg::PoolingNhwcMaxOp, linalg::PoolingNchwMaxOp>(lowering, op, resultSizes(rewriter, op),
                                                                             least, least));
    return success();
  }
};

struct LowerAvgPool : OpRewritePattern<AvgPoolOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The number of elements of a window, along one dimension, that count for its mean, as an index. Null: all of them.
  static Value covered(OpBuilder &b, Location loc, AvgPoolOp op, int64_t axis, int64_t dim, OpFoldResult size) {
    int64_t kernel = op.getKernel()[axis], stride = op.getStrides()[axis], dilation = op.getDilations()[axis];
    int64_t before = op.getPads()[2 * axis], after = op.getPads()[2 * axis + 1];
    bool padsCount = op.getCountIncludePad();
    if (!op.getCeilMode() && (padsCount || (before == 0 && after == 0)))
      return nullptr;
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
    Value zero = index(0), rest = index(dilation - 1), step = index(dilation), all = index(kernel);
    Value position = linalg::IndexOp::create(b, loc, dim), width = index(stride);
    // Start of the window, relative to the padded image.
    Value start = arith::MulIOp::create(b, loc, position, width);
    // Elements before the limit: ceil((limit - start) / dilation), clamped to 0 .. kernel.
    auto elementsBefore = [&](Value limit) -> Value {
      Value distance = arith::SubIOp::create(b, loc, limit, start);
      Value positive = arith::MaxSIOp::create(b, loc, distance, zero);
      Value raised = arith::AddIOp::create(b, loc, positive, rest);
      Value count = arith::DivUIOp::create(b, loc, raised, step);
      return arith::MinSIOp::create(b, loc, count, all);
    };
    Value border = index(before + (padsCount ? after : 0));
    Value extent = getValueOrCreateConstantIndexOp(b, loc, size);
    Value end = arith::AddIOp::create(b, loc, extent, border), last = elementsBefore(end);
    if (padsCount || before == 0)
      return last;
    Value first = elementsBefore(index(before));
    return arith::SubIOp::create(b, loc, last, first);
  }

  LogicalResult matchAndRewrite(AvgPoolOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    ImageDims dims = op.getImageDims();
    Type element = op.getType().getElementType(), wide = widened(element);
    Sizes sizes = resultSizes(rewriter, op);
    Value sums = lowerWindows<linalg::PoolingNhwcSumOp, linalg::PoolingNchwSumOp>(
        lowering, op, sizes, zeroOf(lowering, element), zeroOf(lowering, wide));
    OpFoldResult height = tensor::getMixedSize(rewriter, op.getLoc(), op.getInput(), dims.height);
    OpFoldResult width = tensor::getMixedSize(rewriter, op.getLoc(), op.getInput(), dims.width);
    auto divide = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Value rows = covered(b, loc, op, 0, dims.height, height), columns = covered(b, loc, op, 1, dims.width, width);
      OpFoldResult count = b.getIndexAttr((rows ? 1 : op.getKernel()[0]) * (columns ? 1 : op.getKernel()[1]));
      for (Value factor : {rows, columns}) {
        if (!factor)
          continue;
        if (getConstantIntValue(count) == 1) {
          count = factor;
          continue;
        }
        Value other = getValueOrCreateConstantIndexOp(b, loc, count);
        count = arith::MulIOp::create(b, loc, other, factor).getResult();
      }
      Value mean = arith::DivFOp::create(b, loc, args[0], asFloat(b, loc, count, wide));
      return narrowTo(b, loc, mean, element);
    };
    replace(rewriter, op, lowering.parallel(sums, rewriter.getMultiDimIdentityMap(4), sizes, element, divide));
    return success();
  }
};

} // namespace

void tolinalg::populateWindowPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerConv<Conv1dOp>, LowerConv<Conv2dOp>, LowerConv2dTranspose, LowerMaxPool, LowerAvgPool>(
      patterns.getContext());
}
