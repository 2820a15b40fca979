//===- EvalTosaWindows.cpp - matrix products, convolutions and pooling of tosa ------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Follows the TOSA 1.0 specification. Zero points are subtracted first, so padding contributes nothing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/Contraction.h"
#include "dialects/Mica/Reference/TosaScale.h"
#include "dialects/Mica/Reference/Windows.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;

namespace mica::reference {

namespace {

/// `tensor` minus the single element of `zeroPoint`.
Tensor withoutZeroPoint(Tensor tensor, const Tensor &zeroPoint) {
  Cell zero = zeroPoint.data()[0];
  if (tensor.elementType().isFloat ? zero.f == 0.0 : zero.i == 0)
    return tensor;
  Cell *cell = tensor.mutableData();
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    if (tensor.elementType().isFloat)
      cell[i].f -= zero.f;
    else
      cell[i].i -= zero.i; // may exceed the element type's range; the accumulator is wider
  }
  return tensor;
}

/// output[n, h, w] = sum over c of (a[n, h, c] - a_zp) * (b[n, c, w] - b_zp).
FailureOr<Tensor> evalMatmul(tosa::MatMulOp op, Operands in, Evaluator &evaluator) {
  Tensor a = withoutZeroPoint(in[0], in[2]), b = withoutZeroPoint(in[1], in[3]);
  int64_t n = a.dim(0), h = a.dim(1), c = a.dim(2), w = b.dim(2);
  if (b.dim(0) != n || b.dim(1) != c)
    return op.emitError() << "shape mismatch: " << a.typeString() << " and " << b.typeString();
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), {n, h, w});
  if (failed(result))
    return failure();
  MacLoop loops[] = {{n, h * c, c * w, h * w}, {h, c, 0, w}, {w, 0, 1, 1}, {c, 1, w, 0}};
  multiplyAccumulate(loops, a.data(), b.data(), result->mutableData(), a.elementType().isFloat);
  return finished(std::move(*result));
}

/// A tensor of `shape` that repeats `bias` (one element, or one per element of the last dimension).
FailureOr<Tensor> fromBias(Operation *op, const Tensor &bias, ElementType type, ArrayRef<int64_t> shape,
                           const Evaluator &evaluator) {
  if (bias.size() != 1 && bias.size() != shape.back())
    return op->emitError() << "shape mismatch: bias " << bias.typeString() << " for " << shape.back() << " channels";
  FailureOr<Tensor> result = evaluator.allocate(op, type, shape);
  if (failed(result))
    return failure();
  Cell *cells = result->mutableData();
  for (int64_t i = 0, e = result->size(); i < e; ++i)
    cells[i] = bias.data()[bias.size() == 1 ? 0 : i % shape.back()];
  return result;
}

/// conv2d and conv3d: image N..C, weights O..C, result N..O; `pad` is (before, after) per spatial dimension.
template <typename OpT> FailureOr<Tensor> evalTosaConv(OpT op, Operands in, Evaluator &evaluator) {
  Tensor image = withoutZeroPoint(in[0], in[3]), weight = withoutZeroPoint(in[1], in[4]);
  SmallVector<WindowDim> windows;
  SmallVector<int64_t> shape(image.shape());
  int64_t last = image.rank() - 1;
  shape[last] = weight.dim(0);
  for (int64_t i = 0; i < last - 1; ++i) {
    windows.push_back({i + 1, i + 1, weight.dim(i + 1), op.getStride()[i], op.getDilation()[i], op.getPad()[2 * i],
                       op.getPad()[2 * i + 1]});
    shape[i + 1] = windows.back().positions(image.dim(i + 1));
  }
  FailureOr<Tensor> result = fromBias(op, in[2], *ElementType::of(op.getType()), shape, evaluator);
  ChannelDim channels[] = {{0, -1, 0}, {-1, 0, last}, {last, last, -1}};
  if (failed(result) || failed(convolve(op, image, weight, *result, windows, channels, evaluator)))
    return failure();
  return finished(std::move(*result));
}

