//===- WindowOps.cpp - convolutions and pooling ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints and result shapes of the operations of WindowOps.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Constraints.h"
#include "dialects/Mica/IR/Inference.h"

using namespace mlir;
using namespace mica;
using namespace mica::constraints;
using namespace mica::inference;

//===------------------------------------------------------------------------------------------------------------===//
// Layouts
//===------------------------------------------------------------------------------------------------------------===//

ImageDims mica::imageDims(ImageLayout layout) {
  if (layout == ImageLayout::Nchw)
    return {/*batch=*/0, /*height=*/2, /*width=*/3, /*channel=*/1};
  return {/*batch=*/0, /*height=*/1, /*width=*/2, /*channel=*/3};
}

ConvDims mica::convDims(ConvLayout layout) {
  switch (layout) {
  case ConvLayout::NhwcHwcf:
    return {/*channel=*/3, /*spatial=*/{1, 2}, /*filterInput=*/2, /*filterOutput=*/3, /*filterSpatial=*/{0, 1}};
  case ConvLayout::NhwcFhwc:
    return {/*channel=*/3, /*spatial=*/{1, 2}, /*filterInput=*/3, /*filterOutput=*/0, /*filterSpatial=*/{1, 2}};
  case ConvLayout::NchwFchw:
    return {/*channel=*/1, /*spatial=*/{2, 3}, /*filterInput=*/1, /*filterOutput=*/0, /*filterSpatial=*/{2, 3}};
  }
  llvm_unreachable("all layouts are above");
}

ConvDims mica::convDims(Conv1dLayout layout) {
  switch (layout) {
  case Conv1dLayout::NwcWcf:
    return {/*channel=*/2, /*spatial=*/{1}, /*filterInput=*/1, /*filterOutput=*/2, /*filterSpatial=*/{0}};
  case Conv1dLayout::NwcFwc:
    return {/*channel=*/2, /*spatial=*/{1}, /*filterInput=*/2, /*filterOutput=*/0, /*filterSpatial=*/{1}};
  case Conv1dLayout::NcwFcw:
    return {/*channel=*/1, /*spatial=*/{2}, /*filterInput=*/1, /*filterOutput=*/0, /*filterSpatial=*/{2}};
  }
  llvm_unreachable("all layouts are above");
}

