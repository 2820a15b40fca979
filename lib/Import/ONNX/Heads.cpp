//===- Heads.cpp - what operators of attention have in common ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Heads.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Heads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

Value importer::withHeads(Node &node, Value value, int64_t heads) {
  if (typeOf(value).getRank() == 4)
    return value;
  Sizes sizes = node.sizesOf(value);
  Value split =
      node.reshaped(value, {sizes[0], sizes[1], node.index(heads), node.dividedBy(sizes[2], node.index(heads))});
  return node.transposed(split, {0, 2, 1, 3});
}

Value importer::withoutHeads(Node &node, Value value) {
  Value turned = node.transposed(value, {0, 2, 1, 3});
  Sizes sizes = node.sizesOf(turned);
  return node.reshaped(turned, {sizes[0], sizes[1], node.times(sizes[2], sizes[3])});
}

/// Each head of [b, g, t, d] `times` times in a row.
static Value repeatedHeads(Node &node, Value value, int64_t times) {
  if (times == 1)
    return value;
  Sizes sizes = node.sizesOf(value);
  Value all = node.broadcast(node.unsqueezed(value, {2}), {sizes[0], sizes[1], node.index(times), sizes[2], sizes[3]});
  return node.reshaped(all, {sizes[0], node.times(sizes[1], node.index(times)), sizes[2], sizes[3]});
}

/// The steps of attention one by one, for what mica.attention does not have: a soft cap, and results in between.
static Value attendedInSteps(Node &node, const Heads &heads, ScoreStage stage, Value *seen) {
  const int64_t repeats = typeOf(heads.query).getDimSize(1) / typeOf(heads.key).getDimSize(1);
  const Type element = typeOf(heads.query).getElementType();
  Value key = node.transposed(repeatedHeads(node, heads.key, repeats), {0, 1, 3, 2});
  Value scores = node.mul(node.make<MatmulOp>(heads.query, key, false, false), node.constant(element, heads.scale));
  auto show = [&](ScoreStage reached) {
    if (seen && reached == stage)
      *seen = scores;
  };
  show(ScoreStage::Product);
  Sizes sizes = node.sizesOf(scores);
  Value lowest = node.constant(element, -INFINITY);
  auto cap = [&]() {
    Value limit = node.constant(element, heads.softcap);
    scores = node.mul(node.unary<TanhOp>(node.div(scores, limit)), limit);
  };
  if (heads.softcap != 0 && heads.isCappedFirst)
    cap();
  auto excluded = [&](Value isTaken) { return node.select(isTaken, scores, lowest); };
  if (heads.isCausal) {
    Value isTaken = node.generated({sizes[2], sizes[3]}, node.b.getI1Type(),
                                   [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
                                     Value first = indexAt(b, loc, heads.position, {});
                                     Value last = arith::AddIOp::create(b, loc, at[0], first);
                                     return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, last, at[1]);
                                   });
    scores = excluded(node.withRank(isTaken, 4));
  }
  if (heads.mask)
    scores = typeOf(heads.mask).getElementType().isInteger(1) ? excluded(node.withRank(heads.mask, 4))
                                                              : node.add(scores, heads.mask);
  show(ScoreStage::Masked);
  if (heads.softcap != 0 && !heads.isCappedFirst)
    cap();
  show(ScoreStage::Capped);
  scores = SoftmaxOp::create(node.b, node.loc, scores.getType(), scores, 3);
  show(ScoreStage::Weights);
  return node.make<MatmulOp>(scores, repeatedHeads(node, heads.value, repeats), false, false);
}

Value importer::attended(Node &node, const Heads &heads, ScoreStage stage, Value *scores) {
  if (heads.softcap != 0 || scores)
    return attendedInSteps(node, heads, stage, scores);
  return node.make<AttentionOp>(heads.query, heads.key, heads.value, heads.mask, heads.position, heads.isCausal,
                                node.b.getF64FloatAttr(heads.scale));
}

LogicalResult importer::setAttention(Node &node, const Heads &heads, bool isFlat, ScoreStage stage) {
  Value scores;
  Value result = attended(node, heads, stage, node.wants(3) ? &scores : nullptr);
  if (node.isRefused())
    return failure();
  node.set(0, isFlat ? withoutHeads(node, result) : result);
  if (node.wants(1))
    node.set(1, heads.key);
  if (node.wants(2))
    node.set(2, heads.value);
  if (scores)
    node.set(3, scores);
  return success();
}

Value importer::indexAt(OpBuilder &builder, Location loc, Value tensor, ValueRange position) {
  Value element = tensor::ExtractOp::create(builder, loc, tensor, position);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), element);
}

Value importer::rotated(Node &node, Value heads, const Rotation &rotation) {
  // [b, 1, s, size / 2]
  auto table = [&](Value values) {
    if (rotation.positions)
      values = node.make<GatherOp>(values, rotation.positions, 0, 0);
    return node.unsqueezed(values, {1});
  };
  Value cosines = table(rotation.cosines), sines = table(rotation.sines);
  if (node.isRefused())
    return heads;
  Sizes sizes = node.sizesOf(heads);
  const OpFoldResult zero = node.index(0), one = node.index(1);
  auto part = [&](int64_t first, int64_t count, int64_t step) {
    return node.sliced(heads, {zero, zero, zero, node.index(first)}, {sizes[0], sizes[1], sizes[2], node.index(count)},
                       {one, one, one, node.index(step)});
  };
  const int64_t half = rotation.size / 2, size = typeOf(heads).getDimSize(3);
  Value x = part(0, half, rotation.isInterleaved ? 2 : 1);
  Value y = part(rotation.isInterleaved ? 1 : half, half, rotation.isInterleaved ? 2 : 1);
  Value real = node.sub(node.mul(x, cosines), node.mul(y, sines));
  Value imaginary = node.add(node.mul(x, sines), node.mul(y, cosines));
  if (node.isRefused())
    return heads;
  llvm::SmallVector<Value> parts{real, imaginary};
  if (rotation.isInterleaved)
    parts = {node.reshaped(node.concatenated({node.unsqueezed(real, {4}), node.unsqueezed(imaginary, {4})}, 4),
                           {sizes[0], sizes[1], sizes[2], node.index(rotation.size)})};
  if (rotation.size < size)
    parts.push_back(part(rotation.size, size - rotation.size, 1));
  return node.concatenated(parts, 3);
}
