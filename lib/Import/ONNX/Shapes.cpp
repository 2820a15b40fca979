//===- Shapes.cpp - operators on shapes -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Operators that move elements by position, and those that compute sizes. Sizes that the graph computes are followed as
// Tensor::elements, so that a Reshape to them has a static shape wherever the inputs have one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// Integers as a tensor of i64, whose elements are known.
static Tensor tensorOf(Node &node, const Sizes &elements, bool isScalar = false) {
  Tensor result;
  result.elements = elements;
  const Type i64 = node.b.getI64Type();
  auto type =
      isScalar ? RankedTensorType::get({}, i64) : RankedTensorType::get({static_cast<int64_t>(elements.size())}, i64);
  Ints known;
  for (OpFoldResult element : elements)
    if (std::optional<int64_t> value = getConstantIntValue(element))
      known.push_back(*value);
  if (known.size() == elements.size()) {
    result.value = node.integerConstant(known, type.getShape(), i64);
    return result;
  }
  llvm::SmallVector<Value> values;
  for (OpFoldResult element : elements)
    values.push_back(arith::IndexCastOp::create(node.b, node.loc, i64, node.indexValue(element)));
  result.value = tensor::FromElementsOp::create(node.b, node.loc, type, values);
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult buildConstant(Node &node) {
  if (const auto *value = node.attribute("value"); value && value->has_t()) {
    FailureOr<Tensor> constant = node.importer.constantOf(value->t(), node.b, node.loc);
    if (failed(constant))
      return failure();
    node.set(0, std::move(*constant));
    return success();
  }
  if (node.hasAttribute("value_int") || node.hasAttribute("value_ints")) {
    Sizes elements;
    if (node.hasAttribute("value_int"))
      elements.push_back(node.index(node.integer("value_int")));
    for (int64_t value : node.integers("value_ints"))
      elements.push_back(node.index(value));
    node.set(0, tensorOf(node, elements, node.hasAttribute("value_int")));
    return success();
  }
  if (node.hasAttribute("value_float")) {
    node.set(0, node.constant(node.b.getF32Type(), node.real("value_float")));
    return success();
  }
  if (const auto *floats = node.attribute("value_floats")) {
    auto type = RankedTensorType::get({floats->floats_size()}, node.b.getF32Type());
    node.set(0, ConstantOp::create(
                    node.b, node.loc,
                    DenseElementsAttr::get(type, llvm::ArrayRef<float>(floats->floats().data(), floats->floats_size())))
                    .getResult());
    return success();
  }
  return node.refuse(node.hasAttribute("sparse_value") ? "its value is sparse" : "its value is a string, or missing");
}

/// The value attribute of ConstantOfShape as a tensor of rank 0; 0.0 where it is not given.
static FailureOr<Tensor> fillValue(Node &node) {
  Tensor value;
  if (const auto *given = node.attribute("value"); given && given->has_t()) {
    FailureOr<Tensor> constant = node.importer.constantOf(given->t(), node.b, node.loc);
    if (failed(constant) || !constant->type().hasStaticShape() || constant->type().getNumElements() != 1)
      return node.refuse("its value is not a single element");
    value = *constant;
    value.value = node.reshaped(value.value, {});
  } else {
    value.value = node.constant(node.b.getF32Type(), 0);
  }
  return value;
}

static LogicalResult buildConstantOfShape(Node &node) {
  FailureOr<Tensor> value = fillValue(node);
  std::optional<Sizes> sizes = node.elementsOf(0);
  if (failed(value) || !sizes)
    return failure();
  Tensor result;
  result.value = node.broadcast(value->value, *sizes);
  result.isUnsigned = value->isUnsigned;
  result.small = value->small;
  constexpr int64_t kMostKnown = 1024;
  if (value->elements && value->elements->size() == 1 && sizes->size() <= 1) {
    OpFoldResult count = sizes->empty() ? node.index(1) : sizes->front();
    if (std::optional<int64_t> known = getConstantIntValue(count); known && *known <= kMostKnown)
      result.elements = Sizes(*known, value->elements->front());
  }
  node.set(0, std::move(result));
  return success();
}

static LogicalResult buildEyeLike(Node &node) {
  if (node.rank(0) != 2)
    return node.refuse("its input has rank " + llvm::Twine(node.rank(0)) + " instead of 2");
  Type element = node.element(0);
  bool isUnsigned = node.isUnsigned(0);
  if (node.hasAttribute("dtype"))
    element = node.importer.elementType(static_cast<int32_t>(node.integer("dtype")), isUnsigned);
  if (!element)
    return node.refuse("dtype is not supported");
  const int64_t k = node.integer("k");
  Value one = node.scalar(element, 1), zero = node.scalar(element, 0);
  node.set(0,
           node.generated(node.sizesOf(node.in(0)), element,
                          [&](OpBuilder &b, Location loc, ValueRange at) {
                            Value diagonal =
                                arith::AddIOp::create(b, loc, at[0], arith::ConstantIndexOp::create(b, loc, k));
                            Value isOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, diagonal, at[1]);
                            return arith::SelectOp::create(b, loc, isOn, one, zero).getResult();
                          }),
           isUnsigned);
  return success();
}

