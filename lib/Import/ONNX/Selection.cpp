//===- Selection.cpp - sorting and results of unknown size ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// TopK, and operators whose result has as many elements as a condition holds for: a loop writes them into a tensor of
// the largest size, of which the first ones are the result.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static LogicalResult buildTopK(Node &node) {
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", -1), node.rank(0));
  if (!axis)
    return failure();
  OpFoldResult k;
  if (node.opset < 10) {
    k = node.index(node.integer("k"));
  } else {
    std::optional<Sizes> given = node.has(1) ? node.elementsOf(1) : std::nullopt;
    if (!given || given->size() != 1)
      return node.refuse("k is not a single number");
    k = given->front();
  }
  const bool isSmallest = node.opset >= 11 && node.integer("largest", 1) == 0;
  const bool flips = node.isUnsigned(0);
  Value data = flips ? node.flippedTopBit(node.in(0)) : node.in(0);
  const Type i64 = node.b.getI64Type();
  Sizes sizes = node.sizesOf(node.in(0));
  std::optional<int64_t> known = getConstantIntValue(k), size = getConstantIntValue(sizes[*axis]);
  if (known && (*known < 0 || (size && *known > *size)))
    return node.refuse("k = " + llvm::Twine(*known) + " does not fit dimension " + llvm::Twine(*axis));
  sizes[*axis] = k;
  RankedTensorType type = node.tensorType(sizes, node.element(0));
  Value values, indices;
  if (known) {
    auto top = TopKOp::create(node.b, node.loc, type, type.clone(i64), data, *known, *axis, isSmallest);
    values = top.getValues();
    indices = top.getIndices();
  } else {
    auto all =
        SortOp::create(node.b, node.loc, data.getType(), node.operand(0).type().clone(i64), data, *axis, !isSmallest);
    Sizes offsets(sizes.size(), node.index(0));
    values = node.sliced(all.getValues(), offsets, sizes, {});
    indices = node.sliced(all.getIndices(), offsets, sizes, {});
  }
  node.set(0, flips ? node.flippedTopBit(values) : values, flips);
  node.set(1, indices);
  return success();
}

static Value indexConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static Value plusOne(OpBuilder &b, Location loc, Value x) {
  return arith::AddIOp::create(b, loc, x, indexConstant(b, loc, 1));
}

/// Positions 0 .. count - 1 for which `holds`, as i64 in a tensor of `count`, and how many there are.
static std::pair<Value, Value> positionsWhere(Node &node, Value count,
                                              llvm::function_ref<Value(OpBuilder &, Location, Value)> holds) {
  const Type i64 = node.b.getI64Type();
  Value all = node.filled({OpFoldResult(count)}, node.scalar(i64, 0));
  Value zero = node.indexValue(node.index(0)), one = node.indexValue(node.index(1));
  auto loop = scf::ForOp::create(node.b, node.loc, zero, count, one, ValueRange{all, zero},
                                 [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
                                   Value isTaken = holds(b, loc, i);
                                   // Each position is written; one that is not taken is overwritten by the next.
                                   Value position = arith::IndexCastOp::create(b, loc, i64, i);
                                   Value written = tensor::InsertOp::create(b, loc, position, carried[0], carried[1]);
                                   Value next = arith::SelectOp::create(b, loc, isTaken, plusOne(b, loc, carried[1]),
                                                                        carried[1]);
                                   scf::YieldOp::create(b, loc, ValueRange{written, next});
                                 });
  return {loop.getResult(0), loop.getResult(1)};
}

/// Whether an element is not 0.
static Value isNonZero(OpBuilder &b, Location loc, Value x) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  return isa<FloatType>(x.getType()) ? Value(arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero))
                                     : Value(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero));
}

