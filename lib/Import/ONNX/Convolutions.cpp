//===- Convolutions.cpp - convolutions ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Conv, ConvTranspose and ConvInteger. One and two spatial dimensions are ops of the dialect, more are linalg.generic.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Activations.h"
#include "lib/Import/ONNX/OpTable.h"
#include "lib/Import/ONNX/Quantized.h"
#include "lib/Import/ONNX/Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

Ints Windows::pads() const {
  Ints all;
  for (size_t i = 0; i < size(); ++i)
    all.append({before[i], after[i]});
  return all;
}

std::optional<Windows> importer::windowsOf(Node &node, Ints kernel, llvm::ArrayRef<int64_t> sizes, bool isTransposed) {
  Windows windows;
  const size_t count = sizes.size();
  windows.kernel = std::move(kernel);
  windows.strides = node.integers("strides", Ints(count, 1));
  windows.dilations = node.integers("dilations", Ints(count, 1));
  windows.ceilMode = node.integer("ceil_mode") != 0;
  Ints pads = node.integers("pads", Ints(2 * count, 0));
  constexpr int64_t kMost = 1 << 20;
  auto isWithin = [&](llvm::ArrayRef<int64_t> values, size_t length, int64_t low) {
    return values.size() == length && llvm::all_of(values, [&](int64_t v) { return v >= low && v <= kMost; });
  };
  if (count == 0 || !isWithin(windows.kernel, count, 1) || !isWithin(windows.strides, count, 1) ||
      !isWithin(windows.dilations, count, 1) || !isWithin(pads, 2 * count, isTransposed ? -kMost : 0)) {
    (void)node.refuse("kernel_shape, strides, dilations or pads do not fit an image of " + llvm::Twine(count) +
                      " spatial dimensions");
    return std::nullopt;
  }
  windows.before.assign(pads.begin(), pads.begin() + count);
  windows.after.assign(pads.begin() + count, pads.end());
  const std::string automatic = node.text("auto_pad", "NOTSET");
  if (automatic == "VALID") {
    windows.before.assign(count, 0);
    windows.after.assign(count, 0);
  } else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    for (size_t i = 0; i < count && !isTransposed; ++i) {
      if (ShapedType::isDynamic(sizes[i])) {
        (void)node.refuse("auto_pad of a dimension whose size is dynamic", "give the model pads, or a static size");
        return std::nullopt;
      }
      const int64_t positions = (sizes[i] + windows.strides[i] - 1) / windows.strides[i];
      const int64_t total = std::max<int64_t>(0, (positions - 1) * windows.strides[i] +
                                                     (windows.kernel[i] - 1) * windows.dilations[i] + 1 - sizes[i]);
      windows.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      windows.after[i] = total - windows.before[i];
    }
  } else if (automatic != "NOTSET" && !automatic.empty()) {
    (void)node.refuse("auto_pad is '" + llvm::Twine(automatic) + "'");
    return std::nullopt;
  }
  for (size_t i = 0; i < count && !isTransposed; ++i)
    if (!ShapedType::isDynamic(sizes[i]) &&
        (windows.kernel[i] - 1) * windows.dilations[i] + 1 > sizes[i] + windows.before[i] + windows.after[i]) {
      (void)node.refuse("the kernel is larger than the padded image");
      return std::nullopt;
    }
  return windows;
}

