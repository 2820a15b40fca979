//===- ConvertTosaToLoops.cpp - lowering tosa ops that upstream does not lower correctly --------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's conversion rounds an integer tosa.resize toward zero, where the specification (1.0, "RESIZE") rounds down,
// and does not support every type and size of it, of tosa.avg_pool2d, tosa.tile and tosa.transpose_conv2d. Each becomes
// a loop nest over the result, by the specification's formulas, in f64 and i64.
//
// Nor does it support conv2d, conv3d and depthwise_conv2d whose weights or bias have dynamic sizes.
//
// A reduction whose result type has a dynamic reduced dimension gets size 1 there: upstream's conversion crashes or
// creates invalid reshapes for it.
//
// tosa.cast from i1 to a float becomes arith.uitofp: the op's own fold, which upstream's conversion tries first,
// converts true to -1.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTTOSATOLOOPS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using plain::Emitter;

/// The zero point in `tensor`, in the type of `buffer`'s elements between load and store.
static Value zeroPoint(Emitter &e, Value tensor) { return e.load(e.buffer(tensor), e.index(0)); }

/// Gives the reduced dimension of the reduction `op` its size, 1, and casts back.
static void giveReducedSize(Operation *op) {
  if (!isa<tosa::ReduceAllOp, tosa::ReduceAnyOp, tosa::ReduceMaxOp, tosa::ReduceMinOp, tosa::ReduceProductOp,
           tosa::ReduceSumOp>(op))
    return;
  const int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || axis >= type.getRank() || !type.isDynamicDim(axis))
    return;
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 1;
  Value result = op->getResult(0);
  result.setType(type.clone(shape));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto cast = tensor::CastOp::create(builder, op->getLoc(), type, result);
  result.replaceAllUsesExcept(cast, cast);
}

namespace {
/// One axis of a resize: element p of the result is at (p * d + offset) / n in the input.
struct Axis {
  int64_t n, d, offset, border;
  Value size; ///< i64

  /// The input elements before and after p, and n times the distance from the first, as i64.
  std::tuple<Value, Value, Value> locate(Emitter &e, Value p) const {
    Value at = e.add(e.mul(p, e.integer(d)), e.integer(offset)), steps = e.integer(n);
    Value rest = e.rem(at, steps);
    rest = e.select(e.lt(rest, e.integer(0)), e.add(rest, steps), rest);
    Value whole = e.div(e.sub(at, rest), steps), last = e.sub(size, e.integer(1));
    auto inside = [&](Value x) { return e.smaller(e.larger(x, e.integer(0)), last); };
    return {inside(whole), inside(e.add(whole, e.integer(1))), rest};
  }
};
} // namespace

static LogicalResult emitResize(tosa::ResizeOp op) {
  SmallVector<int64_t> scale, offset, border;
  if (!tosa::getConstShapeValues(op.getScale().getDefiningOp(), scale) ||
      !tosa::getConstShapeValues(op.getOffset().getDefiningOp(), offset) ||
      !tosa::getConstShapeValues(op.getBorder().getDefiningOp(), border))
    return op.emitError("scale, offset and border have to be constants");
  Emitter e(op);
  Value image = e.buffer(op.getInput());
  SmallVector<Value> sizes = e.sizes(image);
  Axis axes[] = {{scale[0], scale[1], offset[0], border[0], e.toInteger(sizes[1])},
                 {scale[2], scale[3], offset[1], border[1], e.toInteger(sizes[2])}};
  for (auto [dim, axis] : llvm::enumerate(axes)) {
    Value reach = e.mul(e.sub(axis.size, e.integer(1)), e.integer(axis.n));
    reach = e.add(reach, e.integer(axis.border - axis.offset));
    sizes[1 + dim] = e.toIndex(e.add(e.div(reach, e.integer(axis.d)), e.integer(1)));
  }
  Value result = e.resultOf(sizes);
  bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    auto [y0, y1, dy] = axes[0].locate(e, e.toInteger(at[1]));
    auto [x0, x1, dx] = axes[1].locate(e, e.toInteger(at[2]));
    auto where = [&](Value y, Value x) -> SmallVector<Value> { return {at[0], e.toIndex(y), e.toIndex(x), at[3]}; };
    Value ny = e.integer(axes[0].n), nx = e.integer(axes[1].n), two = e.integer(2);
    if (isNearest) {
      Value y = e.select(e.ge(e.mul(two, dy), ny), y1, y0), x = e.select(e.ge(e.mul(two, dx), nx), x1, x0);
      return e.storeRaw(e.raw(image, where(y, x)), result, at);
    }
    Value ry = e.sub(ny, dy), rx = e.sub(nx, dx), sum;
    const std::tuple<Value, Value, Value> parts[] = {
        {y0, x0, e.mul(ry, rx)}, {y0, x1, e.mul(ry, dx)}, {y1, x0, e.mul(dy, rx)}, {y1, x1, e.mul(dy, dx)}};
    for (auto [y, x, weight] : parts) {
      Value part = e.mul(e.load(image, where(y, x)), e.isFloat(image) ? e.toReal(weight) : weight);
      sum = sum ? e.add(sum, part) : part;
    }
    // For integers the result is the sum, scaled by n * n, as specified.
    e.store(e.isFloat(image) ? e.div(sum, e.toReal(e.mul(ny, nx))) : sum, result, at);
  });
  e.replace(result);
  return success();
}

