//===- Attention.cpp - attention and position embedding -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Attention and RotaryEmbedding of operator set 23. Heads are a dimension of their own, or, in tensors of rank 3, part
// of the last one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }
static Type elementOf(Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); }

/// [b, s, heads * d] as [b, heads, s, d]; a tensor of rank 4 as it is.
static Value withHeads(Node &node, Value value, int64_t heads) {
  if (rankOf(value) == 4)
    return value;
  Sizes sizes = node.sizesOf(value);
  Value split =
      node.reshaped(value, {sizes[0], sizes[1], node.index(heads), node.dividedBy(sizes[2], node.index(heads))});
  return node.transposed(split, {0, 2, 1, 3});
}

/// [b, heads, s, d] as [b, s, heads * d].
static Value withoutHeads(Node &node, Value value) {
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

namespace {
/// The operands of attention, of rank 4.
struct Heads {
  Value query, key, value, mask;
  bool isCausal = false;
  double scale = 0, softcap = 0;
};
} // namespace

/// The steps of attention one by one, for what mica.attention does not have: a soft cap, and results in between.
static Value attendInSteps(Node &node, const Heads &heads, int64_t repeats, int64_t mode, bool wantsScores) {
  const Type element = elementOf(heads.query);
  Value key = node.transposed(repeatedHeads(node, heads.key, repeats), {0, 1, 3, 2});
  Value scores = node.mul(node.make<MatmulOp>(heads.query, key, false, false), node.constant(element, heads.scale));
  Value seen = scores;
  Sizes sizes = node.sizesOf(scores);
  Value lowest = node.constant(element, -INFINITY);
  auto excluded = [&](Value isTaken) { return node.select(isTaken, scores, lowest); };
  if (heads.isCausal) {
    Value isTaken = node.generated({sizes[2], sizes[3]}, node.b.getI1Type(),
                                   [](OpBuilder &b, Location loc, ValueRange at) -> Value {
                                     return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, at[0], at[1]);
                                   });
    scores = excluded(node.withRank(isTaken, 4));
  }
  if (heads.mask)
    scores = elementOf(heads.mask).isInteger(1) ? excluded(node.withRank(heads.mask, 4)) : node.add(scores, heads.mask);
  if (mode == 1)
    seen = scores;
  if (heads.softcap != 0) {
    Value cap = node.constant(element, heads.softcap);
    scores = node.mul(node.unary<TanhOp>(node.div(scores, cap)), cap);
  }
  if (mode == 2)
    seen = scores;
  Value weights = SoftmaxOp::create(node.b, node.loc, scores.getType(), scores, 3);
  if (wantsScores)
    node.set(3, mode == 3 ? weights : seen);
  return node.make<MatmulOp>(weights, repeatedHeads(node, heads.value, repeats), false, false);
}