static LogicalResult buildNonZero(Node &node) {
  const int64_t rank = node.rank(0);
  const Type i64 = node.b.getI64Type();
  Sizes sizes = node.sizesOf(node.in(0));
  OpFoldResult total = node.product(sizes);
  Value flat = node.reshaped(node.in(0), {total});
  auto [positions, count] = positionsWhere(node, node.indexValue(total), [&](OpBuilder &b, Location loc, Value i) {
    return isNonZero(b, loc, tensor::ExtractOp::create(b, loc, flat, i));
  });
  llvm::SmallVector<Value> extents;
  for (OpFoldResult size : sizes)
    extents.push_back(node.indexValue(size));
  Value list = positions;
  // [rank, count]: the coordinates of each position.
  node.set(0,
           node.generated({node.index(rank), OpFoldResult(count)}, i64, [&](OpBuilder &b, Location loc, ValueRange at) {
             Value rest =
                 arith::IndexCastOp::create(b, loc, b.getIndexType(), tensor::ExtractOp::create(b, loc, list, at[1]));
             Value found = indexConstant(b, loc, 0);
             for (int64_t dim = rank; dim-- > 0;) {
               Value here = arith::RemUIOp::create(b, loc, rest, extents[dim]);
               rest = arith::DivUIOp::create(b, loc, rest, extents[dim]);
               Value isDim = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, at[0], indexConstant(b, loc, dim));
               found = arith::SelectOp::create(b, loc, isDim, here, found);
             }
             return arith::IndexCastOp::create(b, loc, i64, found).getResult();
           }));
  return success();
}

/// The first input, whose `axis` is that of the attribute; without one the input as a vector. Null where the axis is
/// refused.
static Value alongAxisOrFlat(Node &node, int64_t &axis) {
  Value data = node.in(0);
  if (!node.hasAttribute("axis"))
    return node.reshaped(data, {node.product(node.sizesOf(data))});
  std::optional<int64_t> given = node.axisOf(node.integer("axis"), node.rank(0));
  axis = given.value_or(0);
  return given ? data : Value();
}

