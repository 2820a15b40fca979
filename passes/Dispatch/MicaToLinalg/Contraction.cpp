//===- Contraction.cpp - products and windows of mica to linalg --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Matrix products become linalg.matmul or linalg.batch_matmul, with indexing maps for transposed operands, and
// linalg.generic for other batches. Convolutions and pools become the named ops of linalg on a padded image.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;
using utils::IteratorType;

namespace {

/// Indexing map of one operand of a product: its batch dimensions, then the two given loops, in the order it holds them.
AffineMap productMap(int64_t loops, ArrayRef<int64_t> batch, int64_t first, int64_t second, bool transposed,
                     MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : batch)
    exprs.push_back(getAffineDimExpr(dim, context));
  exprs.push_back(getAffineDimExpr(transposed ? second : first, context));
  exprs.push_back(getAffineDimExpr(transposed ? first : second, context));
  return AffineMap::get(loops, 0, exprs, context);
}

struct LowerMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  /// Batch dimensions that an operand takes part in; those it repeats go to `repeated`.
  static SmallVector<int64_t> batchOf(Value operand, ArrayRef<OpFoldResult> sizes, SmallVectorImpl<int64_t> &repeated) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> batch;
    for (int64_t dim = 0; dim < type.getRank() - 2; ++dim)
      if (type.getDimSize(dim) == 1 && getConstantIntValue(sizes[dim]) != 1)
        repeated.push_back(dim);
      else
        batch.push_back(dim);
    return batch;
  }

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    MLIRContext *context = rewriter.getContext();
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    Type element = op.getType().getElementType();
    int64_t batch = sizes.size() - 2, m = batch, n = batch + 1, k = batch + 2, loops = batch + 3;

    SmallVector<int64_t> lhsRepeated, rhsRepeated;
    SmallVector<int64_t> lhsBatch = batchOf(op.getLhs(), sizes, lhsRepeated);
    SmallVector<int64_t> rhsBatch = batchOf(op.getRhs(), sizes, rhsRepeated);
    Value lhs = lowering.dropUnitDims(op.getLhs(), lhsRepeated), rhs = lowering.dropUnitDims(op.getRhs(), rhsRepeated);
    Value init = lowering.filled(sizes, cast<TypedAttr>(rewriter.getZeroAttr(element)));
    SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    SmallVector<AffineMap> maps = {productMap(loops, lhsBatch, m, k, op.getTransposeA(), context),
                                   productMap(loops, rhsBatch, k, n, op.getTransposeB(), context),
                                   productMap(loops, all, m, n, /*transposed=*/false, context)};

    bool everyBatch = lhsBatch == all && rhsBatch == all;
    if (everyBatch && batch == 0) {
      replace(rewriter, op, named<linalg::MatmulOp>(rewriter, op, lhs, rhs, init, maps));
      return success();
    }
    if (everyBatch && batch == 1) {
      replace(rewriter, op, named<linalg::BatchMatmulOp>(rewriter, op, lhs, rhs, init, maps));
      return success();
    }
    SmallVector<IteratorType> iterators(loops, IteratorType::parallel);
    iterators.back() = IteratorType::reduction;
    Value result =
        lowering.generic({lhs, rhs}, init, maps, iterators, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          if (isa<FloatType>(args[0].getType())) {
            Value product = arith::MulFOp::create(b, loc, args[0], args[1]);
            return arith::AddFOp::create(b, loc, args[2], product);
          }
          Value product = arith::MulIOp::create(b, loc, args[0], args[1]);
          return arith::AddIOp::create(b, loc, args[2], product);
        });
    replace(rewriter, op, result);
    return success();
  }

  template <typename Named>
  static Value named(PatternRewriter &rewriter, MatmulOp op, Value lhs, Value rhs, Value init,
                     ArrayRef<AffineMap> maps) {
    auto product = Named::create(rewriter, op.getLoc(), init.getType(), ValueRange{lhs, rhs}, ValueRange{init});
    if (op.getTransposeA() || op.getTransposeB())
      product.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    return product.getResult(0);
  }
};

/// The image with `pads` = top, bottom, left, right of `value` around it.
Value padImage(Lowering &lowering, Value image, ImageDims dims, ArrayRef<int64_t> pads, TypedAttr value) {
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return image;
  OpBuilder &builder = lowering.builder;
  SmallVector<OpFoldResult> low(4, builder.getIndexAttr(0)), high(4, builder.getIndexAttr(0));
  low[dims.height] = builder.getIndexAttr(pads[0]);
  high[dims.height] = builder.getIndexAttr(pads[1]);
  low[dims.width] = builder.getIndexAttr(pads[2]);
  high[dims.width] = builder.getIndexAttr(pads[3]);
  Value scalar = arith::ConstantOp::create(builder, lowering.loc, value);
  return tensor::PadOp::create(builder, lowering.loc, Type(), image, low, high, scalar, /*nofold=*/false);
}