/// The scalar of a tensor of one element.
static Value onlyElement(Node &node, unsigned i) {
  Value value = node.reshaped(node.in(i), {});
  return tensor::ExtractOp::create(node.b, node.loc, value, ValueRange());
}

static LogicalResult buildRange(Node &node) {
  const Type element = node.element(0);
  for (unsigned i = 0; i < 3; ++i)
    if (!node.operand(i).type().hasStaticShape() || node.operand(i).type().getNumElements() != 1 ||
        node.element(i) != element)
      return node.refuse("start, limit and delta are not three scalars of one type");
  OpBuilder &b = node.b;
  OpFoldResult count;
  Value start = onlyElement(node, 0), delta = onlyElement(node, 2);
  if (isa<FloatType>(element)) {
    Value limit = onlyElement(node, 1);
    std::optional<llvm::SmallVector<double>> from = node.realsOf(0), to = node.realsOf(1), step = node.realsOf(2);
    if (from && to && step && step->front() != 0) {
      const double steps = std::ceil((to->front() - from->front()) / step->front());
      if (!(steps < 1e9))
        return node.refuse("has too many elements");
      count = node.index(static_cast<int64_t>(std::max(0.0, steps)));
    } else {
      Type f64 = b.getF64Type();
      auto wide = [&](Value x) -> Value {
        return element == f64 ? x : Value(arith::ExtFOp::create(b, node.loc, f64, x));
      };
      Value span = arith::SubFOp::create(b, node.loc, wide(limit), wide(start));
      Value steps = arith::DivFOp::create(b, node.loc, span, wide(delta));
      // ceil(x) = -floor(-x), of integers: truncated, and one more where something is cut off.
      Value cut = arith::FPToSIOp::create(b, node.loc, b.getI64Type(), steps);
      Value back = arith::SIToFPOp::create(b, node.loc, f64, cut);
      Value more = arith::ExtUIOp::create(b, node.loc, b.getI64Type(),
                                          arith::CmpFOp::create(b, node.loc, arith::CmpFPredicate::OLT, back, steps));
      count = node.largest(node.index(0),
                           OpFoldResult(Value(arith::IndexCastOp::create(
                               b, node.loc, b.getIndexType(), arith::AddIOp::create(b, node.loc, cut, more)))));
    }
  } else {
    std::optional<Sizes> from = node.elementsOf(0), to = node.elementsOf(1), step = node.elementsOf(2);
    if (!from || !to || !step)
      return failure();
    std::optional<int64_t> known = getConstantIntValue(step->front());
    if (known == 0)
      return node.refuse("delta is 0");
    OpFoldResult span = node.minus(to->front(), from->front());
    if (known) {
      OpFoldResult up = *known > 0 ? span : node.minus(node.index(0), span);
      count = node.largest(node.index(0), node.ceilDividedBy(up, node.index(std::abs(*known))));
    } else {
      Value negative = arith::CmpIOp::create(b, node.loc, arith::CmpIPredicate::slt, node.indexValue(step->front()),
                                             node.indexValue(node.index(0)));
      auto choose = [&](OpFoldResult value) -> OpFoldResult {
        return OpFoldResult(Value(arith::SelectOp::create(
            b, node.loc, negative, node.indexValue(node.minus(node.index(0), value)), node.indexValue(value))));
      };
      count = node.largest(node.index(0), node.ceilDividedBy(choose(span), choose(step->front())));
    }
  }
  if (auto known = getConstantIntValue(count); known && *known > (int64_t(1) << 32))
    return node.refuse("has too many elements");
  Value result = node.generated({count}, element, [&](OpBuilder &inner, Location loc, ValueRange at) -> Value {
    if (isa<FloatType>(element)) {
      Type wide = element.getIntOrFloatBitWidth() < 32 ? Type(inner.getF32Type()) : element;
      auto widened = [&](Value x) -> Value {
        return wide == element ? x : Value(arith::ExtFOp::create(inner, loc, wide, x));
      };
      Value position =
          arith::SIToFPOp::create(inner, loc, wide, arith::IndexCastOp::create(inner, loc, inner.getI64Type(), at[0]));
      return arith::AddFOp::create(inner, loc, widened(start),
                                   arith::MulFOp::create(inner, loc, position, widened(delta)));
    }
    Value position = arith::IndexCastOp::create(inner, loc, element, at[0]);
    return arith::AddIOp::create(inner, loc, start, arith::MulIOp::create(inner, loc, position, delta));
  });
  node.set(0, result, node.isUnsigned(0));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult buildShape(Node &node) {
  Sizes sizes = node.sizesOf(node.in(0));
  const int64_t rank = sizes.size();
  auto clamped = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0, rank);
  };
  const int64_t start = clamped(node.integer("start", 0)), end = clamped(node.integer("end", rank));
  node.set(0, tensorOf(node, start < end ? Sizes(llvm::ArrayRef(sizes).slice(start, end - start)) : Sizes()));
  return success();
}