static LogicalResult buildCompress(Node &node) {
  int64_t axis = 0;
  Value data = alongAxisOrFlat(node, axis);
  if (!data)
    return failure();
  if (node.rank(1) != 1 || !node.element(1).isInteger(1))
    return node.refuse("its condition is no vector of type bool");
  Value condition = node.in(1);
  OpFoldResult length = node.smallest(node.sizeOf(condition, 0), node.sizeOf(data, axis));
  auto [positions, count] =
      positionsWhere(node, node.indexValue(length), [&](OpBuilder &b, Location loc, Value i) -> Value {
        return tensor::ExtractOp::create(b, loc, condition, i);
      });
  Value taken = node.sliced(positions, {node.index(0)}, {OpFoldResult(count)}, {});
  node.set(0, node.make<GatherOp>(data, taken, axis, 0), node.isUnsigned(0));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Unique
//===------------------------------------------------------------------------------------------------------------===//

/// Compares rows of [count, width] by index: -1, 0 or 1 as i64, in lexicographic order.
static Value compareRows(OpBuilder &b, Location loc, Value rows, Value width, Value x, Value y) {
  const Type i64 = b.getI64Type();
  Value zero = indexConstant(b, loc, 0), one = indexConstant(b, loc, 1);
  Value equal = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  auto loop = scf::ForOp::create(
      b, loc, zero, width, one, equal, [&](OpBuilder &inner, Location at, Value column, ValueRange carried) {
        Value left = tensor::ExtractOp::create(inner, at, rows, ValueRange{x, column}),
              right = tensor::ExtractOp::create(inner, at, rows, ValueRange{y, column});
        auto less = [&](Value p, Value q) -> Value {
          return isa<FloatType>(p.getType()) ? Value(arith::CmpFOp::create(inner, at, arith::CmpFPredicate::OLT, p, q))
                                             : Value(arith::CmpIOp::create(inner, at, arith::CmpIPredicate::slt, p, q));
        };
        Value up = arith::ExtUIOp::create(inner, at, i64, less(right, left)),
              down = arith::ExtUIOp::create(inner, at, i64, less(left, right));
        Value here = arith::SubIOp::create(inner, at, up, down);
        Value isOpen = arith::CmpIOp::create(inner, at, arith::CmpIPredicate::eq, carried[0],
                                             arith::ConstantOp::create(inner, at, inner.getI64IntegerAttr(0)));
        scf::YieldOp::create(inner, at, Value(arith::SelectOp::create(inner, at, isOpen, here, carried[0])));
      });
  return loop.getResult(0);
}

/// Distinct rows: for each row the first that equals it; sorted ones are ranked by how many distinct rows are less.
static LogicalResult buildUnique(Node &node) {
  const bool isSorted = node.integer("sorted", 1) != 0;
  const Type i64 = node.b.getI64Type();
  int64_t axis = 0;
  Value data = alongAxisOrFlat(node, axis);
  if (!data)
    return failure();
  Sizes sizes = node.sizesOf(data);
  Ints permutation{axis};
  Sizes others;
  for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim)
    if (dim != axis) {
      permutation.push_back(dim);
      others.push_back(sizes[dim]);
    }
  OpFoldResult count = sizes[axis], width = node.product(others);
  Value rows = node.reshaped(node.transposed(data, permutation), {count, width});
  if (node.isUnsigned(0) || node.element(0).isInteger(1))
    rows = node.flippedTopBit(rows);
  Value length = node.indexValue(count), columns = node.indexValue(width);
  Value zero = node.indexValue(node.index(0)), one = node.indexValue(node.index(1));
  // first[i]: the first row that equals row i. less[i]: how many first rows come before it in the order.
  auto search = [&](bool ranks, Value first) {
    Value init = node.filled({count}, node.scalar(i64, 0));
    auto outer = scf::ForOp::create(
        node.b, node.loc, zero, length, one, init, [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
          Value start = ranks ? Value(arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)))
                              : Value(arith::IndexCastOp::create(b, loc, i64, i));
          auto inner = scf::ForOp::create(
              b, loc, zero, length, one, start, [&](OpBuilder &c, Location at, Value j, ValueRange found) {
                Value order = compareRows(c, at, rows, columns, j, i);
                Value none = arith::ConstantOp::create(c, at, c.getI64IntegerAttr(0));
                Value index = arith::IndexCastOp::create(c, at, i64, j);
                Value next;
                if (ranks) {
                  Value isFirst = arith::CmpIOp::create(c, at, arith::CmpIPredicate::eq,
                                                        tensor::ExtractOp::create(c, at, first, j), index);
                  Value isLess = isSorted ? Value(arith::CmpIOp::create(c, at, arith::CmpIPredicate::slt, order, none))
                                          : Value(arith::CmpIOp::create(c, at, arith::CmpIPredicate::slt, index,
                                                                        tensor::ExtractOp::create(c, at, first, i)));
                  Value both = arith::AndIOp::create(c, at, isFirst, isLess);
                  next = arith::AddIOp::create(c, at, found[0], arith::ExtUIOp::create(c, at, i64, both));
                } else {
                  Value isEqual = arith::CmpIOp::create(c, at, arith::CmpIPredicate::eq, order, none);
                  next =
                      arith::SelectOp::create(c, at, isEqual, arith::MinSIOp::create(c, at, found[0], index), found[0]);
                }
                scf::YieldOp::create(c, at, next);
              });
          scf::YieldOp::create(b, loc, Value(tensor::InsertOp::create(b, loc, inner.getResult(0), carried[0], i)));
        });
    return outer.getResult(0);
  };
  Value first = search(false, Value()), rank = search(true, first);
  // Scatter the first rows' positions to their ranks, and count.
  Value list = node.filled({count}, node.scalar(i64, 0)), counts = node.filled({count}, node.scalar(i64, 0));
  auto loop = scf::ForOp::create(
      node.b, node.loc, zero, length, one, ValueRange{list, counts, zero},
      [&](OpBuilder &b, Location loc, Value i, ValueRange carried) {
        Value index = arith::IndexCastOp::create(b, loc, i64, i), from = tensor::ExtractOp::create(b, loc, first, i);
        Value place = arith::IndexCastOp::create(b, loc, b.getIndexType(), tensor::ExtractOp::create(b, loc, rank, i));
        Value written = tensor::InsertOp::create(b, loc, from, carried[0], place);
        Value more = arith::AddIOp::create(b, loc, tensor::ExtractOp::create(b, loc, carried[1], place),
                                           arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(1)));
        Value counted = tensor::InsertOp::create(b, loc, more, carried[1], place);
        Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, from, index);
        Value total = arith::SelectOp::create(b, loc, isFirst, plusOne(b, loc, carried[2]), carried[2]);
        scf::YieldOp::create(b, loc, ValueRange{written, counted, total});
      });
  Sizes found{OpFoldResult(loop.getResult(2))};
  Value indices = node.sliced(loop.getResult(0), {node.index(0)}, found, {});
  node.set(0, node.make<GatherOp>(data, indices, axis, 0), node.isUnsigned(0));
  node.set(1, indices);
  node.set(2, rank);
  node.set(3, node.sliced(loop.getResult(1), {node.index(0)}, found, {}));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// Non-maximum suppression
