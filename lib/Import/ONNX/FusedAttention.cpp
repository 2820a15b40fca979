//===- FusedAttention.cpp - attention as ONNX Runtime fuses it ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The operators of com.microsoft that exporters of transformers write: Attention with its projection, attention of
// several heads, attention of grouped queries with a cache of keys, and the rotation of positions. Source:
// docs/ContribOperators.md of ONNX Runtime.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Heads.h"
#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// Sets the scale of the scores: the attribute, or of the size of the heads. ONNX Runtime takes 0 for none.
static LogicalResult setScale(Node &node, Heads &heads) {
  heads.scale = node.real("scale");
  if (heads.scale != 0)
    return success();
  const int64_t size = typeOf(heads.query).getDimSize(3);
  if (ShapedType::isDynamic(size))
    return node.refuse("the size of its heads is only known at run time", "give the attribute scale");
  heads.scale = 1 / std::sqrt(double(size));
  return success();
}

/// Positions `first` to `first + count` of dimension `dim`.
static Value partOf(Node &node, Value value, int64_t dim, OpFoldResult first, OpFoldResult count) {
  Sizes sizes = node.sizesOf(value), offsets(sizes.size(), node.index(0));
  offsets[size_t(dim)] = first;
  sizes[size_t(dim)] = count;
  return node.sliced(value, offsets, sizes, {});
}

