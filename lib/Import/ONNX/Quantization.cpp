//===- Quantization.cpp - quantised operators -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// QuantizeLinear and its relatives. An unsigned type is signless here, so clamping and conversions say which one is
// meant.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"
#include "lib/Import/ONNX/Quantized.h"
#include "lib/Import/ONNX/SmallTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// The numbers of an integer type.
static std::pair<double, double> rangeOf(Type type, bool isUnsigned) {
  const unsigned width = type.getIntOrFloatBitWidth();
  return isUnsigned ? std::pair(0.0, std::ldexp(1.0, width) - 1)
                    : std::pair(-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1);
}

/// Rounds a float tensor, adds the zero point, clamps and converts. `small`: the type that the result carries; null its
/// own.
static Value rounded(Node &node, Value value, Value zeroPoint, bool isUnsigned, Type small = Type()) {
  const Type element = llvm::cast<RankedTensorType>(zeroPoint.getType()).getElementType();
  const Type real = llvm::cast<RankedTensorType>(value.getType()).getElementType();
  auto [low, high] = rangeOf(small ? small : element, isUnsigned);
  Value shifted = node.add(node.unary<RoundOp>(value), node.cast(zeroPoint, real, isUnsigned));
  Value clamped = node.binary<MinOp>(node.binary<MaxOp>(shifted, node.constant(real, low)), node.constant(real, high));
  return node.cast(clamped, element, false, isUnsigned);
}

LogicalResult importer::requantize(Node &node, Value sum, Value scaleA, Value scaleB, unsigned yScale,
                                   unsigned yZeroPoint) {
  const Type f32 = node.b.getF32Type();
  Value factor = node.div(node.mul(node.cast(scaleA, f32), node.cast(scaleB, f32)), node.cast(node.in(yScale), f32));
  Value real = node.mul(node.cast(sum, f32), factor);
  if (node.isRefused())
    return failure();
  node.set(0, rounded(node, real, node.in(yZeroPoint), node.isUnsigned(yZeroPoint)), node.isUnsigned(yZeroPoint));
  return success();
}

/// Scale or zero point as mica.quantize takes it: of rank 0, or of rank 1 along `axis`.
static Value quantizationParameter(Node &node, unsigned i) {
  const RankedTensorType type = node.operand(i).type();
  return type.getRank() == 1 && type.getDimSize(0) == 1 ? node.reshaped(node.in(i), {}) : node.in(i);
}

static std::optional<IntegerAttr> quantizationAxis(Node &node) {
  if (node.rank(1) == 0 || (node.rank(1) == 1 && node.operand(1).type().getDimSize(0) == 1))
    return IntegerAttr();
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 1), node.rank(0));
  return axis ? std::optional<IntegerAttr>(node.b.getI64IntegerAttr(*axis)) : std::nullopt;
}

/// Whether each scale is for a block of elements along the axis.
static bool hasBlocks(Node &node) { return node.integer("block_size") > 0 && node.rank(1) == node.rank(0); }

/// Input `i`, a scale or zero point, in the shape that the input is broadcast with: each value for its block, or along
/// the axis; null where it is refused.
static Value spread(Node &node, unsigned i) {
  std::optional<IntegerAttr> axis = quantizationAxis(node);
  if (!axis)
    return Value();
  if (!hasBlocks(node)) {
    Value value = quantizationParameter(node, i);
    if (!*axis || llvm::cast<RankedTensorType>(value.getType()).getRank() != 1)
      return value;
    Sizes sizes(node.rank(0), node.index(1));
    sizes[size_t(axis->getInt())] = node.sizeOf(value, 0);
    return node.reshaped(value, sizes);
  }
  const int64_t dim = axis->getInt(), block = node.integer("block_size");
  const Sizes sizes = node.sizesOf(node.in(i)), whole = node.sizesOf(node.in(0));
  Sizes repeated(sizes), joined(sizes), offsets(sizes.size(), node.index(0)), steps(sizes.size(), node.index(1));
  repeated.insert(repeated.begin() + dim + 1, node.index(block));
  joined[size_t(dim)] = node.times(sizes[size_t(dim)], node.index(block));
  Value all = node.reshaped(node.broadcast(node.unsqueezed(node.in(i), {dim + 1}), repeated), joined);
  // The last block may be cut.
  joined[size_t(dim)] = whole[size_t(dim)];
  return node.sliced(all, offsets, joined, steps);
}

