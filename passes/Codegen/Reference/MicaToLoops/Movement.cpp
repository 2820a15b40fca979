//===- Movement.cpp - moving elements -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Gathers, scatters, slices and reshapes: elements are moved unchanged.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;

namespace mica::plain {

namespace {

/// The position of an element of the result in the operand, and whether there is one (null: always).
struct Source {
  SmallVector<Value> at;
  Value isThere;
};

/// The element of `input` at `source`; `otherwise`, an element, or 0 if there is none.
Value elementAt(Emitter &e, Value input, const Source &source, Value otherwise = {}) {
  if (!source.isThere)
    return e.raw(input, source.at);
  return e.choose(
      source.isThere, [&] { return e.raw(input, source.at); },
      [&] { return otherwise ? otherwise : e.rawZero(input); });
}

/// Result `number` of `e`'s op: each element is read at the position that `from` returns.
Value show(Emitter &e, Value input, llvm::function_ref<Source(ArrayRef<Value>)> from, unsigned number = 0) {
  Value result = e.result(number);
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) { e.storeRaw(elementAt(e, input, from(at)), result, at); });
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// By computed positions
//===------------------------------------------------------------------------------------------------------------===//

/// The position in the operand for position `at` of a gather's result.
Source gathered(Emitter &e, Value input, Value indices, int64_t axis, int64_t batchDims, ArrayRef<Value> at) {
  int64_t replaced = cast<MemRefType>(indices.getType()).getRank() - batchDims;
  SmallVector<Value> where(at.take_front(batchDims));
  llvm::append_range(where, at.slice(axis, replaced));
  Value index = e.toIndex(e.load(indices, where));
  Source source;
  source.at.assign(at.begin(), at.begin() + axis);
  source.at.push_back(index);
  llvm::append_range(source.at, at.drop_front(axis + replaced));
  source.isThere = e.inRange(index, e.size(input, axis));
  return source;
}

void emitGather(Operation *op, Value tensor, Value indexTensor, int64_t axis, int64_t batchDims) {
  Emitter e(op);
  Value input = e.buffer(tensor), indices = e.buffer(indexTensor);
  e.replace(show(e, input, [&](ArrayRef<Value> at) { return gathered(e, input, indices, axis, batchDims, at); }));
}

/// A copy of `input` as the op's result.
Value copied(Emitter &e, Value input) {
  return show(e, input, [](ArrayRef<Value> at) { return Source{SmallVector<Value>(at), {}}; });
}

void emitScatter(ScatterOp op) {
  Emitter e(op);
  Value result = copied(e, e.buffer(op.getInput()));
  Value indices = e.buffer(op.getIndices()), updates = e.buffer(op.getUpdates());
  e.loop(e.sizes(updates), [&](ArrayRef<Value> at) {
    Source target = gathered(e, result, indices, op.getAxis(), op.getBatchDims(), at);
    e.when(target.isThere, [&] {
      if (op.getKind() == ScatterKind::Update)
        e.storeRaw(e.raw(updates, at), result, target.at);
      else
        e.store(e.add(e.load(result, target.at), e.load(updates, at)), result, target.at);
    });
  });
  e.replace(result);
}

void emitCacheUpdate(CacheUpdateOp op) {
  Emitter e(op);
  Value result = copied(e, e.buffer(op.getCache()));
  Value update = e.buffer(op.getUpdate()), from = e.load(e.buffer(op.getPosition()), {});
  int64_t axis = op.getAxis();
  e.loop(e.sizes(update), [&](ArrayRef<Value> at) {
    SmallVector<Value> target(at);
    target[axis] = e.toIndex(e.add(e.toInteger(at[axis]), from));
    e.when(e.inRange(target[axis], e.size(result, axis)), [&] { e.storeRaw(e.raw(update, at), result, target); });
  });
  e.replace(result);
}

//===------------------------------------------------------------------------------------------------------------===//
// By fixed positions
//===------------------------------------------------------------------------------------------------------------===//

void emitConcat(ConcatOp op) {
  Emitter e(op);
  Value result = e.result(), begin = e.index(0);
  for (Value tensor : op.getInputs()) {
    Value input = e.buffer(tensor);
    e.loop(e.sizes(input), [&](ArrayRef<Value> at) {
      SmallVector<Value> target(at);
      target[op.getAxis()] = e.add(at[op.getAxis()], begin);
      e.storeRaw(e.raw(input, at), result, target);
    });
    begin = e.add(begin, e.size(input, op.getAxis()));
  }
  e.replace(result);
}

void emitSplit(SplitOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput());
  SmallVector<Value> results;
  int64_t begin = 0;
  for (auto [number, size] : llvm::enumerate(op.getSizes())) {
    results.push_back(show(
        e, input,
        [&](ArrayRef<Value> at) {
          Source source{SmallVector<Value>(at), {}};
          source.at[op.getAxis()] = e.add(at[op.getAxis()], e.index(begin));
          return source;
        },
        number));
    begin += size;
  }
  e.replace(results);
}