/// [b, s] of i64: in each sequence positions that count from `firsts`, one for each or one for all.
static Value positionsFrom(Node &node, Value firsts, OpFoldResult batch, OpFoldResult count) {
  return node.generated({batch, count}, node.b.getI64Type(), [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
    Value first = indexAt(b, loc, firsts, at.take_front(typeOf(firsts).getRank()));
    Value position = arith::AddIOp::create(b, loc, first, at[1]);
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Masks of keys
//===------------------------------------------------------------------------------------------------------------===//

/// Input `i`, which says which keys are padding, as numbers that are added to the scores of `batch` and `keys`: lengths
/// [b], or elements of [b, t] or [b, s, t] that are 0 for padding. Null after a refusal.
static Value paddingMask(Node &node, unsigned i, OpFoldResult batch, OpFoldResult keys, Type element) {
  Value given = node.in(i);
  auto integer = dyn_cast<IntegerType>(node.element(i));
  const int64_t rank = node.rank(i);
  const int64_t size = rank ? node.operand(i).type().getDimSize(0) : 0;
  const std::optional<int64_t> batchSize = getConstantIntValue(batch);
  if (!integer || rank < 1 || rank > 3 ||
      (rank == 1 && batchSize && !ShapedType::isDynamic(size) && size != *batchSize)) {
    (void)node.refuse("its mask is none of lengths [b] and elements [b, t] or [b, s, t]");
    return {};
  }
  Value filter = node.constant(element, node.real("mask_filter_value", -10000)), none = node.constant(element, 0);
  if (rank > 1) {
    Value isTaken = node.compare(Comparison::Ne, given, node.integerConstant({0}, {}, integer));
    return node.unsqueezed(node.select(isTaken, none, filter), rank == 2 ? Ints{1, 2} : Ints{1});
  }
  Value isTaken = node.generated({batch, keys}, node.b.getI1Type(), [&](OpBuilder &b, Location loc, ValueRange at) {
    Value length = indexAt(b, loc, given, at[0]);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at[1], length).getResult();
  });
  return node.unsqueezed(node.select(isTaken, none, filter), {1, 2});
}

/// Sets the mask of `heads`: that of padding, input `padding`, and what input `bias` adds to the scores.
static LogicalResult setMask(Node &node, Heads &heads, unsigned padding, unsigned bias) {
  const Type element = typeOf(heads.query).getElementType();
  if (node.has(padding)) {
    heads.mask = paddingMask(node, padding, node.sizeOf(heads.query, 0), node.sizeOf(heads.key, 2), element);
    if (!heads.mask)
      return failure();
  }
  if (node.has(bias)) {
    if (node.element(bias) != element)
      return node.refuse("what is added to its scores is of another element type");
    heads.mask = heads.mask ? node.add(heads.mask, node.in(bias)) : node.in(bias);
  }
  heads.isCausal = node.integer("unidirectional") != 0;
  return setScale(node, heads);
}

//===------------------------------------------------------------------------------------------------------------===//
// MultiHeadAttention, Attention
//===------------------------------------------------------------------------------------------------------------===//

/// Query, key and value of MultiHeadAttention: apart, or packed as [b, s, heads, 3, d], or key and value as
/// [b, t, heads, 2, d].
static LogicalResult setParts(Node &node, Heads &heads, int64_t count) {
  Value parts[3] = {node.in(0), node.has(1) ? node.in(1) : Value(), node.has(2) ? node.in(2) : Value()};
  for (unsigned i = 0; i < 3; ++i)
    if (parts[i] && typeOf(parts[i]).getElementType() != node.element(0))
      return node.refuse("its inputs have different element types");
  // [b, t, heads, parts, d]
  auto unpacked = [&](Value packed, int64_t at) {
    return node.transposed(node.at(packed, 3, node.index(at)), {0, 2, 1, 3});
  };
  const bool isPacked = node.rank(0) == 5, arePairs = node.has(1) && node.rank(1) == 5;
  if (isPacked || arePairs) {
    Value packed = isPacked ? parts[0] : parts[1];
    if (typeOf(packed).getDimSize(3) != (isPacked ? 3 : 2) || typeOf(packed).getDimSize(2) != count || parts[2] ||
        (isPacked && parts[1]) || node.has(3))
      return node.refuse("its packed inputs are not [b, s, num_heads, 3, d], or [b, t, num_heads, 2, d] for key and "
                         "value, without others and a bias");
    const int64_t first = isPacked ? 1 : 0;
    heads.key = unpacked(packed, first);
    heads.value = unpacked(packed, first + 1);
    heads.query = isPacked ? unpacked(packed, 0) : withHeads(node, parts[0], count);
    return success(!node.isRefused());
  }
  if (node.rank(0) != 3 || !parts[1] || !parts[2])
    return node.refuse("its key or its value is not given");
  OpFoldResult next = node.index(0);
  for (Value &part : parts) {
    const int64_t rank = typeOf(part).getRank();
    if (rank != 3 && (rank != 4 || typeOf(part).getDimSize(1) != count))
      return node.refuse("its inputs are not of rank 3, or [b, num_heads, t, d]");
    if (rank == 4) // projected by another node, with a bias if it has one
      continue;
    const OpFoldResult size = node.sizeOf(part, 2);
    if (node.has(3))
      part = node.add(part, partOf(node, node.in(3), 0, next, size));
    next = node.plus(next, size);
    part = withHeads(node, part, count);
  }
  heads.query = parts[0];
  heads.key = parts[1];
  heads.value = parts[2];
  return success(!node.isRefused());
}

static LogicalResult buildMultiHeadAttention(Node &node) {
  const int64_t count = node.integer("num_heads");
  if (count < 1 || !isa<FloatType>(node.element(0)) || (node.rank(0) != 3 && node.rank(0) != 5))
    return node.refuse("num_heads is not positive, or its query is not of floats and of rank 3 or 5");
  if (node.has(8) || node.has(9) || node.wants(3))
    return node.refuse("it has a cache that is indexed, or gives its scores");
  if (node.has(6) != node.has(7) || (node.has(6) && (node.rank(6) != 4 || node.rank(7) != 4)))
    return node.refuse("it has a past key or a past value alone, or not of rank 4");
  if (node.has(3) && node.rank(3) != 1)
    return node.refuse("its bias is not of rank 1");
  Heads heads;
  if (failed(setParts(node, heads, count)))
    return failure();
  if (node.has(6)) {
    heads.key = node.concatenated({node.in(6), heads.key}, 2);
    heads.value = node.concatenated({node.in(7), heads.value}, 2);
  }
  if (node.isRefused() || failed(setMask(node, heads, 4, 5)))
    return failure();
  return setAttention(node, heads, true);
}

/// Attention of com.microsoft: of one input, whose query, key and value are one product with the weights.
static LogicalResult buildProjectedAttention(Node &node) {
  const int64_t count = node.integer("num_heads");
  if (count < 1 || node.rank(0) != 3 || node.rank(1) != 2 || !isa<FloatType>(node.element(0)))
    return node.refuse("num_heads is not positive, or it is not of floats [b, s, c] and weights [c, n]");
  if (node.has(2) && node.rank(2) != 1)
    return node.refuse("its bias is not of rank 1");
  if (node.integer("do_rotary") || node.has(6))
    return node.refuse("it rotates positions, or has a cache that is indexed");
  Sizes sizes = node.sizesOf(node.in(0));
  Value rows = node.reshaped(node.in(0), {node.times(sizes[0], sizes[1]), sizes[2]});
  Value product = node.make<MatmulOp>(rows, node.in(1), false, false);
  if (node.isRefused())
    return failure();
  const OpFoldResult width = node.sizeOf(product, 1);
  Value all = node.reshaped(product, {sizes[0], sizes[1], width});
  if (node.has(2))
    all = node.add(all, node.in(2));
  const Ints given = node.integers("qkv_hidden_sizes");
  const int64_t columnCount = typeOf(product).getDimSize(1);
  const bool areSizes = given.size() == 3 && llvm::all_of(given, [](int64_t n) { return n > 0 && n < (1 << 30); });
  if (!given.empty() &&
      (!areSizes || (!ShapedType::isDynamic(columnCount) && given[0] + given[1] + given[2] != columnCount)))
    return node.refuse("qkv_hidden_sizes are not the three parts of its weights");
  OpFoldResult first = node.index(0), third = node.dividedBy(width, node.index(3));
  Heads heads;
  Value *parts[] = {&heads.query, &heads.key, &heads.value};
  for (unsigned i = 0; i < 3; ++i) {
    const OpFoldResult size = given.empty() ? third : node.index(given[i]);
    *parts[i] = withHeads(node, partOf(node, all, 2, first, size), count);
    first = node.plus(first, size);
  }
  if (node.has(4)) {
    if (node.rank(4) != 5)
      return node.refuse("its past is not of the shape [2, b, num_heads, t, d]");
    heads.key = node.concatenated({node.at(node.in(4), 0, node.index(0)), heads.key}, 2);
    heads.value = node.concatenated({node.at(node.in(4), 0, node.index(1)), heads.value}, 2);
  }
  if (node.isRefused() || failed(setMask(node, heads, 3, 5)))
    return failure();
  Value result = attended(node, heads);
  if (node.isRefused())
    return failure();
  node.set(0, withoutHeads(node, result));
  if (node.wants(1))
    node.set(1, node.concatenated({node.unsqueezed(heads.key, {0}), node.unsqueezed(heads.value, {0})}, 0));
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// GroupQueryAttention
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// The cache of a GroupQueryAttention.
struct Cache {
  Value firsts;        ///< [b] of i64: the position of the first new key of each sequence
  Value position;      ///< the scalar of `firsts`, in a batch of 1; null in others
  OpFoldResult length; ///< of the results
};
} // namespace

/// In a prompt (as many new keys as there are in all) the first new key is at 0; else the last one is at seqlens_k.
static Cache cacheOf(Node &node, OpFoldResult batch, OpFoldResult newKeys, OpFoldResult total) {
  Cache cache;
  Value isPrompt = arith::CmpIOp::create(node.b, node.loc, arith::CmpIPredicate::eq, node.indexValue(newKeys),
                                         node.indexValue(total));
  Value before = node.indexValue(node.minus(node.index(1), newKeys)), lasts = node.in(5);
  const int64_t rank = node.rank(5);
  cache.firsts = node.generated({batch}, node.b.getI64Type(), [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
    llvm::SmallVector<Value> position(at);
    if (rank == 2) // [b, 1]
      position.push_back(arith::ConstantIndexOp::create(b, loc, 0));
    Value last = indexAt(b, loc, lasts, position);
    Value first = arith::AddIOp::create(b, loc, last, before);
    first = arith::SelectOp::create(b, loc, isPrompt, arith::ConstantIndexOp::create(b, loc, 0), first);
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), first);
  });
  if (isConstantIntValue(batch, 1))
    cache.position = node.reshaped(cache.firsts, {});
  cache.length = node.has(3) ? node.largest(total, node.sizeOf(node.in(3), 2)) : total;
  return cache;
}