ConvDims mica::convDims(ConvTransposeLayout layout) {
  switch (layout) {
  case ConvTransposeLayout::NhwcFhwc:
    return {/*channel=*/3, /*spatial=*/{1, 2}, /*filterInput=*/3, /*filterOutput=*/0, /*filterSpatial=*/{1, 2}};
  case ConvTransposeLayout::NchwCfhw:
    return {/*channel=*/1, /*spatial=*/{2, 3}, /*filterInput=*/0, /*filterOutput=*/1, /*filterSpatial=*/{2, 3}};
  }
  llvm_unreachable("all layouts are above");
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

namespace {

/// The attributes of one dimension of a window.
struct Window {
  int64_t stride, dilation, before, after;
  bool roundUp = false; ///< count a last window that is partially out of bounds
};

template <typename Adaptor> Window windowOf(Adaptor op, int64_t axis) {
  return {op.getStrides()[axis], op.getDilations()[axis], op.getPads()[2 * axis], op.getPads()[2 * axis + 1]};
}

/// The number of positions of a window of `kernel` elements along `size` elements, as an expression of both.
AffineMap positionsMap(Window window, MLIRContext *context) {
  AffineExpr size, kernel;
  bindSymbols(context, size, kernel);
  AffineExpr room = size + window.before + window.after - (kernel - 1) * window.dilation - 1;
  if (!window.roundUp)
    return AffineMap::get(0, 2, room.floorDiv(window.stride) + 1);
  AffineExpr begins = size + window.before - 1;
  return AffineMap::get(0, 2, {room.ceilDiv(window.stride) + 1, begins.floorDiv(window.stride) + 1}, context);
}

/// The size of the result of a transposed convolution, likewise.
AffineMap reachMap(Window window, MLIRContext *context) {
  AffineExpr size, kernel;
  bindSymbols(context, size, kernel);
  return AffineMap::get(0, 2,
                        (size - 1) * window.stride + (kernel - 1) * window.dilation + 1 - window.before - window.after);
}

/// The smallest result of `map` for sizes that may be dynamic.
int64_t inferSize(AffineMap map, int64_t size, int64_t kernel) {
  if (isDynamic(size) || isDynamic(kernel))
    return ShapedType::kDynamic;
  Builder builder(map.getContext());
  SmallVector<Attribute> results;
  // Both symbols are constants, and no divisor is 0: the map folds.
  (void)map.constantFold({builder.getIndexAttr(size), builder.getIndexAttr(kernel)}, results);
  int64_t least = std::numeric_limits<int64_t>::max();
  for (Attribute result : results)
    least = std::min(least, cast<IntegerAttr>(result).getInt());
  return least;
}

OpFoldResult reifySize(OpBuilder &builder, Location loc, AffineMap map, OpFoldResult size, OpFoldResult kernel) {
  if (map.getNumResults() == 1)
    return affine::makeComposedFoldedAffineApply(builder, loc, map, {size, kernel});
  return affine::makeComposedFoldedAffineMin(builder, loc, map, {size, kernel});
}

} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Convolutions
//===------------------------------------------------------------------------------------------------------------===//

/// Whether the filter's output channels are those of one group: in layouts whose filter has the image's channels.
static bool countsOutputsPerGroup(ConvLayout) { return false; }
static bool countsOutputsPerGroup(Conv1dLayout) { return false; }
static bool countsOutputsPerGroup(ConvTransposeLayout layout) { return layout == ConvTransposeLayout::NchwCfhw; }

/// The map for the size of the result in one direction.
template <typename Adaptor> static AffineMap sizeMap(Adaptor op, int64_t axis, MLIRContext *context) {
  if constexpr (std::is_same_v<Adaptor, Conv2dTransposeOp> || std::is_same_v<Adaptor, Conv2dTransposeOp::Adaptor>)
    return reachMap(windowOf(op, axis), context);
  else
    return positionsMap(windowOf(op, axis), context);
}

template <typename Adaptor> static LogicalResult inferConv(MLIRContext *context, Adaptor op, Types &results) {
  auto input = tensorOf(op.getInput()), filter = tensorOf(op.getFilter());
  ConvDims dims = convDims(op.getLayout());
  size_t directions = dims.spatial.size();
  int64_t rank = directions + 2;
  if (input.getRank() != rank || filter.getRank() != rank || op.getStrides().size() != directions ||
      op.getDilations().size() != directions || op.getPads().size() != 2 * directions)
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  for (auto [axis, dim] : llvm::enumerate(dims.spatial))
    shape[dim] = inferSize(sizeMap(op, axis, context), shape[dim], filter.getDimSize(dims.filterSpatial[axis]));
  int64_t outputs = filter.getDimSize(dims.filterOutput);
  bool multiply = countsOutputsPerGroup(op.getLayout()) && !isDynamic(outputs);
  shape[dims.channel] = multiply ? outputs * static_cast<int64_t>(op.getGroups()) : outputs;
  results.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

template <typename OpTy>
static LogicalResult reifyConv(OpBuilder &builder, OpTy op, ReifiedRankedShapedTypeDims &shapes) {
  ConvDims dims = op.getConvDims();
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, op.getInput());
  for (auto [axis, dim] : llvm::enumerate(dims.spatial))
    sizes[dim] = reifySize(builder, loc, sizeMap(op, axis, builder.getContext()), sizes[dim],
                           sizeOf(builder, loc, op.getFilter(), dims.filterSpatial[axis]));
  OpFoldResult &channels = sizes[dims.channel] = sizeOf(builder, loc, op.getFilter(), dims.filterOutput);
  if (countsOutputsPerGroup(op.getLayout()))
    channels = affine::makeComposedFoldedAffineApply(
        builder, loc, builder.getAffineSymbolExpr(0) * static_cast<int64_t>(op.getGroups()), {channels});
  return finishShape(builder, op, std::move(sizes), shapes);
}

#define MICA_CONV_OP(OP)                                                                                               \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor adaptor, Types &results) { \
    return inferConv(context, adaptor, results);                                                                       \
  }                                                                                                                    \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {                       \
    return reifyConv(builder, *this, shapes);                                                                          \
  }