/// `sum / count` in fixed point, rounded like the specification's apply_scale_32.
static Value fixedPointMean(Emitter &e, Value sum, Value count) {
  Value one = e.integer(1), rest = e.sub(count, one);
  Value k = e.fold(e.index(32), e.integer(0), [&](ArrayRef<Value> bit, Value before) {
    Value shifted = e.make<arith::ShRUIOp>(rest, e.toInteger(bit[0]));
    return e.select(e.ne(shifted, e.integer(0)), e.add(before, one), before);
  });
  Value multiplier = e.div(e.make<arith::ShLIOp>(e.integer((int64_t(1) << 30) + 1), k), count);
  Value shift = e.add(k, e.integer(30)), half = e.make<arith::ShLIOp>(one, e.sub(shift, one));
  return e.make<arith::ShRSIOp>(e.add(e.mul(sum, multiplier), half), shift);
}

static LogicalResult emitAvgPool(tosa::AvgPool2dOp op) {
  Emitter e(op);
  Value image = e.buffer(op.getInput());
  ArrayRef<int64_t> kernel = op.getKernel(), stride = op.getStride(), pad = op.getPad();
  SmallVector<Value> sizes = e.sizes(image);
  for (int64_t axis : {0, 1}) {
    Value room = e.add(sizes[1 + axis], e.index(pad[2 * axis] + pad[2 * axis + 1] - kernel[axis]));
    sizes[1 + axis] = e.add(e.div(room, e.index(stride[axis])), e.index(1));
  }
  Value result = e.resultOf(sizes), inZero = zeroPoint(e, op.getInputZp()), outZero = zeroPoint(e, op.getOutputZp());
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    SmallVector<Value> last =
        e.fold({e.index(kernel[0]), e.index(kernel[1])}, {e.number(image, 0), e.integer(0)},
               [&](ArrayRef<Value> k, ArrayRef<Value> before) -> SmallVector<Value> {
                 SmallVector<Value> where(at);
                 Value isThere = e.truth(true);
                 for (int64_t axis : {0, 1}) {
                   Value begin = e.mul(at[1 + axis], e.index(stride[axis]));
                   where[1 + axis] = e.sub(e.add(begin, k[axis]), e.index(pad[2 * axis]));
                   isThere = e.both(isThere, e.inRange(where[1 + axis], e.size(image, 1 + axis)));
                 }
                 Value sum = e.choose(
                     isThere, [&] { return e.add(before[0], e.sub(e.load(image, where), inZero)); },
                     [&] { return before[0]; });
                 return {sum, e.add(before[1], e.widen(isThere))};
               });
    if (e.isFloat(image))
      return e.store(e.div(last[0], e.toReal(last[1])), result, at);
    Value count = e.larger(last[1], e.integer(1));
    Value mean = e.add(fixedPointMean(e, last[0], count), outZero);
    e.store(e.smaller(e.larger(mean, e.lowest(result)), e.highest(result)), result, at);
  });
  e.replace(result);
  return success();
}