/// Whether input `i`, if it is given, has the type of `added` apart from the number of keys.
static bool fitsCache(Node &node, unsigned i, Value added) {
  if (!node.has(i))
    return true;
  const RankedTensorType past = node.operand(i).type(), type = typeOf(added);
  if (past.getRank() != 4 || past.getElementType() != type.getElementType())
    return false;
  return llvm::all_of(llvm::ArrayRef<int64_t>{0, 1, 3}, [&](int64_t dim) {
    return past.isDynamicDim(dim) || type.isDynamicDim(dim) || past.getDimSize(dim) == type.getDimSize(dim);
  });
}

/// Input `i`, the keys or values so far, with `added` at their positions.
static Value updated(Node &node, unsigned i, Value added, const Cache &cache) {
  Sizes sizes = node.sizesOf(added);
  Value newKeys = node.indexValue(sizes[2]);
  sizes[2] = cache.length;
  const Type element = typeOf(added).getElementType();
  const OpFoldResult zero = node.index(0);
  const Sizes ones(4, node.index(1));
  Value all = node.filled(sizes, node.scalar(element, 0));
  if (node.has(i))
    all = tensor::InsertSliceOp::create(node.b, node.loc, node.in(i), all, Sizes(4, zero), node.sizesOf(node.in(i)),
                                        ones);
  if (cache.position) {
    Value at = indexAt(node.b, node.loc, cache.position, {});
    return tensor::InsertSliceOp::create(node.b, node.loc, added, all, Sizes{zero, zero, at, zero}, node.sizesOf(added),
                                         ones);
  }
  return node.generated(sizes, element, [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
    Value first = indexAt(b, loc, cache.firsts, at[0]);
    Value position = arith::SubIOp::create(b, loc, at[2], first);
    Value isNew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, position, newKeys);
    position = arith::SelectOp::create(b, loc, isNew, position, arith::ConstantIndexOp::create(b, loc, 0));
    Value found = tensor::ExtractOp::create(b, loc, added, ValueRange{at[0], at[1], position, at[3]});
    return arith::SelectOp::create(b, loc, isNew, found, tensor::ExtractOp::create(b, loc, all, at));
  });
}

