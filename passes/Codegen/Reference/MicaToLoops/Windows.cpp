//===- Windows.cpp - convolutions, pooling and resizing -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Computes each element of the result from the elements of the image in its formula; those out of bounds are skipped.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include <cmath>

using namespace mlir;

namespace mica::plain {

namespace {

/// The position in the image of step `k` of a window at `position`.
Value placeOf(Emitter &e, Value position, Value k, int64_t stride, int64_t dilation, int64_t before) {
  Value begin = e.mul(position, e.index(stride));
  return e.sub(e.add(begin, e.mul(k, e.index(dilation))), e.index(before));
}

/// `sum` plus the product at `image` and `filter` if `isThere`.
Value addProduct(Emitter &e, Value sum, Value isThere, llvm::function_ref<Value()> product) {
  return e.choose(
      isThere, [&] { return e.add(sum, product()); }, [&] { return sum; });
}

template <typename OpT> Value biasAt(Emitter &e, OpT op, Value result, Value channel) {
  return op.getBias() ? e.load(e.buffer(op.getBias()), channel) : e.number(result, 0);
}

/// Computes each element of `result`: its bias plus the sum of products over the filter's steps and the `channels` of a
/// group. `place` computes the positions in image and filter for a step, and returns whether they are in bounds. A
/// group has `outputs` channels of the result.
template <typename OpT, typename PlaceFn>
void emitProductSums(Emitter &e, OpT op, Value image, Value filter, Value result, Value channels, Value outputs,
                     PlaceFn place) {
  ConvDims dims = op.getConvDims();
  SmallVector<Value> bounds{channels};
  for (int64_t dim : dims.filterSpatial)
    bounds.push_back(e.size(filter, dim));
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value output = at[dims.channel], group = e.div(output, outputs);
    Value sum = e.fold(bounds, biasAt(e, op, result, output), [&](ArrayRef<Value> step, Value before) {
      SmallVector<Value> inImage(at.size()), inFilter(at.size());
      inImage[0] = at[0];
      inImage[dims.channel] = e.add(e.mul(group, channels), step[0]);
      Value isThere = place(at, step, inImage, inFilter);
      return addProduct(e, before, isThere, [&] { return e.mul(e.load(image, inImage), e.load(filter, inFilter)); });
    });
    e.store(sum, result, at);
  });
  e.replace(result);
}

template <typename OpT> void emitConv(OpT op) {
  Emitter e(op);
  ConvDims dims = op.getConvDims();
  Value image = e.buffer(op.getInput()), filter = e.buffer(op.getFilter()), result = e.result();
  Value channels = e.size(filter, dims.filterInput); // of one group
  Value outputs = e.div(e.size(filter, dims.filterOutput), e.index(op.getGroups()));
  auto place = [&](ArrayRef<Value> at, ArrayRef<Value> step, MutableArrayRef<Value> inImage,
                   MutableArrayRef<Value> inFilter) {
    inFilter[dims.filterInput] = step[0];
    inFilter[dims.filterOutput] = at[dims.channel];
    Value isThere = e.truth(true);
    for (auto [axis, dim] : llvm::enumerate(dims.spatial)) {
      inFilter[dims.filterSpatial[axis]] = step[1 + axis];
      inImage[dim] =
          placeOf(e, at[dim], step[1 + axis], op.getStrides()[axis], op.getDilations()[axis], op.getPads()[2 * axis]);
      isThere = e.both(isThere, e.inRange(inImage[dim], e.size(image, dim)));
    }
    return isThere;
  };
  emitProductSums(e, op, image, filter, result, channels, outputs, place);
}