Value importer::padded(Node &node, Value image, llvm::ArrayRef<int64_t> before, llvm::ArrayRef<int64_t> after,
                       double value) {
  auto type = llvm::cast<RankedTensorType>(image.getType());
  const size_t outer = type.getRank() - before.size();
  Ints low(outer, 0), high(outer, 0);
  low.append(before.begin(), before.end());
  high.append(after.begin(), after.end());
  if (llvm::any_of(low, [](int64_t v) { return v < 0; }) || llvm::any_of(high, [](int64_t v) { return v < 0; })) {
    Sizes sizes = node.sizesOf(image), offsets;
    for (size_t dim = 0; dim < low.size(); ++dim) {
      offsets.push_back(node.index(std::max<int64_t>(0, -low[dim])));
      sizes[dim] = node.plus(sizes[dim], node.index(std::min<int64_t>(0, low[dim]) + std::min<int64_t>(0, high[dim])));
      if (auto known = getConstantIntValue(sizes[dim]); known && *known < 0) {
        (void)node.refuse("negative padding cuts off more than there is");
        return image;
      }
      low[dim] = std::max<int64_t>(0, low[dim]);
      high[dim] = std::max<int64_t>(0, high[dim]);
    }
    image = node.sliced(image, offsets, sizes, {});
  }
  if (llvm::all_of(low, [](int64_t v) { return v == 0; }) && llvm::all_of(high, [](int64_t v) { return v == 0; }))
    return image;
  const Type element = type.getElementType();
  TypedAttr attribute;
  if (isa<FloatType>(element)) {
    APFloat number(value);
    bool inexact = false;
    number.convert(llvm::cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    attribute = FloatAttr::get(element, number);
  } else {
    attribute = node.b.getIntegerAttr(element, static_cast<int64_t>(value));
  }
  return node.make<PadOp>(image, llvm::ArrayRef<int64_t>(low), llvm::ArrayRef<int64_t>(high), PadMode::Constant,
                          attribute);
}

/// Positions of a window over a padded image.
static OpFoldResult positionsOf(Node &node, OpFoldResult size, const Windows &windows, size_t dim) {
  const int64_t reach = (windows.kernel[dim] - 1) * windows.dilations[dim] + 1;
  return node.plus(node.dividedBy(node.minus(size, node.index(reach)), node.index(windows.strides[dim])),
                   node.index(1));
}

Value importer::convolved(Node &node, Value input, Value filter, const Windows &windows, int64_t groups, Type result) {
  const int64_t count = windows.size();
  Sizes in = node.sizesOf(input), weights = node.sizesOf(filter);
  OpFoldResult group = node.index(groups), channels = weights[1], features = node.dividedBy(weights[0], group);
  Sizes imageSizes{in[0], group, channels}, filterSizes{group, features, channels}, sizes{in[0], group, features};
  for (int64_t i = 0; i < count; ++i) {
    imageSizes.push_back(in[2 + i]);
    filterSizes.push_back(weights[2 + i]);
    sizes.push_back(positionsOf(node, in[2 + i], windows, i));
  }
  Value image = node.reshaped(input, imageSizes), kernels = node.reshaped(filter, filterSizes);
  // Loops: n, group, feature, positions; channel, kernel.
  const int64_t loops = 3 + count + 1 + count;
  auto dim = [&](int64_t i) { return node.b.getAffineDimExpr(i); };
  llvm::SmallVector<AffineExpr> imageExprs{dim(0), dim(1), dim(3 + count)}, filterExprs{dim(1), dim(2), dim(3 + count)},
      resultExprs{dim(0), dim(1), dim(2)};
  for (int64_t i = 0; i < count; ++i) {
    imageExprs.push_back(dim(3 + i) * windows.strides[i] + dim(4 + count + i) * windows.dilations[i]);
    filterExprs.push_back(dim(4 + count + i));
    resultExprs.push_back(dim(3 + i));
  }
  llvm::SmallVector<AffineMap> maps;
  for (llvm::ArrayRef<AffineExpr> exprs :
       {llvm::ArrayRef(imageExprs), llvm::ArrayRef(filterExprs), llvm::ArrayRef(resultExprs)})
    maps.push_back(AffineMap::get(loops, 0, exprs, node.b.getContext()));
  llvm::SmallVector<utils::IteratorType> iterators(3 + count, utils::IteratorType::parallel);
  iterators.append(1 + count, utils::IteratorType::reduction);
  const Type wide = isa<FloatType>(result) && result.getIntOrFloatBitWidth() < 32 ? Type(node.b.getF32Type()) : result;
  Value init = node.filled(sizes, node.scalar(wide, 0));
  Value sum =
      node.generic({image, kernels}, init, maps, iterators, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        auto widened = [&](Value x) -> Value {
          if (x.getType() == wide)
            return x;
          return isa<FloatType>(wide) ? Value(arith::ExtFOp::create(b, loc, wide, x))
                                      : Value(arith::ExtSIOp::create(b, loc, wide, x));
        };
        if (isa<FloatType>(wide))
          return arith::AddFOp::create(b, loc, args[2],
                                       arith::MulFOp::create(b, loc, widened(args[0]), widened(args[1])));
        return arith::AddIOp::create(b, loc, args[2],
                                     arith::MulIOp::create(b, loc, widened(args[0]), widened(args[1])));
      });
  Sizes flat{in[0], weights[0]};
  flat.append(sizes.begin() + 3, sizes.end());
  return node.cast(node.reshaped(sum, flat), result);
}

