//===- Indexing.cpp - gathers, scatters and padding -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Operators that read or write at computed positions. Scatters become mica.scatter on the flattened tensor: the
// position of each update is its index in row-major order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// Indices that may count from the end, as i64 from 0.
static Value normalizedIndices(Node &node, Value indices, OpFoldResult size) {
  const Type i64 = node.b.getI64Type();
  Value extent = node.indexValue(size);
  return node.elementwise(node.cast(indices, i64), i64, [&](OpBuilder &b, Location loc, ValueRange args) {
    Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
    Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, args[0], zero);
    Value shifted = arith::AddIOp::create(b, loc, args[0], arith::IndexCastOp::create(b, loc, i64, extent));
    return arith::SelectOp::create(b, loc, isNegative, shifted, args[0]).getResult();
  });
}

/// An index of type index that counts from the end if it is negative.
static Value positionFrom(OpBuilder &b, Location loc, Value index, Value extent) {
  Value position = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, position, zero);
  return arith::SelectOp::create(b, loc, isNegative, arith::AddIOp::create(b, loc, position, extent), position);
}

static bool areIndices(Node &node, unsigned i) {
  if (node.element(i).isInteger(64) || node.element(i).isInteger(32))
    return true;
  (void)node.refuse("its indices are not of type int32 or int64");
  return false;
}

static LogicalResult buildGather(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 0), node.rank(0));
  if (!axis || !areIndices(node, 1))
    return failure();
  OpFoldResult size = node.sizeOf(node.in(0), *axis);
  Tensor result;
  result.isUnsigned = node.isUnsigned(0);
  const auto &indices = node.operand(1).elements, &elements = node.operand(0).elements;
  bool areKnown = indices.has_value();
  for (size_t i = 0; areKnown && i < indices->size(); ++i) {
    std::optional<int64_t> known = getConstantIntValue((*indices)[i]);
    areKnown = known && *known >= 0;
  }
  // Constant indices from the start need no correction.
  Value positions = areKnown ? node.in(1) : normalizedIndices(node, node.in(1), size);
  result.value = node.make<GatherOp>(node.in(0), positions, *axis, 0);
  if (elements && indices && node.rank(0) == 1 && !node.isRefused() && result.rank() <= 1) {
    Sizes picked;
    const int64_t count = elements->size();
    for (OpFoldResult index : *indices)
      if (std::optional<int64_t> known = getConstantIntValue(index); known && *known >= -count && *known < count)
        picked.push_back((*elements)[*known < 0 ? *known + count : *known]);
    if (picked.size() == indices->size())
      result.elements = std::move(picked);
  }
  node.set(0, std::move(result));
  return success();
}

static LogicalResult buildGatherElements(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 0), node.rank(0));
  if (!axis || !areIndices(node, 1) || node.rank(1) != node.rank(0))
    return node.refuse("its input and indices have different ranks");
  Value data = node.in(0), extent = node.indexValue(node.sizeOf(data, *axis));
  node.set(0,
           node.elementwise(node.in(1), node.element(0),
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              llvm::SmallVector<Value> at;
                              for (int64_t dim = 0; dim < node.rank(0); ++dim)
                                at.push_back(dim == *axis ? positionFrom(b, loc, args[0], extent)
                                                          : Value(linalg::IndexOp::create(b, loc, dim)));
                              return tensor::ExtractOp::create(b, loc, data, at).getResult();
                            }),
           node.isUnsigned(0));
  return success();
}

