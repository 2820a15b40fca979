//===- BlockBuilder.cpp - index arithmetic, loops and vectors of register blocks ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BlockBuilder.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/BlockBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mica::cpu;

//===------------------------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------------------------===//

BlockBuilder::Values BlockBuilder::forLoop(OpFoldResult lower, OpFoldResult upper, int64_t step, ValueRange carried,
                                           llvm::function_ref<Values(OpFoldResult, ValueRange)> body) {
  auto low = getConstantIntValue(lower), high = getConstantIntValue(upper);
  if (low && high) {
    if (*low >= *high)
      return Values(carried);
    if (*low + step >= *high)
      return body(lower, carried);
  }
  auto loop = scf::ForOp::create(b, loc, value(lower), value(upper), value(constant(step)), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values results = body(OpFoldResult(loop.getInductionVar()), loop.getRegionIterArgs());
  // ForOp::create adds a terminator only to loops without loop-carried values.
  if (!carried.empty()) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, results);
  }
  return Values(loop.getResults());
}

/// Nested loops over `dims`, one element at a time; `point` is set in the body.
BlockBuilder::Values BlockBuilder::unitLoops(ArrayRef<unsigned> dims, Point &point, ValueRange carried,
                                             llvm::function_ref<Values(ValueRange)> body) {
  if (dims.empty())
    return body(carried);
  return forLoop(constant(0), sizes[dims.front()], 1, carried, [&](OpFoldResult iv, ValueRange inner) {
    point[dims.front()] = iv;
    return unitLoops(dims.drop_front(), point, inner, body);
  });
}

BlockBuilder::Values
BlockBuilder::strips(unsigned dim, OpFoldResult from, int64_t step, Point &point, ValueRange carried,
                     llvm::function_ref<Values(std::optional<OpFoldResult> rest, ValueRange)> body) {
  OpFoldResult size = sizes[dim], full = apply(b.getAffineDimExpr(0).floorDiv(step) * step, {size});
  Values result = forLoop(from, full, step, carried, [&](OpFoldResult iv, ValueRange inner) {
    point[dim] = iv;
    return body(std::nullopt, inner);
  });
  return forLoop(full, size, step, result, [&](OpFoldResult iv, ValueRange inner) {
    point[dim] = iv;
    return body(apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {size, iv}), inner);
  });
}

/// Covers loop `dim` by blocks of `block` elements, and smaller ones for the remainder; the body gets the block's size.
void BlockBuilder::countedBlocks(unsigned dim, int64_t block, Point &point, llvm::function_ref<void(int64_t)> body) {
  OpFoldResult lower = constant(0);
  std::optional<int64_t> total = getConstantIntValue(sizes[dim]);
  for (int64_t size = block; size >= 1;) {
    OpFoldResult upper;
    if (total) {
      int64_t low = *getConstantIntValue(lower), rest = *total - low;
      if (rest <= 0)
        break;
      size = std::min(size, rest);
      upper = constant(low + rest / size * size);
    } else {
      AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
      upper = apply(d0 + (d1 - d0).floorDiv(size) * size, {lower, sizes[dim]});
    }
    forLoop(lower, upper, size, {}, [&](OpFoldResult iv, ValueRange) {
      point[dim] = iv;
      body(size);
      return Values();
    });
    lower = upper;
    if (!total)
      size /= 2;
  }
}

