//===- BlockBroadcastFolds.cpp - broadcasts that upstream's canonicalization takes for others ---------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BlockBroadcastFolds.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/BlockBroadcastFolds.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// The element of a vector of shape `source` that element `at` of its broadcast to `shape` is, both counted in
/// row-major order. A dimension of size 1 is repeated, and dimensions in front are.
static int64_t broadcastElement(ArrayRef<int64_t> source, ArrayRef<int64_t> shape, int64_t at) {
  int64_t element = 0, stride = 1;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t size = shape[shape.size() - 1 - i], own = source[source.size() - 1 - i];
    element += own == 1 ? 0 : at % size * stride;
    at /= size;
    stride *= own;
  }
  return element;
}

/// Where a shape_cast gives the elements of a broadcast, maybe through other ones, and upstream's fold would give
/// others: a shuffle of what is broadcast.
static void rewrite(vector::ShapeCastOp cast) {
  Value value = cast.getSource();
  while (auto inner = value.getDefiningOp<vector::ShapeCastOp>())
    value = inner.getSource();
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  const VectorType type = cast.getResultVectorType();
  if (!broadcast || type.isScalable())
    return;
  SmallVector<int64_t> elements = llvm::to_vector(llvm::seq<int64_t>(0, type.getNumElements()));
  // Two broadcasts may become one.
  for (; broadcast; broadcast = broadcast.getSource().getDefiningOp<vector::BroadcastOp>()) {
    auto source = dyn_cast<VectorType>(broadcast.getSourceType());
    if (!source)
      return;
    const ArrayRef<int64_t> shape = source.getShape();
    for (int64_t &element : elements)
      element = broadcastElement(shape, broadcast.getResultVectorType().getShape(), element);
    auto isKept = [&](auto indexed) {
      return indexed.value() == broadcastElement(shape, type.getShape(), static_cast<int64_t>(indexed.index()));
    };
    if (vector::isBroadcastableTo(source, type) != vector::BroadcastableToResult::Success ||
        llvm::all_of(llvm::enumerate(elements), isKept))
      continue;
    OpBuilder builder(cast);
    const Location loc = cast.getLoc();
    const Type element = type.getElementType();
    Value flat = vector::ShapeCastOp::create(builder, loc, VectorType::get({source.getNumElements()}, element),
                                             broadcast.getSource());
    Value shuffled = vector::ShuffleOp::create(builder, loc, flat, flat, elements);
    cast.replaceAllUsesWith(vector::ShapeCastOp::create(builder, loc, type, shuffled).getResult());
    cast.erase();
    return;
  }
}

void mica::blockBroadcastFolds(Operation *root) { root->walk(rewrite); }