static LogicalResult buildGatherNd(Node &node) {
  const int64_t batch = node.integer("batch_dims"), rank = node.rank(0), outer = node.rank(1) - 1;
  if (!areIndices(node, 1) || outer < 0 || node.operand(1).type().isDynamicDim(outer))
    return node.refuse("the last dimension of its indices has no static size");
  const int64_t depth = node.operand(1).type().getDimSize(outer);
  if (batch < 0 || batch > outer || batch + depth > rank)
    return node.refuse("its indices do not fit an input of rank " + llvm::Twine(rank));
  Sizes sizes = node.sizesOf(node.in(1));
  sizes.pop_back();
  llvm::SmallVector<Value> extents;
  for (OpFoldResult size : node.sizesOf(node.in(0)))
    extents.push_back(node.indexValue(size));
  for (int64_t dim = batch + depth; dim < rank; ++dim)
    sizes.push_back(node.sizeOf(node.in(0), dim));
  Value data = node.in(0), indices = node.in(1);
  node.set(0,
           node.generated(sizes, node.element(0),
                          [&](OpBuilder &b, Location loc, ValueRange at) {
                            llvm::SmallVector<Value> source(at.take_front(batch)), where(at.take_front(outer));
                            where.push_back(nullptr);
                            for (int64_t i = 0; i < depth; ++i) {
                              where.back() = arith::ConstantIndexOp::create(b, loc, i);
                              Value index = tensor::ExtractOp::create(b, loc, indices, where);
                              source.push_back(positionFrom(b, loc, index, extents[batch + i]));
                            }
                            llvm::append_range(source, at.drop_front(outer));
                            return tensor::ExtractOp::create(b, loc, data, source).getResult();
                          }),
           node.isUnsigned(0));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Scatters
//===------------------------------------------------------------------------------------------------------------===//

/// Writes the flat `updates` to the flat `positions` of `data`, combined with what is there as `reduction` says.
static LogicalResult scatterFlat(Node &node, Value positions, Value updates, llvm::StringRef reduction) {
  Sizes sizes = node.sizesOf(node.in(0));
  Value data = node.reshaped(node.in(0), {node.product(sizes)});
  const Type element = node.element(0);
  Value result;
  if (reduction == "none" || reduction == "add") {
    if (reduction == "add" && element.isInteger(1))
      return node.refuse("adds values of type bool");
    result =
        ScatterOp::create(node.b, node.loc, data.getType(), reduction == "add" ? ScatterKind::Add : ScatterKind::Update,
                          data, positions, updates, 0, 0);
  } else if (reduction == "mul" || reduction == "max" || reduction == "min") {
    Value count = node.indexValue(node.sizeOf(positions, 0));
    Value zero = node.indexValue(node.index(0)), one = node.indexValue(node.index(1));
    const bool isUnsigned = node.isUnsigned(0);
    auto loop = scf::ForOp::create(
        node.b, node.loc, zero, count, one, data, [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
          Value at =
              arith::IndexCastOp::create(b, loc, b.getIndexType(), tensor::ExtractOp::create(b, loc, positions, i));
          Value old = tensor::ExtractOp::create(b, loc, carried[0], at);
          Value update = tensor::ExtractOp::create(b, loc, updates, i), next;
          if (isa<FloatType>(element))
            next = reduction == "mul"   ? Value(arith::MulFOp::create(b, loc, old, update))
                   : reduction == "max" ? Value(arith::MaximumFOp::create(b, loc, old, update))
                                        : Value(arith::MinimumFOp::create(b, loc, old, update));
          else if (reduction == "mul")
            next = arith::MulIOp::create(b, loc, old, update);
          else if (isUnsigned)
            next = reduction == "max" ? Value(arith::MaxUIOp::create(b, loc, old, update))
                                      : Value(arith::MinUIOp::create(b, loc, old, update));
          else
            next = reduction == "max" ? Value(arith::MaxSIOp::create(b, loc, old, update))
                                      : Value(arith::MinSIOp::create(b, loc, old, update));
          scf::YieldOp::create(b, loc, Value(tensor::InsertOp::create(b, loc, next, carried[0], at)));
        });
    result = loop.getResult(0);
  } else {
    return node.refuse("reduction is '" + reduction + "'");
  }
  node.set(0, node.reshaped(result, sizes), node.isUnsigned(0));
  return success();
}

static LogicalResult buildScatterElements(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 0), node.rank(0));
  if (!axis || !areIndices(node, 1) || node.rank(1) != node.rank(0) || node.rank(2) != node.rank(0) ||
      node.element(2) != node.element(0))
    return node.refuse("its data, indices and updates do not fit each other");
  const Type i64 = node.b.getI64Type();
  llvm::SmallVector<Value> extents;
  for (OpFoldResult size : node.sizesOf(node.in(0)))
    extents.push_back(node.indexValue(size));
  Value positions = node.elementwise(node.in(1), i64, [&](OpBuilder &b, Location loc, ValueRange args) {
    Value flat = arith::ConstantIndexOp::create(b, loc, 0);
    for (int64_t dim = 0; dim < node.rank(0); ++dim) {
      Value position =
          dim == *axis ? positionFrom(b, loc, args[0], extents[dim]) : Value(linalg::IndexOp::create(b, loc, dim));
      flat = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, flat, extents[dim]), position);
    }
    return arith::IndexCastOp::create(b, loc, i64, flat).getResult();
  });
  Sizes count{node.product(node.sizesOf(node.in(1)))};
  return scatterFlat(node, node.reshaped(positions, count), node.reshaped(node.in(2), count),
                     node.text("reduction", "none"));
}