template <typename Named>
Value namedWindow(Lowering &lowering, Value image, Value window, Value init, ArrayRef<int64_t> strides,
                  ArrayRef<int64_t> dilations) {
  OpBuilder &builder = lowering.builder;
  return Named::create(builder, lowering.loc, TypeRange{init.getType()}, ValueRange{image, window}, ValueRange{init},
                       builder.getI64TensorAttr(strides), builder.getI64TensorAttr(dilations))
      .getResult(0);
}

struct LowerConv2d : OpRewritePattern<Conv2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv2dOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    ImageDims dims = op.getImageDims();
    auto zero = cast<TypedAttr>(rewriter.getZeroAttr(op.getType().getElementType()));
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    Value init;
    if (op.getBias()) {
      SmallVector<int64_t> added = {dims.batch, dims.height, dims.width};
      Value empty = lowering.empty(sizes, op.getType().getElementType());
      init = linalg::BroadcastOp::create(rewriter, op.getLoc(), op.getBias(), empty, added)->getResult(0);
    } else {
      init = lowering.filled(sizes, zero);
    }
    Value image = padImage(lowering, op.getInput(), dims, op.getPads(), zero), filter = op.getFilter();
    auto strides = op.getStrides(), dilations = op.getDilations();
    Value result;
    switch (op.getLayout()) {
    case ConvLayout::NhwcHwcf:
      result = namedWindow<linalg::Conv2DNhwcHwcfOp>(lowering, image, filter, init, strides, dilations);
      break;
    case ConvLayout::NhwcFhwc:
      result = namedWindow<linalg::Conv2DNhwcFhwcOp>(lowering, image, filter, init, strides, dilations);
      break;
    case ConvLayout::NchwFchw:
      result = namedWindow<linalg::Conv2DNchwFchwOp>(lowering, image, filter, init, strides, dilations);
      break;
    }
    replace(rewriter, op, result);
    return success();
  }
};

template <typename NhwcOp, typename NchwOp, typename PoolOp>
Value lowerWindows(Lowering &lowering, PoolOp op, ArrayRef<OpFoldResult> sizes, TypedAttr outside, TypedAttr init) {
  OpBuilder &builder = lowering.builder;
  Value image = padImage(lowering, op.getInput(), op.getImageDims(), op.getPads(), outside);
  Value output = lowering.filled(sizes, init);
  // linalg's pools take the window's size from an operand that is never read.
  Value window = lowering.empty(getAsIndexOpFoldResult(builder.getContext(), op.getKernel()), init.getType());
  const int64_t ones[] = {1, 1};
  if (op.getLayout() == ImageLayout::Nhwc)
    return namedWindow<NhwcOp>(lowering, image, window, output, op.getStrides(), ones);
  return namedWindow<NchwOp>(lowering, image, window, output, op.getStrides(), ones);
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

  /// How many elements of one dimension of the image a window covers, as an index.
  static Value covered(OpBuilder &b, Location loc, int64_t loop, int64_t kernel, int64_t stride, int64_t before,
                       OpFoldResult size) {
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
    Value position = linalg::IndexOp::create(b, loc, loop), step = index(stride), pad = index(before);
    Value padded = arith::MulIOp::create(b, loc, position, step);
    Value start = arith::SubIOp::create(b, loc, padded, pad);
    Value extent = index(kernel), end = arith::AddIOp::create(b, loc, start, extent);
    Value limit = getValueOrCreateConstantIndexOp(b, loc, size), zero = index(0);
    Value last = arith::MinSIOp::create(b, loc, end, limit);
    Value first = arith::MaxSIOp::create(b, loc, start, zero);
    return arith::SubIOp::create(b, loc, last, first);
  }

  LogicalResult matchAndRewrite(AvgPoolOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    ImageDims dims = op.getImageDims();
    Type element = op.getType().getElementType();
    auto zero = cast<TypedAttr>(rewriter.getZeroAttr(element));
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    Value sums = lowerWindows<linalg::PoolingNhwcSumOp, linalg::PoolingNchwSumOp>(lowering, op, sizes, zero, zero);
    bool padded = llvm::any_of(op.getPads(), [](int64_t pad) { return pad != 0; });
    OpFoldResult height = tensor::getMixedSize(rewriter, op.getLoc(), op.getInput(), dims.height);
    OpFoldResult width = tensor::getMixedSize(rewriter, op.getLoc(), op.getInput(), dims.width);
    auto divide = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      OpFoldResult count = b.getIndexAttr(op.getKernel()[0] * op.getKernel()[1]);
      if (padded && !op.getCountIncludePad()) {
        Value rows = covered(b, loc, dims.height, op.getKernel()[0], op.getStrides()[0], op.getPads()[0], height);
        Value columns = covered(b, loc, dims.width, op.getKernel()[1], op.getStrides()[1], op.getPads()[2], width);
        count = arith::MulIOp::create(b, loc, rows, columns).getResult();
      }
      return arith::DivFOp::create(b, loc, args[0], asFloat(b, loc, count, element));
    };
    replace(rewriter, op, lowering.parallel(sums, rewriter.getMultiDimIdentityMap(4), sizes, element, divide));
    return success();
  }
};

} // namespace

void tolinalg::populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMatmul, LowerConv2d, LowerMaxPool, LowerAvgPool>(patterns.getContext());
}