static LogicalResult emitTile(tosa::TileOp op) {
  SmallVector<int64_t> multiples;
  if (failed(op.getConstantMultiples(multiples)))
    return op.emitError("multiples have to be a constant");
  Emitter e(op);
  Value input = e.buffer(op.getInput1());
  SmallVector<Value> sizes = e.sizes(input), tiled;
  for (auto [size, multiple] : llvm::zip_equal(sizes, multiples))
    tiled.push_back(e.mul(size, e.index(multiple)));
  Value result = e.resultOf(tiled);
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    SmallVector<Value> from;
    for (auto [index, size] : llvm::zip_equal(at, sizes))
      from.push_back(e.rem(index, size));
    e.storeRaw(e.raw(input, from), result, at);
  });
  e.replace(result);
  return success();
}

static LogicalResult emitTransposeConv(tosa::TransposeConv2DOp op) {
  Emitter e(op);
  Value image = e.buffer(op.getInput()), weight = e.buffer(op.getWeight()), bias = e.buffer(op.getBias());
  ArrayRef<int64_t> stride = op.getStride(), pad = op.getOutPad();
  SmallVector<Value> sizes = e.sizes(image), weights = e.sizes(weight); // O H W C
  for (int64_t axis : {0, 1}) {
    Value reach = e.mul(e.sub(sizes[1 + axis], e.index(1)), e.index(stride[axis]));
    sizes[1 + axis] = e.add(e.add(reach, weights[1 + axis]), e.index(pad[2 * axis] + pad[2 * axis + 1]));
  }
  sizes[3] = weights[0];
  Value result = e.resultOf(sizes);
  Value imageZero = zeroPoint(e, op.getInputZp()), weightZero = zeroPoint(e, op.getWeightZp());
  bool repeatsBias = cast<RankedTensorType>(op.getBias().getType()).getDimSize(0) == 1;
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value start = e.load(bias, repeatsBias ? e.index(0) : at[3]);
    Value sum = e.fold({weights[1], weights[2], weights[3]}, start, [&](ArrayRef<Value> k, Value before) {
      SmallVector<Value> where{at[0], Value(), Value(), k[2]};
      Value isThere = e.truth(true);
      for (int64_t axis : {0, 1}) {
        Value reach = e.sub(e.sub(at[1 + axis], e.index(pad[2 * axis])), k[axis]), step = e.index(stride[axis]);
        where[1 + axis] = e.div(reach, step);
        Value isWhole = e.both(e.ge(reach, e.index(0)), e.eq(e.rem(reach, step), e.index(0)));
        isThere = e.both(isThere, e.both(isWhole, e.lt(where[1 + axis], e.size(image, 1 + axis))));
      }
      return e.choose(
          isThere,
          [&] {
            Value x = e.sub(e.load(image, where), imageZero);
            Value w = e.sub(e.load(weight, {at[3], k[0], k[1], k[2]}), weightZero);
            return e.add(before, e.mul(x, w));
          },
          [&] { return before; });
    });
    e.store(sum, result, at);
  });
  e.replace(result);
  return success();
}

/// Whether `op` is a convolution that upstream does not convert.
static bool hasOpenWeights(Operation *op) {
  return isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp>(op) &&
         !(cast<ShapedType>(op->getOperand(1).getType()).hasStaticShape() &&
           cast<ShapedType>(op->getOperand(2).getType()).hasStaticShape());
}

