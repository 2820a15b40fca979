//===- Sort.cpp - lowering sort and top_k to loops ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each row along the axis is sorted separately, all rows in parallel. mica.sort is a bottom-up merge sort of elements
// and positions between two buffers, which is stable: n * log2(n) steps, each of which reads and writes memory in
// order. A row is copied to the buffers first: the elements of a row along another axis than the last one are far
// apart. mica.top_k of few elements inserts each element into a sorted list; of many it is the prefix of a sort.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

/// Maximum k for which mica.top_k inserts each element into a sorted list.
static constexpr int64_t kFew = 128;

namespace {

/// Whether `lhs` strictly precedes `rhs`; NaN is larger than every number.
Value precedes(LoopBody body, Value lhs, Value rhs, bool descending) {
  if (descending)
    std::swap(lhs, rhs);
  OpBuilder &b = body.b;
  if (!isa<FloatType>(lhs.getType())) {
    // As a signed number, 1 of i1 is -1.
    auto less = lhs.getType().isInteger(1) ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    return arith::CmpIOp::create(b, body.loc, less, lhs, rhs);
  }
  Value less = arith::CmpFOp::create(b, body.loc, arith::CmpFPredicate::OLT, lhs, rhs);
  Value isNumber = arith::CmpFOp::create(b, body.loc, arith::CmpFPredicate::ORD, lhs, lhs);
  Value isNaN = arith::CmpFOp::create(b, body.loc, arith::CmpFPredicate::UNO, rhs, rhs);
  Value beforeNaN = arith::AndIOp::create(b, body.loc, isNumber, isNaN);
  return arith::OrIOp::create(b, body.loc, less, beforeNaN);
}

Value toI64(LoopBody body, Value index) {
  return arith::IndexCastOp::create(body.b, body.loc, body.b.getI64Type(), index);
}
Value toIndex(LoopBody body, Value number) {
  return arith::IndexCastOp::create(body.b, body.loc, body.b.getIndexType(), number);
}
Value least(LoopBody body, Value lhs, Value rhs) { return arith::MinSIOp::create(body.b, body.loc, lhs, rhs); }
Value plus(LoopBody body, Value lhs, Value rhs) { return arith::AddIOp::create(body.b, body.loc, lhs, rhs); }
Value minus(LoopBody body, Value lhs, Value rhs) { return arith::SubIOp::create(body.b, body.loc, lhs, rhs); }
Value choose(LoopBody body, Value condition, Value lhs, Value rhs) {
  return arith::SelectOp::create(body.b, body.loc, condition, lhs, rhs);
}

//===------------------------------------------------------------------------------------------------------------===//
// Full sort of a row
//===------------------------------------------------------------------------------------------------------------===//

/// Elements of a row and their positions, [size] each and side by side in memory, whatever the axis.
struct Lists {
  Value values, positions;
};

/// Merges neighboring sorted runs of `width` elements of `from` into runs of twice that in `to`.
Lists mergeRuns(LoopBody body, Lists from, Lists to, Value width, Value size, bool descending) {
  Value zero = body.index(0), one = body.index(1);
  Value last = minus(body, size, one), both = plus(body, width, width);
  auto mergeTwo = [&](LoopBody body, Value start, ValueRange carried) -> SmallVector<Value> {
    Value middle = least(body, plus(body, start, width), size), end = least(body, plus(body, start, both), size);
    auto step = [&](LoopBody body, Value i, ValueRange state) -> SmallVector<Value> {
      Value left = state[0], right = state[1];
      // If one run is exhausted, its position is not used, but must be readable.
      Value leftAt = least(body, left, last), rightAt = least(body, right, last);
      Value leftValue = body.read(from.values, leftAt), rightValue = body.read(from.values, rightAt);
      Value leftItem = body.read(from.positions, leftAt), rightItem = body.read(from.positions, rightAt);
      Value rightFirst = precedes(body, rightValue, leftValue, descending);
      Value hasLeft = arith::CmpIOp::create(body.b, body.loc, arith::CmpIPredicate::slt, left, middle);
      Value noRight = arith::CmpIOp::create(body.b, body.loc, arith::CmpIPredicate::sge, right, end);
      Value never = arith::ConstantOp::create(body.b, body.loc, body.b.getBoolAttr(false));
      Value leftLeads = choose(body, noRight, hasLeft, choose(body, rightFirst, never, hasLeft));
      return {choose(body, leftLeads, plus(body, left, one), left),
              choose(body, leftLeads, right, plus(body, right, one)),
              body.write(choose(body, leftLeads, leftValue, rightValue), state[2], i),
              body.write(choose(body, leftLeads, leftItem, rightItem), state[3], i)};
    };
    SmallVector<Value> merged = body.loop(start, end, one, {start, middle, carried[0], carried[1]}, step);
    return {merged[2], merged[3]};
  };
  // At least 1, so that no check of the step is inserted.
  Value step = arith::MaxSIOp::create(body.b, body.loc, both, one);
  SmallVector<Value> merged = body.loop(zero, size, step, {to.values, to.positions}, mergeTwo);
  return {merged[0], merged[1]};
}

/// The elements of a row of `input`, [rows, size, rest], and their positions, in sorted order.
Lists sortRow(LoopBody body, Value input, Value l, Value t, bool descending) {
  Value zero = body.index(0), one = body.index(1);
  OpFoldResult mixedSize = tensor::getMixedSize(body.b, body.loc, input, 1);
  Value size = body.index(mixedSize), last = minus(body, size, one);
  auto list = [&](Type type) -> Value {
    return tensor::EmptyOp::create(body.b, body.loc, ArrayRef<OpFoldResult>{mixedSize}, type);
  };
  Type element = getElementTypeOrSelf(input.getType()), i64 = body.b.getI64Type();
  Value firstValues = list(element), firstPositions = list(i64);
  SmallVector<Value> begun = body.loop(
      zero, size, one, {firstValues, firstPositions},
      [&](LoopBody body, Value i, ValueRange carried) -> SmallVector<Value> {
        return {body.write(body.read(input, {l, i, t}), carried[0], i), body.write(toI64(body, i), carried[1], i)};
      });
  Value secondValues = list(element), secondPositions = list(i64);
  // 64 minus the leading zeros of size - 1: the number of times that runs double. Two at a time, there and back; after
  // the last one, runs are as long as the row, and merging copies them.
  Value zeros = math::CountLeadingZerosOp::create(body.b, body.loc, toI64(body, last));
  Value rounds = minus(body, body.index(64), toIndex(body, zeros));
  Value pairs = arith::ShRUIOp::create(body.b, body.loc, plus(body, rounds, one), one);
  auto there = [&](LoopBody body, Value number, ValueRange lists) -> SmallVector<Value> {
    Value width = arith::ShLIOp::create(body.b, body.loc, one, plus(body, number, number));
    Lists to = mergeRuns(body, {lists[0], lists[1]}, {lists[2], lists[3]}, width, size, descending);
    Lists back = mergeRuns(body, to, {lists[0], lists[1]}, plus(body, width, width), size, descending);
    return {back.values, back.positions, to.values, to.positions};
  };
  SmallVector<Value> sorted = body.loop(zero, pairs, one, {begun[0], begun[1], secondValues, secondPositions}, there);
  return {sorted[0], sorted[1]};
}

/// The elements along `axis` in sorted order and their positions, [rows, size, rest].
SmallVector<Value> sortRows(Lowering &lowering, Value input, bool descending, StringRef kind) {
  OpBuilder &builder = lowering.builder;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, lowering.loc, input);
  Value values = lowering.empty(sizes, getElementTypeOrSelf(input.getType()));
  Value indices = lowering.empty(sizes, builder.getI64Type());
  auto row = [&](LoopBody body, Value l, Value t, Value, ValueRange blocks) -> SmallVector<Value> {
    Value zero = body.index(0), one = body.index(1);
    Value size = body.index(tensor::getMixedSize(body.b, body.loc, input, 1));
    Lists sorted = sortRow(body, input, l, t, descending);
    return body.loop(zero, size, one, blocks, [&](LoopBody body, Value i, ValueRange carried) -> SmallVector<Value> {
      return {body.write(body.read(sorted.values, i), carried[0], {i, zero}),
              body.write(body.read(sorted.positions, i), carried[1], {i, zero})};
    });
  };
  return forEachRow(lowering, {values, indices}, /*blockSize=*/1, kind, row);
}