/// Which keys a query attends to: those up to its own position, and of these the last `window`, where that is positive.
static Value windowMask(Node &node, OpFoldResult batch, OpFoldResult queries, const Cache &cache, int64_t window) {
  return node.generated({batch, node.index(1), queries, cache.length}, node.b.getI1Type(),
                        [&](OpBuilder &b, Location loc, ValueRange at) -> Value {
                          Value first = indexAt(b, loc, cache.firsts, at[0]);
                          Value last = arith::AddIOp::create(b, loc, first, at[2]);
                          Value isTaken = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, at[3], last);
                          if (window <= 0)
                            return isTaken;
                          Value size = arith::ConstantIndexOp::create(b, loc, window);
                          Value begin = arith::SubIOp::create(b, loc, last, size);
                          Value isNear = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, at[3], begin);
                          return arith::AndIOp::create(b, loc, isTaken, isNear);
                        });
}

static LogicalResult buildGroupQueryAttention(Node &node) {
  const int64_t queryHeads = node.integer("num_heads"), keyHeads = node.integer("kv_num_heads");
  if (queryHeads < 1 || keyHeads < 1 || queryHeads % keyHeads)
    return node.refuse("num_heads is no multiple of kv_num_heads");
  if (node.rank(0) != 3 || !isa<FloatType>(node.element(0)) || node.has(1) != node.has(2))
    return node.refuse("its query is not of floats and rank 3, or it has a key or a value alone");
  if (node.has(3) != node.has(4))
    return node.refuse("it has a past key or a past value alone");
  if (!node.has(5) || !node.has(6) || node.rank(5) < 1 || node.rank(5) > 2 || !isa<IntegerType>(node.element(5)))
    return node.refuse("seqlens_k or total_sequence_length is not given as integers");
  if (node.integer("smooth_softmax") > 0 || node.has(11) || node.wants(3))
    return node.refuse("it smooths its softmax, has sinks, or gives its scores");
  const std::optional<Sizes> total = node.elementsOf(6);
  if (!total || total->size() != 1)
    return node.refuse("total_sequence_length is not one number");
  Heads heads;
  if (node.has(1)) {
    heads.query = withHeads(node, node.in(0), queryHeads);
    heads.key = withHeads(node, node.in(1), keyHeads);
    heads.value = withHeads(node, node.in(2), keyHeads);
  } else {
    Value all = withHeads(node, node.in(0), queryHeads + 2 * keyHeads);
    const OpFoldResult count = node.index(keyHeads);
    heads.query = partOf(node, all, 1, node.index(0), node.index(queryHeads));
    heads.key = partOf(node, all, 1, node.index(queryHeads), count);
    heads.value = partOf(node, all, 1, node.index(queryHeads + keyHeads), count);
  }
  if (node.isRefused())
    return failure();
  if (!fitsCache(node, 3, heads.key) || !fitsCache(node, 4, heads.value))
    return node.refuse("its past keys or values are not of the shape [b, kv_num_heads, t, d]");
  const OpFoldResult batch = node.sizeOf(heads.query, 0), queries = node.sizeOf(heads.query, 2);
  const Cache cache = cacheOf(node, batch, queries, total->front());

  if (node.integer("do_rotary")) {
    const int64_t size = typeOf(heads.query).getDimSize(3);
    const int64_t half = node.has(7) && node.rank(7) == 2 ? node.operand(7).type().getDimSize(1) : 0;
    if (!node.has(8) || ShapedType::isDynamic(size) || ShapedType::isDynamic(half) || half < 1 || 2 * half > size)
      return node.refuse("its tables of cosines and sines are not given, or do not fit its heads");
    const Rotation rotation{.cosines = node.in(7),
                            .sines = node.in(8),
                            .positions = node.has(9) ? node.in(9) : positionsFrom(node, cache.firsts, batch, queries),
                            .size = 2 * half,
                            .isInterleaved = node.integer("rotary_interleaved") != 0};
    heads.query = rotated(node, heads.query, rotation);
    heads.key = rotated(node, heads.key, rotation);
    if (node.isRefused())
      return failure();
  }
  heads.key = updated(node, 3, heads.key, cache);
  heads.value = updated(node, 4, heads.value, cache);
  heads.softcap = node.real("softcap");
  heads.isCappedFirst = true;
  const int64_t window = node.integer("local_window_size", -1);
  if (cache.position && window <= 0) {
    heads.isCausal = true;
    heads.position = cache.position;
    heads.mask = node.has(10) ? node.in(10) : Value();
  } else {
    heads.mask = windowMask(node, batch, queries, cache, window);
    if (node.has(10)) {
      const Type element = node.element(0);
      heads.mask = node.select(heads.mask, node.in(10), node.constant(element, -INFINITY));
    }
  }
  if (node.isRefused() || failed(setScale(node, heads)))
    return failure();
  return setAttention(node, heads, true);
}

