//===- Attention.cpp - attention and position embedding -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Attention and RotaryEmbedding of operator sets from 23 on. Heads are a dimension of their own, or, in tensors of rank
// 3, part of the last one.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Heads.h"
#include "lib/Import/ONNX/Importer.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// `mask` for `keys` keys, where it has fewer: the others are left out. As it is where sizes are not known.
static Value paddedMask(Node &node, Value mask, OpFoldResult keys) {
  const RankedTensorType type = typeOf(mask);
  const std::optional<int64_t> count = getConstantIntValue(keys);
  if (type.getRank() == 0 || !count || ShapedType::isDynamic(type.getShape().back()) ||
      type.getShape().back() >= *count)
    return mask;
  Sizes sizes = node.sizesOf(mask);
  sizes.back() = keys;
  const Type element = type.getElementType();
  return node.generated(sizes, element, [&](OpBuilder &b, Location loc, ValueRange at) {
    Value size = arith::ConstantIndexOp::create(b, loc, type.getShape().back());
    Value isGiven = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at.back(), size);
    llvm::SmallVector<Value> position(at);
    position.back() = arith::SelectOp::create(b, loc, isGiven, at.back(), arith::ConstantIndexOp::create(b, loc, 0));
    Value none = element.isInteger(1) ? Value(arith::ConstantOp::create(b, loc, b.getBoolAttr(false)))
                                      : node.scalar(element, -std::numeric_limits<double>::infinity());
    return arith::SelectOp::create(b, loc, isGiven, tensor::ExtractOp::create(b, loc, mask, position), none)
        .getResult();
  });
}

/// `mask`, null for none, without the keys from number `lengths` [b] on.
static Value withLengths(Node &node, Value mask, Value lengths, OpFoldResult batch, OpFoldResult keys) {
  Value isTaken = node.generated({batch, keys}, node.b.getI1Type(), [&](OpBuilder &b, Location loc, ValueRange at) {
    Value length = indexAt(b, loc, lengths, at[0]);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at[1], length).getResult();
  });
  isTaken = node.unsqueezed(isTaken, {1, 2});
  if (!mask)
    return isTaken;
  if (typeOf(mask).getElementType().isInteger(1))
    return node.binary<LogicalAndOp>(mask, isTaken);
  return node.select(isTaken, node.withRank(mask, 4),
                     node.constant(typeOf(mask).getElementType(), -std::numeric_limits<double>::infinity()));
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
  if (heads.mask && !typeOf(heads.mask).getElementType().isInteger(1) &&
      typeOf(heads.mask).getElementType() != node.element(0))
    return node.refuse("its mask is neither of booleans nor of its own element type");
  const OpFoldResult keys = node.sizeOf(heads.key, 2);
  if (heads.mask && node.opset >= 24)
    heads.mask = paddedMask(node, heads.mask, keys);
  if (node.has(6)) {
    if (node.has(4) || node.rank(6) != 1 || !isa<IntegerType>(node.element(6)))
      return node.refuse("nonpad_kv_seqlen is not [b], or is given with a past key");
    heads.mask = withLengths(node, heads.mask, node.in(6), node.sizeOf(heads.query, 0), keys);
  }
  heads.isCausal = node.integer("is_causal") != 0;
  heads.softcap = node.real("softcap", 0);
  const int64_t headSize = typeOf(heads.query).getDimSize(3);
  if (!node.hasAttribute("scale") && ShapedType::isDynamic(headSize))
    return node.refuse("the size of its heads is only known at run time", "give the attribute scale");
  heads.scale = node.hasAttribute("scale") ? node.real("scale") : 1.0 / std::sqrt(double(headSize));
  if (node.isRefused())
    return failure();

  // Query 0 attends to key 0 alone, also after past keys.
  heads.position = heads.isCausal ? node.integerConstant({0}, {}, node.b.getI64Type()) : Value();
  return setAttention(node, heads, isFlat, ScoreStage(node.integer("qk_matmul_output_mode")));
}

static LogicalResult buildRotaryEmbedding(Node &node) {
  const bool isFlat = node.rank(0) == 3;
  const int64_t heads = isFlat ? node.integer("num_heads") : node.operand(0).type().getDimSize(1);
  if ((!isFlat && node.rank(0) != 4) || heads < 1)
    return node.refuse(isFlat ? "num_heads is not given" : "its input is not of rank 3 or 4");
  Value input = withHeads(node, node.in(0), heads);
  const int64_t size = typeOf(input).getDimSize(3);
  const int64_t given = node.integer("rotary_embedding_dim"), turned = given ? given : size;
  if (ShapedType::isDynamic(size) || turned % 2 || turned < 0 || turned > size)
    return node.refuse("the size of its heads is not static, or what is rotated of them is odd or too large");
  Value result = rotated(node, input,
                         {.cosines = node.in(1),
                          .sines = node.in(2),
                          .positions = node.has(3) ? node.in(3) : Value(),
                          .size = turned,
                          .isInterleaved = node.integer("interleaved") != 0});
  if (node.isRefused())
    return failure();
  node.set(0, isFlat ? withoutHeads(node, result) : result);
  return success();
}

void importer::addAttention(OpTable &table) {
  table.add("Attention", buildAttention, 3, 7);
  table.add("RotaryEmbedding", buildRotaryEmbedding, 3, 4);
}
