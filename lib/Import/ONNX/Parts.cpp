//===- Parts.cpp - operators on parts of tensors ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Operators that join, cut out and repeat parts of tensors.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static LogicalResult buildConcat(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", node.opset < 4 ? 1 : 0), node.rank(0));
  if (!axis)
    return failure();
  llvm::SmallVector<Value> values;
  std::optional<Sizes> elements = Sizes();
  for (unsigned i = 0; i < node.inputCount(); ++i) {
    values.push_back(node.in(i));
    if (node.element(i) != node.element(0) || node.rank(i) != node.rank(0))
      return node.refuse("its inputs have different element types or ranks");
    if (elements && node.operand(i).elements)
      llvm::append_range(*elements, *node.operand(i).elements);
    else
      elements.reset();
  }
  Tensor result;
  result.value = node.concatenated(values, *axis);
  result.isUnsigned = node.isUnsigned(0);
  if (node.rank(0) == 1)
    result.elements = std::move(elements);
  node.set(0, std::move(result));
  return success();
}

static LogicalResult buildSplit(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 0), node.rank(0));
  if (!axis)
    return failure();
  const int64_t count = node.outputCount();
  OpFoldResult whole = node.sizeOf(node.in(0), *axis);
  Sizes parts;
  if (node.opset < 13 && node.hasAttribute("split")) {
    for (int64_t size : node.integers("split"))
      parts.push_back(node.index(size));
  } else if (node.opset >= 13 && node.has(1)) {
    std::optional<Sizes> given = node.elementsOf(1);
    if (!given)
      return failure();
    parts = *given;
  } else {
    OpFoldResult part = node.ceilDividedBy(whole, node.index(count));
    parts.assign(count - 1, part);
    parts.push_back(node.minus(whole, node.times(part, node.index(count - 1))));
  }
  if (static_cast<int64_t>(parts.size()) != count)
    return node.refuse("has " + llvm::Twine(count) + " outputs but " + llvm::Twine(parts.size()) + " sizes");
  Sizes sizes = node.sizesOf(node.in(0)), offsets(sizes.size(), node.index(0));
  for (int64_t i = 0; i < count; ++i) {
    if (auto known = getConstantIntValue(parts[i]); known && *known < 0)
      return node.refuse("has a part of negative size");
    sizes[*axis] = parts[i];
    node.set(i, node.sliced(node.in(0), offsets, sizes, {}), node.isUnsigned(0));
    offsets[*axis] = node.plus(offsets[*axis], parts[i]);
  }
  return success();
}

/// Where a slice begins or ends in a dimension of `size`, as NumPy reads it: clamped to [low, size + high].
static OpFoldResult sliceBound(Node &node, OpFoldResult position, OpFoldResult size, int64_t low, int64_t high) {
  OpFoldResult normal = node.fromEnd(position, size);
  return node.smallest(node.largest(normal, node.index(low)), node.plus(size, node.index(high)));
}

/// Axes that are read at run time: bounds of each dimension, which are those of the axis that it is, or the whole.
static void sliceBoundsOfAxes(Node &node, const Sizes &axes, Sizes &starts, Sizes &ends, Sizes &steps) {
  OpBuilder &b = node.b;
  const int64_t rank = node.rank(0);
  Sizes allStarts, allEnds, allSteps;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value start = node.indexValue(node.index(0)), end = node.indexValue(node.sizeOf(node.in(0), dim)),
          step = node.indexValue(node.index(1));
    for (size_t i = 0; i < axes.size(); ++i) {
      Value axis = node.indexValue(node.fromEnd(axes[i], node.index(rank)));
      Value isDim =
          arith::CmpIOp::create(b, node.loc, arith::CmpIPredicate::eq, axis, node.indexValue(node.index(dim)));
      start = arith::SelectOp::create(b, node.loc, isDim, node.indexValue(starts[i]), start);
      end = arith::SelectOp::create(b, node.loc, isDim, node.indexValue(ends[i]), end);
      step = arith::SelectOp::create(b, node.loc, isDim, node.indexValue(steps[i]), step);
    }
    allStarts.push_back(OpFoldResult(start));
    allEnds.push_back(OpFoldResult(end));
    allSteps.push_back(OpFoldResult(step));
  }
  starts = allStarts;
  ends = allEnds;
  steps = allSteps;
}