/// The elements of the image that contribute to one element of the result: those whose row times the stride, plus the
/// filter's step, is its row.
void emitConvTranspose(Conv2dTransposeOp op) {
  Emitter e(op);
  ConvDims dims = op.getConvDims();
  bool countsAllInputs = op.getLayout() == ConvTransposeLayout::NchwCfhw;
  Value image = e.buffer(op.getInput()), filter = e.buffer(op.getFilter()), result = e.result();
  Value groups = e.index(op.getGroups());
  Value channels = e.div(e.size(image, dims.channel), groups); // of one group
  Value outputs = e.div(e.size(result, dims.channel), groups);
  auto place = [&](ArrayRef<Value> at, ArrayRef<Value> step, MutableArrayRef<Value> inImage,
                   MutableArrayRef<Value> inFilter) {
    Value output = at[dims.channel];
    inFilter[dims.filterInput] = countsAllInputs ? inImage[dims.channel] : step[0];
    inFilter[dims.filterOutput] = countsAllInputs ? e.rem(output, outputs) : output;
    Value isThere = e.truth(true);
    for (auto [axis, dim] : llvm::enumerate(dims.spatial)) {
      inFilter[dims.filterSpatial[axis]] = step[1 + axis];
      Value stride = e.index(op.getStrides()[axis]), none = e.index(0);
      Value reach = e.sub(e.add(at[dim], e.index(op.getPads()[2 * axis])),
                          e.mul(step[1 + axis], e.index(op.getDilations()[axis])));
      inImage[dim] = e.div(reach, stride);
      Value isWhole = e.both(e.ge(reach, none), e.eq(e.rem(reach, stride), none));
      isThere = e.both(isThere, e.both(isWhole, e.lt(inImage[dim], e.size(image, dim))));
    }
    return isThere;
  };
  emitProductSums(e, op, image, filter, result, channels, outputs, place);
}

/// Sum or maximum over windows; for a mean also the number of counted elements.
template <typename OpT> void emitPool(OpT op) {
  constexpr bool kIsMax = std::is_same_v<OpT, MaxPoolOp>;
  Emitter e(op);
  ImageDims dims = op.getImageDims();
  const int64_t spatial[] = {dims.height, dims.width};
  Value image = e.buffer(op.getInput()), result = e.result();
  SmallVector<Value> bounds{e.index(op.getKernel()[0]), e.index(op.getKernel()[1])};
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value start = kIsMax ? e.lowest(image) : e.real(0);
    SmallVector<Value> last =
        e.fold(bounds, {start, e.integer(0)}, [&](ArrayRef<Value> step, ArrayRef<Value> before) -> SmallVector<Value> {
          SmallVector<Value> where(at);
          Value isThere = e.truth(true), counts = e.truth(true);
          for (auto [axis, dim] : llvm::enumerate(spatial)) {
            int64_t low = op.getPads()[2 * axis], high = op.getPads()[2 * axis + 1];
            where[dim] = placeOf(e, at[dim], step[axis], op.getStrides()[axis], op.getDilations()[axis], low);
            Value size = e.size(image, dim);
            isThere = e.both(isThere, e.inRange(where[dim], size));
            Value padded = e.add(size, e.index(low + high));
            counts = e.both(counts, e.inRange(e.add(where[dim], e.index(low)), padded));
          }
          if constexpr (!kIsMax)
            counts = op.getCountIncludePad() ? counts : isThere;
          Value next = e.choose(
              isThere,
              [&] {
                Value x = e.load(image, where);
                return kIsMax ? e.larger(before[0], x) : e.add(before[0], x);
              },
              [&] { return before[0]; });
          return {next, e.add(before[1], e.widen(counts))};
        });
    e.store(kIsMax ? last[0] : e.div(last[0], e.toReal(last[1])), result, at);
  });
  e.replace(result);
}

//===------------------------------------------------------------------------------------------------------------===//
// Resizing
//===------------------------------------------------------------------------------------------------------------===//

/// `x / y` rounded down, for positive y.
Value floorOf(Emitter &e, Value x, Value y) {
  Value quotient = e.div(x, y);
  Value isBelow = e.lt(e.rem(x, y), e.integer(0));
  return e.select(isBelow, e.sub(quotient, e.integer(1)), quotient);
}

Value ceilOf(Emitter &e, Value x, Value y) { return e.sub(e.integer(0), floorOf(e, e.sub(e.integer(0), x), y)); }

/// A coordinate in the operand, as i64.
struct Fraction {
  Value numerator, denominator;
};

