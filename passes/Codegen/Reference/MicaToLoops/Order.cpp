//===- Order.cpp - sorting ----------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lowers mica.sort and mica.top_k: an element's position in the result is the number of elements of its row that
// precede it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

using namespace mlir;

namespace mica::plain {

/// Whether x precedes y in ascending order: NaN is larger than every number.
static Value isLess(Emitter &e, Value x, Value y) {
  Value less = e.lt(x, y);
  return x.getType().isF64() ? e.either(less, e.both(e.isNaN(y), e.flip(e.isNaN(x)))) : less;
}

static void emitOrder(Operation *op, Value tensor, int64_t axis, bool descending) {
  Emitter e(op);
  Value input = e.buffer(tensor), values = e.result(0), indices = e.result(1);
  SmallVector<Value> rows = e.sizes(input);
  Value size = rows[axis], kept = e.size(values, axis);
  rows[axis] = e.index(1);
  e.loop(rows, [&](ArrayRef<Value> row) {
    auto at = [&](Value place) {
      SmallVector<Value> where(row);
      where[axis] = place;
      return where;
    };
    e.loop(size, [&](ArrayRef<Value> i) {
      Value x = e.load(input, at(i[0]));
      Value place = e.fold(size, e.index(0), [&](ArrayRef<Value> j, Value count) {
        Value y = e.load(input, at(j[0]));
        Value isBefore = descending ? isLess(e, x, y) : isLess(e, y, x);
        Value isBehind = descending ? isLess(e, y, x) : isLess(e, x, y);
        Value isEqual = e.flip(e.either(isBefore, isBehind));
        isBefore = e.either(isBefore, e.both(isEqual, e.lt(j[0], i[0])));
        return e.select(isBefore, e.add(count, e.index(1)), count);
      });
      e.when(e.lt(place, kept), [&] {
        e.storeRaw(e.raw(input, at(i[0])), values, at(place));
        e.store(e.toInteger(i[0]), indices, at(place));
      });
    });
  });
  e.replace({values, indices});
}

bool emitOrder(Operation *op) {
  if (auto sort = dyn_cast<SortOp>(op))
    return emitOrder(op, sort.getInput(), sort.getAxis(), sort.getDescending()), true;
  if (auto top = dyn_cast<TopKOp>(op))
    return emitOrder(op, top.getInput(), top.getAxis(), !top.getSmallest()), true;
  return false;
}

} // namespace mica::plain