static LogicalResult buildSize(Node &node) {
  node.set(0, tensorOf(node, {node.product(node.sizesOf(node.in(0)))}, /*isScalar=*/true));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Other shapes of the same elements
//===------------------------------------------------------------------------------------------------------------===//

/// Hands on known elements of a tensor whose elements keep their order.
static void setReshaped(Node &node, Value value) {
  Tensor result;
  result.value = value;
  result.isUnsigned = node.isUnsigned(0);
  if (result.rank() <= 1)
    result.elements = node.operand(0).elements;
  node.set(0, std::move(result));
}

static LogicalResult buildReshape(Node &node) {
  std::optional<Sizes> wanted;
  if (node.opset < 5) {
    wanted.emplace();
    for (int64_t size : node.integers("shape"))
      wanted->push_back(node.index(size));
  } else if (!node.has(1)) {
    return node.refuse("input 1 is missing");
  } else {
    wanted = node.elementsOf(1);
  }
  if (!wanted)
    return failure();
  Sizes old = node.sizesOf(node.in(0)), sizes;
  const bool allowZero = node.integer("allowzero") != 0;
  std::optional<size_t> rest;
  OpFoldResult known = node.index(1);
  OpFoldResult total = node.product(old);
  OpBuilder &b = node.b;
  bool isAtRunTime = false;
  for (auto [dim, size] : llvm::enumerate(*wanted)) {
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      if (*constant < -1 || (*constant == -1 && rest))
        return node.refuse("its shape has a negative size, or two of -1");
      if (*constant == -1) {
        rest = dim;
        sizes.push_back(node.index(0));
        continue;
      }
      if (*constant == 0 && !allowZero) {
        if (dim >= old.size())
          return node.refuse("size " + llvm::Twine(dim) + " of its shape is 0, but its input has rank " +
                             llvm::Twine(old.size()));
        size = old[dim];
      }
    } else if (!node.operand(1).elements) {
      // Elements that are read at run time may be 0 or -1.
      isAtRunTime = true;
      if (!allowZero && dim < old.size()) {
        Value isZero = arith::CmpIOp::create(b, node.loc, arith::CmpIPredicate::eq, node.indexValue(size),
                                             node.indexValue(node.index(0)));
        size = OpFoldResult(
            Value(arith::SelectOp::create(b, node.loc, isZero, node.indexValue(old[dim]), node.indexValue(size))));
      }
    }
    sizes.push_back(size);
    if (!isAtRunTime)
      known = node.times(known, size);
  }
  if (isAtRunTime) {
    // The product of all sizes is minus the known ones where one is -1.
    Value product = node.indexValue(node.product(sizes));
    Value divisor = node.indexValue(node.largest(node.minus(node.index(0), OpFoldResult(product)), node.index(1)));
    Value missing = arith::DivSIOp::create(b, node.loc, node.indexValue(total), divisor);
    for (OpFoldResult &size : sizes)
      if (!getConstantIntValue(size)) {
        Value isMissing = arith::CmpIOp::create(b, node.loc, arith::CmpIPredicate::eq, node.indexValue(size),
                                                node.indexValue(node.index(-1)));
        size = OpFoldResult(Value(arith::SelectOp::create(b, node.loc, isMissing, missing, node.indexValue(size))));
      }
  } else if (rest) {
    if (getConstantIntValue(known) == 0)
      return node.refuse("a size of -1 cannot be computed where another size is 0");
    sizes[*rest] = node.dividedBy(total, known);
  }
  setReshaped(node, node.reshaped(node.in(0), sizes));
  return success();
}