static LogicalResult buildSlice(Node &node) {
  Sizes starts, ends, steps;
  Ints axes;
  std::optional<Sizes> chosen;
  if (node.opset < 10) {
    for (int64_t start : node.integers("starts"))
      starts.push_back(node.index(start));
    for (int64_t end : node.integers("ends"))
      ends.push_back(node.index(end));
    axes = node.integers("axes");
  } else {
    if (!node.has(1) || !node.has(2))
      return node.refuse("starts or ends is missing");
    std::optional<Sizes> from = node.elementsOf(1), to = node.elementsOf(2);
    std::optional<Sizes> step = node.has(4) ? node.elementsOf(4) : Sizes();
    if (!from || !to || !step)
      return failure();
    starts = *from, ends = *to, steps = *step;
    if (node.has(3) && !node.areConstant(3)) {
      chosen = node.elementsOf(3);
      if (!chosen || chosen->size() != starts.size())
        return node.refuse("starts, ends, axes and steps have different lengths");
    } else if (node.has(3)) {
      std::optional<Ints> given = node.constantsOf(3, "axes");
      if (!given)
        return failure();
      axes = *given;
    }
  }
  if (chosen) {
    if (steps.empty())
      steps.assign(starts.size(), node.index(1));
    if (ends.size() != starts.size() || steps.size() != starts.size())
      return node.refuse("starts, ends, axes and steps have different lengths");
    sliceBoundsOfAxes(node, *chosen, starts, ends, steps);
  }
  if (axes.empty())
    for (size_t i = 0; i < starts.size(); ++i)
      axes.push_back(i);
  if (steps.empty())
    steps.assign(starts.size(), node.index(1));
  if (axes.size() != starts.size() || ends.size() != starts.size() || steps.size() != starts.size())
    return node.refuse("starts, ends, axes and steps have different lengths");
  if (!node.axesOf(axes, node.rank(0)))
    return failure();
  OpBuilder &b = node.b;
  Sizes sizes = node.sizesOf(node.in(0)), offsets(sizes.size(), node.index(0)), strides(sizes.size(), node.index(1));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    const int64_t dim = axis < 0 ? axis + node.rank(0) : axis;
    OpFoldResult size = sizes[dim], step = steps[i];
    std::optional<int64_t> known = getConstantIntValue(step);
    if (known == 0)
      return node.refuse("has a step of 0");
    auto forward = [&] {
      OpFoldResult from = sliceBound(node, starts[i], size, 0, 0), to = sliceBound(node, ends[i], size, 0, 0);
      return std::pair(from, node.largest(node.index(0), node.minus(to, from)));
    };
    auto backward = [&] {
      OpFoldResult from = sliceBound(node, starts[i], size, 0, -1), to = sliceBound(node, ends[i], size, -1, -1);
      return std::pair(from, node.largest(node.index(0), node.minus(from, to)));
    };
    std::pair<OpFoldResult, OpFoldResult> span;
    OpFoldResult width;
    if (known) {
      span = *known > 0 ? forward() : backward();
      width = node.index(*known > 0 ? *known : -*known);
    } else {
      auto ahead = forward(), back = backward();
      Value isBack = arith::CmpIOp::create(b, node.loc, arith::CmpIPredicate::slt, node.indexValue(step),
                                           node.indexValue(node.index(0)));
      auto choose = [&](OpFoldResult x, OpFoldResult y) {
        return OpFoldResult(
            Value(arith::SelectOp::create(b, node.loc, isBack, node.indexValue(x), node.indexValue(y))));
      };
      span = {choose(back.first, ahead.first), choose(back.second, ahead.second)};
      width = choose(node.minus(node.index(0), step), step);
    }
    offsets[dim] = span.first;
    sizes[dim] = node.ceilDividedBy(span.second, width);
    strides[dim] = step;
    // Of an empty slice, no position is read.
    if (getConstantIntValue(sizes[dim]) == 0) {
      offsets[dim] = node.index(0);
      strides[dim] = node.index(1);
    }
  }
  Tensor result;
  result.value = node.sliced(node.in(0), offsets, sizes, strides);
  result.isUnsigned = node.isUnsigned(0);
  if (const auto &elements = node.operand(0).elements; elements && node.rank(0) == 1) {
    std::optional<int64_t> from = getConstantIntValue(offsets[0]), count = getConstantIntValue(sizes[0]),
                           step = getConstantIntValue(strides[0]);
    if (from && count && step &&
        (*count == 0 || (*from + (*count - 1) * *step >= 0 && *from >= 0 &&
                         std::max(*from, *from + (*count - 1) * *step) < static_cast<int64_t>(elements->size())))) {
      Sizes kept;
      for (int64_t i = 0; i < *count; ++i)
        kept.push_back((*elements)[*from + i * *step]);
      result.elements = std::move(kept);
    }
  }
  node.set(0, std::move(result));
  return success();
}

/// A tensor of `sizes` whose elements are those of `source` at their indices modulo its sizes.
static Value repeated(Node &node, Value source, llvm::ArrayRef<OpFoldResult> sizes) {
  llvm::SmallVector<Value> extents;
  for (OpFoldResult size : node.sizesOf(source))
    extents.push_back(node.indexValue(size));
  const Type element = llvm::cast<RankedTensorType>(source.getType()).getElementType();
  return node.generated(sizes, element, [&](OpBuilder &b, Location loc, ValueRange at) {
    llvm::SmallVector<Value> from;
    for (auto [position, extent] : llvm::zip(at, extents))
      from.push_back(arith::RemUIOp::create(b, loc, position, extent));
    return tensor::ExtractOp::create(b, loc, source, from).getResult();
  });
}

