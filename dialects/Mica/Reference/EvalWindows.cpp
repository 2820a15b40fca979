//===- EvalWindows.cpp - mica convolutions and pooling -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates the operations of WindowOps.td as described there. Groups are a separate dimension: channels in groups of
// adjacent ones are, in row-major order, the same elements in a tensor of one more dimension.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Contraction.h"
#include "dialects/Mica/Reference/Windows.h"

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Convolutions
//===------------------------------------------------------------------------------------------------------------===//

/// `tensor` with dimension `dim` split into `groups` groups.
Tensor divided(const Tensor &tensor, int64_t dim, int64_t groups) {
  SmallVector<int64_t> shape(tensor.shape());
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  return tensor.reshaped(shape);
}

/// The position of dimension `dim` of a tensor after dimension `groupDim` was split; for `groupDim` that of the
/// position within the group.
int64_t afterDivision(int64_t dim, int64_t groupDim) { return dim >= groupDim ? dim + 1 : dim; }

/// A convolution's operands with the groups as a dimension: `channel` of the image, `filterGroup` of the filter.
struct Grouped {
  Tensor image, filter;
  ConvDims at;         ///< in the operands, after splitting
  int64_t group;       ///< of image and result
  int64_t filterGroup; ///< of the filter
  int64_t outputs;     ///< channels of the result
};

/// Splits the operands; `filterGroup` is the filter's dimension over the channels of all groups.
template <typename OpT> FailureOr<Grouped> divideOperands(OpT op, Operands in, int64_t filterGroup) {
  ConvDims at = op.getConvDims();
  int64_t groups = op.getGroups();
  if (in[0].dim(at.channel) % groups != 0 || in[1].dim(filterGroup) % groups != 0)
    return op.emitError() << "shape mismatch: " << groups << " groups do not divide the channels of "
                          << in[0].typeString() << " and filter " << in[1].typeString();
  Grouped g{divided(in[0], at.channel, groups), divided(in[1], filterGroup, groups), at, at.channel, filterGroup, 0};
  g.at.channel = at.channel + 1;
  for (int64_t &dim : g.at.spatial)
    dim = afterDivision(dim, at.channel);
  for (int64_t &dim : g.at.filterSpatial)
    dim = afterDivision(dim, filterGroup);
  g.at.filterInput = afterDivision(at.filterInput, filterGroup);
  g.at.filterOutput = afterDivision(at.filterOutput, filterGroup);
  g.outputs = g.filter.dim(g.at.filterOutput) * groups;
  if (g.image.dim(g.at.channel) != g.filter.dim(g.at.filterInput))
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " and filter " << in[1].typeString()
                          << " with " << groups << " groups have different input channels";
  if (op.getBias() && in[2].dim(0) != g.outputs)
    return op.emitError() << "shape mismatch: bias " << in[2].typeString() << " for " << g.outputs
                          << " output channels";
  return g;
}

template <typename OpT> FailureOr<Tensor> evalConv(OpT op, Operands in, Evaluator &evaluator) {
  ConvDims at = op.getConvDims();
  FailureOr<Grouped> g = divideOperands(op, in, at.filterOutput);
  if (failed(g))
    return failure();
  SmallVector<WindowDim> windows;
  SmallVector<int64_t> shape(in[0].shape());
  for (auto [axis, dim] : llvm::enumerate(g->at.spatial)) {
    int64_t filterDim = g->at.filterSpatial[axis];
    windows.push_back({dim, filterDim, g->filter.dim(filterDim), op.getStrides()[axis], op.getDilations()[axis],
                       op.getPads()[2 * axis], op.getPads()[2 * axis + 1]});
    shape[at.spatial[axis]] = windows.back().positions(g->image.dim(dim));
  }
  shape[at.channel] = g->outputs;
  ChannelDim channels[] = {{0, -1, 0},
                           {g->group, g->filterGroup, g->group},
                           {-1, g->at.filterOutput, g->at.channel},
                           {g->at.channel, g->at.filterInput, -1}};
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), shape);
  if (failed(result))
    return failure();
  if (op.getBias()) {
    Cell *cell = result->mutableData();
    forEachPosition(shape, [&](ArrayRef<int64_t> position) { *cell++ = in[2].data()[position[at.channel]]; });
  }
  Tensor sums = divided(*result, at.channel, op.getGroups());
  if (failed(convolve(op, g->image, g->filter, sums, windows, channels, evaluator)))
    return failure();
  return finished(sums.reshaped(shape));
}

