//===- ExpandHaloUpdates.cpp - halo updates by shifts ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A rank's part of a tensor has rows around it that are copies of its neighbours' rows. To update them, each rank
// shifts its first own rows to the rank before it, and its last own rows to the rank after it. Ranks at the border of
// the grid keep what they have. Dimensions are updated one after the other, each with the halos of those before it, so
// corners come from the diagonal neighbours in two steps, as upstream's lowering to MPI does it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "passes/Shard/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// A part of a tensor.
struct Box {
  SmallVector<int64_t> offsets, sizes;
};

struct ExpandHaloUpdate : OpRewritePattern<shard::UpdateHaloOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(shard::UpdateHaloOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, op.getGridAttr());
    const ArrayRef<int64_t> halos = op.getStaticHaloSizes();
    if (!type || !type.hasStaticShape() || !grid || llvm::any_of(halos, ShapedType::isDynamic))
      return rewriter.notifyMatchFailure(op, "sizes are computed at run time");
    SmallVector<std::pair<int64_t, int64_t>> split; // dimensions, and the axes of the grid that split them
    for (auto [dim, axes] : llvm::enumerate(op.getSplitAxes().getAxes())) {
      if (axes.size() > 1)
        return rewriter.notifyMatchFailure(op, "a dimension is split along several axes");
      if (!axes.empty())
        split.push_back({dim, axes.asArrayRef()[0]});
    }
    if (halos.size() != 2 * split.size())
      return rewriter.notifyMatchFailure(op, "two sizes are needed for each dimension that is split");

    Box own{SmallVector<int64_t>(type.getRank(), 0), SmallVector<int64_t>(type.getShape())};
    for (auto [i, at] : llvm::enumerate(split)) {
      own.offsets[at.first] = halos[2 * i];
      own.sizes[at.first] -= halos[2 * i] + halos[2 * i + 1];
      if (own.sizes[at.first] < std::max(halos[2 * i], halos[2 * i + 1]))
        return rewriter.notifyMatchFailure(op, "a rank has fewer rows than a halo");
    }
    Value tensor = op.getDestination();
    for (auto [i, at] : llvm::enumerate(split)) {
      const auto [dim, axis] = at;
      const int64_t lower = halos[2 * i], upper = halos[2 * i + 1];
      const int64_t first = own.offsets[dim], end = first + own.sizes[dim];
      // The rank before has the rows of the lower halo at its end, the rank after those of the upper at its start.
      tensor = exchange(rewriter, op, grid, tensor, own, dim, axis, {end - lower, 0, lower}, -1);
      tensor = exchange(rewriter, op, grid, tensor, own, dim, axis, {first, end, upper}, 1);
      own.offsets[dim] = 0;
      own.sizes[dim] = type.getDimSize(dim);
    }
    rewriter.replaceOp(op, tensor);
    return success();
  }

private:
  struct Rows {
    int64_t from, to, count;
  };

  /// Replaces `count` rows at `to` by those at `from` of the rank at distance `offset`, if there is one.
  Value exchange(PatternRewriter &rewriter, shard::UpdateHaloOp op, shard::GridOp grid, Value tensor, Box box,
                 int64_t dim, int64_t axis, Rows rows, int64_t offset) const {
    if (rows.count == 0)
      return tensor;
    const Location loc = op.getLoc();
    auto attributes = [&](ArrayRef<int64_t> values) { return getAsIndexOpFoldResult(rewriter.getContext(), values); };
    const SmallVector<OpFoldResult> strides(box.sizes.size(), rewriter.getIndexAttr(1));
    auto slice = [&](int64_t at) {
      box.offsets[dim] = at;
      return tensor::ExtractSliceOp::create(rewriter, loc, tensor, attributes(box.offsets), attributes(box.sizes),
                                            strides);
    };
    box.sizes[dim] = rows.count;
    Value sent = slice(rows.from), kept = slice(rows.to);
    const int16_t axes[] = {int16_t(axis)};
    Value moved = shard::ShiftOp::create(rewriter, loc, sent.getType(), op.getGridAttr(),
                                         DenseI16ArrayAttr::get(rewriter.getContext(), axes), sent,
                                         rewriter.getIndexAttr(axis), rewriter.getI64IntegerAttr(offset),
                                         /*rotate=*/UnitAttr());
    Value place =
        shard::ProcessMultiIndexOp::create(rewriter, loc, TypeRange(rewriter.getIndexType()), op.getGridAttr(),
                                           DenseI16ArrayAttr::get(rewriter.getContext(), axes))
            .getResult()[0];
    Value last = arith::ConstantIndexOp::create(rewriter, loc, offset < 0 ? 0 : grid.getShape()[axis] - 1);
    Value has = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, place, last);
    Value taken = arith::SelectOp::create(rewriter, loc, has, moved, kept);
    return tensor::InsertSliceOp::create(rewriter, loc, taken, tensor, attributes(box.offsets), attributes(box.sizes),
                                         strides);
  }
};

} // namespace

void mica::populateExpandHaloUpdatesPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandHaloUpdate>(patterns.getContext());
}
