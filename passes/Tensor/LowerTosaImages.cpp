//===- LowerTosaImages.cpp - pass mica-tensor-lower-tosa-images --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %r = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<?x?x?x3xi8>, ...) -> tensor<?x?x?x3xi32>
// After:
//   %empty = tensor.empty(%n, %height, %width) : tensor<?x?x?x3xi32>
//   %r = linalg.generic outs(%empty) { four tensor.extract %x, arith.muli, arith.addi }
//
// Upstream's conversions only support a dynamic batch, and round quotients of integer interpolation toward zero, where
// the specification of tosa (1.0, "RESIZE") rounds down: wrong left of and above the first pixel.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"
#include "passes/Tensor/TosaToMica/Common.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_LOWERTOSAIMAGES
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

/// Arithmetic on one type, at the insertion point of `builder`.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;
  Type type;

  Value number(int64_t value) const {
    if (auto floats = dyn_cast<FloatType>(type))
      return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(floats, double(value)));
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  template <typename OpT> Value make(Value a, Value b) const { return OpT::create(builder, loc, a, b); }
  Value add(Value a, Value b) const {
    return isa<FloatType>(type) ? make<arith::AddFOp>(a, b) : make<arith::AddIOp>(a, b);
  }
  Value sub(Value a, Value b) const {
    return isa<FloatType>(type) ? make<arith::SubFOp>(a, b) : make<arith::SubIOp>(a, b);
  }
  Value mul(Value a, Value b) const {
    return isa<FloatType>(type) ? make<arith::MulFOp>(a, b) : make<arith::MulIOp>(a, b);
  }
};

/// `image`'s extent in `dim`.
Value extentOf(PatternRewriter &rewriter, Location loc, Value image, int64_t dim) {
  return getValueOrCreateConstantIndexOp(rewriter, loc, tensor::getMixedSize(rewriter, loc, image, dim));
}

/// A tensor.empty of `type` for a result with the batch and channels of `image`; the numbers of rows (1) and columns
/// (2) are computed by `positions` if they are dynamic.
Value emptyLike(PatternRewriter &rewriter, Location loc, RankedTensorType type, Value image,
                llvm::function_ref<Value(int64_t dim)> positions) {
  SmallVector<Value> dynamic;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    bool isPlace = dim == 1 || dim == 2;
    dynamic.push_back(isPlace ? positions(dim) : extentOf(rewriter, loc, image, dim));
  }
  return tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType(), dynamic);
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

/// The mapping of positions of a result of tosa.resize to one direction of the operand: position p is at (p * d +
/// offset) / n.
struct Scale {
  int64_t n, d, offset, border;

  /// ((extent - 1) * n - offset + border) / d + 1.
  Value positions(const Arithmetic &index, Value extent) const {
    Value last = index.mul(index.sub(extent, index.number(1)), index.number(n));
    Value reach = index.add(last, index.number(border - offset));
    return index.add(index.make<arith::FloorDivSIOp>(reach, index.number(d)), index.number(1));
  }
};

/// The elements read in one direction of a result: the one at or before, the one after (both within the operand), and n
/// times the distance from the first.
struct Place {
  Value before, after, distance;

  Place(const Arithmetic &index, const Scale &scale, Value position, Value extent) {
    Value zero = index.number(0), one = index.number(1), n = index.number(scale.n);
    Value at = index.add(index.mul(position, index.number(scale.d)), index.number(scale.offset));
    Value whole = index.make<arith::FloorDivSIOp>(at, n);
    distance = index.sub(at, index.mul(whole, n));
    Value last = index.sub(extent, one);
    auto within = [&](Value place) {
      return index.make<arith::MaxSIOp>(index.make<arith::MinSIOp>(place, last), zero);
    };
    before = within(whole);
    after = within(index.add(whole, one));
  }

  /// The nearer of the two; on a tie the one after.
  Value nearest(const Arithmetic &index, int64_t n) const {
    Value twice = index.add(distance, distance);
    Value isAfter = arith::CmpIOp::create(index.builder, index.loc, arith::CmpIPredicate::sge, twice, index.number(n));
    return arith::SelectOp::create(index.builder, index.loc, isAfter, after, before);
  }
};