/// [F] as [1, F, 1, ...].
static Value channelVector(Node &node, Value vector, int64_t rank) {
  Sizes sizes(rank, node.index(1));
  sizes[1] = node.sizeOf(vector, 0);
  return node.reshaped(vector, sizes);
}

Value importer::convolution(Node &node, Value input, Value filter, Value bias, Type result) {
  auto type = llvm::cast<RankedTensorType>(input.getType()), weights = llvm::cast<RankedTensorType>(filter.getType());
  const int64_t groups = node.integer("group", 1), rank = type.getRank();
  if (rank < 3 || weights.getRank() != rank || !weights.hasStaticShape()) {
    (void)node.refuse("needs an image and a filter of one rank, at least 3, and a filter of static shape");
    return nullptr;
  }
  if (groups < 1 || weights.getDimSize(0) % groups ||
      (!type.isDynamicDim(1) && weights.getDimSize(1) * groups != type.getDimSize(1))) {
    (void)node.refuse("its group of " + llvm::Twine(groups) + " does not fit the channels of image and filter");
    return nullptr;
  }
  Ints kernel(weights.getShape().drop_front(2));
  if (node.hasAttribute("kernel_shape") && node.integers("kernel_shape") != kernel) {
    (void)node.refuse("kernel_shape is not that of the filter");
    return nullptr;
  }
  std::optional<Windows> windows = windowsOf(node, kernel, type.getShape().drop_front(2));
  if (!windows)
    return nullptr;
  auto withDialectOp = [&]<typename Op>(auto layout) -> Value {
    OperationState state(node.loc, Op::getOperationName());
    Op::build(node.b, state, RankedTensorType::get({}, result), input, filter, bias, layout,
              llvm::ArrayRef<int64_t>(windows->strides), llvm::ArrayRef<int64_t>(windows->dilations),
              llvm::ArrayRef<int64_t>(windows->pads()), groups);
    llvm::SmallVector<Type> types;
    if (failed(Op::inferReturnTypes(node.b.getContext(), node.loc, state.operands,
                                    state.attributes.getDictionary(node.b.getContext()), state.getRawProperties(), {},
                                    types))) {
      (void)node.refuse("its operands do not fit");
      return nullptr;
    }
    state.types.assign({llvm::cast<RankedTensorType>(types.front()).clone(result)});
    return node.b.create(state)->getResult(0);
  };
  if (rank == 3)
    return withDialectOp.operator()<Conv1dOp>(Conv1dLayout::NcwFcw);
  if (rank == 4)
    return withDialectOp.operator()<Conv2dOp>(ConvLayout::NchwFchw);
  Value sum =
      convolved(node, padded(node, input, windows->before, windows->after, 0), filter, *windows, groups, result);
  return bias ? node.add(sum, channelVector(node, bias, rank)) : sum;
}

static LogicalResult buildConv(Node &node) {
  if (node.element(0) != node.element(1) || (node.has(2) && node.element(2) != node.element(0)))
    return node.refuse("its inputs have different element types");
  Value result = convolution(node, node.in(0), node.in(1), node.has(2) ? node.in(2) : Value(), node.element(0));
  if (!result)
    return failure();
  node.set(0, result);
  return success();
}