//===------------------------------------------------------------------------------------------------------------===//
// RotaryEmbedding
//===------------------------------------------------------------------------------------------------------------===//

/// Its positions are [b, s], or one number, from which the positions of each sequence count.
static LogicalResult buildRotation(Node &node) {
  if ((node.rank(0) != 3 && node.rank(0) != 4) || node.rank(2) != 2 || node.rank(3) != 2)
    return node.refuse("its input is not of rank 3 or 4, or its tables are not of rank 2");
  if (node.integer("is_packed_batching"))
    return node.refuse("its sequences are packed");
  const int64_t half = node.operand(2).type().getDimSize(1), given = node.integer("rotary_embedding_dim");
  int64_t heads = node.rank(0) == 4 ? node.operand(0).type().getDimSize(1) : node.integer("num_heads");
  const int64_t width = node.operand(0).type().getDimSize(2);
  if (heads == 0 && !ShapedType::isDynamic(width) && !ShapedType::isDynamic(half) && half > 0 && !given)
    heads = width / (2 * half); // of which all elements are rotated
  if (heads < 1)
    return node.refuse("num_heads is not given");
  Value input = withHeads(node, node.in(0), heads);
  const int64_t size = typeOf(input).getDimSize(3), turned = given ? given : size;
  if (ShapedType::isDynamic(size) || turned % 2 || turned < 0 || turned > size || half != turned / 2)
    return node.refuse("the size of its heads is not static, or its tables do not fit what is rotated of them");
  Value positions = node.in(1);
  if (node.rank(1) != 2)
    positions = positionsFrom(node, node.reshaped(positions, {}), node.sizeOf(input, 0), node.sizeOf(input, 2));
  Value result = rotated(node, input,
                         {.cosines = node.in(2),
                          .sines = node.in(3),
                          .positions = positions,
                          .size = turned,
                          .isInterleaved = node.integer("interleaved") != 0});
  if (node.isRefused())
    return failure();
  node.set(0, node.rank(0) == 3 ? withoutHeads(node, result) : result);
  return success();
}

void importer::addFusedAttention(OpTable &table) {
  table.add("com.microsoft:Attention", buildProjectedAttention, 2, 6);
  table.add("com.microsoft:GroupQueryAttention", buildGroupQueryAttention, 1, 12);
  table.add("com.microsoft:MultiHeadAttention", buildMultiHeadAttention, 1, 10);
  table.add("com.microsoft:RotaryEmbedding", buildRotation, 4, 4);
}