/// Image NHWC, weights HWCM; result channel c * M + m.
FailureOr<Tensor> evalDepthwise(tosa::DepthwiseConv2DOp op, Operands in, Evaluator &evaluator) {
  Tensor image = withoutZeroPoint(in[0], in[3]), weight = withoutZeroPoint(in[1], in[4]);
  ArrayRef<int64_t> stride = op.getStride(), dilation = op.getDilation(), pad = op.getPad();
  WindowDim windows[] = {{1, 0, weight.dim(0), stride[0], dilation[0], pad[0], pad[1]},
                         {2, 1, weight.dim(1), stride[1], dilation[1], pad[2], pad[3]}};
  int64_t c = weight.dim(2), m = weight.dim(3);
  SmallVector<int64_t> shape = {image.dim(0), windows[0].positions(image.dim(1)), windows[1].positions(image.dim(2)),
                                c * m};
  FailureOr<Tensor> result = fromBias(op, in[2], *ElementType::of(op.getType()), shape, evaluator);
  if (failed(result))
    return failure();
  Tensor split = result->reshaped({shape[0], shape[1], shape[2], c, m});
  ChannelDim channels[] = {{0, -1, 0}, {3, 2, 3}, {-1, 3, 4}};
  if (failed(convolve(op, image, weight, split, windows, channels, evaluator)))
    return failure();
  return finished(split.reshaped(shape));
}

/// Every element of the image adds its multiple of the weights (OHWC) to the result, with a stride; `out_pad` is top,
/// bottom, left, right of the result.
FailureOr<Tensor> evalTransposeConv(tosa::TransposeConv2DOp op, Operands in, Evaluator &evaluator) {
  Tensor image = withoutZeroPoint(in[0], in[3]), weight = withoutZeroPoint(in[1], in[4]);
  ArrayRef<int64_t> stride = op.getStride(), pad = op.getOutPad();
  SmallVector<int64_t> shape = {image.dim(0), (image.dim(1) - 1) * stride[0] + pad[0] + pad[1] + weight.dim(1),
                                (image.dim(2) - 1) * stride[1] + pad[2] + pad[3] + weight.dim(2), weight.dim(0)};
  FailureOr<Tensor> result = fromBias(op, in[2], *ElementType::of(op.getType()), shape, evaluator);
  if (failed(result))
    return failure();
  Cell *cells = result->mutableData();
  bool isFloat = result->elementType().isFloat;
  SmallVector<int64_t> iStrides = image.strides(), wStrides = weight.strides(), oStrides = result->strides();
  noteAccumulation(weight.dim(1) * weight.dim(2) * weight.dim(3));
  // Loops: n, iy, ix, o, ky, kx, c.
  forEachPosition({image.dim(0), image.dim(1), image.dim(2), weight.dim(0), weight.dim(1), weight.dim(2), image.dim(3)},
                  [&](ArrayRef<int64_t> p) {
                    int64_t y = p[1] * stride[0] + pad[0] + p[4], x = p[2] * stride[1] + pad[2] + p[5];
                    if (y < 0 || y >= shape[1] || x < 0 || x >= shape[2])
                      return;
                    Cell &out = cells[linearize({p[0], y, x, p[3]}, oStrides)];
                    Cell a = image.data()[linearize({p[0], p[1], p[2], p[6]}, iStrides)];
                    Cell b = weight.data()[linearize({p[3], p[4], p[5], p[6]}, wStrides)];
                    if (isFloat)
                      out.f += a.f * b.f;
                    else
                      out.i += a.i * b.i;
                  });
  return finished(std::move(*result));
}

template <typename OpT> SmallVector<WindowDim> tosaPoolWindows(OpT op) {
  ArrayRef<int64_t> kernel = op.getKernel(), stride = op.getStride(), pad = op.getPad();
  return {{1, -1, kernel[0], stride[0], 1, pad[0], pad[1]}, {2, -1, kernel[1], stride[1], 1, pad[2], pad[3]}};
}

FailureOr<Tensor> evalMaxPool(tosa::MaxPool2dOp op, Operands in, Evaluator &evaluator) {
  ElementType type = in[0].elementType();
  bool ignoresNaN = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
  auto larger = [&](Cell a, Cell b) {
    if (!type.isFloat)
      return Cell::of(std::max(a.i, b.i));
    return Cell::of(ignoresNaN ? ieeeMaximumNumber(a.f, b.f) : ieeeMaximum(a.f, b.f));
  };
  return pool(
      op, in[0], type, tosaPoolWindows(op), type.lowest(), larger, [](Cell value, int64_t) { return value; },
      evaluator);
}