MICA_CONV_OP(Conv1dOp)
MICA_CONV_OP(Conv2dOp)
MICA_CONV_OP(Conv2dTransposeOp)
#undef MICA_CONV_OP

/// (C1) to (C4), which all convolutions share; pads may be negative if `leastPad` is.
template <typename OpTy> static LogicalResult verifyConvAttributes(OpTy op, int64_t leastPad) {
  size_t directions = op.getConvDims().spatial.size();
  int64_t rank = directions + 2;
  return failure(failed(verifyElements(op, Elements::Number, "C1", /*count=*/2)) ||
                 failed(verifyRank(op, "C2", "input", op.getInput(), rank)) ||
                 failed(verifyRank(op, "C2", "filter", op.getFilter(), rank)) ||
                 failed(verifyList(op, "C3", "strides", op.getStrides(), directions, 1)) ||
                 failed(verifyList(op, "C3", "dilations", op.getDilations(), directions, 1)) ||
                 failed(verifyList(op, "C4", "pads", op.getPads(), 2 * directions, leastPad)));
}

/// (C5): `groups` divides a number of channels.
template <typename OpTy> static LogicalResult verifyGroups(OpTy op, StringRef name, Value value, int64_t dim) {
  int64_t groups = op.getGroups(), channels = tensorOf(value).getDimSize(dim);
  if (groups < 1)
    return op.emitOpError() << "(C5) groups must be at least 1, got " << groups;
  if (!mayDivide(op, "C5", "groups", groups, sizeIn(name, value, dim)))
    return op.emitOpError() << "(C5) groups divides the channels, but " << groups << " does not divide " << channels
                            << " (" << name << " dim " << dim << ")";
  return success();
}

/// (C8): the bias has `times` as many elements of the result's type as `filter` has in dimension `dim`.
static LogicalResult verifyBias(Operation *op, Value bias, Value filter, int64_t dim, int64_t times) {
  if (!bias)
    return success();
  RankedTensorType type = tensorOf(bias);
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (type.getElementType() != element)
    return op->emitOpError() << "(C8) the bias must have the result's element type " << element << ", got "
                             << type.getElementType();
  const int64_t perGroup = tensorOf(filter).getDimSize(dim),
                channels = isDynamic(perGroup) ? perGroup : perGroup * times;
  if (type.getRank() != 1 ||
      !mayBeEqual(op, "C8", sizeIn("the bias", bias, 0), sizeIn("the filter", filter, dim), times))
    return op->emitOpError() << "(C8) the bias must have one element per channel of the result, shape "
                             << shapeText({channels}) << ", got " << shapeText(type.getShape());
  return success();
}

/// Whether a window of `kernelSize` elements fits into the padded dimension `dim` of `input`.
static LogicalResult verifyFits(Operation *op, StringRef label, Value input, int64_t dim, ConstrainedSize kernelSize,
                                Window window) {
  AffineExpr room, elements;
  bindSymbols(op->getContext(), room, elements);
  ConstrainedSize inputSize = sizeIn("the input", input, dim);
  std::string message = "a window of {1} elements, dilation " + std::to_string(window.dilation) +
                        ", is larger than dim " + std::to_string(dim) + " of the input, {0} and pads " +
                        std::to_string(window.before) + " and " + std::to_string(window.after);
  if (mayHold({label.str(),
               room + window.before + window.after - (elements - 1) * window.dilation - 1,
               /*isEquality=*/false,
               {inputSize, kernelSize},
               message}))
    return success();
  const int64_t size = *inputSize.known(), extent = (*kernelSize.known() - 1) * window.dilation + 1;
  const int64_t padded = size + window.before + window.after;
  return op->emitOpError() << "(" << label << ") the window's extent is " << extent << " in dim " << dim
                           << " of the input, where the padded input's is " << padded << " (" << size << " and pads "
                           << window.before << " and " << window.after << ")";
}

