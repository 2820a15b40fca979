//===- LoopPositions.cpp - positions in the loops of a contraction ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/LoopPositions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mica::device;

/// Smaller positions are divided as 32-bit integers, for which devices have instructions.
static constexpr int64_t kNarrow = int64_t(1) << 30;

static unsigned numberOf(Axis axis) { return static_cast<unsigned>(axis); }

LoopPositions::LoopPositions(RewriterBase &rewriter, Location loc, const Contraction &product,
                             ArrayRef<OpFoldResult> sizes)
    : rewriter(&rewriter), loc(loc), product(&product), sizes(sizes), positions(product.sizes.size() + 3) {
  for (Axis axis : {Axis::M, Axis::N, Axis::K}) {
    OpFoldResult total = sizes[product.loops(axis).front()];
    for (unsigned loop : product.loops(axis).drop_front())
      total = affine::makeComposedFoldedAffineApply(
          rewriter, loc, rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1), {total, sizes[loop]});
    axisSizes[numberOf(axis)] = total;
  }
}

void LoopPositions::set(Axis axis, Value position) {
  ArrayRef<unsigned> loops = product->loops(axis);
  positions[product->sizes.size() + numberOf(axis)] = position;
  if (loops.size() == 1) {
    positions[loops.front()] = position;
    return;
  }
  const int64_t total = product->size(axis);
  const bool isNarrow = !ShapedType::isDynamic(total) && total < kNarrow;
  auto index = [&](Value value) -> Value {
    return isNarrow ? rewriter->createOrFold<arith::IndexCastUIOp>(loc, rewriter->getIndexType(), value) : value;
  };
  Value rest = position;
  if (isNarrow)
    rest = rewriter->createOrFold<arith::IndexCastUIOp>(loc, rewriter->getI32Type(), position);
  for (unsigned loop : llvm::reverse(loops.drop_front())) {
    Value size = isNarrow ? arith::ConstantIntOp::create(*rewriter, loc, product->sizes[loop], 32).getResult()
                          : getValueOrCreateConstantIndexOp(*rewriter, loc, sizes[loop]);
    positions[loop] = index(rewriter->createOrFold<arith::RemUIOp>(loc, rest, size));
    rest = rewriter->createOrFold<arith::DivUIOp>(loc, rest, size);
  }
  positions[loops.front()] = index(rest);
}

void LoopPositions::advance(Axis axis, int64_t distance) {
  if (distance == 0)
    return;
  Value by = arith::ConstantIndexOp::create(*rewriter, loc, distance);
  const unsigned whole = product->sizes.size() + numberOf(axis);
  positions[whole] = rewriter->createOrFold<arith::AddIOp>(loc, positions[whole], by);
  Value &innermost = positions[product->loops(axis).back()];
  innermost =
      product->loops(axis).size() == 1 ? positions[whole] : rewriter->createOrFold<arith::AddIOp>(loc, innermost, by);
}

void LoopPositions::setFrom(Axis axis, const LoopPositions &other) {
  const unsigned whole = product->sizes.size() + numberOf(axis);
  positions[whole] = other.positions[whole];
  for (unsigned loop : product->loops(axis))
    positions[loop] = other.positions[loop];
}

Value LoopPositions::isInside(Axis axis, int64_t tile, Value position, int64_t count) const {
  if (int64_t size = product->size(axis); !ShapedType::isDynamic(size) && size % tile == 0)
    return {};
  Value bound = getValueOrCreateConstantIndexOp(*rewriter, loc, size(axis));
  Value last = position;
  if (count > 1)
    last =
        rewriter->createOrFold<arith::AddIOp>(loc, position, arith::ConstantIndexOp::create(*rewriter, loc, count - 1));
  return arith::CmpIOp::create(*rewriter, loc, arith::CmpIPredicate::ult, last, bound);
}

SmallVector<Value> LoopPositions::indices(AffineMap map) const {
  SmallVector<Value> all(positions);
  Value zero;
  for (Value &position : all)
    if (!position)
      position = zero = zero ? zero : arith::ConstantIndexOp::create(*rewriter, loc, 0).getResult();
  return *affine::expandAffineMap(*rewriter, loc, map, all);
}