static LogicalResult buildScatterNd(Node &node) {
  const int64_t rank = node.rank(0), outer = node.rank(1) - 1;
  if (!areIndices(node, 1) || outer < 0 || node.operand(1).type().isDynamicDim(outer) ||
      node.element(2) != node.element(0))
    return node.refuse("its data, indices and updates do not fit each other");
  const int64_t depth = node.operand(1).type().getDimSize(outer);
  if (depth > rank || node.rank(2) != outer + rank - depth)
    return node.refuse("its indices do not fit an input of rank " + llvm::Twine(rank));
  const Type i64 = node.b.getI64Type();
  llvm::SmallVector<Value> extents;
  for (OpFoldResult size : node.sizesOf(node.in(0)))
    extents.push_back(node.indexValue(size));
  Value indices = node.in(1);
  Sizes sizes = node.sizesOf(node.in(2));
  Value positions = node.generated(sizes, i64, [&](OpBuilder &b, Location loc, ValueRange at) {
    llvm::SmallVector<Value> where(at.take_front(outer));
    where.push_back(nullptr);
    Value flat = arith::ConstantIndexOp::create(b, loc, 0);
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value position;
      if (dim < depth) {
        where.back() = arith::ConstantIndexOp::create(b, loc, dim);
        position = positionFrom(b, loc, tensor::ExtractOp::create(b, loc, indices, where), extents[dim]);
      } else {
        position = at[outer + dim - depth];
      }
      flat = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, flat, extents[dim]), position);
    }
    return arith::IndexCastOp::create(b, loc, i64, flat).getResult();
  });
  Sizes count{node.product(sizes)};
  return scatterFlat(node, node.reshaped(positions, count), node.reshaped(node.in(2), count),
                     node.text("reduction", "none"));
}