static LogicalResult buildFlatten(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 1), node.rank(0), /*inclusive=*/true);
  if (!axis)
    return failure();
  Sizes sizes = node.sizesOf(node.in(0));
  llvm::ArrayRef<OpFoldResult> all(sizes);
  node.set(0, node.reshaped(node.in(0), {node.product(all.take_front(*axis)), node.product(all.drop_front(*axis))}),
           node.isUnsigned(0));
  return success();
}

/// Axes of Squeeze and Unsqueeze: an attribute, from opset 13 on an input.
static std::optional<Ints> squeezeAxes(Node &node, bool &areGiven) {
  areGiven = node.opset < 13 ? node.hasAttribute("axes") : node.has(1);
  if (!areGiven)
    return Ints();
  return node.opset < 13 ? std::optional<Ints>(node.integers("axes")) : node.constantsOf(1, "axes");
}

/// Axes that are read at run time: the shape that the model declares says what is left.
static LogicalResult reshapeAsDeclared(Node &node) {
  RankedTensorType declared = node.declaredType(0);
  if (!declared || !declared.hasStaticShape() || declared.getElementType() != node.element(0))
    return node.refuse("axes are only known at run time, and the model declares no static shape of its result",
                       "make axes a constant of the model, or simplify the model (onnxsim)");
  Sizes sizes;
  for (int64_t size : declared.getShape())
    sizes.push_back(node.index(size));
  node.set(0, node.reshaped(node.in(0), sizes), node.isUnsigned(0));
  return success();
}

static LogicalResult buildSqueeze(Node &node) {
  if (node.opset >= 13 && node.has(1) && !node.areConstant(1))
    return reshapeAsDeclared(node);
  bool areGiven = false;
  std::optional<Ints> axes = squeezeAxes(node, areGiven);
  if (!axes)
    return failure();
  if (!areGiven)
    for (auto [dim, size] : llvm::enumerate(node.operand(0).type().getShape()))
      if (size == 1)
        axes->push_back(dim);
  axes = node.axesOf(*axes, node.rank(0));
  if (!axes)
    return failure();
  for (int64_t axis : *axes)
    if (const int64_t size = node.operand(0).type().getDimSize(axis); size != 1 && !ShapedType::isDynamic(size))
      return node.refuse("dimension " + llvm::Twine(axis) + " has size " + llvm::Twine(size) + ", not 1");
  setReshaped(node, node.squeezed(node.in(0), *axes));
  return success();
}