/// Every product of an element of the image and one of the filter is added to an uncropped result, which is cropped at
/// the end.
FailureOr<Tensor> evalConv2dTranspose(Conv2dTransposeOp op, Operands in, Evaluator &evaluator) {
  ConvDims at = op.getConvDims();
  bool inputsInAll = op.getLayout() == ConvTransposeLayout::NchwCfhw;
  FailureOr<Grouped> g = divideOperands(op, in, inputsInAll ? at.filterInput : at.filterOutput);
  if (failed(g))
    return failure();
  SmallVector<int64_t> shape(in[0].shape()), offset(4, 0);
  shape[at.channel] = g->outputs;
  SmallVector<int64_t> wholeShape = shape;
  for (auto [axis, dim] : llvm::enumerate(at.spatial)) {
    int64_t kernel = in[1].dim(at.filterSpatial[axis]);
    int64_t reach = (in[0].dim(dim) - 1) * op.getStrides()[axis] + (kernel - 1) * op.getDilations()[axis] + 1;
    wholeShape[dim] = std::max<int64_t>(reach, 0);
    offset[dim] = op.getPads()[2 * axis];
    shape[dim] = reach - op.getPads()[2 * axis] - op.getPads()[2 * axis + 1];
  }
  FailureOr<Tensor> whole = evaluator.allocate(op, *ElementType::of(op.getType()), wholeShape);
  FailureOr<Tensor> result = evaluator.allocate(op, *ElementType::of(op.getType()), shape);
  if (failed(whole) || failed(result))
    return failure();

  Tensor sums = divided(*whole, at.channel, op.getGroups());
  SmallVector<int64_t> image = g->image.strides(), filter = g->filter.strides(), sum = sums.strides();
  SmallVector<MacLoop> loops = {
      {g->image.dim(0), image[0], 0, sum[0]},
      {static_cast<int64_t>(op.getGroups()), image[g->group], filter[g->filterGroup], sum[g->group]},
      {g->filter.dim(g->at.filterOutput), 0, filter[g->at.filterOutput], sum[g->at.channel]},
      {g->image.dim(g->at.channel), image[g->at.channel], filter[g->at.filterInput], 0}};
  for (auto [axis, dim] : llvm::enumerate(g->at.spatial)) {
    int64_t filterDim = g->at.filterSpatial[axis];
    loops.push_back({g->image.dim(dim), image[dim], 0, sum[dim] * op.getStrides()[axis]});
    loops.push_back({g->filter.dim(filterDim), 0, filter[filterDim], sum[dim] * op.getDilations()[axis]});
  }
  multiplyAccumulate(loops, g->image.data(), g->filter.data(), sums.mutableData(), sums.elementType().isFloat);

  bool isFloat = sums.elementType().isFloat;
  SmallVector<int64_t> wholeStrides = stridesOf(wholeShape);
  Cell *cell = result->mutableData();
  forEachPosition(shape, [&](ArrayRef<int64_t> position) {
    Cell value = isFloat ? Cell::of(0.0) : Cell::of(int64_t(0));
    int64_t index = 0;
    bool reached = true;
    for (int64_t d = 0; d < 4; ++d) {
      int64_t p = position[d] + offset[d];
      reached &= p >= 0 && p < wholeShape[d];
      index += p * wholeStrides[d];
    }
    if (reached)
      value = sums.data()[index];
    if (op.getBias()) {
      Cell bias = in[2].data()[position[at.channel]];
      value = isFloat ? Cell::of(value.f + bias.f) : Cell::of(int64_t(uint64_t(value.i) + uint64_t(bias.i)));
    }
    *cell++ = value;
  });
  return finished(std::move(*result));
}

//===------------------------------------------------------------------------------------------------------------===//
// Pools
//===------------------------------------------------------------------------------------------------------------===//

template <typename OpT> SmallVector<WindowDim> poolWindows(OpT op) {
  ImageDims at = op.getImageDims();
  ArrayRef<int64_t> kernel = op.getKernel(), strides = op.getStrides(), dilations = op.getDilations(),
                    pads = op.getPads();
  bool roundUp = op.getCeilMode();
  return {{at.height, -1, kernel[0], strides[0], dilations[0], pads[0], pads[1], roundUp},
          {at.width, -1, kernel[1], strides[1], dilations[1], pads[2], pads[3], roundUp}};
}

FailureOr<Tensor> evalMaxPool(MaxPoolOp op, Operands in, Evaluator &evaluator) {
  ElementType type = in[0].elementType();
  return pool(
      op, in[0], type, poolWindows(op), type.lowest(),
      [&](Cell a, Cell b) { return type.isFloat ? Cell::of(ieeeMaximum(a.f, b.f)) : Cell::of(std::max(a.i, b.i)); },
      [](Cell value, int64_t) { return value; }, evaluator);
}

FailureOr<Tensor> evalAvgPool(AvgPoolOp op, Operands in, Evaluator &evaluator) {
  SmallVector<WindowDim> windows = poolWindows(op);
  FailureOr<Tensor> result = pool(
      op, in[0], in[0].elementType(), windows, Cell::of(0.0), [](Cell a, Cell b) { return Cell::of(a.f + b.f); },
      [](Cell sum, int64_t) { return sum; }, evaluator);
  if (failed(result))
    return failure();
  Cell *cell = result->mutableData();
  forEachPosition(result->shape(), [&](ArrayRef<int64_t> position) {
    int64_t count = 1;
    for (const WindowDim &window : windows) {
      int64_t size = in[0].dim(window.imageDim), begin = 0, end = size, covered = 0;
      if (op.getCountIncludePad()) {
        begin = -window.before;
        end = size + window.after;
      }
      for (int64_t k = 0; k < window.kernel; ++k) {
        int64_t at = position[window.imageDim] * window.stride + k * window.dilation - window.before;
        covered += at >= begin && at < end;
      }
      count *= covered;
    }
    cell->f /= double(count);
    ++cell;
  });
  return finished(std::move(*result));
}

} // namespace

void addMicaWindowOps(OpTable &table) {
  table.add<Conv1dOp>(evalConv<Conv1dOp>);
  table.add<Conv2dOp>(evalConv<Conv2dOp>);
  table.add<Conv2dTransposeOp>(evalConv2dTranspose);
  table.add<MaxPoolOp>(evalMaxPool);
  table.add<AvgPoolOp>(evalAvgPool);
}

} // namespace mica::reference