/// Of com.microsoft: input 3, if there is one, is added before the activation.
static LogicalResult buildFusedConv(Node &node) {
  if (failed(buildConv(node)))
    return failure();
  Value sum = node.has(3) ? node.add(node.result(0), node.in(3)) : node.result(0);
  return setActivated(node, sum, node.text("activation"), node.reals("activation_params"));
}

/// The integers minus their zero point, as i32.
static Value withoutZeroPoint(Node &node, unsigned input, unsigned zeroPoint, bool isFilter) {
  Value value = node.cast(node.in(input), node.b.getI32Type(), node.isUnsigned(input));
  if (!node.has(zeroPoint))
    return value;
  Value zero = node.cast(node.in(zeroPoint), node.b.getI32Type(), node.isUnsigned(zeroPoint));
  // One per output channel, dimension 0 of the filter.
  if (isFilter && node.rank(zeroPoint) == 1 && node.operand(zeroPoint).type().getDimSize(0) != 1) {
    Ints behind;
    for (int64_t dim = 1; dim < node.rank(input); ++dim)
      behind.push_back(dim);
    zero = node.unsqueezed(zero, behind);
  }
  return node.sub(value, zero);
}

static LogicalResult buildConvInteger(Node &node) {
  Value image = withoutZeroPoint(node, 0, 2, false), filter = withoutZeroPoint(node, 1, 3, true);
  Value result = node.isRefused() ? Value() : convolution(node, image, filter, Value(), node.b.getI32Type());
  if (!result)
    return failure();
  node.set(0, result);
  return success();
}

static LogicalResult buildQLinearConv(Node &node) {
  Value image = withoutZeroPoint(node, 0, 2, false), filter = withoutZeroPoint(node, 3, 5, true);
  Value bias = node.has(8) ? node.in(8) : Value();
  Value sum = node.isRefused() ? Value() : convolution(node, image, filter, bias, node.b.getI32Type());
  if (!sum)
    return failure();
  Value scale = node.in(4);
  if (node.rank(4) == 1)
    scale = channelVector(node, scale, node.rank(0));
  return requantize(node, sum, node.in(1), scale, 6, 7);
}

//===------------------------------------------------------------------------------------------------------------===//
// Transposed convolutions
//===------------------------------------------------------------------------------------------------------------===//

/// Padding that gives output_shape, or with auto_pad the size times the stride.
static LogicalResult adjustTransposed(Node &node, Windows &windows, llvm::ArrayRef<int64_t> sizes,
                                      llvm::ArrayRef<int64_t> extra) {
  Ints wanted = node.integers("output_shape");
  if (wanted.size() == windows.size() + 2)
    wanted.erase(wanted.begin(), wanted.begin() + 2);
  const std::string automatic = node.text("auto_pad", "NOTSET");
  if (automatic == "VALID" || (wanted.empty() && automatic != "SAME_UPPER" && automatic != "SAME_LOWER"))
    return success();
  if (!wanted.empty() && wanted.size() != windows.size())
    return node.refuse("output_shape has " + llvm::Twine(wanted.size()) + " sizes");
  for (size_t i = 0; i < windows.size(); ++i) {
    if (ShapedType::isDynamic(sizes[i]))
      return node.refuse("output_shape or auto_pad of a dimension whose size is dynamic",
                         "give the model pads, or a static size");
    const int64_t size = wanted.empty() ? sizes[i] * windows.strides[i] : wanted[i];
    const int64_t total =
        windows.strides[i] * (sizes[i] - 1) + extra[i] + (windows.kernel[i] - 1) * windows.dilations[i] + 1 - size;
    const int64_t half = std::max<int64_t>(0, total) / 2;
    windows.before[i] = automatic == "SAME_UPPER" ? half : std::max<int64_t>(0, total) - half;
    windows.after[i] = total - windows.before[i];
  }
  return success();
}