static LogicalResult buildUnsqueeze(Node &node) {
  if (node.opset >= 13 && node.has(1) && !node.areConstant(1))
    return reshapeAsDeclared(node);
  bool areGiven = false;
  std::optional<Ints> axes = squeezeAxes(node, areGiven);
  if (axes)
    axes = node.axesOf(*axes, node.rank(0) + axes->size());
  if (!axes)
    return failure();
  setReshaped(node, node.unsqueezed(node.in(0), *axes));
  return success();
}

static LogicalResult buildTranspose(Node &node) {
  Ints permutation = node.integers("perm");
  if (!node.hasAttribute("perm"))
    for (int64_t dim = node.rank(0); dim-- > 0;)
      permutation.push_back(dim);
  std::optional<Ints> sorted = node.axesOf(permutation, node.rank(0));
  if (!sorted || static_cast<int64_t>(sorted->size()) != node.rank(0))
    return node.refuse("perm is no permutation of its dimensions");
  for (int64_t &dim : permutation)
    dim += dim < 0 ? node.rank(0) : 0;
  node.set(0, node.transposed(node.in(0), permutation), node.isUnsigned(0));
  return success();
}

/// Rearranges blocks of channels and positions: a reshape, a transpose and a reshape.
static LogicalResult rearrange(Node &node, llvm::ArrayRef<OpFoldResult> split, llvm::ArrayRef<int64_t> permutation,
                               llvm::ArrayRef<OpFoldResult> result) {
  node.set(0, node.reshaped(node.transposed(node.reshaped(node.in(0), split), permutation), result),
           node.isUnsigned(0));
  return success();
}

static LogicalResult buildDepthToSpace(Node &node) {
  const int64_t block = node.integer("blocksize");
  Sizes s = node.sizesOf(node.in(0));
  if (s.size() != 4 || block < 1)
    return node.refuse("needs an input of rank 4 and a blocksize of at least 1");
  OpFoldResult size = node.index(block), depth = node.dividedBy(s[1], node.index(block * block));
  Sizes result{s[0], depth, node.times(s[2], size), node.times(s[3], size)};
  if (node.text("mode", "DCR") == "CRD")
    return rearrange(node, {s[0], depth, size, size, s[2], s[3]}, {0, 1, 4, 2, 5, 3}, result);
  return rearrange(node, {s[0], size, size, depth, s[2], s[3]}, {0, 3, 4, 1, 5, 2}, result);
}

static LogicalResult buildSpaceToDepth(Node &node) {
  const int64_t block = node.integer("blocksize");
  Sizes s = node.sizesOf(node.in(0));
  if (s.size() != 4 || block < 1)
    return node.refuse("needs an input of rank 4 and a blocksize of at least 1");
  OpFoldResult size = node.index(block), height = node.dividedBy(s[2], size), width = node.dividedBy(s[3], size);
  return rearrange(node, {s[0], s[1], height, size, width, size}, {0, 3, 5, 1, 2, 4},
                   {s[0], node.times(s[1], node.index(block * block)), height, width});
}

void importer::addShapes(OpTable &table) {
  table.add("Constant", buildConstant, 0, 0);
  table.add("ConstantOfShape", buildConstantOfShape, 1, 1);
  table.add("DepthToSpace", buildDepthToSpace, 1, 1);
  table.add("EyeLike", buildEyeLike, 1, 1);
  table.add("Flatten", buildFlatten, 1, 1);
  table.add("Range", buildRange, 3, 3);
  table.add("Reshape", buildReshape, 1, 2);
  table.add("Shape", buildShape, 1, 1);
  table.add("Size", buildSize, 1, 1);
  table.add("SpaceToDepth", buildSpaceToDepth, 1, 1);
  table.add("Squeeze", buildSqueeze, 1, 2);
  table.add("Transpose", buildTranspose, 1, 1);
  table.add("Unsqueeze", buildUnsqueeze, 1, 2);
}
