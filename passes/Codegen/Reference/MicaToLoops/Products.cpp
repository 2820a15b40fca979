//===- Products.cpp - matrix products -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lowers mica.matmul, mica.attention and mica.rope.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"

#include <cmath>

using namespace mlir;

namespace mica::plain {

/// The batch position of an operand for `batch`: it may have no batch dimensions, or broadcast them.
static SmallVector<Value> batchOf(Emitter &e, Value tensor, ArrayRef<Value> batch) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> at;
  if (type.getRank() > 2)
    for (auto [dim, place] : llvm::enumerate(batch))
      at.push_back(type.getDimSize(dim) == 1 ? e.index(0) : place);
  return at;
}

static void emitMatmul(MatmulOp op) {
  Emitter e(op);
  Value a = e.buffer(op.getLhs()), b = e.buffer(op.getRhs()), result = e.result();
  Value depth = e.size(a, op.getLhsContractedDim());
  e.loop(e.sizes(result), [&](ArrayRef<Value> at) {
    ArrayRef<Value> batch = at.drop_back(2);
    Value m = at[at.size() - 2], n = at.back();
    Value sum = e.fold(depth, e.number(result, 0), [&](ArrayRef<Value> k, Value before) {
      SmallVector<Value> inA = batchOf(e, op.getLhs(), batch), inB = batchOf(e, op.getRhs(), batch);
      inA.append({op.getTransposeA() ? k[0] : m, op.getTransposeA() ? m : k[0]});
      inB.append({op.getTransposeB() ? n : k[0], op.getTransposeB() ? k[0] : n});
      return e.add(before, e.mul(e.load(a, inA), e.load(b, inB)));
    });
    e.store(sum, result, at);
  });
  e.replace(result);
}

static void emitAttention(AttentionOp op) {
  Emitter e(op);
  Value query = e.buffer(op.getQuery()), key = e.buffer(op.getKey()), value = e.buffer(op.getValue());
  Value mask = op.getMask() ? e.buffer(op.getMask()) : Value(), result = e.result();
  Value depth = e.size(query, 3), keys = e.size(key, 2);
  Value group = e.div(e.size(query, 1), e.size(key, 1));
  Value scale = op.getScale() ? e.real(op.getScale()->convertToDouble()) : e.div(e.real(1), e.sqrt(e.toReal(depth)));
  Value last = op.getPosition() ? e.load(e.buffer(op.getPosition()), {}) : e.toInteger(e.sub(keys, e.size(query, 2)));
  Value weights = e.scratch(e.b.getF64Type(), keys);
  Value none = e.real(-std::numeric_limits<double>::infinity());

  auto maskAt = [&](ArrayRef<Value> at) {
    auto type = cast<RankedTensorType>(op.getMask().getType());
    SmallVector<Value> where(at.take_back(type.getRank()));
    for (auto [dim, place] : llvm::enumerate(where))
      if (type.getDimSize(dim) == 1)
        place = e.index(0);
    Value x = e.load(mask, where);
    return x.getType().isF64() ? x : e.select(e.ne(x, e.integer(0)), e.real(0), none);
  };
  e.loop({e.size(query, 0), e.size(query, 1), e.size(query, 2)}, [&](ArrayRef<Value> at) {
    Value head = e.div(at[1], group);
    Value largest = e.fold(keys, none, [&](ArrayRef<Value> t, Value before) {
      Value score = e.fold(depth, e.real(0), [&](ArrayRef<Value> d, Value sum) {
        return e.add(sum, e.mul(e.load(query, {at[0], at[1], at[2], d[0]}), e.load(key, {at[0], head, t[0], d[0]})));
      });
      score = e.mul(score, scale);
      if (mask)
        score = e.add(score, maskAt({at[0], at[1], at[2], t[0]}));
      if (op.getCausal())
        score = e.select(e.gt(e.toInteger(t[0]), e.add(e.toInteger(at[2]), last)), none, score);
      e.store(score, weights, t[0]);
      return e.larger(before, score);
    });
    Value sum = e.fold(keys, e.real(0), [&](ArrayRef<Value> t, Value before) {
      Value weight = e.exp(e.sub(e.load(weights, t[0]), largest));
      e.store(weight, weights, t[0]);
      return e.add(before, weight);
    });
    e.loop(e.size(value, 3), [&](ArrayRef<Value> column) {
      Value mean = e.fold(keys, e.real(0), [&](ArrayRef<Value> t, Value before) {
        Value part = e.div(e.load(weights, t[0]), sum);
        return e.add(before, e.mul(part, e.load(value, {at[0], head, t[0], column[0]})));
      });
      e.store(mean, result, {at[0], at[1], at[2], column[0]});
    });
  });
  e.replace(result);
}

static void emitRope(RopeOp op) {
  Emitter e(op);
  Value input = e.buffer(op.getInput()), cos = e.buffer(op.getCos()), sin = e.buffer(op.getSin()), result = e.result();
  SmallVector<Value> pairs = e.sizes(input);
  Value two = e.index(2), half = e.div(pairs.back(), two);
  pairs.back() = half;
  e.loop(pairs, [&](ArrayRef<Value> at) {
    SmallVector<Value> first(at), second(at);
    Value pair = at.back(), row = at[at.size() - 2];
    first.back() = op.getInterleaved() ? e.mul(pair, two) : pair;
    second.back() = e.add(first.back(), op.getInterleaved() ? e.index(1) : half);
    Value x = e.load(input, first), y = e.load(input, second);
    Value c = e.load(cos, {row, pair}), s = e.load(sin, {row, pair});
    e.store(e.sub(e.mul(x, c), e.mul(y, s)), result, first);
    e.store(e.add(e.mul(y, c), e.mul(x, s)), result, second);
  });
  e.replace(result);
}

bool emitProducts(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return emitMatmul(matmul), true;
  if (auto attention = dyn_cast<AttentionOp>(op))
    return emitAttention(attention), true;
  if (auto rope = dyn_cast<RopeOp>(op))
    return emitRope(rope), true;
  return false;
}

} // namespace mica::plain