/// Covers the lane loop by panels of `plan.columns`; the last one may be partial.
void BlockBuilder::laneBlocks(Point &point, llvm::function_ref<void(Lanes)> body) {
  unsigned dim = plan.laneDim;
  int64_t columns = plan.columns, vectors = columns / plan.lanes;
  std::optional<int64_t> total = getConstantIntValue(sizes[dim]);
  OpFoldResult full = apply(b.getAffineDimExpr(0).floorDiv(columns) * columns, {sizes[dim]});
  forLoop(constant(0), full, columns, {}, [&](OpFoldResult iv, ValueRange) {
    point[dim] = iv;
    body(Lanes{vectors, std::nullopt});
    return Values();
  });
  if (total && *total % columns == 0)
    return;
  forLoop(full, sizes[dim], columns, {}, [&](OpFoldResult iv, ValueRange) {
    point[dim] = iv;
    if (total) {
      int64_t rest = *total % columns;
      Lanes lanes{(rest + plan.lanes - 1) / plan.lanes, std::nullopt};
      if (rest % plan.lanes)
        lanes.count = constant(rest);
      body(lanes);
    } else {
      body(Lanes{vectors, apply(b.getAffineDimExpr(0) - b.getAffineDimExpr(1), {sizes[dim], iv})});
    }
    return Values();
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Vectors
//===------------------------------------------------------------------------------------------------------------===//

/// The number of valid elements of a block's vector `vector`, of `width` elements; none if all are valid.
std::optional<OpFoldResult> BlockBuilder::countFor(const Lanes &lanes, int64_t vector, int64_t width) {
  if (!lanes.count)
    return std::nullopt;
  std::optional<int64_t> count = getConstantIntValue(*lanes.count);
  if (count && *count >= (vector + 1) * width)
    return std::nullopt;
  return add(*lanes.count, -vector * width);
}

Value BlockBuilder::maskFor(const Lanes &lanes, int64_t vector, int64_t width) {
  std::optional<OpFoldResult> count = countFor(lanes, vector, width);
  if (!count)
    return {};
  return vector::CreateMaskOp::create(b, loc, VectorType::get({width}, b.getI1Type()), value(*count));
}

/// Loads `lanes` contiguous elements from `position` on; elements that `mask` excludes are 0.
Value BlockBuilder::loadVector(Value buffer, ValueRange position, int64_t lanes, Value mask) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  AffineMap minor = AffineMap::getMinorIdentityMap(position.size(), 1, b.getContext());
  return vector::TransferReadOp::create(b, loc, VectorType::get({lanes}, element), buffer, position, minor, zero, mask,
                                        b.getBoolArrayAttr({true}));
}

void BlockBuilder::storeVector(Value v, Value buffer, ValueRange position, Value mask) {
  AffineMap minor = AffineMap::getMinorIdentityMap(position.size(), 1, b.getContext());
  vector::TransferWriteOp::create(b, loc, TypeRange(), v, buffer, position, minor, mask, b.getBoolArrayAttr({true}));
}

/// Stores the valid elements of a block's vector `vector`, of `width` elements.
void BlockBuilder::storeLanes(Value v, Value buffer, Values position, const Lanes &lanes, int64_t vector,
                              int64_t width) {
  std::optional<OpFoldResult> count = countFor(lanes, vector, width);
  std::optional<int64_t> known = count ? getConstantIntValue(*count) : std::nullopt;
  // Without mask registers, a masked store takes tens of cycles on some processors: a few whole stores of powers of 2.
  constexpr int64_t kBitsWithMasks = 512;
  if (!known || width * getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth() >= kBitsWithMasks)
    return storeVector(v, buffer, position, maskFor(lanes, vector, width));
  const OpFoldResult first = position.back();
  for (int64_t done = 0; done < *known;) {
    const auto size = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(*known - done)));
    Value piece = vector::ExtractStridedSliceOp::create(b, loc, v, {done}, {size}, {1});
    position.back() = value(add(first, done));
    storeVector(piece, buffer, position, Value());
    done += size;
  }
}

/// Loads `lanes` elements along the lane loop that are not contiguous, one by one; none beyond position `last` is
/// accessed.
Value BlockBuilder::gather(Value buffer, AffineMap map, const Point &point, int64_t lanes,
                           std::optional<OpFoldResult> last) {
  Values elements;
  for (int64_t i = 0; i < lanes; ++i) {
    Point shifted = point;
    shifted[plan.laneDim] = add(point[plan.laneDim], i);
    if (last)
      shifted[plan.laneDim] = smaller(shifted[plan.laneDim], *last);
    elements.push_back(memref::LoadOp::create(b, loc, buffer, indices(map, shifted)));
  }
  return vector::FromElementsOp::create(b, loc, VectorType::get({lanes}, elements.front().getType()), elements);
}

/// Loads `lanes` elements along the lane loop with stride `stride`: loads whole vectors and shuffles the elements out
/// of them. Nothing after the last element is accessed; with `count`, nothing after that many.
Value BlockBuilder::loadStrided(Value buffer, AffineMap map, const Point &point, int64_t lanes, int64_t stride,
                                std::optional<OpFoldResult> count) {
  Values position = indices(map, point);
  OpFoldResult first = position.back();
  int64_t span = (lanes - 1) * stride + 1, found = 0;
  Value result;
  SmallVector<int64_t> places; // of the elements in `result`
  for (int64_t begin = 0; found < lanes; begin += lanes) {
    // The last vector must end with the last element.
    int64_t offset = std::min(begin, span - lanes);
    position.back() = value(add(first, offset));
    Value mask;
    if (count) {
      AffineExpr reach = (b.getAffineDimExpr(0) - 1) * stride + 1 - offset;
      auto type = VectorType::get({lanes}, b.getI1Type());
      mask = vector::CreateMaskOp::create(b, loc, type, value(apply(reach, {*count})));
    }
    Value part = loadVector(buffer, position, lanes, mask);
    if (!result) {
      result = part;
      for (; found * stride < lanes; ++found)
        places.push_back(found * stride);
      continue;
    }
    for (; found < lanes && found * stride < offset + lanes; ++found)
      places.push_back(lanes + found * stride - offset);
    SmallVector<int64_t> picked(places);
    picked.resize(lanes, 0);
    result = vector::ShuffleOp::create(b, loc, result, part, picked);
    places = llvm::to_vector(llvm::seq<int64_t>(0, found));
  }
  return result;
}