static LogicalResult buildQuantizeLinear(Node &node) {
  if (node.rank(1) > 1 && !hasBlocks(node))
    return node.refuse("its scale has rank " + llvm::Twine(node.rank(1)) + ", and there is no block_size");
  bool isUnsigned = node.has(2) ? node.isUnsigned(2) : true;
  Type element = node.has(2) ? node.element(2) : Type(node.b.getI8Type());
  Type small = node.has(2) ? node.small(2) : Type();
  if (const int64_t asked = node.integer("output_dtype"); asked && !node.has(2)) {
    element = node.importer.elementType(int32_t(asked), isUnsigned);
    small = smallTypeOf(int32_t(asked), *node.b.getContext());
  }
  if (!element)
    return node.refuse("its output_dtype is not supported");
  bool isPrecisionUnsigned = false;
  const int64_t precision = node.integer("precision");
  const Type real = precision ? node.importer.elementType(int32_t(precision), isPrecisionUnsigned) : node.element(1);
  if (!isa_and_present<FloatType>(real))
    return node.refuse("its precision is not a float type");
  Value input =
      isa<FloatType>(node.element(0)) ? node.cast(node.in(0), real) : node.cast(node.in(0), real, node.isUnsigned(0));
  if (hasBlocks(node) || !isa<IntegerType>(element) || small || real != node.element(1)) {
    Value scale = spread(node, 1);
    if (!scale)
      return failure();
    Value quotient = node.div(input, node.cast(scale, real));
    Tensor result;
    result.isUnsigned = isUnsigned && isa<IntegerType>(element);
    result.small = small;
    const bool saturates = node.integer("saturate", 1) != 0;
    if (isa_and_present<FloatType>(small)) {
      result.value = toSmall(node, quotient, false, small, false, saturates);
    } else if (!isa<IntegerType>(element)) {
      result.value = saturates ? saturated(node, quotient, false, element) : node.cast(quotient, element);
    } else {
      Value zero = node.has(2) ? spread(node, 2) : node.constant(element, 0);
      if (!zero || node.isRefused())
        return failure();
      result.value = rounded(node, quotient, zero, isUnsigned, small);
    }
    node.set(0, std::move(result));
    return failure(node.isRefused());
  }
  std::optional<IntegerAttr> axis = quantizationAxis(node);
  if (!axis)
    return failure();
  Value scale = quantizationParameter(node, 1), zero = node.has(2) ? quantizationParameter(node, 2) : Value();
  node.set(0,
           QuantizeOp::create(node.b, node.loc, llvm::cast<RankedTensorType>(input.getType()).clone(element), input,
                              scale, zero, *axis, isUnsigned)
               .getResult(),
           isUnsigned);
  return success();
}

static LogicalResult dequantize(Node &node) {
  if (node.rank(1) > 1 && !hasBlocks(node))
    return node.refuse("its scale has rank " + llvm::Twine(node.rank(1)) + ", and there is no block_size");
  const Type real = node.element(1);
  if (hasBlocks(node) || !isa<IntegerType>(node.element(0))) {
    Value scale = spread(node, 1);
    if (!scale)
      return failure();
    Value value = node.cast(node.in(0), real, node.isUnsigned(0));
    // The zero point of a float type is 0.
    if (node.has(2) && isa<IntegerType>(node.element(0))) {
      Value zero = spread(node, 2);
      if (!zero)
        return failure();
      value = node.sub(value, node.cast(zero, real, node.isUnsigned(2)));
    }
    node.set(0, node.mul(value, scale));
    return failure(node.isRefused());
  }
  std::optional<IntegerAttr> axis = quantizationAxis(node);
  if (!axis)
    return failure();
  Value scale = quantizationParameter(node, 1), zero = node.has(2) ? quantizationParameter(node, 2) : Value();
  node.set(0, DequantizeOp::create(node.b, node.loc, node.operand(0).type().clone(real), node.in(0), scale, zero, *axis,
                                   node.isUnsigned(0))
                  .getResult());
  return success();
}

