//===- EvalMovement.cpp - mica data movement ops ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates the operations of MovementOps.td as described there. Most define for each position of the result a position
// of the operand: `show` is that loop.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Evaluator.h"
#include "mica/Support/Checked.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace mica::reference {

namespace {

using Position = ArrayRef<int64_t>;
using Source = MutableArrayRef<int64_t>;

/// A tensor of `shape` with the element of `input` at the position that `from` returns, and 0 if there is none.
FailureOr<Tensor> show(Operation *op, const Tensor &input, ArrayRef<int64_t> shape,
                       function_ref<bool(Position, Source)> from, const Evaluator &evaluator) {
  FailureOr<Tensor> result = evaluator.allocate(op, input.elementType(), shape);
  if (failed(result))
    return failure();
  SmallVector<int64_t> source(input.rank()), strides = input.strides();
  Cell zero = input.elementType().number(0), *cell = result->mutableData();
  forEachPosition(shape, [&](Position position) {
    *cell++ = from(position, source) ? input.data()[linearize(source, strides)] : zero;
  });
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// By computed positions
//===------------------------------------------------------------------------------------------------------------===//

/// The position in the operand for the position `at` of a gather's result. False if the index is out of range.
struct Indexing {
  const Tensor &indices;
  int64_t axis, batchDims, extent;

  bool operator()(Position at, Source source) const {
    int64_t replaced = indices.rank() - batchDims;
    SmallVector<int64_t> where(at.take_front(batchDims));
    llvm::append_range(where, at.slice(axis, replaced));
    int64_t index = indices.at(where).i;
    llvm::copy(at.take_front(axis), source.begin());
    source[axis] = index;
    llvm::copy(at.drop_front(axis + replaced), source.begin() + axis + 1);
    return index >= 0 && index < extent;
  }
};

LogicalResult checkBatch(Operation *op, const Tensor &input, const Tensor &indices, int64_t batchDims) {
  for (int64_t d = 0; d < batchDims; ++d)
    if (input.dim(d) != indices.dim(d))
      return op->emitError() << "shape mismatch: " << input.typeString() << " and indices " << indices.typeString()
                             << " have different sizes in batch dimension " << d;
  return success();
}

FailureOr<Tensor> gather(Operation *op, const Tensor &input, const Tensor &indices, int64_t axis, int64_t batchDims,
                         Evaluator &evaluator) {
  if (failed(checkBatch(op, input, indices, batchDims)))
    return failure();
  return show(op, input, gatheredShape(input.shape(), indices.shape(), axis, batchDims),
              Indexing{indices, axis, batchDims, input.dim(axis)}, evaluator);
}

FailureOr<Tensor> evalGather(GatherOp op, Operands in, Evaluator &evaluator) {
  return gather(op, in[0], in[1], op.getAxis(), op.getBatchDims(), evaluator);
}

FailureOr<Tensor> evalEmbedding(EmbeddingOp op, Operands in, Evaluator &evaluator) {
  return gather(op, in[0], in[1], /*axis=*/0, /*batchDims=*/0, evaluator);
}

FailureOr<Tensor> evalScatter(ScatterOp op, Operands in, Evaluator &) {
  Tensor result = std::move(in[0]);
  const Tensor &indices = in[1], &updates = in[2];
  int64_t axis = op.getAxis(), batchDims = op.getBatchDims();
  if (failed(checkBatch(op, result, indices, batchDims)))
    return failure();
  SmallVector<int64_t> shape = gatheredShape(result.shape(), indices.shape(), axis, batchDims);
  if (updates.shape() != ArrayRef<int64_t>(shape))
    return op.emitError() << "shape mismatch: updates " << updates.typeString() << " where " << shapeString(shape)
                          << " is written";
  Indexing indexing{indices, axis, batchDims, result.dim(axis)};
  ElementType type = result.elementType();
  SmallVector<int64_t> target(result.rank()), strides = result.strides();
  Cell *cells = result.mutableData();
  const Cell *update = updates.data();
  forEachPosition(shape, [&](Position position) {
    Cell value = *update++;
    if (!indexing(position, target))
      return;
    Cell &cell = cells[linearize(target, strides)];
    if (op.getKind() == ScatterKind::Update)
      cell = value;
    else if (type.isFloat)
      cell.f = type.round(cell.f + value.f);
    else
      cell.i = type.wrap(int64_t(uint64_t(cell.i) + uint64_t(value.i)));
  });
  return result;
}

FailureOr<Tensor> evalCacheUpdate(CacheUpdateOp op, Operands in, Evaluator &) {
  Tensor result = std::move(in[0]);
  const Tensor &update = in[1];
  int64_t axis = op.getAxis(), from = in[2].value().i;
  for (int64_t d = 0; d < result.rank(); ++d)
    if (d != axis && result.dim(d) != update.dim(d))
      return op.emitError() << "shape mismatch: update " << update.typeString() << " of cache " << result.typeString()
                            << " along dimension " << axis;
  SmallVector<int64_t> target(result.rank()), strides = result.strides();
  Cell *cells = result.mutableData();
  const Cell *value = update.data();
  forEachPosition(update.shape(), [&](Position position) {
    llvm::copy(position, target.begin());
    // Unsigned: a position near the limits of its type wraps around to one that is out of range.
    target[axis] = int64_t(uint64_t(position[axis]) + uint64_t(from));
    if (target[axis] >= 0 && target[axis] < result.dim(axis))
      cells[linearize(target, strides)] = *value;
    ++value;
  });
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// By fixed positions
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<Tensor> evalConcat(ConcatOp op, Operands in, Evaluator &evaluator) {
  return concatenate(op, in, op.getAxis(), evaluator);
}

LogicalResult evalSplit(SplitOp op, Operands in, Results &out, Evaluator &evaluator) {
  int64_t axis = op.getAxis(), from = 0;
  SmallVector<int64_t> shape(in[0].shape());
  for (int64_t size : op.getSizes()) {
    shape[axis] = size;
    FailureOr<Tensor> part = show(
        op, in[0], shape,
        [&](Position position, Source source) {
          llvm::copy(position, source.begin());
          source[axis] += from;
          return true;
        },
        evaluator);
    if (failed(part))
      return failure();
    out.push_back(std::move(*part));
    from += size;
  }
  return success();
}

FailureOr<Tensor> evalSlice(SliceOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  ArrayRef<Tensor> values = ArrayRef<Tensor>(in).drop_front();
  auto next = [&](ArrayRef<int64_t> fixed) {
    SmallVector<int64_t> all(fixed);
    for (int64_t &value : all)
      if (ShapedType::isDynamic(value)) {
        value = values.front().value().i;
        values = values.drop_front();
      }
    return all;
  };
  SmallVector<int64_t> offsets = next(op.getStaticOffsets()), sizes = next(op.getStaticSizes());
  ArrayRef<int64_t> strides = op.getStrides();
  for (auto [d, offset] : llvm::enumerate(offsets)) {
    // The number of elements from the first to the last of the slice.
    int64_t span = sizes[d] > 0 ? saturatingAdd(saturatingMul(sizes[d] - 1, strides[d]), 1) : 0;
    if (sizes[d] < 0 || span > input.dim(d))
      return op.emitError() << "slice of " << sizes[d] << " elements with stride " << strides[d]
                            << " is out of range for dimension " << d << " of extent " << input.dim(d);
    offset = std::clamp<int64_t>(offset, 0, input.dim(d) - span);
  }
  return show(
      op, input, sizes,
      [&](Position position, Source source) {
        for (auto [d, p] : llvm::enumerate(position))
          source[d] = offsets[d] + p * strides[d];
        return true;
      },
      evaluator);
}

FailureOr<Tensor> evalTile(TileOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  SmallVector<int64_t> shape(input.shape());
  for (auto [extent, multiple] : llvm::zip_equal(shape, op.getMultiples()))
    extent = saturatingMul(extent, multiple);
  return show(
      op, input, shape,
      [&](Position position, Source source) {
        for (auto [d, p] : llvm::enumerate(position))
          source[d] = p % input.dim(d);
        return true;
      },
      evaluator);
}

FailureOr<Tensor> evalFlip(FlipOp op, Operands in, Evaluator &evaluator) {
  const Tensor &input = in[0];
  return show(
      op, input, input.shape(),
      [&](Position position, Source source) {
        llvm::copy(position, source.begin());
        for (int64_t d : op.getDims())
          source[d] = input.dim(d) - 1 - position[d];
        return true;
      },
      evaluator);
}

//===------------------------------------------------------------------------------------------------------------===//
// By order
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `a` precedes `b` in ascending order: NaN is larger than every number, and -0 equals +0.
bool isLess(ElementType type, Cell a, Cell b) {
  if (!type.isFloat)
    return type.isUnsigned || type.bits == 1 ? type.asUnsigned(a.i) < type.asUnsigned(b.i) : a.i < b.i;
  return a.f < b.f || (std::isnan(b.f) && !std::isnan(a.f));
}

/// The first `count` elements along `axis` in sorted order, and their positions.
LogicalResult inOrder(Operation *op, const Tensor &input, int64_t axis, int64_t count, bool descending, Results &out,
                      const Evaluator &evaluator) {
  int64_t extent = input.dim(axis), stride = input.strides()[axis];
  if (count > extent)
    return op->emitError() << count << " elements are asked for along dimension " << axis << " of extent " << extent;
  SmallVector<int64_t> shape(input.shape()), rows(input.shape());
  shape[axis] = count;
  rows[axis] = 1;
  FailureOr<Tensor> values = evaluator.allocate(op, input.elementType(), shape);
  FailureOr<Tensor> indices = evaluator.allocate(op, DType::I64, shape);
  if (failed(values) || failed(indices))
    return failure();
  SmallVector<int64_t> inStrides = input.strides(), outStrides = values->strides(), order(extent);
  forEachPosition(rows, [&](Position row) {
    const Cell *cells = input.data() + linearize(row, inStrides);
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](int64_t a, int64_t b) {
      Cell left = cells[a * stride], right = cells[b * stride];
      return descending ? isLess(input.elementType(), right, left) : isLess(input.elementType(), left, right);
    });
    int64_t to = linearize(row, outStrides);
    for (int64_t i = 0; i < count; ++i, to += outStrides[axis]) {
      values->mutableData()[to] = cells[order[i] * stride];
      indices->mutableData()[to] = Cell::of(order[i]);
    }
  });
  out.push_back(std::move(*values));
  out.push_back(std::move(*indices));
  return success();
}

LogicalResult evalSort(SortOp op, Operands in, Results &out, Evaluator &evaluator) {
  return inOrder(op, in[0], op.getAxis(), in[0].dim(op.getAxis()), op.getDescending(), out, evaluator);
}

LogicalResult evalTopK(TopKOp op, Operands in, Results &out, Evaluator &evaluator) {
  return inOrder(op, in[0], op.getAxis(), op.getK(), !op.getSmallest(), out, evaluator);
}

} // namespace

void addMicaMovementOps(OpTable &table) {
  table.add<GatherOp>(evalGather);
  table.add<EmbeddingOp>(evalEmbedding);
  table.add<ScatterOp>(evalScatter);
  table.add<CacheUpdateOp>(evalCacheUpdate);
  table.add<ConcatOp>(evalConcat);
  table.add<SplitOp>(evalSplit);
  table.add<SliceOp>(evalSlice);
  table.add<TileOp>(evalTile);
  table.add<FlipOp>(evalFlip);
  table.add<SortOp>(evalSort);
  table.add<TopKOp>(evalTopK);
}

} // namespace mica::reference