/// The mean over the elements inside of the image. Integers are divided in fixed point, as specified.
FailureOr<Tensor> evalAvgPool(tosa::AvgPool2dOp op, Operands in, Evaluator &evaluator) {
  Tensor image = withoutZeroPoint(in[0], in[1]);
  ElementType type = *ElementType::of(op.getType());
  int64_t outZero = type.isFloat ? 0 : in[2].intAt(0);
  FailureOr<Tensor> result = pool(
      op, image, type, tosaPoolWindows(op), type.number(0),
      [&](Cell a, Cell b) { return type.isFloat ? Cell::of(a.f + b.f) : Cell::of(a.i + b.i); },
      [&](Cell sum, int64_t count) {
        if (type.isFloat)
          return Cell::of(sum.f / double(count));
        return Cell::of(count ? saturate(divideByScale(sum.i, uint32_t(count)) + outZero, type) : int64_t(0));
      },
      evaluator);
  if (failed(result))
    return failure();
  return finished(std::move(*result));
}

//===------------------------------------------------------------------------------------------------------------===//
// Resize
//===------------------------------------------------------------------------------------------------------------===//

/// One axis of a resize: element p of the result is at (p * d + offset) / n of the input.
struct ResizeAxis {
  int64_t n, d, offset, border, size;

  int64_t positions() const { return ((size - 1) * n - offset + border) / d + 1; }
  /// The input element at or before p, the one after it (both clamped), and n times the distance from the first.
  void locate(int64_t p, int64_t &before, int64_t &after, int64_t &distance) const {
    int64_t at = p * d + offset;
    int64_t whole = at >= 0 ? at / n : -((-at + n - 1) / n);
    distance = at - whole * n;
    before = std::clamp<int64_t>(whole, 0, size - 1);
    after = std::clamp<int64_t>(whole + 1, 0, size - 1);
  }
};

/// Bilinear interpolation of integers does not scale the sum (by the product of both n), as specified.
FailureOr<Tensor> evalResize(tosa::ResizeOp op, Operands in, Evaluator &evaluator) {
  const Tensor &image = in[0];
  SmallVector<int64_t> scale = in[1].toInts(), offset = in[2].toInts(), border = in[3].toInts();
  ResizeAxis vertical{scale[0], scale[1], offset[0], border[0], image.dim(1)};
  ResizeAxis horizontal{scale[2], scale[3], offset[1], border[1], image.dim(2)};
  for (const ResizeAxis &axis : {vertical, horizontal})
    if (axis.n <= 0 || axis.d <= 0 || axis.size <= 0)
      return op.emitError() << "scale " << axis.n << " / " << axis.d << " on extent " << axis.size
                            << " is not positive";
  FailureOr<Tensor> result = evaluator.allocate(
      op, *ElementType::of(op.getType()), {image.dim(0), vertical.positions(), horizontal.positions(), image.dim(3)});
  if (failed(result))
    return failure();
  bool isFloat = image.elementType().isFloat, isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  SmallVector<int64_t> strides = image.strides();
  Cell *cell = result->mutableData();
  forEachPosition(result->shape(), [&](ArrayRef<int64_t> p) {
    int64_t y0, y1, dy, x0, x1, dx;
    vertical.locate(p[1], y0, y1, dy);
    horizontal.locate(p[2], x0, x1, dx);
    auto at = [&](int64_t y, int64_t x) { return image.data()[linearize({p[0], y, x, p[3]}, strides)]; };
    if (isNearest) {
      *cell++ = at(2 * dy >= vertical.n ? y1 : y0, 2 * dx >= horizontal.n ? x1 : x0);
      return;
    }
    int64_t ry = vertical.n - dy, rx = horizontal.n - dx;
    if (!isFloat) {
      *cell++ =
          Cell::of(at(y0, x0).i * ry * rx + at(y0, x1).i * ry * dx + at(y1, x0).i * dy * rx + at(y1, x1).i * dy * dx);
      return;
    }
    double sum = at(y0, x0).f * double(ry * rx) + at(y0, x1).f * double(ry * dx) + at(y1, x0).f * double(dy * rx) +
                 at(y1, x1).f * double(dy * dx);
    *cell++ = Cell::of(sum / double(vertical.n * horizontal.n));
  });
  return finished(std::move(*result));
}

} // namespace

void addTosaWindowOps(OpTable &table) {
  table.add<tosa::MatMulOp>(evalMatmul);
  table.add<tosa::Conv2DOp>(evalTosaConv<tosa::Conv2DOp>);
  table.add<tosa::Conv3DOp>(evalTosaConv<tosa::Conv3DOp>);
  table.add<tosa::DepthwiseConv2DOp>(evalDepthwise);
  table.add<tosa::TransposeConv2DOp>(evalTransposeConv);
  table.add<tosa::MaxPool2dOp>(evalMaxPool);
  table.add<tosa::AvgPool2dOp>(evalAvgPool);
  table.add<tosa::ResizeOp>(evalResize);
}

} // namespace mica::reference