template <typename OpTy> static LogicalResult verifyConv(OpTy op) {
  if (failed(verifyConvAttributes(op, /*leastPad=*/0)))
    return failure();
  ConvDims dims = op.getConvDims();
  RankedTensorType input = op.getInput().getType(), filter = op.getFilter().getType();
  if (failed(verifyGroups(op, "filter", op.getFilter(), dims.filterOutput)))
    return failure();
  int64_t channels = input.getDimSize(dims.channel), perGroup = filter.getDimSize(dims.filterInput);
  int64_t groups = op.getGroups();
  const bool mayFit = mayBeEqual(op, "C6", sizeIn("the input", op.getInput(), dims.channel),
                                 sizeIn("the filter", op.getFilter(), dims.filterInput), groups);
  if (!mayFit || (!isDynamic(channels) && isDynamic(perGroup) && channels % groups != 0))
    return op.emitOpError() << "(C6) input channels differ: input dim " << dims.channel << " is " << channels
                            << ", filter dim " << dims.filterInput << " is " << shapeText({perGroup}) << " in each of "
                            << groups << (groups == 1 ? " group" : " groups");
  for (auto [axis, dim] : llvm::enumerate(dims.spatial))
    if (failed(verifyFits(op, "C7", op.getInput(), dim, sizeIn("the filter", op.getFilter(), dims.filterSpatial[axis]),
                          windowOf(op, axis))))
      return failure();
  return failure(failed(verifyBias(op, op.getBias(), op.getFilter(), dims.filterOutput, 1)) ||
                 failed(verifyResult(op, "C9")));
}

LogicalResult Conv1dOp::verifyConstraints() { return verifyConv(*this); }
LogicalResult Conv2dOp::verifyConstraints() { return verifyConv(*this); }

LogicalResult Conv2dTransposeOp::verifyConstraints() {
  if (failed(verifyConvAttributes(*this, std::numeric_limits<int64_t>::min())))
    return failure();
  ConvDims dims = getConvDims();
  RankedTensorType input = getInput().getType(), filter = getFilter().getType();
  bool inputsInGroups = !countsOutputsPerGroup(getLayout());
  if (failed(verifyGroups(*this, "input", getInput(), dims.channel)) ||
      (inputsInGroups && failed(verifyGroups(*this, "filter", getFilter(), dims.filterOutput))))
    return failure();
  int64_t channels = input.getDimSize(dims.channel), groups = getGroups();
  int64_t expected = isDynamic(channels) || !inputsInGroups ? channels : channels / groups;
  if (!mayBeEqual(*this, "C6", sizeIn("the input", getInput(), dims.channel),
                  sizeIn("the filter", getFilter(), dims.filterInput), inputsInGroups ? groups : 1))
    return emitOpError() << "(C6) input channels differ: input dim " << dims.channel << " is " << channels << " in "
                         << groups << (groups == 1 ? " group" : " groups") << ", filter dim " << dims.filterInput
                         << " is " << filter.getDimSize(dims.filterInput) << ", expected " << expected;
  for (auto [axis, dim] : llvm::enumerate(dims.spatial)) {
    AffineMap map = sizeMap(*this, axis, getContext());
    int64_t size = inferSize(map, input.getDimSize(dim), filter.getDimSize(dims.filterSpatial[axis]));
    std::string message = "pads " + std::to_string(getPads()[2 * axis]) + " and " +
                          std::to_string(getPads()[2 * axis + 1]) + " cut off all of dim " + std::to_string(dim) +
                          " of the result, of an input of {0} and a filter of {1}";
    if (!mayHold({"C7",
                  map.getResult(0) - 1,
                  /*isEquality=*/false,
                  {sizeIn("the input", getInput(), dim), sizeIn("the filter", getFilter(), dims.filterSpatial[axis])},
                  message}))
      return emitOpError() << "(C7) the result has size " << size << " in dim " << dim << ": pads "
                           << getPads()[2 * axis] << " and " << getPads()[2 * axis + 1] << " cut off too much";
  }
  return failure(failed(verifyBias(*this, getBias(), getFilter(), dims.filterOutput, inputsInGroups ? 1 : groups)) ||
                 failed(verifyResult(*this, "C9")));
}