/// Weights O..C, or HWCM, whose channel of the result is c * M + m.
template <typename OpT> static LogicalResult emitConv(OpT op) {
  constexpr bool isDepthwise = std::is_same_v<OpT, tosa::DepthwiseConv2DOp>;
  Emitter e(op);
  Value image = e.buffer(op.getInput()), weight = e.buffer(op.getWeight()), bias = e.buffer(op.getBias());
  ArrayRef<int64_t> stride = op.getStride(), pad = op.getPad(), dilation = op.getDilation();
  SmallVector<Value> sizes = e.sizes(image), weights = e.sizes(weight);
  const size_t spatial = sizes.size() - 2, kernelAt = isDepthwise ? 0 : 1;
  SmallVector<Value> windows = llvm::to_vector(ArrayRef(weights).slice(kernelAt, spatial));
  for (size_t axis = 0; axis < spatial; ++axis) {
    Value reach = e.mul(e.sub(windows[axis], e.index(1)), e.index(dilation[axis]));
    Value room = e.sub(e.add(sizes[1 + axis], e.index(pad[2 * axis] + pad[2 * axis + 1] - 1)), reach);
    sizes[1 + axis] = e.add(e.make<arith::FloorDivSIOp>(room, e.index(stride[axis])), e.index(1));
  }
  sizes.back() = isDepthwise ? e.mul(weights[2], weights[3]) : weights[0];
  if (!isDepthwise)
    windows.push_back(weights.back());
  Value result = e.resultOf(sizes);
  Value imageZero = zeroPoint(e, op.getInputZp()), weightZero = zeroPoint(e, op.getWeightZp());
  Value repeats = e.eq(e.toInteger(e.size(bias, 0)), e.integer(1));
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value start = e.load(bias, e.select(repeats, e.index(0), at.back()));
    Value sum = e.fold(windows, start, [&](ArrayRef<Value> k, Value before) {
      SmallVector<Value> where(at), filter(k);
      Value isThere = e.truth(true);
      for (size_t axis = 0; axis < spatial; ++axis) {
        Value begin = e.sub(e.mul(at[1 + axis], e.index(stride[axis])), e.index(pad[2 * axis]));
        where[1 + axis] = e.add(begin, e.mul(k[axis], e.index(dilation[axis])));
        isThere = e.both(isThere, e.inRange(where[1 + axis], e.size(image, 1 + axis)));
      }
      if (isDepthwise) {
        where.back() = e.div(at.back(), weights[3]);
        filter.append({where.back(), e.rem(at.back(), weights[3])});
      } else {
        where.back() = k.back();
        filter.insert(filter.begin(), at.back());
      }
      return e.choose(
          isThere,
          [&] {
            Value x = e.sub(e.load(image, where), imageZero), w = e.sub(e.load(weight, filter), weightZero);
            return e.add(before, e.mul(x, w));
          },
          [&] { return before; });
    });
    e.store(sum, result, at);
  });
  e.replace(result);
  return success();
}

static LogicalResult emitCast(tosa::CastOp op) {
  OpBuilder builder(op);
  Value cast = arith::UIToFPOp::create(builder, op.getLoc(), op.getType(), op.getInput());
  op.replaceAllUsesWith(cast);
  op.erase();
  return success();
}

static bool isFromBoolToFloat(Operation *op) {
  auto cast = dyn_cast<tosa::CastOp>(op);
  return cast && cast.getInput().getType().getElementType().isInteger(1) &&
         isa<FloatType>(cast.getType().getElementType());
}

namespace {
struct ConvertTosaToLoops : mica::impl::ConvertTosaToLoopsBase<ConvertTosaToLoops> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) { giveReducedSize(op); });
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<tosa::ResizeOp, tosa::AvgPool2dOp, tosa::TileOp, tosa::TransposeConv2DOp>(op) || isFromBoolToFloat(op) ||
          hasOpenWeights(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      LogicalResult made =
          llvm::TypeSwitch<Operation *, LogicalResult>(op)
              .Case([](tosa::ResizeOp resize) { return emitResize(resize); })
              .Case([](tosa::AvgPool2dOp pool) { return emitAvgPool(pool); })
              .Case([](tosa::TileOp tile) { return emitTile(tile); })
              .Case([](tosa::CastOp conversion) { return emitCast(conversion); })
              .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp>([](auto conv) { return emitConv(conv); })
              .Default([](Operation *conv) { return emitTransposeConv(cast<tosa::TransposeConv2DOp>(conv)); });
      if (failed(made))
        return signalPassFailure();
    }
  }
};
} // namespace