static LogicalResult buildAttention(Node &node) {
  const bool isFlat = node.rank(0) == 3;
  if (node.rank(0) != node.rank(1) || node.rank(0) != node.rank(2) || (!isFlat && node.rank(0) != 4))
    return node.refuse("its inputs are not of rank 3 or 4");
  if (!isa<FloatType>(node.element(0)) || node.element(0) != node.element(1) || node.element(0) != node.element(2))
    return node.refuse("its inputs have different element types");
  const int64_t queryHeads = isFlat ? node.integer("q_num_heads") : node.operand(0).type().getDimSize(1);
  const int64_t keyHeads = isFlat ? node.integer("kv_num_heads") : node.operand(1).type().getDimSize(1);
  if (queryHeads < 1 || keyHeads < 1 || queryHeads % keyHeads)
    return node.refuse("q_num_heads is no multiple of kv_num_heads");
  Heads heads;
  heads.query = withHeads(node, node.in(0), queryHeads);
  heads.key = withHeads(node, node.in(1), keyHeads);
  heads.value = withHeads(node, node.in(2), keyHeads);
  if (node.has(4) != node.has(5))
    return node.refuse("it has a past key or a past value alone");
  if (node.has(4)) {
    heads.key = node.concatenated({node.in(4), heads.key}, 2);
    heads.value = node.concatenated({node.in(5), heads.value}, 2);
  }
  heads.mask = node.has(3) ? node.in(3) : Value();
  if (heads.mask && !elementOf(heads.mask).isInteger(1) && elementOf(heads.mask) != node.element(0))
    return node.refuse("its mask is neither of booleans nor of its own element type");
  heads.isCausal = node.integer("is_causal") != 0;
  heads.softcap = node.real("softcap", 0);
  const int64_t headSize = cast<RankedTensorType>(heads.query.getType()).getDimSize(3);
  if (!node.hasAttribute("scale") && ShapedType::isDynamic(headSize))
    return node.refuse("the size of its heads is only known at run time", "give the attribute scale");
  heads.scale = node.hasAttribute("scale") ? node.real("scale") : 1.0 / std::sqrt(double(headSize));
  if (node.isRefused())
    return failure();

  Value result;
  if (heads.softcap == 0 && !node.wants(3)) {
    // Query 0 attends to key 0 alone, also after past keys.
    Value position = heads.isCausal ? node.integerConstant({0}, {}, node.b.getI64Type()) : Value();
    result = node.make<AttentionOp>(heads.query, heads.key, heads.value, heads.mask, position, heads.isCausal,
                                    node.b.getF64FloatAttr(heads.scale));
  } else {
    result = attendInSteps(node, heads, queryHeads / keyHeads, node.integer("qk_matmul_output_mode"), node.wants(3));
  }
  if (node.isRefused())
    return failure();
  node.set(0, isFlat ? withoutHeads(node, result) : result);
  if (node.wants(1))
    node.set(1, heads.key);
  if (node.wants(2))
    node.set(2, heads.value);
  return success();
}

static LogicalResult buildRotaryEmbedding(Node &node) {
  const bool isFlat = node.rank(0) == 3;
  const int64_t heads = isFlat ? node.integer("num_heads") : node.operand(0).type().getDimSize(1);
  if ((!isFlat && node.rank(0) != 4) || heads < 1)
    return node.refuse(isFlat ? "num_heads is not given" : "its input is not of rank 3 or 4");
  Value input = withHeads(node, node.in(0), heads);
  const int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(3);
  const int64_t given = node.integer("rotary_embedding_dim"), rotated = given ? given : size;
  if (ShapedType::isDynamic(size) || rotated % 2 || rotated < 0 || rotated > size)
    return node.refuse("the size of its heads is not static, or what is rotated of them is odd or too large");
  // [b, 1, s, rotated / 2]
  auto table = [&](unsigned i) {
    Value values = node.has(3) ? node.make<GatherOp>(node.in(i), node.in(3), 0, 0) : node.in(i);
    return node.unsqueezed(values, {1});
  };
  Value cosines = table(1), sines = table(2);
  if (node.isRefused())
    return failure();
  const bool isInterleaved = node.integer("interleaved") != 0;
  Sizes sizes = node.sizesOf(input);
  const OpFoldResult zero = node.index(0), one = node.index(1);
  auto part = [&](int64_t first, int64_t count, int64_t step) {
    return node.sliced(input, {zero, zero, zero, node.index(first)}, {sizes[0], sizes[1], sizes[2], node.index(count)},
                       {one, one, one, node.index(step)});
  };
  const int64_t half = rotated / 2;
  Value x = part(0, half, isInterleaved ? 2 : 1);
  Value y = part(isInterleaved ? 1 : half, half, isInterleaved ? 2 : 1);
  Value real = node.sub(node.mul(x, cosines), node.mul(y, sines));
  Value imaginary = node.add(node.mul(x, sines), node.mul(y, cosines));
  if (node.isRefused())
    return failure();
  llvm::SmallVector<Value> parts;
  if (isInterleaved)
    parts = {node.reshaped(node.concatenated({node.unsqueezed(real, {4}), node.unsqueezed(imaginary, {4})}, 4),
                           {sizes[0], sizes[1], sizes[2], node.index(rotated)})};
  else
    parts = {real, imaginary};
  if (rotated < size)
    parts.push_back(part(rotated, size - rotated, 1));
  Value result = node.concatenated(parts, 3);
  if (node.isRefused())
    return failure();
  node.set(0, isFlat ? withoutHeads(node, result) : result);
  return success();
}

void importer::addAttention(OpTable &table) {
  table.add("Attention", buildAttention, 3, 6);
  table.add("RotaryEmbedding", buildRotaryEmbedding, 3, 4);
}