static LogicalResult buildTile(Node &node) {
  std::optional<Sizes> repeats;
  if (node.opset < 6) {
    // Input 1 is the number of tiles, input 2 the dimension.
    std::optional<Sizes> count = node.elementsOf(1);
    std::optional<Ints> axis = node.has(2) ? node.constantsOf(2, "axis") : std::nullopt;
    if (!count || !axis || axis->empty() || count->empty() || !node.axisOf(axis->front(), node.rank(0)))
      return node.refuse("has no constant axis");
    repeats = Sizes(node.rank(0), node.index(1));
    (*repeats)[*node.axisOf(axis->front(), node.rank(0))] = count->front();
  } else {
    repeats = node.elementsOf(1);
  }
  if (!repeats)
    return failure();
  if (static_cast<int64_t>(repeats->size()) != node.rank(0))
    return node.refuse("has " + llvm::Twine(repeats->size()) + " repeats for an input of rank " +
                       llvm::Twine(node.rank(0)));
  Ints multiples;
  for (OpFoldResult count : *repeats)
    multiples.push_back(getConstantIntValue(count).value_or(0));
  if (llvm::all_of(multiples, [](int64_t count) { return count >= 1; })) {
    node.set(0, node.make<TileOp>(node.in(0), multiples), node.isUnsigned(0));
    return success();
  }
  Sizes sizes;
  for (auto [size, count] : llvm::zip(node.sizesOf(node.in(0)), *repeats))
    sizes.push_back(node.times(size, count));
  node.set(0, repeated(node, node.in(0), sizes), node.isUnsigned(0));
  return success();
}

static LogicalResult buildExpand(Node &node) {
  std::optional<Sizes> wanted = node.elementsOf(1);
  if (!wanted)
    return failure();
  const int64_t rank = std::max<int64_t>(node.rank(0), wanted->size());
  Value value = node.withRank(node.in(0), rank);
  auto type = llvm::cast<RankedTensorType>(value.getType());
  Sizes sizes = node.sizesOf(value);
  bool isKnown = true;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const int64_t dim = rank - wanted->size() + i;
    OpFoldResult size = (*wanted)[i];
    if (type.getDimSize(dim) == 1)
      sizes[dim] = size;
    else if (type.isDynamicDim(dim) && !getConstantIntValue(size))
      isKnown = false;
    else if (type.isDynamicDim(dim) && getConstantIntValue(size) != 1)
      isKnown = false;
    // A size of 1 leaves the input's.
    if (!isKnown)
      sizes[dim] = node.largest(sizes[dim], size);
    else if (type.getDimSize(dim) != 1 && !type.isDynamicDim(dim)) {
      std::optional<int64_t> known = getConstantIntValue(size);
      if (known && *known != 1 && *known != type.getDimSize(dim))
        return node.refuse("size " + llvm::Twine(type.getDimSize(dim)) + " cannot be expanded to " +
                           llvm::Twine(*known));
    }
  }
  if (isKnown) {
    node.set(0, node.broadcast(value, sizes), node.isUnsigned(0));
    return success();
  }
  // A dimension whose size is 1 at run time repeats.
  node.set(0, repeated(node, value, sizes), node.isUnsigned(0));
  return success();
}

static LogicalResult buildTrilu(Node &node) {
  const int64_t rank = node.rank(0);
  if (rank < 2)
    return node.refuse("its input has rank " + llvm::Twine(rank) + ", less than 2");
  std::optional<Sizes> k = node.has(1) ? node.elementsOf(1) : Sizes{node.index(0)};
  if (!k || k->size() != 1)
    return failure();
  const bool isUpper = node.integer("upper", 1) != 0;
  Value offset = node.indexValue(k->front());
  node.set(0,
           node.elementwise(node.in(0), node.element(0),
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              Value row = linalg::IndexOp::create(b, loc, rank - 2),
                                    column = linalg::IndexOp::create(b, loc, rank - 1);
                              Value diagonal = arith::AddIOp::create(b, loc, row, offset);
                              Value isKept = arith::CmpIOp::create(
                                  b, loc, isUpper ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle, column,
                                  diagonal);
                              Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(args[0].getType()));
                              return arith::SelectOp::create(b, loc, isKept, args[0], zero).getResult();
                            }),
           node.isUnsigned(0));
  return success();
}

void importer::addParts(OpTable &table) {
  table.add("Concat", buildConcat, 1);
  table.add("Expand", buildExpand, 2, 2);
  table.add("Slice", buildSlice, 1, 5);
  table.add("Split", buildSplit, 1, 2);
  table.add("Tile", buildTile, 2, 3);
  table.add("Trilu", buildTrilu, 1, 2);
}