//===------------------------------------------------------------------------------------------------------------===//
// The first k of a row
//===------------------------------------------------------------------------------------------------------------===//

/// The first `k` elements of each row in sorted order and their positions, [rows, k, rest].
SmallVector<Value> selectRows(Lowering &lowering, Value input, int64_t k, bool descending) {
  OpBuilder &builder = lowering.builder;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, lowering.loc, input);
  sizes[1] = builder.getIndexAttr(k);
  Value values = lowering.empty(sizes, getElementTypeOrSelf(input.getType()));
  Value indices = lowering.empty(sizes, builder.getI64Type());
  auto row = [&](LoopBody body, Value l, Value t, Value, ValueRange blocks) -> SmallVector<Value> {
    Value zero = body.index(0), one = body.index(1), last = body.index(k - 1);
    Value size = body.index(tensor::getMixedSize(body.b, body.loc, input, 1));
    // Initialize the list, so that comparisons do not read uninitialized elements.
    Type element = getElementTypeOrSelf(input.getType());
    Value nothing = arith::ConstantOp::create(body.b, body.loc, body.b.getZeroAttr(element));
    SmallVector<Value> begun{body.write(nothing, blocks[0], {zero, zero}),
                             body.write(toI64(body, zero), blocks[1], {zero, zero})};
    return body.loop(zero, size, one, begun, [&](LoopBody body, Value i, ValueRange kept) -> SmallVector<Value> {
      Value element = body.read(input, {l, i, t}), item = toI64(body, i);
      Value known = least(body, minus(body, arith::MaxSIOp::create(body.b, body.loc, i, one), one), last);
      Value lastValue = body.read(kept[0], {known, zero}), lastItem = body.read(kept[1], {known, zero});
      // While the list is not full every element is inserted; then it replaces the last one.
      Value isFull = arith::CmpIOp::create(body.b, body.loc, arith::CmpIPredicate::sgt, i, last);
      Value before = precedes(body, element, lastValue, descending);
      Value always = arith::ConstantOp::create(body.b, body.loc, body.b.getBoolAttr(true));
      Value enters = choose(body, isFull, before, always);
      Value room = choose(body, enters, least(body, i, last), zero);
      auto shift = [&](LoopBody body, Value step, ValueRange state) -> SmallVector<Value> {
        Value to = minus(body, room, step), from = minus(body, to, one);
        Value value = body.read(state[1], {from, zero}), position = body.read(state[2], {from, zero});
        // The list is sorted, so once an element stays, all before it stay.
        Value moves = precedes(body, element, value, descending);
        // What stays behind the list is overwritten below; it is not read, because nothing was written there.
        Value old = least(body, to, known);
        Value oldValue = body.read(state[1], {old, zero}), oldPosition = body.read(state[2], {old, zero});
        return {choose(body, moves, from, state[0]),
                body.write(choose(body, moves, value, oldValue), state[1], {to, zero}),
                body.write(choose(body, moves, position, oldPosition), state[2], {to, zero})};
      };
      SmallVector<Value> moved = body.loop(zero, room, one, {room, kept[0], kept[1]}, shift);
      Value place = choose(body, enters, moved[0], last);
      return {body.write(choose(body, enters, element, lastValue), moved[1], {place, zero}),
              body.write(choose(body, enters, item, lastItem), moved[2], {place, zero})};
    });
  };
  return forEachRow(lowering, {values, indices}, /*blockSize=*/1, "top_k", row);
}