/// A cache with an update from a position of its own for each of the batch: each element of the result says which row
/// of the update it is from, if any.
static LogicalResult buildTensorScatter(Node &node) {
  const std::optional<int64_t> axis = node.axisOf(node.integer("axis", -2), node.rank(0));
  if (!axis)
    return failure();
  if (*axis == 0 || node.rank(1) != node.rank(0) || node.element(1) != node.element(0) ||
      (node.has(2) && (!areIndices(node, 2) || node.rank(2) != 1)))
    return node.refuse("its cache, update and write_indices do not fit each other");
  const std::string mode = node.text("mode", "linear");
  if (mode != "linear" && mode != "circular")
    return node.refuse("mode is '" + mode + "'");
  Value past = node.in(0), update = node.in(1), positions = node.has(2) ? node.in(2) : Value();
  Value length = node.indexValue(node.sizeOf(update, *axis)), most = node.indexValue(node.sizeOf(past, *axis));
  Value result = node.generated(node.sizesOf(past), node.element(0), [&](OpBuilder &b, Location loc, ValueRange at) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value row = at[*axis];
    if (positions) {
      Value begin = tensor::ExtractOp::create(b, loc, positions, at[0]);
      row = arith::SubIOp::create(b, loc, row, arith::IndexCastOp::create(b, loc, b.getIndexType(), begin));
    }
    if (mode == "circular") {
      row = arith::RemSIOp::create(b, loc, row, most);
      Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row, zero);
      row = arith::SelectOp::create(b, loc, isNegative, arith::AddIOp::create(b, loc, row, most), row);
    }
    Value isWithin = arith::AndIOp::create(b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, row, zero),
                                           arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row, length));
    // Both are read; the row of one that is not taken is 0.
    llvm::SmallVector<Value> from(at);
    from[*axis] = arith::SelectOp::create(b, loc, isWithin, row, zero);
    return arith::SelectOp::create(b, loc, isWithin, tensor::ExtractOp::create(b, loc, update, from),
                                   tensor::ExtractOp::create(b, loc, past, at))
        .getResult();
  });
  node.set(0, result, node.isUnsigned(0));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Others
//===------------------------------------------------------------------------------------------------------------===//

static LogicalResult buildOneHot(Node &node) {
  std::optional<Sizes> depth;
  if (isa<FloatType>(node.element(1))) {
    std::optional<llvm::SmallVector<double>> values = node.realsOf(1);
    if (values && values->size() == 1)
      depth = Sizes{node.index(static_cast<int64_t>(values->front()))};
    else if (node.operand(1).type().hasStaticShape() && node.operand(1).type().getNumElements() == 1)
      depth = Sizes{OpFoldResult(Value(arith::IndexCastOp::create(
          node.b, node.loc, node.b.getIndexType(),
          arith::FPToSIOp::create(
              node.b, node.loc, node.b.getI64Type(),
              tensor::ExtractOp::create(node.b, node.loc, node.reshaped(node.in(1), {}), ValueRange())))))};
  } else {
    depth = node.elementsOf(1);
  }
  if (!depth || depth->size() != 1)
    return node.refuse("depth is not a single number");
  const int64_t rank = node.rank(0) + 1;
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", -1), rank);
  if (!axis)
    return failure();
  Value indices = node.cast(node.in(0), node.b.getI64Type(), node.isUnsigned(0)), values = node.in(2);
  Sizes sizes = node.sizesOf(node.in(0));
  sizes.insert(sizes.begin() + *axis, depth->front());
  Value extent = node.indexValue(depth->front());
  auto valueAt = [&](int64_t i) -> Value {
    return tensor::ExtractOp::create(node.b, node.loc, values, node.indexValue(node.index(i)));
  };
  if (node.rank(2) != 1)
    return node.refuse("values are not two numbers");
  Value off = valueAt(0), on = valueAt(1);
  node.set(0,
           node.generated(sizes, node.element(2),
                          [&](OpBuilder &b, Location loc, ValueRange at) {
                            llvm::SmallVector<Value> where(at);
                            where.erase(where.begin() + *axis);
                            Value position =
                                positionFrom(b, loc, tensor::ExtractOp::create(b, loc, indices, where), extent);
                            Value isOn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, position, at[*axis]);
                            return arith::SelectOp::create(b, loc, isOn, on, off).getResult();
                          }),
           node.isUnsigned(2));
  return success();
}