/// Interpolates between four elements of `image`: floats are rounded once; integers are scaled by n * n, as in tosa.
Value interpolate(OpBuilder &builder, Location loc, Value image, Value batch, Value channel, const Place &row,
                  const Place &column, const Scale &rows, const Scale &columns, Type result) {
  bool isFloat = isa<FloatType>(result);
  Type sums = isFloat && result.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : result;
  Arithmetic sum{builder, loc, sums};
  auto element = [&](Value y, Value x) -> Value {
    Value read = tensor::ExtractOp::create(builder, loc, image, ValueRange{batch, y, x, channel});
    if (read.getType() == sums)
      return read;
    return isFloat ? Value(arith::ExtFOp::create(builder, loc, sums, read))
                   : Value(arith::ExtSIOp::create(builder, loc, sums, read));
  };
  // The weight of the element after; that of the one before is `whole` minus it.
  auto share = [&](Value distance, int64_t n) -> Value {
    Value bits = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), distance);
    if (!isFloat)
      return sums.isInteger(32) ? bits : Value(arith::ExtSIOp::create(builder, loc, sums, bits));
    Value distanceOf = arith::SIToFPOp::create(builder, loc, sums, bits);
    return sum.make<arith::DivFOp>(distanceOf, sum.number(n));
  };
  auto between = [&](Value first, Value second, Value after, int64_t n) {
    Value before = sum.sub(sum.number(isFloat ? 1 : n), after);
    return sum.add(sum.mul(first, before), sum.mul(second, after));
  };
  Value down = share(row.distance, rows.n), right = share(column.distance, columns.n);
  Value upper = between(element(row.before, column.before), element(row.before, column.after), right, columns.n);
  Value lower = between(element(row.after, column.before), element(row.after, column.after), right, columns.n);
  Value all = between(upper, lower, down, rows.n);
  return sums == result ? all : Value(arith::TruncFOp::create(builder, loc, result, all));
}

struct LowerResize : OpRewritePattern<tosa::ResizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ResizeOp op, PatternRewriter &rewriter) const override {
    auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    std::optional<SmallVector<int64_t>> scale = constantShape(op.getScale()), offset = constantShape(op.getOffset()),
                                        border = constantShape(op.getBorder());
    if (!image || !type)
      return rewriter.notifyMatchFailure(op, "the rank is not known");
    if (!scale || !offset || !border)
      return rewriter.notifyMatchFailure(op, "scale, offset or border is not constant");
    Type element = type.getElementType();
    bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
    bool isSummed = isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 32;
    if (isNearest ? element != image.getElementType() : !isSummed)
      return rewriter.notifyMatchFailure(op, "no sums of these elements");

    Location loc = op.getLoc();
    Arithmetic index{rewriter, loc, rewriter.getIndexType()};
    Scale rows{(*scale)[0], (*scale)[1], (*offset)[0], (*border)[0]};
    Scale columns{(*scale)[2], (*scale)[3], (*offset)[1], (*border)[1]};
    Value height = extentOf(rewriter, loc, op.getInput(), 1), width = extentOf(rewriter, loc, op.getInput(), 2);
    Value empty = emptyLike(rewriter, loc, type, op.getInput(), [&](int64_t dim) {
      return dim == 1 ? rows.positions(index, height) : columns.positions(index, width);
    });
    SmallVector<utils::IteratorType> parallel(4, utils::IteratorType::parallel);
    auto body = [&](OpBuilder &builder, Location inner, ValueRange) {
      Arithmetic inside{builder, inner, builder.getIndexType()};
      SmallVector<Value> at;
      for (int64_t dim = 0; dim < 4; ++dim)
        at.push_back(linalg::IndexOp::create(builder, inner, dim));
      Place row(inside, rows, at[1], height), column(inside, columns, at[2], width);
      Value result;
      if (isNearest) {
        Value y = row.nearest(inside, rows.n), x = column.nearest(inside, columns.n);
        result = tensor::ExtractOp::create(builder, inner, op.getInput(), ValueRange{at[0], y, x, at[3]});
      } else {
        result = interpolate(builder, inner, op.getInput(), at[0], at[3], row, column, rows, columns, element);
      }
      linalg::YieldOp::create(builder, inner, result);
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, type, ValueRange{}, ValueRange{empty},
                                                   rewriter.getMultiDimIdentityMap(4), parallel, body);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Means of integers
//===------------------------------------------------------------------------------------------------------------===//

/// A window in one direction.
struct Window {
  int64_t kernel, stride, before, after;