//===------------------------------------------------------------------------------------------------------------===//
// Patterns
//===------------------------------------------------------------------------------------------------------------===//

SmallVector<std::pair<int64_t, int64_t>> around(int64_t axis, int64_t rank) {
  return {{0, axis}, {axis, axis + 1}, {axis + 1, rank}};
}

/// Replaces an operation without elements by empty tensors.
template <typename OpTy> LogicalResult replaceByEmpties(PatternRewriter &rewriter, Lowering &lowering, OpTy op) {
  SmallVector<Value> empties;
  for (Value result : op->getResults())
    empties.push_back(castTo(rewriter, op.getLoc(),
                             lowering.empty(resultSizes(rewriter, op), getElementTypeOrSelf(result.getType())),
                             result.getType()));
  rewriter.replaceOp(op, empties);
  return success();
}

/// Whether there are certainly no elements, by the type or by the operands of its sizes: a slice of an empty row would
/// be rejected as soon as its size becomes static.
bool hasNone(OpBuilder &builder, Value value) {
  if (llvm::is_contained(cast<RankedTensorType>(value.getType()).getShape(), 0))
    return true;
  ReifiedRankedShapedTypeDims sizes;
  auto producer = value.getDefiningOp<ReifyRankedShapedTypeOpInterface>();
  return producer && succeeded(producer.reifyResultShapes(builder, sizes)) &&
         llvm::any_of(sizes[cast<OpResult>(value).getResultNumber()],
                      [](OpFoldResult size) { return isConstantIntValue(size, 0); });
}

