//===- EvalAttention.cpp - mica: attention, rotary embeddings and control flow ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Evaluates the operations of AttentionOps.td and ControlFlowOps.td as described there. Attention is computed in f64
// and rounded once, at its result.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/Evaluator.h"
#include "dialects/Mica/Reference/WhileLoop.h"

#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Attention
//===------------------------------------------------------------------------------------------------------------===//

/// The mask value for the score at `position`, [b, h, s, t].
double maskAt(const Tensor &mask, ArrayRef<int64_t> position) {
  position = position.take_back(mask.rank());
  SmallVector<int64_t> at;
  for (auto [d, p] : llvm::enumerate(position))
    at.push_back(mask.dim(d) == 1 ? 0 : p);
  Cell value = mask.at(at);
  if (mask.elementType().isFloat)
    return value.f;
  return value.i ? 0.0 : -INFINITY;
}

FailureOr<Tensor> evalAttention(AttentionOp op, Operands in, Evaluator &evaluator) {
  const Tensor &query = in[0], &key = in[1], &value = in[2];
  const Tensor *mask = op.getMask() ? &in[3] : nullptr, *offset = op.getPosition() ? &in.back() : nullptr;
  int64_t batch = query.dim(0), heads = query.dim(1), queries = query.dim(2), size = query.dim(3);
  int64_t keys = key.dim(2), group = heads / key.dim(1);
  if (key.dim(0) != batch || value.dim(0) != batch || key.dim(3) != size || value.dim(2) != keys)
    return op.emitError() << "shape mismatch: query " << query.typeString() << ", key " << key.typeString()
                          << ", value " << value.typeString();
  const int64_t scoresShape[] = {batch, heads, queries, keys};
  if (mask)
    for (int64_t d = 0; d < mask->rank(); ++d) {
      int64_t wanted = scoresShape[4 - mask->rank() + d];
      bool repeated = cast<RankedTensorType>(op.getMask().getType()).getDimSize(d) == 1;
      if (!repeated && mask->dim(d) != wanted)
        return op.emitError() << "shape mismatch: mask " << mask->typeString() << " of scores "
                              << shapeString(scoresShape);
    }
  FailureOr<Tensor> result = evaluator.allocate(op, query.elementType(), {batch, heads, queries, value.dim(3)});
  if (failed(result))
    return failure();
  double scale = op.getScale() ? op.getScale()->convertToDouble() : 1 / std::sqrt(double(size));
  int64_t last = offset ? offset->value().i : keys - queries;

  Cell *cell = result->mutableData();
  std::vector<double> weights(keys);
  forEachPosition({batch, heads, queries}, [&](ArrayRef<int64_t> at) {
    int64_t b = at[0], h = at[1], s = at[2], g = h / group;
    double largest = -INFINITY, sum = 0;
    for (int64_t t = 0; t < keys; ++t) {
      double score = 0;
      for (int64_t d = 0; d < size; ++d)
        score += query.at({b, h, s, d}).f * key.at({b, g, t, d}).f;
      score *= scale;
      if (mask)
        score += maskAt(*mask, {b, h, s, t});
      if (op.getCausal() && t > s + last)
        score = -INFINITY;
      weights[t] = score;
      largest = std::isnan(score) ? score : std::max(largest, score);
    }
    for (double &weight : weights)
      sum += weight = std::exp(weight - largest);
    for (int64_t e = 0; e < value.dim(3); ++e) {
      double mean = 0;
      for (int64_t t = 0; t < keys; ++t)
        mean += weights[t] / sum * value.at({b, g, t, e}).f;
      *cell++ = Cell::of(mean);
    }
  });
  result->roundAll();
  return result;
}

FailureOr<Tensor> evalRope(RopeOp op, Operands in, Evaluator &) {
  Tensor result = std::move(in[0]);
  const Tensor &cos = in[1], &sin = in[2];
  int64_t size = result.dim(result.rank() - 1), half = size / 2, rows = result.dim(result.rank() - 2);
  if (cos.dim(0) != rows || sin.dim(0) != rows)
    return op.emitError() << "shape mismatch: tables " << cos.typeString() << " and " << sin.typeString() << " for "
                          << result.typeString();
  Cell *cells = result.mutableData();
  for (int64_t row = 0, e = size ? result.size() / size : 0; row < e; ++row, cells += size)
    for (int64_t i = 0; i < half; ++i) {
      Cell &first = cells[op.getInterleaved() ? 2 * i : i], &second = cells[op.getInterleaved() ? 2 * i + 1 : i + half];
      double c = cos.at({row % rows, i}).f, s = sin.at({row % rows, i}).f, a = first.f, b = second.f;
      first.f = a * c - b * s;
      second.f = b * c + a * s;
    }
  result.roundAll();
  return result;
}

//===------------------------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult evalIf(IfOp op, Operands in, Results &out, Evaluator &evaluator) {
  return evaluator.runRegion(in[0].value().i ? op.getThenRegion() : op.getElseRegion(), {}, out);
}

LogicalResult evalWhile(WhileOp op, Operands in, Results &out, Evaluator &evaluator) {
  return runWhile(op.getCondition(), op.getBody(), in, out, evaluator);
}

} // namespace

void addMicaAttentionOps(OpTable &table) {
  table.add<AttentionOp>(evalAttention);
  table.add<RopeOp>(evalRope);
  table.add<IfOp>(evalIf);
  table.add<WhileOp>(evalWhile);
  table.addTerminator<YieldOp>();
}

} // namespace mica::reference