  Value positions(const Arithmetic &index, Value extent) const {
    Value room = index.add(extent, index.number(before + after - kernel));
    return index.add(index.make<arith::FloorDivSIOp>(room, index.number(stride)), index.number(1));
  }
  /// The number of elements of the image that the window at `position` covers; at least 1, as tosa requires of the
  /// padding.
  Value covered(const Arithmetic &index, Value position, Value extent) const {
    Value first = index.sub(index.mul(position, index.number(stride)), index.number(before));
    Value from = index.make<arith::MaxSIOp>(first, index.number(0));
    Value to = index.make<arith::MinSIOp>(index.add(first, index.number(kernel)), extent);
    return index.make<arith::MaxSIOp>(index.sub(to, from), index.number(1));
  }
};

/// sum / count, rounded as specified by tosa (1.0, "AVG_POOL2D"): by a 31-bit reciprocal.
Value meanOf(OpBuilder &builder, Location loc, Value sum, Value count) {
  Arithmetic narrow{builder, loc, builder.getI32Type()}, wide{builder, loc, builder.getI64Type()};
  Value zeros = math::CountLeadingZerosOp::create(builder, loc, narrow.sub(count, narrow.number(1)));
  Value bits = narrow.sub(narrow.number(32), zeros);
  Value bitsWide = arith::ExtUIOp::create(builder, loc, wide.type, bits);
  Value numerator = wide.make<arith::ShLIOp>(wide.number((int64_t(1) << 30) + 1), bitsWide);
  Value countWide = arith::ExtUIOp::create(builder, loc, wide.type, count);
  Value reciprocal = wide.make<arith::DivUIOp>(numerator, countWide);
  Value multiplier = arith::TruncIOp::create(builder, loc, narrow.type, reciprocal);
  Value shift = narrow.add(bits, narrow.number(30));
  Value shiftByte = arith::TruncIOp::create(builder, loc, builder.getI8Type(), shift);
  return tosa::ApplyScaleOp::create(builder, loc, narrow.type, sum, multiplier, shiftByte,
                                    tosa::RoundingMode::SINGLE_ROUND);
}

struct LowerMeansOfIntegers : OpRewritePattern<tosa::AvgPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::AvgPool2dOp op, PatternRewriter &rewriter) const override {
    auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!image || !type)
      return rewriter.notifyMatchFailure(op, "the rank is not known");
    auto element = dyn_cast<IntegerType>(type.getElementType());
    if (!element || image.getElementType() != element || element.getWidth() > 16 || !op.getAccType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "no means of integers of 8 or 16 bits");
    FailureOr<int64_t> inputZero = op.getInputZeroPoint(), outputZero = op.getOutputZeroPoint();
    if (failed(inputZero) || failed(outputZero))
      return rewriter.notifyMatchFailure(op, "a zero point is not constant");

    Location loc = op.getLoc();
    Arithmetic index{rewriter, loc, rewriter.getIndexType()};
    ArrayRef<int64_t> pad = op.getPad(), kernel = op.getKernel(), stride = op.getStride();
    Window rows{kernel[0], stride[0], pad[0], pad[1]}, columns{kernel[1], stride[1], pad[2], pad[3]};
    Value height = extentOf(rewriter, loc, op.getInput(), 1), width = extentOf(rewriter, loc, op.getInput(), 2);
    auto positions = [&](int64_t dim) {
      return dim == 1 ? rows.positions(index, height) : columns.positions(index, width);
    };

    Value padded = op.getInput();
    if (llvm::any_of(pad, [](int64_t size) { return size != 0; })) {
      SmallVector<OpFoldResult> low(4, rewriter.getIndexAttr(0)), high = low;
      low[1] = rewriter.getIndexAttr(pad[0]);
      high[1] = rewriter.getIndexAttr(pad[1]);
      low[2] = rewriter.getIndexAttr(pad[2]);
      high[2] = rewriter.getIndexAttr(pad[3]);
      Value zero = Arithmetic{rewriter, loc, element}.number(0);
      padded = tensor::PadOp::create(rewriter, loc, Type(), op.getInput(), low, high, zero);
    }
    RankedTensorType sumType = type.clone(rewriter.getI32Type());
    Value noSums = emptyLike(rewriter, loc, sumType, op.getInput(), positions);
    Value zeroSum = Arithmetic{rewriter, loc, rewriter.getI32Type()}.number(0);
    Value zeros = linalg::FillOp::create(rewriter, loc, zeroSum, noSums).getResult(0);
    Value window = tensor::EmptyOp::create(rewriter, loc, kernel, rewriter.getI32Type());
    auto strides = rewriter.getI64VectorAttr(stride), dilations = rewriter.getI64VectorAttr({1, 1});
    Value sums = linalg::PoolingNhwcSumOp::create(rewriter, loc, TypeRange{sumType}, ValueRange{padded, window},
                                                  ValueRange{zeros}, strides, dilations)
                     .getResult(0);
    Value empty = emptyLike(rewriter, loc, type, op.getInput(), positions);
    SmallVector<utils::IteratorType> parallel(4, utils::IteratorType::parallel);
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(4));
    auto body = [&](OpBuilder &builder, Location inner, ValueRange elements) {
      Arithmetic inside{builder, inner, builder.getIndexType()}, sum{builder, inner, builder.getI32Type()};
      Value row = linalg::IndexOp::create(builder, inner, 1), column = linalg::IndexOp::create(builder, inner, 2);
      Value area = inside.mul(rows.covered(inside, row, height), columns.covered(inside, column, width));
      Value count = arith::IndexCastOp::create(builder, inner, sum.type, area);
      Value above = sum.sub(elements[0], sum.mul(count, sum.number(*inputZero)));
      Value mean = sum.add(meanOf(builder, inner, above, count), sum.number(*outputZero));
      int64_t most = APInt::getSignedMaxValue(element.getWidth()).getSExtValue();
      Value within = sum.make<arith::MaxSIOp>(sum.make<arith::MinSIOp>(mean, sum.number(most)), sum.number(-most - 1));
      linalg::YieldOp::create(builder, inner, arith::TruncIOp::create(builder, inner, element, within).getResult());
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, type, ValueRange{sums}, ValueRange{empty}, maps, parallel, body);
    return success();
  }
};

struct LowerTosaImages : mica::impl::LowerTosaImagesBase<LowerTosaImages> {
  using LowerTosaImagesBase::LowerTosaImagesBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateLowerTosaImagesPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void mica::populateLowerTosaImagesPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerResize, LowerMeansOfIntegers>(patterns.getContext());
  populateTosaConvolutionPatterns(patterns);
}
