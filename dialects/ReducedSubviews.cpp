//===- ReducedSubviews.cpp - views that leave out dimensions ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ReducedSubviews.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/ReducedSubviews.h"

#include "dialects/DroppedDims.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

/// Whether upstream may find other dropped dimensions than those of `op`, or none, when an operand has become a
/// constant: it takes those of size 1 whose stride is one of the source, and not of the result.
static bool mayDropOthers(memref::SubViewOp op, const llvm::SmallBitVector &dropped) {
  auto mayBeOne = [&](int64_t dim) {
    return !dropped[dim] && (op.getStaticSizes()[dim] == 1 || op.isDynamicSize(dim));
  };
  const int64_t rank = op.getSourceType().getRank();
  const bool keepsOne = llvm::any_of(llvm::seq<int64_t>(0, rank), mayBeOne);
  if (keepsOne && llvm::any_of(op.getStaticStrides(), [](int64_t stride) { return stride != 1; }))
    return true;
  const auto [strides, offset] = op.getSourceType().getStridesAndOffset();
  for (int64_t kept = 0; kept < rank; ++kept)
    for (int64_t dim = kept + 2; mayBeOne(kept) && dim < rank; ++dim)
      if (dropped[dim] && strides[dim] == strides[kept] &&
          llvm::any_of(llvm::seq<int64_t>(kept + 1, dim),
                       [&](int64_t between) { return !dropped[between] && op.getStaticSizes()[between] != 1; }))
        return true;
  return false;
}

/// The same for buffers: `memref.subview %x[0, 0, %i] [1, 1, %n] [1, 1, 2] : memref<2x3x4xf32> to memref<1x?xf32, ..>`
/// is a view of three dimensions, which is collapsed.
static void reshapeReducedSubview(memref::SubViewOp op) {
  if (op.getType().getRank() == op.getSourceType().getRank())
    return;
  const llvm::SmallBitVector dropped = mica::droppedDims(op);
  if (!mayDropOthers(op, dropped))
    return;
  OpBuilder builder(op);
  Value whole = memref::SubViewOp::create(builder, op.getLoc(), op.getSource(), op.getMixedOffsets(),
                                          op.getMixedSizes(), op.getMixedStrides());
  SmallVector<ReassociationIndices> groups =
      op.getType().getRank() == 0 ? SmallVector<ReassociationIndices>() : mica::groupsOfKept(dropped);
  Value view = memref::CollapseShapeOp::create(builder, op.getLoc(), whole, groups);
  if (view.getType() != op.getType() && memref::CastOp::areCastCompatible(view.getType(), op.getType())) {
    view = memref::CastOp::create(builder, op.getLoc(), op.getType(), view);
  } else if (view.getType() != op.getType()) {
    // The type has the stride of another dimension of size 1. Strides of this source are those of the result.
    view.getDefiningOp()->erase();
    const int64_t rank = dropped.size();
    view = memref::SubViewOp::create(builder, op.getLoc(), op.getType(), whole,
                                     SmallVector<OpFoldResult>(rank, builder.getIndexAttr(0)), op.getMixedSizes(),
                                     SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1)));
  }
  op.replaceAllUsesWith(view);
  op.erase();
}

void mica::reshapeReducedSubviews(Operation *root) { root->walk(reshapeReducedSubview); }
