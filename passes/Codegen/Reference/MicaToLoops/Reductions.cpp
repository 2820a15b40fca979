//===- Reductions.cpp - reductions and scans ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lowers mica.reduce, mica.softmax, mica.argmax and mica.argmin, mica.cumsum.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

using namespace mlir;

namespace mica::plain {

/// `sizes` with that of `axis` replaced by 1: the starting positions of rows along it.
static SmallVector<Value> rowsAlong(Emitter &e, Value buffer, int64_t axis) {
  SmallVector<Value> rows = e.sizes(buffer);
  rows[axis] = e.index(1);
  return rows;
}

static SmallVector<Value> with(ArrayRef<Value> at, int64_t axis, Value place) {
  SmallVector<Value> result(at);
  result[axis] = place;
  return result;
}

static void emitReduce(ReduceOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), result = e.result();
  int64_t rank = op.getInput().getType().getRank();
  llvm::SmallBitVector isReduced(rank);
  SmallVector<Value> reduced;
  for (int64_t dim : op.getDims()) {
    isReduced.set(dim);
    reduced.push_back(e.size(input, dim));
  }
  auto start = [&] {
    switch (op.getKind()) {
    case ReduceKind::Max:
      return e.lowest(input);
    case ReduceKind::Min:
      return e.highest(input);
    default:
      return e.number(input, op.getKind() == ReduceKind::Prod);
    }
  };
  auto combine = [&](Value x, Value y) {
    switch (op.getKind()) {
    case ReduceKind::Max:
      return e.larger(x, y);
    case ReduceKind::Min:
      return e.smaller(x, y);
    case ReduceKind::Prod:
      return e.mul(x, y);
    default:
      return e.add(x, y);
    }
  };
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    Value total = e.fold(reduced, start(), [&](ArrayRef<Value> inner, Value before) {
      SmallVector<Value> source;
      for (int64_t dim = 0, kept = 0, dropped = 0; dim < rank; ++dim) {
        source.push_back(isReduced.test(dim) ? inner[dropped++] : at[kept]);
        kept += !isReduced.test(dim) || op.getKeepDims();
      }
      return combine(before, e.load(input, source));
    });
    if (op.getKind() == ReduceKind::Mean) {
      Value count = e.real(1);
      for (Value size : reduced)
        count = e.mul(count, e.toReal(size));
      total = e.div(total, count);
    }
    e.store(total, result, at);
  });
  e.replace(result);
}

static void emitSoftmax(SoftmaxOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), result = e.result();
  int64_t axis = op.getAxis();
  Value size = e.size(input, axis);
  e.loop(rowsAlong(e, input, axis), [&](ArrayRef<Value> row) {
    auto element = [&](Value place) { return e.load(input, with(row, axis, place)); };
    Value largest = e.fold(size, e.real(-std::numeric_limits<double>::infinity()),
                           [&](ArrayRef<Value> at, Value before) { return e.larger(before, element(at[0])); });
    Value sum = e.fold(size, e.real(0), [&](ArrayRef<Value> at, Value before) {
      return e.add(before, e.exp(e.sub(element(at[0]), largest)));
    });
    e.loop(size, [&](ArrayRef<Value> at) {
      e.store(e.div(e.exp(e.sub(element(at[0]), largest)), sum), result, with(row, axis, at[0]));
    });
  });
  e.replace(result);
}

/// The first element that is not exceeded by another; NaN exceeds every number.
static void emitArg(Operation *op, Value tensor, int64_t axis, bool keepsDim, bool isMax) {
  Emitter e(op);
  Value input = e.buffer(tensor), result = e.result();
  e.loop(rowsAlong(e, input, axis), [&](ArrayRef<Value> row) {
    Value none = e.index(0);
    SmallVector<Value> best = e.fold(e.size(input, axis), {e.load(input, with(row, axis, none)), none},
                                     [&](ArrayRef<Value> at, ArrayRef<Value> before) -> SmallVector<Value> {
                                       Value x = e.load(input, with(row, axis, at[0]));
                                       Value beats = isMax ? e.gt(x, before[0]) : e.lt(x, before[0]);
                                       if (e.isFloat(input))
                                         beats = e.either(beats, e.both(e.isNaN(x), e.flip(e.isNaN(before[0]))));
                                       return {e.select(beats, x, before[0]), e.select(beats, at[0], before[1])};
                                     });
    SmallVector<Value> where(row);
    if (!keepsDim)
      where.erase(where.begin() + axis);
    e.store(e.toInteger(best[1]), result, where);
  });
  e.replace(result);
}

static void emitCumSum(CumSumOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), result = e.result();
  int64_t axis = op.getAxis();
  Value size = e.size(input, axis), last = e.sub(size, e.index(1));
  e.loop(rowsAlong(e, input, axis), [&](ArrayRef<Value> row) {
    (void)e.fold(size, e.number(input, 0), [&](ArrayRef<Value> at, Value before) {
      SmallVector<Value> where = with(row, axis, op.getReverse() ? e.sub(last, at[0]) : at[0]);
      Value sum = e.add(before, e.load(input, where));
      e.store(op.getExclusive() ? before : sum, result, where);
      return sum;
    });
  });
  e.replace(result);
}

bool emitReductions(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return emitReduce(reduce), true;
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return emitSoftmax(softmax), true;
  if (auto arg = dyn_cast<ArgMaxOp>(op))
    return emitArg(op, arg.getInput(), arg.getAxis(), arg.getKeepDims(), /*isMax=*/true), true;
  if (auto arg = dyn_cast<ArgMinOp>(op))
    return emitArg(op, arg.getInput(), arg.getAxis(), arg.getKeepDims(), /*isMax=*/false), true;
  if (auto sum = dyn_cast<CumSumOp>(op))
    return emitCumSum(sum), true;
  return false;
}

} // namespace mica::plain