static LogicalResult buildReverseSequence(Node &node) {
  const int64_t batch = node.integer("batch_axis", 1), time = node.integer("time_axis", 0);
  if (node.rank(0) < 2 || batch == time || batch < 0 || time < 0 || batch > 1 || time > 1 || node.rank(1) != 1)
    return node.refuse("batch_axis and time_axis are not 0 and 1");
  Value data = node.in(0), lengths = node.in(1);
  node.set(
      0,
      node.generated(node.sizesOf(data), node.element(0),
                     [&](OpBuilder &b, Location loc, ValueRange at) {
                       Value length = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                                                 tensor::ExtractOp::create(b, loc, lengths, at[batch]));
                       Value last = arith::SubIOp::create(b, loc, length, arith::ConstantIndexOp::create(b, loc, 1));
                       Value isReversed = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at[time], length);
                       llvm::SmallVector<Value> source(at);
                       source[time] = arith::SelectOp::create(b, loc, isReversed,
                                                              arith::SubIOp::create(b, loc, last, at[time]), at[time]);
                       return tensor::ExtractOp::create(b, loc, data, source).getResult();
                     }),
      node.isUnsigned(0));
  return success();
}

/// mica.pad, where all is constant and nothing is cut off; else null.
static Value padByDialect(Node &node, llvm::StringRef mode, const Sizes &low, const Sizes &high, Value fill) {
  Ints before, after;
  for (auto [a, c] : llvm::zip(low, high)) {
    before.push_back(getConstantIntValue(a).value_or(-1));
    after.push_back(getConstantIntValue(c).value_or(-1));
    if (before.back() < 0 || after.back() < 0)
      return nullptr;
  }
  TypedAttr value;
  if (mode == "constant" && !matchPattern(fill, m_Constant(&value)))
    return nullptr;
  const PadMode kind = mode == "constant" ? PadMode::Constant
                       : mode == "edge"   ? PadMode::Edge
                       : mode == "wrap"   ? PadMode::Wrap
                                          : PadMode::Reflect;
  if (mode == "wrap")
    for (auto [dim, size] : llvm::enumerate(node.operand(0).type().getShape()))
      if (ShapedType::isDynamic(size) || before[dim] > size || after[dim] > size)
        return nullptr;
  return node.make<PadOp>(node.in(0), llvm::ArrayRef<int64_t>(before), llvm::ArrayRef<int64_t>(after), kind, value);
}