/// Loads vector `vector` of a block, whose elements are not contiguous in `buffer`; `point` is the start of the vector.
Value BlockBuilder::loadScattered(Value buffer, AffineMap map, const Point &point, const Lanes &lanes, int64_t vector,
                                  int64_t width) {
  // With larger strides, loading and shuffling whole vectors is slower than scalar loads.
  constexpr int64_t kLargestStride = 8;
  int64_t stride = 0;
  if (classifyAccess(map, plan.laneDim, &stride) == LaneAccess::Strided && stride > 1 && stride <= kLargestStride &&
      width > 1)
    return loadStrided(buffer, map, point, width, stride, countFor(lanes, vector, width));
  std::optional<OpFoldResult> last;
  if (lanes.count)
    last = add(sizes[plan.laneDim], -1);
  return gather(buffer, map, point, width, last);
}

/// Emits the ops of `op`'s body on the values that `operand` returns: scalars if every operand is one, else vectors of
/// `width`.
BlockBuilder::Values BlockBuilder::emitBody(linalg::LinalgOp op, int64_t width,
                                            llvm::function_ref<Value(OpOperand *)> operand,
                                            llvm::function_ref<Value(unsigned)> index) {
  Block *block = op.getBlock();
  IRMapping mapping;
  auto lookup = [&](Value v) -> Value {
    if (Value known = mapping.lookupOrNull(v))
      return known;
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || argument.getOwner() != block)
      return v; // defined outside of the body
    Value loaded = operand(&op->getOpOperand(argument.getArgNumber()));
    mapping.map(v, loaded);
    return loaded;
  };
  for (Operation &inner : block->without_terminator()) {
    if (auto indexOp = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(indexOp.getResult(), index(indexOp.getDim()));
      continue;
    }
    // Fuse a product with its only use, an addition: one instruction, one rounding.
    auto mul = dyn_cast<arith::MulFOp>(inner);
    if (mul && mul->hasOneUse() && isa<arith::AddFOp>(*mul->user_begin()) &&
        (mul.getType().isF32() || mul.getType().isF64()))
      continue;
    if (auto sum = dyn_cast<arith::AddFOp>(inner)) {
      auto fusable = [&](Value v) -> arith::MulFOp {
        auto factor = v.getDefiningOp<arith::MulFOp>();
        bool fits = factor && factor->getBlock() == block && factor->hasOneUse() &&
                    (sum.getType().isF32() || sum.getType().isF64());
        return fits ? factor : nullptr;
      };
      arith::MulFOp product = fusable(sum.getLhs());
      Value addend = sum.getRhs();
      if (!product) {
        product = fusable(sum.getRhs());
        addend = sum.getLhs();
      } else if (arith::MulFOp other = fusable(sum.getRhs())) {
        // If both operands are products, the second one is computed separately.
        Value x = lookup(other.getLhs()), y = lookup(other.getRhs());
        bool vectors = isa<VectorType>(x.getType()) || isa<VectorType>(y.getType());
        if (vectors)
          x = toVector(x, width), y = toVector(y, width);
        mapping.map(other.getResult(), arith::MulFOp::create(b, other.getLoc(), x, y, other.getFastmath()).getResult());
      }
      if (product) {
        Value x = toVector(lookup(product.getLhs()), width), y = toVector(lookup(product.getRhs()), width);
        Value z = toVector(lookup(addend), width);
        Location fused = b.getFusedLoc({product.getLoc(), sum.getLoc()});
        mapping.map(sum.getResult(), vector::FMAOp::create(b, fused, x, y, z).getResult());
        continue;
      }
    }
    Values operands = llvm::map_to_vector(inner.getOperands(), lookup);
    bool vectors = llvm::any_of(operands, [](Value v) { return isa<VectorType>(v.getType()); });
    Type type = inner.getResult(0).getType();
    if (vectors) {
      type = VectorType::get({width}, type);
      for (Value &v : operands)
        v = toVector(v, width);
    }
    OperationState state(inner.getLoc(), inner.getName().getStringRef(), operands, {type}, inner.getAttrs());
    mapping.map(inner.getResult(0), b.create(state)->getResult(0));
  }
  return llvm::map_to_vector(block->getTerminator()->getOperands(), lookup);
}
