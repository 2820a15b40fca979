//===- Windows.cpp - convolutions and pooling -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Windows.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Windows.h"

#include "dialects/Mica/Reference/Bounds.h"

#include "dialects/Mica/Reference/Contraction.h"

using namespace mlir;

namespace mica::reference {

/// `image` padded with zeros as `windows` requires.
static FailureOr<Tensor> padded(Operation *op, const Tensor &image, ArrayRef<WindowDim> windows,
                                const Evaluator &evaluator) {
  SmallVector<int64_t> shape(image.shape()), offset(image.rank(), 0);
  for (const WindowDim &window : windows) {
    shape[window.imageDim] += window.before + window.after;
    offset[window.imageDim] = window.before;
  }
  if (ArrayRef(shape) == image.shape())
    return image;
  FailureOr<Tensor> result = evaluator.allocate(op, image.elementType(), shape);
  if (failed(result))
    return failure();
  SmallVector<int64_t> strides = result->strides();
  Cell *to = result->mutableData() + linearize(offset, strides);
  const Cell *from = image.data();
  forEachPosition(image.shape(), [&](ArrayRef<int64_t> position) { to[linearize(position, strides)] = *from++; });
  return result;
}

LogicalResult convolve(Operation *op, const Tensor &image, const Tensor &filter, Tensor &result,
                       ArrayRef<WindowDim> windows, ArrayRef<ChannelDim> channels, const Evaluator &evaluator) {
  for (const WindowDim &window : windows)
    if (window.positions(image.dim(window.imageDim)) != result.dim(window.imageDim))
      return op->emitError() << "shape mismatch: a window of " << window.kernel << " has "
                             << window.positions(image.dim(window.imageDim)) << " positions in dimension "
                             << window.imageDim << " of " << image.typeString() << ", the result has "
                             << result.dim(window.imageDim);
  FailureOr<Tensor> source = padded(op, image, windows, evaluator);
  if (failed(source))
    return failure();

  SmallVector<int64_t> imageStrides = source->strides(), filterStrides = filter.strides(),
                       resultStrides = result.strides();
  auto strideOr0 = [](ArrayRef<int64_t> strides, int64_t dim) { return dim < 0 ? 0 : strides[dim]; };
  SmallVector<MacLoop> loops;
  for (const ChannelDim &channel : channels) {
    // The sizes along which a loop runs in two tensors must agree.
    std::optional<int64_t> extent;
    for (auto [tensor, dim] : {std::pair(&image, channel.image), std::pair(&filter, channel.filter),
                               std::pair(static_cast<const Tensor *>(&result), channel.result)}) {
      if (dim < 0)
        continue;
      if (extent && *extent != tensor->dim(dim))
        return op->emitError() << "shape mismatch: " << image.typeString() << " and filter " << filter.typeString()
                               << " do not make " << result.typeString();
      extent = tensor->dim(dim);
    }
    loops.push_back({*extent, strideOr0(imageStrides, channel.image), strideOr0(filterStrides, channel.filter),
                     strideOr0(resultStrides, channel.result)});
  }
  for (const WindowDim &window : windows) {
    int64_t step = imageStrides[window.imageDim];
    loops.push_back({result.dim(window.imageDim), step * window.stride, 0, resultStrides[window.imageDim]});
    loops.push_back({window.kernel, step * window.dilation, filterStrides[window.filterDim], 0});
  }
  multiplyAccumulate(loops, source->data(), filter.data(), result.mutableData(), result.elementType().isFloat);
  return success();
}

FailureOr<Tensor> pool(Operation *op, const Tensor &image, ElementType resultType, ArrayRef<WindowDim> windows,
                       Cell initial, function_ref<Cell(Cell, Cell)> combine, function_ref<Cell(Cell, int64_t)> finish,
                       const Evaluator &evaluator) {
  SmallVector<int64_t> shape(image.shape()), kernel;
  for (const WindowDim &window : windows) {
    shape[window.imageDim] = window.positions(image.dim(window.imageDim));
    kernel.push_back(window.kernel);
  }
  FailureOr<Tensor> result = evaluator.allocate(op, resultType, shape);
  if (failed(result))
    return failure();
  noteAccumulation(sizeOf(kernel));
  SmallVector<int64_t> strides = image.strides(), source(image.rank());
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    Cell value = initial;
    int64_t count = 0;
    source.assign(position.begin(), position.end());
    forEachPosition(kernel, [&](ArrayRef<int64_t> k) {
      for (auto [i, window] : llvm::enumerate(windows)) {
        int64_t at = position[window.imageDim] * window.stride + k[i] * window.dilation - window.before;
        if (at < 0 || at >= image.dim(window.imageDim))
          return;
        source[window.imageDim] = at;
      }
      value = combine(value, image.data()[linearize(source, strides)]);
      ++count;
    });
    *cell++ = finish(value, count);
  });
  return result;
}

Tensor transposed(const Tensor &tensor, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape, strides, sourceStrides = tensor.strides();
  for (int64_t dim : permutation) {
    shape.push_back(tensor.dim(dim));
    strides.push_back(sourceStrides[dim]);
  }
  Tensor result(tensor.elementType(), shape);
  Cell *cell = result.mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) { *cell++ = tensor.data()[linearize(position, strides)]; });
  return result;
}

Tensor reduced(const Tensor &tensor, ArrayRef<int64_t> dims, Cell initial, function_ref<Cell(Cell, Cell)> combine) {
  SmallVector<int64_t> shape(tensor.shape());
  for (int64_t dim : dims)
    shape[dim] = 1;
  Tensor result(tensor.elementType(), shape);
  SmallVector<int64_t> strides = result.strides();
  for (int64_t dim : dims)
    strides[dim] = 0;
  if (result.size() > 0)
    noteAccumulation(tensor.size() / result.size());
  Cell *cells = result.mutableData();
  std::fill_n(cells, result.size(), initial);
  const Cell *source = tensor.data();
  forEachPosition(tensor.shape(), [&](ArrayRef<int64_t> position) {
    Cell &cell = cells[linearize(position, strides)];
    cell = combine(cell, *source++);
  });
  return result;
}

Tensor finished(Tensor tensor) {
  tensor.roundAll();
  if (tensor.elementType().isFloat)
    return tensor;
  Cell *cell = tensor.mutableData();
  for (int64_t i = 0, e = tensor.size(); i < e; ++i)
    cell[i].i = tensor.elementType().wrap(cell[i].i);
  return tensor;
}

} // namespace mica::reference
