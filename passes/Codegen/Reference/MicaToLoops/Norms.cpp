//===- Norms.cpp - normalizations ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lowers mica.layer_norm, mica.rms_norm, mica.batch_norm and mica.group_norm, following their formulas.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

using namespace mlir;

namespace mica::plain {

namespace {

/// The buffer of an optional parameter.
Value bufferOr(Emitter &e, Value tensor) { return tensor ? e.buffer(tensor) : Value(); }

/// `normalized * scale[at] + bias[at]`; both are optional.
Value scaled(Emitter &e, Value normalized, Value scale, Value bias, ArrayRef<Value> at) {
  if (scale)
    normalized = e.mul(normalized, e.load(scale, at));
  return bias ? e.add(normalized, e.load(bias, at)) : normalized;
}

Value product(Emitter &e, ArrayRef<Value> sizes) {
  Value count = e.index(1);
  for (Value size : sizes)
    count = e.mul(count, size);
  return count;
}

SmallVector<Value> joined(ArrayRef<Value> first, ArrayRef<Value> second) {
  SmallVector<Value> all(first);
  llvm::append_range(all, second);
  return all;
}

void emitRowNorm(Operation *op, Value tensor, Value scaleTensor, Value biasTensor, int64_t axis, double epsilon,
                 bool centered) {
  Emitter e(op);
  Value input = e.buffer(tensor), result = e.result();
  Value scale = bufferOr(e, scaleTensor), bias = bufferOr(e, biasTensor);
  SmallVector<Value> sizes = e.sizes(input);
  ArrayRef<Value> rows = ArrayRef(sizes).take_front(axis), row = ArrayRef(sizes).drop_front(axis);
  Value count = e.toReal(product(e, row));
  e.loop(rows, [&](ArrayRef<Value> at) {
    auto element = [&](ArrayRef<Value> inner) { return e.load(input, joined(at, inner)); };
    Value mean = e.real(0);
    if (centered)
      mean = e.div(e.fold(row, e.real(0), [&](ArrayRef<Value> inner, Value sum) { return e.add(sum, element(inner)); }),
                   count);
    auto difference = [&](ArrayRef<Value> inner) { return centered ? e.sub(element(inner), mean) : element(inner); };
    Value squares = e.fold(row, e.real(0), [&](ArrayRef<Value> inner, Value sum) {
      Value x = difference(inner);
      return e.add(sum, e.mul(x, x));
    });
    Value divisor = e.sqrt(e.add(e.div(squares, count), e.real(epsilon)));
    e.loop(row, [&](ArrayRef<Value> inner) {
      e.store(scaled(e, e.div(difference(inner), divisor), scale, bias, inner), result, joined(at, inner));
    });
  });
  e.replace(result);
}

void emitBatchNorm(BatchNormOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), result = e.result(), mean = e.buffer(op.getMean());
  Value variance = e.buffer(op.getVariance());
  Value scale = bufferOr(e, op.getScale()), bias = bufferOr(e, op.getBias());
  Value epsilon = e.real(op.getEpsilon().convertToDouble());
  e.loop(e.sizes(input), [&](ArrayRef<Value> at) {
    Value channel = at[op.getAxis()];
    Value divisor = e.sqrt(e.add(e.load(variance, channel), epsilon));
    Value normalized = e.div(e.sub(e.load(input, at), e.load(mean, channel)), divisor);
    e.store(scaled(e, normalized, scale, bias, channel), result, at);
  });
  e.replace(result);
}

void emitGroupNorm(GroupNormOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), result = e.result();
  Value scale = bufferOr(e, op.getScale()), bias = bufferOr(e, op.getBias());
  int64_t axis = op.getAxis();
  SmallVector<Value> inner = e.sizes(input);
  Value batch = inner[0], groups = e.index(op.getGroups());
  inner[axis] = e.div(inner[axis], groups); // channels of a group
  Value perGroup = inner[axis];
  inner.erase(inner.begin());
  Value count = e.toReal(product(e, inner));
  Value epsilon = e.real(op.getEpsilon().convertToDouble());
  e.loop({batch, groups}, [&](ArrayRef<Value> group) {
    // Maps position `at` within a group to a position in the input.
    auto place = [&](ArrayRef<Value> at) {
      SmallVector<Value> where{group[0]};
      llvm::append_range(where, at);
      where[axis] = e.add(e.mul(group[1], perGroup), where[axis]);
      return where;
    };
    Value mean = e.div(
        e.fold(inner, e.real(0), [&](ArrayRef<Value> at, Value sum) { return e.add(sum, e.load(input, place(at))); }),
        count);
    Value squares = e.fold(inner, e.real(0), [&](ArrayRef<Value> at, Value sum) {
      Value x = e.sub(e.load(input, place(at)), mean);
      return e.add(sum, e.mul(x, x));
    });
    Value divisor = e.sqrt(e.add(e.div(squares, count), epsilon));
    e.loop(inner, [&](ArrayRef<Value> at) {
      SmallVector<Value> where = place(at);
      Value normalized = e.div(e.sub(e.load(input, where), mean), divisor);
      e.store(scaled(e, normalized, scale, bias, where[axis]), result, where);
    });
  });
  e.replace(result);
}

} // namespace

bool emitNorms(Operation *op) {
  if (auto norm = dyn_cast<LayerNormOp>(op))
    return emitRowNorm(op, norm.getInput(), norm.getScale(), norm.getBias(), norm.getAxis(),
                       norm.getEpsilon().convertToDouble(), /*centered=*/true),
           true;
  if (auto norm = dyn_cast<RmsNormOp>(op))
    return emitRowNorm(op, norm.getInput(), norm.getScale(), Value(), norm.getAxis(),
                       norm.getEpsilon().convertToDouble(), /*centered=*/false),
           true;
  if (auto norm = dyn_cast<BatchNormOp>(op))
    return emitBatchNorm(norm), true;
  if (auto norm = dyn_cast<GroupNormOp>(op))
    return emitGroupNorm(norm), true;
  return false;
}

} // namespace mica::plain