/// With the output_dtype of operator set 23 on.
static LogicalResult buildDequantizeLinear(Node &node) {
  const int64_t asked = node.integer("output_dtype");
  bool isUnsigned = false;
  const Type element = asked ? node.importer.elementType(int32_t(asked), isUnsigned) : node.element(1);
  if (!isa_and_present<FloatType>(element) || smallTypeOf(int32_t(asked), *node.b.getContext()))
    return node.refuse("its output_dtype is not supported");
  if (failed(dequantize(node)))
    return failure();
  node.set(0, node.cast(node.result(0), element));
  return failure(node.isRefused());
}

QuantizedTensor importer::dynamicallyQuantized(Node &node, Value input) {
  const Type f32 = node.b.getF32Type(), i8 = node.b.getI8Type();
  const Ints all = llvm::to_vector(llvm::seq<int64_t>(0, llvm::cast<RankedTensorType>(input.getType()).getRank()));
  Value zero = node.constant(f32, 0), most = node.constant(f32, 255);
  Value low = node.binary<MinOp>(node.reduced(ReduceKind::Min, input, all, false), zero);
  Value high = node.binary<MaxOp>(node.reduced(ReduceKind::Max, input, all, false), zero);
  Value scale = node.div(node.sub(high, low), most);
  Value start = node.div(node.sub(zero, low), scale);
  Value point = node.unary<RoundOp>(node.binary<MinOp>(node.binary<MaxOp>(start, zero), most));
  Value zeroPoint = node.cast(point, i8, false, /*toUnsigned=*/true);
  return {rounded(node, node.div(input, scale), zeroPoint, true), scale, zeroPoint};
}