//===------------------------------------------------------------------------------------------------------------===//
// Pools
//===------------------------------------------------------------------------------------------------------------===//

template <typename Adaptor> static Window poolWindow(Adaptor op, int64_t axis) {
  Window window = windowOf(op, axis);
  window.roundUp = op.getCeilMode();
  return window;
}

template <typename Adaptor> static LogicalResult inferPool(MLIRContext *context, Adaptor op, Types &results) {
  auto input = tensorOf(op.getInput());
  if (input.getRank() != 4 || op.getKernel().size() != 2 || op.getStrides().size() != 2 ||
      op.getDilations().size() != 2 || op.getPads().size() != 4)
    return failure();
  ImageDims dims = imageDims(op.getLayout());
  SmallVector<int64_t> shape(input.getShape());
  const int64_t spatial[] = {dims.height, dims.width};
  for (auto [axis, dim] : llvm::enumerate(spatial))
    shape[dim] = inferSize(positionsMap(poolWindow(op, axis), context), shape[dim], op.getKernel()[axis]);
  results.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

template <typename OpTy>
static LogicalResult reifyPool(OpBuilder &builder, OpTy op, ReifiedRankedShapedTypeDims &shapes) {
  ImageDims dims = op.getImageDims();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, op.getLoc(), op.getInput());
  const int64_t spatial[] = {dims.height, dims.width};
  for (auto [axis, dim] : llvm::enumerate(spatial))
    sizes[dim] = reifySize(builder, op.getLoc(), positionsMap(poolWindow(op, axis), builder.getContext()), sizes[dim],
                           builder.getIndexAttr(op.getKernel()[axis]));
  return finishShape(builder, op, std::move(sizes), shapes);
}

#define MICA_POOL_OP(OP)                                                                                               \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, std::optional<Location>, Adaptor adaptor, Types &results) { \
    return inferPool(context, adaptor, results);                                                                       \
  }                                                                                                                    \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {                       \
    return reifyPool(builder, *this, shapes);                                                                          \
  }
MICA_POOL_OP(MaxPoolOp)
MICA_POOL_OP(AvgPoolOp)
#undef MICA_POOL_OP

template <typename OpTy> static LogicalResult verifyPool(OpTy op, Elements elements) {
  if (failed(verifyElements(op, elements)) || failed(verifyRank(op, "C2", "input", op.getInput(), 4)) ||
      failed(verifyList(op, "C3", "kernel", op.getKernel(), 2, 1)) ||
      failed(verifyList(op, "C3", "strides", op.getStrides(), 2, 1)) ||
      failed(verifyList(op, "C3", "dilations", op.getDilations(), 2, 1)) ||
      failed(verifyList(op, "C4", "pads", op.getPads(), 4, 0)))
    return failure();
  for (auto [index, pad] : llvm::enumerate(op.getPads()))
    if (pad >= op.getKernel()[index / 2])
      return op.emitOpError() << "(C4) pads are smaller than the kernel, but pads[" << index << "] is " << pad
                              << " and kernel[" << index / 2 << "] is " << op.getKernel()[index / 2];
  ImageDims dims = op.getImageDims();
  RankedTensorType input = op.getInput().getType();
  const int64_t spatial[] = {dims.height, dims.width};
  for (auto [axis, dim] : llvm::enumerate(spatial))
    if (failed(verifyFits(op, "C5", op.getInput(), dim,
                          sizeGiven("the kernel", Builder(op.getContext()).getIndexAttr(op.getKernel()[axis])),
                          poolWindow(op, axis))))
      return failure();
  return verifyResult(op, "C6");
}

LogicalResult MaxPoolOp::verifyConstraints() { return verifyPool(*this, Elements::Number); }
LogicalResult AvgPoolOp::verifyConstraints() { return verifyPool(*this, Elements::Float); }