Fraction coordinateOf(Emitter &e, ResizeCoordinates coordinates, Value x, Value in, Value out) {
  Value one = e.integer(1), two = e.integer(2);
  switch (coordinates) {
  case ResizeCoordinates::HalfPixel:
    return {e.sub(e.mul(e.add(e.mul(two, x), one), in), out), e.mul(two, out)};
  case ResizeCoordinates::Asymmetric:
    return {e.mul(x, in), out};
  case ResizeCoordinates::AlignCorners: {
    Value isOne = e.eq(out, one);
    return {e.select(isOne, e.integer(0), e.mul(x, e.sub(in, one))), e.select(isOne, one, e.sub(out, one))};
  }
  }
  llvm_unreachable("all coordinates are above");
}

Value roundedAs(Emitter &e, ResizeRounding rounding, Fraction c) {
  Value two = e.integer(2);
  Value twice = e.mul(two, c.numerator), denominator = e.mul(two, c.denominator);
  switch (rounding) {
  case ResizeRounding::Floor:
    return floorOf(e, c.numerator, c.denominator);
  case ResizeRounding::Ceil:
    return ceilOf(e, c.numerator, c.denominator);
  case ResizeRounding::PreferFloor:
    return ceilOf(e, e.sub(twice, c.denominator), denominator);
  case ResizeRounding::PreferCeil:
    return floorOf(e, e.add(twice, c.denominator), denominator);
  }
  llvm_unreachable("all roundings are above");
}

void emitResize(ResizeOp op) {
  Emitter e(op);
  ImageDims dims = op.getImageDims();
  const int64_t spatial[] = {dims.height, dims.width};
  bool isNearest = op.getMode() == ResizeMode::Nearest;
  Value input = e.buffer(op.getInput()), result = e.result();
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value places[2][2], part[2];
    for (auto [axis, dim] : llvm::enumerate(spatial)) {
      Value in = e.toInteger(e.size(input, dim)), out = e.toInteger(e.size(result, dim));
      Fraction c = coordinateOf(e, op.getCoordinates(), e.toInteger(at[dim]), in, out);
      Value first = roundedAs(e, isNearest ? op.getRounding() : ResizeRounding::Floor, c);
      Value rest = e.sub(c.numerator, e.mul(first, c.denominator));
      part[axis] = e.div(e.toReal(rest), e.toReal(c.denominator));
      for (int64_t next : {0, 1}) {
        Value inside = e.smaller(e.larger(e.add(first, e.integer(next)), e.integer(0)), e.sub(in, e.integer(1)));
        places[axis][next] = e.toIndex(inside);
      }
    }
    auto where = [&](int64_t row, int64_t column) {
      SmallVector<Value> from(at);
      from[dims.height] = places[0][row];
      from[dims.width] = places[1][column];
      return from;
    };
    if (isNearest)
      return e.storeRaw(e.raw(input, where(0, 0)), result, at);
    auto between = [&](Value low, Value high, Value f) {
      return e.add(e.mul(e.sub(e.real(1), f), low), e.mul(f, high));
    };
    Value upper = between(e.load(input, where(0, 0)), e.load(input, where(0, 1)), part[1]);
    Value lower = between(e.load(input, where(1, 0)), e.load(input, where(1, 1)), part[1]);
    e.store(between(upper, lower, part[0]), result, at);
  });
  e.replace(result);
}

} // namespace

bool emitWindows(Operation *op) {
  if (auto conv = dyn_cast<Conv1dOp>(op))
    return emitConv(conv), true;
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return emitConv(conv), true;
  if (auto conv = dyn_cast<Conv2dTransposeOp>(op))
    return emitConvTranspose(conv), true;
  if (auto pool = dyn_cast<MaxPoolOp>(op))
    return emitPool(pool), true;
  if (auto pool = dyn_cast<AvgPoolOp>(op))
    return emitPool(pool), true;
  if (auto resize = dyn_cast<ResizeOp>(op))
    return emitResize(resize), true;
  return false;
}

} // namespace mica::plain