//===------------------------------------------------------------------------------------------------------------===//

/// Corners of box `i` of `boxes` [B, N, 4], lower ones first.
static std::array<Value, 4> cornersOf(OpBuilder &b, Location loc, Value boxes, Value batch, Value i, bool isCentred) {
  auto part = [&](int64_t k) -> Value {
    return tensor::ExtractOp::create(b, loc, boxes, ValueRange{batch, i, indexConstant(b, loc, k)});
  };
  if (isCentred) {
    Value two = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(2));
    Value halfWidth = arith::DivFOp::create(b, loc, part(2), two),
          halfHeight = arith::DivFOp::create(b, loc, part(3), two);
    return {arith::SubFOp::create(b, loc, part(1), halfHeight), arith::SubFOp::create(b, loc, part(0), halfWidth),
            arith::AddFOp::create(b, loc, part(1), halfHeight), arith::AddFOp::create(b, loc, part(0), halfWidth)};
  }
  return {arith::MinimumFOp::create(b, loc, part(0), part(2)), arith::MinimumFOp::create(b, loc, part(1), part(3)),
          arith::MaximumFOp::create(b, loc, part(0), part(2)), arith::MaximumFOp::create(b, loc, part(1), part(3))};
}

/// Whether the boxes overlap by more than `threshold` of their union.
static Value overlaps(OpBuilder &b, Location loc, const std::array<Value, 4> &x, const std::array<Value, 4> &y,
                      Value threshold) {
  auto sub = [&](Value p, Value q) -> Value { return arith::SubFOp::create(b, loc, p, q); };
  auto mul = [&](Value p, Value q) -> Value { return arith::MulFOp::create(b, loc, p, q); };
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  auto side = [&](int low, int high) -> Value {
    Value begin = arith::MaximumFOp::create(b, loc, x[low], y[low]),
          end = arith::MinimumFOp::create(b, loc, x[high], y[high]);
    return arith::MaximumFOp::create(b, loc, sub(end, begin), zero);
  };
  Value shared = mul(side(0, 2), side(1, 3));
  Value areas =
      arith::AddFOp::create(b, loc, mul(sub(x[2], x[0]), sub(x[3], x[1])), mul(sub(y[2], y[0]), sub(y[3], y[1])));
  // shared / union > threshold, without a division by zero.
  Value whole = sub(areas, shared);
  Value isPositive = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, whole, zero);
  Value isOver =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, arith::DivFOp::create(b, loc, shared, whole), threshold);
  return arith::AndIOp::create(b, loc, isPositive, isOver);
}