static LogicalResult buildDynamicQuantizeLinear(Node &node) {
  if (!node.element(0).isF32())
    return node.refuse("its input is not of type float");
  const QuantizedTensor made = dynamicallyQuantized(node, node.in(0));
  node.set(0, made.values, true);
  node.set(1, made.scale);
  node.set(2, made.zeroPoint, true);
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Operators of com.microsoft on quantized tensors
//===------------------------------------------------------------------------------------------------------------===//

Value importer::dequantized(Node &node, unsigned i) {
  const Type f32 = node.b.getF32Type();
  Value value = node.cast(node.in(i), f32, node.isUnsigned(i));
  if (node.has(i + 2))
    value = node.sub(value, node.cast(quantizationParameter(node, i + 2), f32, node.isUnsigned(i + 2)));
  return node.mul(value, node.cast(quantizationParameter(node, i + 1), f32));
}

LogicalResult importer::setQuantized(Node &node, Value real, unsigned scale, unsigned like) {
  const Type f32 = node.b.getF32Type(), element = node.element(like);
  Value zero = node.has(scale + 1) ? quantizationParameter(node, scale + 1) : node.constant(element, 0);
  real = node.div(real, node.cast(quantizationParameter(node, scale), f32));
  if (node.isRefused())
    return failure();
  node.set(0, rounded(node, real, zero, node.isUnsigned(like)), node.isUnsigned(like));
  return success();
}

static bool hasBytes(Node &node) { return node.element(0).isInteger(8); }

template <typename Op> static LogicalResult buildQLinearBinary(Node &node) {
  if (!hasBytes(node) || node.element(3) != node.element(0))
    return node.refuse("its inputs are not of 8 bits");
  return setQuantized(node, node.binary<Op>(dequantized(node, 0), dequantized(node, 3)), 6);
}

static LogicalResult buildQLinearSigmoid(Node &node) {
  if (!hasBytes(node))
    return node.refuse("its input is not of 8 bits");
  return setQuantized(node, node.unary<SigmoidOp>(dequantized(node, 0)), 3);
}

static LogicalResult buildQLinearLeakyRelu(Node &node) {
  if (!hasBytes(node))
    return node.refuse("its input is not of 8 bits");
  const Type f32 = node.b.getF32Type();
  Value x = dequantized(node, 0), zero = node.constant(f32, 0);
  Value scaled = node.mul(x, node.constant(f32, node.real("alpha", 0.01)));
  return setQuantized(node, node.select(node.compare(Comparison::Lt, x, zero), scaled, x), 3);
}

static LogicalResult buildQLinearSoftmax(Node &node) {
  const std::optional<int64_t> axis = node.axisOf(node.integer("axis", -1), node.rank(0));
  if (!axis || !hasBytes(node))
    return node.isRefused() ? failure() : node.refuse("its input is not of 8 bits");
  // Before operator set 13, all dimensions from the axis on were one.
  if (node.integer("opset") < 13 && *axis != node.rank(0) - 1)
    return node.refuse("its axis is not the last one, before operator set 13");
  Value real = dequantized(node, 0);
  return setQuantized(node, SoftmaxOp::create(node.b, node.loc, real.getType(), real, *axis), 3);
}

static LogicalResult buildQLinearReduceMean(Node &node) {
  const std::optional<Ints> axes = node.axesOf(node.integers("axes"), node.rank(0));
  if (!axes || !hasBytes(node))
    return node.isRefused() ? failure() : node.refuse("its input is not of 8 bits");
  const Ints all = llvm::to_vector(llvm::seq<int64_t>(0, node.rank(0)));
  return setQuantized(node,
                      node.reduced(ReduceKind::Mean, dequantized(node, 0), axes->empty() ? all : *axes,
                                   node.integer("keepdims", 1) != 0),
                      3);
}

static LogicalResult buildQLinearGlobalAveragePool(Node &node) {
  if (node.rank(0) < 3 || !hasBytes(node))
    return node.refuse("its input is not of 8 bits and rank 3 or more");
  const int64_t first = node.integer("channels_last") ? 1 : 2;
  const Ints dims = llvm::to_vector(llvm::seq<int64_t>(first, first + node.rank(0) - 2));
  return setQuantized(node, node.reduced(ReduceKind::Mean, dequantized(node, 0), dims, true), 3);
}

/// Scale and zero point of the result come first, then each input with its own.
static LogicalResult buildQLinearConcat(Node &node) {
  if (node.inputCount() % 3 != 2 || !node.element(1).isInteger(8))
    return node.refuse("its inputs are not of 8 bits, each with scale and zero point");
  llvm::SmallVector<Value> parts;
  for (unsigned i = 2; i < node.inputCount(); i += 3) {
    if (!node.element(i).isInteger(8) || node.rank(i) != node.rank(2))
      return node.refuse("its inputs are not of 8 bits and one rank");
    parts.push_back(dequantized(node, i));
  }
  const std::optional<int64_t> axis = node.axisOf(node.integer("axis"), node.rank(2));
  return axis ? setQuantized(node, node.concatenated(parts, *axis), 0, 1) : failure();
}

void importer::addQuantization(OpTable &table) {
  table.add("com.microsoft:DequantizeLinear", buildDequantizeLinear, 2, 3);
  table.add("com.microsoft:QLinearAdd", buildQLinearBinary<AddOp>, 7, 8);
  table.add("com.microsoft:QLinearConcat", buildQLinearConcat, 5);
  table.add("com.microsoft:QLinearGlobalAveragePool", buildQLinearGlobalAveragePool, 5, 5);
  table.add("com.microsoft:QLinearLeakyRelu", buildQLinearLeakyRelu, 4, 5);
  table.add("com.microsoft:QLinearMul", buildQLinearBinary<MulOp>, 7, 8);
  table.add("com.microsoft:QLinearReduceMean", buildQLinearReduceMean, 4, 5);
  table.add("com.microsoft:QLinearSigmoid", buildQLinearSigmoid, 4, 5);
  table.add("com.microsoft:QLinearSoftmax", buildQLinearSoftmax, 4, 5);
  table.add("com.microsoft:QuantizeLinear", buildQuantizeLinear, 2, 3);
  table.add("DequantizeLinear", buildDequantizeLinear, 2, 3);
  table.add("DynamicQuantizeLinear", buildDynamicQuantizeLinear, 1, 1);
  table.add("QuantizeLinear", buildQuantizeLinear, 2, 3);
}