/// Any number of dimensions: a convolution of the image with zeros between its elements, by the flipped filter.
static Value transposedConvolution(Node &node, Value input, Value filter, const Windows &windows, int64_t groups) {
  const int64_t rank = node.rank(0), count = windows.size();
  Sizes sizes = node.sizesOf(input), spread = sizes, offsets(rank, node.index(0)), strides(rank, node.index(1));
  Ints before, after, flipped;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t reach = (windows.kernel[i] - 1) * windows.dilations[i];
    spread[2 + i] =
        node.plus(node.times(node.minus(sizes[2 + i], node.index(1)), node.index(windows.strides[i])), node.index(1));
    strides[2 + i] = node.index(windows.strides[i]);
    before.push_back(reach - windows.before[i]);
    after.push_back(reach - windows.after[i]);
    flipped.push_back(2 + i);
  }
  const Type element = node.element(0);
  Value image = input;
  if (llvm::any_of(windows.strides, [](int64_t stride) { return stride != 1; }))
    image = tensor::InsertSliceOp::create(node.b, node.loc, input, node.filled(spread, node.scalar(element, 0)),
                                          offsets, sizes, strides);
  image = padded(node, image, before, after, 0);
  // [C, F / groups, ...] to [F, C / groups, ...], within each group.
  Value kernels =
      FlipOp::create(node.b, node.loc, filter.getType(), filter, llvm::ArrayRef<int64_t>(flipped)).getResult();
  Sizes weights = node.sizesOf(kernels);
  OpFoldResult group = node.index(groups);
  Sizes split{group, node.dividedBy(weights[0], group), weights[1]}, joined{node.times(weights[1], group), split[1]};
  Ints permutation{0, 2, 1};
  for (int64_t i = 0; i < count; ++i) {
    split.push_back(weights[2 + i]);
    joined.push_back(weights[2 + i]);
    permutation.push_back(3 + i);
  }
  kernels = node.reshaped(node.transposed(node.reshaped(kernels, split), permutation), joined);
  Windows plain = windows;
  plain.strides.assign(count, 1);
  return convolved(node, image, kernels, plain, groups, element);
}

static LogicalResult buildConvTranspose(Node &node) {
  RankedTensorType type = node.operand(0).type(), weights = node.operand(1).type();
  const int64_t rank = type.getRank(), count = rank - 2, groups = node.integer("group", 1);
  if (rank < 3 || weights.getRank() != rank || !weights.hasStaticShape() || groups < 1 ||
      weights.getDimSize(0) % groups || (!type.isDynamicDim(1) && type.getDimSize(1) != weights.getDimSize(0)) ||
      node.element(0) != node.element(1))
    return node.refuse("its image and filter do not fit each other");
  std::optional<Windows> windows =
      windowsOf(node, Ints(weights.getShape().drop_front(2)), type.getShape().drop_front(2), /*isTransposed=*/true);
  if (!windows)
    return failure();
  Ints extra = node.integers("output_padding", Ints(count, 0));
  if (static_cast<int64_t>(extra.size()) != count)
    return node.refuse("output_padding has " + llvm::Twine(extra.size()) + " values");
  if (failed(adjustTransposed(node, *windows, type.getShape().drop_front(2), extra)))
    return failure();
  for (int64_t i = 0; i < count; ++i)
    windows->after[i] -= extra[i];
  Value result;
  if (rank == 4)
    result = node.make<Conv2dTransposeOp>(
        node.in(0), node.in(1), Value(), ConvTransposeLayout::NchwCfhw, llvm::ArrayRef<int64_t>(windows->strides),
        llvm::ArrayRef<int64_t>(windows->dilations), llvm::ArrayRef<int64_t>(windows->pads()), groups);
  else
    result = transposedConvolution(node, node.in(0), node.in(1), *windows, groups);
  if (node.isRefused())
    return failure();
  if (node.has(2))
    result = node.add(result, channelVector(node, node.in(2), rank));
  node.set(0, result);
  return success();
}

void importer::addConvolutions(OpTable &table) {
  table.add("com.microsoft:FusedConv", buildFusedConv, 2, 4);
  table.add("Conv", buildConv, 2, 3);
  table.add("ConvInteger", buildConvInteger, 2, 4);
  table.add("ConvTranspose", buildConvTranspose, 2, 3);
  table.add("QLinearConv", buildQLinearConv, 8, 9);
}