void emitSlice(SliceOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput());
  SmallVector<Value> begins;
  for (auto [dim, offset, size, stride] : llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes(), op.getStrides())) {
    Value count = getValueOrCreateConstantIndexOp(e.b, e.loc, size);
    Value none = e.index(0), one = e.index(1);
    Value span = e.add(e.mul(e.sub(count, one), e.index(stride)), one);
    span = e.select(e.gt(count, none), span, none);
    Value last = e.sub(e.size(input, dim), span);
    begins.push_back(e.larger(e.smaller(getValueOrCreateConstantIndexOp(e.b, e.loc, offset), last), none));
  }
  e.replace(show(e, input, [&](ArrayRef<Value> at) {
    Source source;
    for (auto [place, begin, stride] : llvm::zip_equal(at, begins, op.getStrides()))
      source.at.push_back(e.add(begin, e.mul(place, e.index(stride))));
    return source;
  }));
}

void emitTile(TileOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput());
  e.replace(show(e, input, [&](ArrayRef<Value> at) {
    Source source;
    for (auto [dim, place] : llvm::enumerate(at))
      source.at.push_back(e.rem(place, e.size(input, dim)));
    return source;
  }));
}

void emitFlip(FlipOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput());
  e.replace(show(e, input, [&](ArrayRef<Value> at) {
    Source source{SmallVector<Value>(at), {}};
    for (int64_t dim : op.getDims())
      source.at[dim] = e.sub(e.sub(e.size(input, dim), e.index(1)), at[dim]);
    return source;
  }));
}

void emitPad(PadOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), border;
  if (op.getValueAttr())
    border = e.constant(op.getValueAttr());
  Value result = e.result();
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Source source;
    for (auto [dim, place] : llvm::enumerate(at)) {
      Value size = e.size(input, dim), p = e.sub(place, e.index(op.getLow()[dim])), zero = e.index(0);
      Value isBefore = e.lt(p, zero), isBehind = e.ge(p, size), last = e.sub(size, e.index(1));
      switch (op.getMode()) {
      case PadMode::Constant: {
        Value isInside = e.inRange(p, size);
        source.isThere = source.isThere ? e.both(source.isThere, isInside) : isInside;
        break;
      }
      case PadMode::Edge:
        p = e.select(isBefore, zero, e.select(isBehind, last, p));
        break;
      case PadMode::Reflect:
        p = e.select(isBefore, e.sub(zero, p), e.select(isBehind, e.sub(e.add(last, last), p), p));
        break;
      case PadMode::Wrap:
        p = e.select(isBefore, e.add(p, size), e.select(isBehind, e.sub(p, size), p));
        break;
      }
      source.at.push_back(p);
    }
    e.storeRaw(elementAt(e, input, source, border), result, at);
  });
  e.replace(result);
}

void emitTranspose(TransposeOp op) {
  Emitter e(op);
  e.replace(show(e, e.buffer(op.getInput()), [&](ArrayRef<Value> at) {
    Source source{SmallVector<Value>(at.size()), {}};
    for (auto [place, dim] : llvm::zip_equal(at, op.getPermutation()))
      source.at[dim] = place;
    return source;
  }));
}

/// The row-major index of the element, delinearized by the operand's sizes.
void emitReshape(ReshapeOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), result = e.result();
  SmallVector<Value> from = e.sizes(input), to = e.sizes(result);
  e.loop(to, [&](ArrayRef<Value> at) {
    Value number = e.index(0);
    for (auto [place, size] : llvm::zip_equal(at, to))
      number = e.add(e.mul(number, size), place);
    SmallVector<Value> source(from.size());
    for (int64_t dim = int64_t(from.size()) - 1; dim >= 0; --dim) {
      source[dim] = e.rem(number, from[dim]);
      number = e.div(number, from[dim]);
    }
    e.storeRaw(e.raw(input, source), result, at);
  });
  e.replace(result);
}

void emitBroadcast(BroadcastOp op) {
  Emitter e(op);
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  e.replace(show(e, e.buffer(op.getInput()), [&](ArrayRef<Value> at) {
    Source source{SmallVector<Value>(at.take_back(shape.size())), {}};
    for (auto [place, size] : llvm::zip_equal(source.at, shape))
      if (size == 1)
        place = e.index(0);
    return source;
  }));
}

} // namespace

bool emitMovement(Operation *op) {
  if (auto gather = dyn_cast<GatherOp>(op))
    return emitGather(op, gather.getInput(), gather.getIndices(), gather.getAxis(), gather.getBatchDims()), true;
  if (auto embedding = dyn_cast<EmbeddingOp>(op))
    return emitGather(op, embedding.getTable(), embedding.getIndices(), /*axis=*/0, /*batchDims=*/0), true;
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return emitScatter(scatter), true;
  if (auto update = dyn_cast<CacheUpdateOp>(op))
    return emitCacheUpdate(update), true;
  if (auto concat = dyn_cast<ConcatOp>(op))
    return emitConcat(concat), true;
  if (auto split = dyn_cast<SplitOp>(op))
    return emitSplit(split), true;
  if (auto slice = dyn_cast<SliceOp>(op))
    return emitSlice(slice), true;
  if (auto tile = dyn_cast<TileOp>(op))
    return emitTile(tile), true;
  if (auto flip = dyn_cast<FlipOp>(op))
    return emitFlip(flip), true;
  if (auto pad = dyn_cast<PadOp>(op))
    return emitPad(pad), true;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return emitTranspose(transpose), true;
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return emitReshape(reshape), true;
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return emitBroadcast(broadcast), true;
  return false;
}

} // namespace mica::plain