/// Replaces `op` by values and positions, [rows, size, rest].
template <typename OpTy>
void replaceByRows(PatternRewriter &rewriter, Lowering &lowering, OpTy op, ArrayRef<Value> rows,
                   ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> results;
  for (auto [value, result] : llvm::zip_equal(rows, op->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    Value whole = ungroup(lowering, value, op.getAxis(), type, sizes);
    results.push_back(castTo(rewriter, op.getLoc(), whole, type));
  }
  rewriter.replaceOp(op, results);
}

struct LowerSort : OpRewritePattern<SortOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SortOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    if (hasNone(rewriter, op.getInput()))
      return replaceByEmpties(rewriter, lowering, op);
    Value input = regroup(lowering, op.getInput(), around(op.getAxis(), op.getInput().getType().getRank()));
    SmallVector<Value> rows = sortRows(lowering, input, op.getDescending(), "sort");
    replaceByRows(rewriter, lowering, op, rows, resultSizes(rewriter, op));
    return success();
  }
};

struct LowerTopK : OpRewritePattern<TopKOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TopKOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t k = op.getK();
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    if (k == 0 || hasNone(rewriter, op.getInput()))
      return replaceByEmpties(rewriter, lowering, op);
    Value input = regroup(lowering, op.getInput(), around(op.getAxis(), op.getInput().getType().getRank()));
    SmallVector<Value> rows;
    if (k <= kFew) {
      rows = selectRows(lowering, input, k, !op.getSmallest());
    } else {
      SmallVector<OpFoldResult> first = tensor::getMixedSizes(rewriter, op.getLoc(), input);
      first[1] = rewriter.getIndexAttr(k);
      SmallVector<OpFoldResult> offsets(3, rewriter.getIndexAttr(0)), strides(3, rewriter.getIndexAttr(1));
      for (Value sorted : sortRows(lowering, input, !op.getSmallest(), "top_k"))
        rows.push_back(tensor::ExtractSliceOp::create(rewriter, op.getLoc(), sorted, offsets, first, strides));
    }
    replaceByRows(rewriter, lowering, op, rows, sizes);
    return success();
  }
};

} // namespace

void tolinalg::populateSortPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerSort, LowerTopK>(patterns.getContext());
}