static LogicalResult buildPad(Node &node) {
  const int64_t rank = node.rank(0);
  const std::string mode = node.text("mode", "constant");
  if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap")
    return node.refuse("mode is '" + llvm::Twine(mode) + "'");
  std::optional<Sizes> pads;
  Ints axes;
  for (int64_t dim = 0; dim < rank; ++dim)
    axes.push_back(dim);
  Value fill;
  const Type element = node.element(0);
  if (node.opset < 11) {
    pads.emplace();
    for (int64_t value : node.integers(node.opset < 2 ? "paddings" : "pads"))
      pads->push_back(node.index(value));
    fill = node.scalar(element, node.real("value"));
  } else {
    if (!node.has(1))
      return node.refuse("pads are missing");
    pads = node.elementsOf(1);
    if (node.has(3)) {
      std::optional<Ints> given = node.constantsOf(3, "axes");
      if (!given || !node.axesOf(*given, rank))
        return failure();
      axes = *given;
      for (int64_t &axis : axes)
        axis += axis < 0 ? rank : 0;
    }
    if (node.has(2) && node.element(2) != element)
      return node.refuse("constant_value has another element type than its input");
    std::optional<llvm::SmallVector<double>> number = node.has(2) ? node.realsOf(2) : std::nullopt;
    if (number && number->size() == 1)
      fill = node.scalar(element, number->front());
    else
      fill = node.has(2)
                 ? Value(tensor::ExtractOp::create(node.b, node.loc, node.reshaped(node.in(2), {}), ValueRange()))
                 : node.scalar(element, 0);
  }
  if (!pads)
    return failure();
  if (pads->size() != 2 * axes.size())
    return node.refuse("has " + llvm::Twine(pads->size()) + " pads for " + llvm::Twine(axes.size()) + " dimensions");
  Sizes low(rank, node.index(0)), high(rank, node.index(0)), sizes = node.sizesOf(node.in(0)), result;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    low[axis] = (*pads)[i];
    high[axis] = (*pads)[i + axes.size()];
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    result.push_back(node.plus(sizes[dim], node.plus(low[dim], high[dim])));
    if (auto known = getConstantIntValue(result.back()); known && *known < 0)
      return node.refuse("negative pads cut off more than there is");
    auto before = getConstantIntValue(low[dim]), after = getConstantIntValue(high[dim]),
         size = getConstantIntValue(sizes[dim]);
    if (mode != "constant" && size && before && after && (*before > 0 || *after > 0) &&
        (*size == 0 || (mode == "reflect" && (*before >= *size || *after >= *size))))
      return node.refuse("pads are larger than its input, which mode " + llvm::Twine(mode) + " does not allow");
  }
  if (Value twin = padByDialect(node, mode, low, high, fill)) {
    node.set(0, twin, node.isUnsigned(0));
    return success();
  }
  Value data = node.in(0);
  llvm::SmallVector<Value> starts, extents;
  for (int64_t dim = 0; dim < rank; ++dim) {
    starts.push_back(node.indexValue(low[dim]));
    extents.push_back(node.indexValue(sizes[dim]));
  }
  node.set(
      0,
      node.generated(
          result, element,
          [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
            Value isInside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
            Value zero = arith::ConstantIndexOp::create(b, loc, 0), one = arith::ConstantIndexOp::create(b, loc, 1);
            llvm::SmallVector<Value> source;
            for (int64_t dim = 0; dim < rank; ++dim) {
              Value position = arith::SubIOp::create(b, loc, at[dim], starts[dim]);
              Value last = arith::SubIOp::create(b, loc, extents[dim], one);
              isInside = arith::AndIOp::create(
                  b, loc, isInside, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, position, extents[dim]));
              if (mode == "reflect") {
                // |p|, and 2 * last - p behind the end.
                Value up = arith::MaxSIOp::create(b, loc, position, arith::SubIOp::create(b, loc, zero, position));
                Value back = arith::SubIOp::create(b, loc, arith::AddIOp::create(b, loc, last, last), up);
                position = arith::MinSIOp::create(b, loc, up, back);
              } else if (mode == "wrap") {
                Value rest = arith::RemSIOp::create(b, loc, position, extents[dim]);
                Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, rest, zero);
                position = arith::SelectOp::create(b, loc, isNegative,
                                                   arith::AddIOp::create(b, loc, rest, extents[dim]), rest);
              }
              source.push_back(arith::MaxSIOp::create(b, loc, zero, arith::MinSIOp::create(b, loc, position, last)));
            }
            if (mode != "constant")
              return tensor::ExtractOp::create(b, loc, data, source);
            // Nothing is read of an input without elements.
            auto choice = scf::IfOp::create(
                b, loc, isInside,
                [&](OpBuilder &inner, Location where) {
                  scf::YieldOp::create(inner, where, Value(tensor::ExtractOp::create(inner, where, data, source)));
                },
                [&](OpBuilder &inner, Location where) { scf::YieldOp::create(inner, where, fill); });
            return choice.getResult(0);
          }),
      node.isUnsigned(0));
  return success();
}

void importer::addIndexing(OpTable &table) {
  table.add("Gather", buildGather, 2, 2);
  table.add("GatherElements", buildGatherElements, 2, 2);
  table.add("GatherND", buildGatherNd, 2, 2);
  table.add("OneHot", buildOneHot, 3, 3);
  table.add("Pad", buildPad, 1, 4);
  table.add("ReverseSequence", buildReverseSequence, 2, 2);
  table.add("Scatter", buildScatterElements, 3, 3);
  table.add("TensorScatter", buildTensorScatter, 2, 3);
  table.add("ScatterElements", buildScatterElements, 3, 3);
  table.add("ScatterND", buildScatterNd, 3, 3);
}