static LogicalResult buildNonMaxSuppression(Node &node) {
  const bool isCentred = node.integer("center_point_box") != 0;
  OpBuilder &b = node.b;
  const Type f32 = b.getF32Type(), i64 = b.getI64Type();
  if (node.rank(0) != 3 || node.rank(1) != 3 || node.element(0) != f32 || node.element(1) != f32)
    return node.refuse("its inputs do not fit boxes [B, N, 4] and scores [B, C, N] of floats");
  auto real = [&](unsigned i) -> Value {
    return node.has(i) ? Value(tensor::ExtractOp::create(b, node.loc, node.reshaped(node.in(i), {}), ValueRange()))
                       : Value();
  };
  Value overlap = node.has(3) ? real(3) : node.scalar(f32, 0), least = real(4);
  std::optional<Sizes> most = node.has(2) ? node.elementsOf(2) : Sizes{node.index(0)};
  if (!most || most->size() != 1)
    return node.refuse("max_output_boxes_per_class is not a single number");
  Value boxes = node.in(0), scores = node.in(1);
  OpFoldResult batches = node.sizeOf(scores, 0), classes = node.sizeOf(scores, 1), count = node.sizeOf(boxes, 1);
  // Boxes in the order of their scores; of equal ones the first comes first.
  auto sorted = SortOp::create(b, node.loc, scores.getType(), llvm::cast<RankedTensorType>(scores.getType()).clone(i64),
                               scores, 2, true);
  Value order = sorted.getIndices();
  Value limit = node.indexValue(node.smallest(most->front(), count));
  Value zero = node.indexValue(node.index(0)), one = node.indexValue(node.index(1));
  OpFoldResult room = node.product({batches, classes, count});
  Value init = node.filled({room, node.index(3)}, node.scalar(i64, 0));
  auto loopOver = [&](OpBuilder &at, Location loc, OpFoldResult extent, ValueRange inits, auto body) {
    Value end = getValueOrCreateConstantIndexOp(at, loc, extent);
    return scf::ForOp::create(at, loc, zero, end, one, inits, body);
  };
  auto perBatch = loopOver(
      b, node.loc, batches, ValueRange{init, zero}, [&](OpBuilder &b1, Location l1, Value batch, ValueRange c1) {
        auto perClass = loopOver(b1, l1, classes, c1, [&](OpBuilder &b2, Location l2, Value label, ValueRange c2) {
          // c3: selected, how many, how many before this class.
          auto perBox = loopOver(b2, l2, count, c2, [&](OpBuilder &b3, Location l3, Value i, ValueRange c3) {
            Value box = arith::IndexCastOp::create(
                b3, l3, b3.getIndexType(), tensor::ExtractOp::create(b3, l3, order, ValueRange{batch, label, i}));
            std::array<Value, 4> corners = cornersOf(b3, l3, boxes, batch, box, isCentred);
            Value start = c2[1];
            Value isFree = arith::CmpIOp::create(b3, l3, arith::CmpIPredicate::slt,
                                                 arith::SubIOp::create(b3, l3, c3[1], start), limit);
            if (least) {
              Value score = tensor::ExtractOp::create(b3, l3, scores, ValueRange{batch, label, box});
              isFree = arith::AndIOp::create(b3, l3, isFree,
                                             arith::CmpFOp::create(b3, l3, arith::CmpFPredicate::OGT, score, least));
            }
            auto against = scf::ForOp::create(
                b3, l3, start, c3[1], one, isFree, [&](OpBuilder &b4, Location l4, Value k, ValueRange c4) {
                  Value other = arith::IndexCastOp::create(
                      b4, l4, b4.getIndexType(),
                      tensor::ExtractOp::create(b4, l4, c3[0], ValueRange{k, indexConstant(b4, l4, 2)}));
                  Value covers = overlaps(b4, l4, corners, cornersOf(b4, l4, boxes, batch, other, isCentred), overlap);
                  Value truth = arith::ConstantOp::create(b4, l4, b4.getBoolAttr(true));
                  scf::YieldOp::create(
                      b4, l4,
                      Value(arith::AndIOp::create(b4, l4, c4[0], arith::XOrIOp::create(b4, l4, covers, truth))));
                });
            // A box that is not taken is written too, and overwritten by the next, while there is room.
            Value isTaken = against.getResult(0);
            auto write = scf::IfOp::create(
                b3, l3, isTaken,
                [&](OpBuilder &b5, Location l5) {
                  Value list = c3[0];
                  Value parts[3] = {batch, label, box};
                  for (int64_t k = 0; k < 3; ++k)
                    list = tensor::InsertOp::create(b5, l5, arith::IndexCastOp::create(b5, l5, i64, parts[k]), list,
                                                    ValueRange{c3[1], indexConstant(b5, l5, k)});
                  scf::YieldOp::create(b5, l5, ValueRange{list, plusOne(b5, l5, c3[1])});
                },
                [&](OpBuilder &b5, Location l5) { scf::YieldOp::create(b5, l5, c3); });
            scf::YieldOp::create(b3, l3, write.getResults());
          });
          scf::YieldOp::create(b2, l2, perBox.getResults());
        });
        scf::YieldOp::create(b1, l1, perClass.getResults());
      });
  node.set(0, node.sliced(perBatch.getResult(0), {node.index(0), node.index(0)},
                          {OpFoldResult(perBatch.getResult(1)), node.index(3)}, {}));
  return success();
}

void importer::addSelection(OpTable &table) {
  table.add("Compress", buildCompress, 2, 2);
  table.add("NonMaxSuppression", buildNonMaxSuppression, 2, 5);
  table.add("NonZero", buildNonZero, 1, 1);
  table.add("TopK", buildTopK, 1, 2);
  table.add("Unique", buildUnique, 1, 1);
}
