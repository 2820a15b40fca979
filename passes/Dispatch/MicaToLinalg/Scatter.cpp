//===- Scatter.cpp - lowering scatter ops to loops ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %0 = mica.scatter add %x, %i, %u axis = 1 : (tensor<4x50x8xf32>, tensor<3xi64>, tensor<4x3x8xf32>) -> ...
// After: all dimensions before the axis are collapsed, and all after it, and
//   scf.forall (%l, %t) ... shared_outs(%o = %x) {   // rows l, blocks of positions t
//     for w in 0 .. 3: block[i[w], t..] += u[l, w, t..], of no element where the index is out of range
//   } {mica.in_place}
// Updates are applied in order within a row, so that the last of equal indices wins. The loop updates its operand in
// place; mica-dispatch-insert-inplace-copies ensures that the memory has no other users.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Loops.h"
#include "passes/Dispatch/OpClasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

/// Positions of a row that form a work partition.
static constexpr int64_t kBlockSize = 1024;

namespace {

/// The updates: all tensors as [rows, positions, rest].
struct Writes {
  Value input, updates;
  ScatterKind kind;
  StringRef name;
  /// The index along the axis to which update `place` of row `row` is written.
  llvm::function_ref<Value(LoopBody, Value row, Value place)> target;
};

Value write(Lowering &lowering, const Writes &writes) {
  auto row = [&](LoopBody body, Value l, Value t, Value number, ValueRange blocks) -> SmallVector<Value> {
    Value zero = body.index(0), one = body.index(1);
    Value size = body.index(tensor::getMixedSize(body.b, body.loc, blocks[0], 0));
    Value places = body.index(tensor::getMixedSize(body.b, body.loc, writes.updates, 1));
    return body.loop(zero, places, one, blocks, [&](LoopBody body, Value place, ValueRange carried) {
      Value target = writes.target(body, l, place);
      Value inside = arith::CmpIOp::create(body.b, body.loc, arith::CmpIPredicate::ult, target, size);
      OpFoldResult at = arith::SelectOp::create(body.b, body.loc, inside, target, zero).getResult();
      OpFoldResult count = arith::SelectOp::create(body.b, body.loc, inside, number, zero).getResult();
      OpFoldResult unit = body.b.getIndexAttr(1), first = body.b.getIndexAttr(0);
      SmallVector<OpFoldResult> ones(3, unit), offsets = {l, place, t}, sizes = {unit, unit, count};
      auto type = RankedTensorType::get(ShapedType::kDynamic, getElementTypeOrSelf(carried[0].getType()));
      Value part = tensor::ExtractSliceOp::create(body.b, body.loc, type, writes.updates, offsets, sizes, ones);
      ones.pop_back();
      offsets = {at, first};
      sizes = {unit, count};
      if (writes.kind == ScatterKind::Add) {
        Value old = tensor::ExtractSliceOp::create(body.b, body.loc, type, carried[0], offsets, sizes, ones);
        SmallVector<AffineMap> maps(2, body.b.getMultiDimIdentityMap(1));
        part = Lowering(body.b, body.loc)
                   .generic(part, old, maps, utils::IteratorType::parallel,
                            [](OpBuilder &b, Location loc, ValueRange args) { return sum(b, loc, args[1], args[0]); });
      }
      Value changed = tensor::InsertSliceOp::create(body.b, body.loc, part, carried[0], offsets, sizes, ones);
      return SmallVector<Value>{changed};
    });
  };
  Value written = forEachRow(lowering, writes.input, kBlockSize, writes.name, row)[0];
  written.getDefiningOp()->setAttr(kInPlaceAttr, lowering.builder.getUnitAttr());
  return written;
}

struct LowerScatter : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    if (llvm::is_contained(op.getType().getShape(), 0)) {
      rewriter.replaceOp(op, op.getInput());
      return success();
    }
    int64_t axis = op.getAxis(), batch = op.getBatchDims(), rank = op.getType().getRank();
    int64_t indexRank = op.getIndices().getType().getRank(), placesEnd = axis + indexRank - batch;
    Value input = regroup(lowering, op.getInput(), {{0, axis}, {axis, axis + 1}, {axis + 1, rank}});
    Value indices = regroup(lowering, op.getIndices(), {{0, batch}, {batch, indexRank}});
    Value updates = regroup(lowering, op.getUpdates(),
                            {{0, axis}, {axis, placesEnd}, {placesEnd, op.getUpdates().getType().getRank()}});
    // Rows that share one batch's indices.
    Value perBatch = getValueOrCreateConstantIndexOp(
        rewriter, op.getLoc(), lowering.product(op.getInput(), llvm::to_vector(llvm::seq(batch, axis))));
    auto target = [&](LoopBody body, Value row, Value place) -> Value {
      Value b = arith::DivUIOp::create(body.b, body.loc, row, perBatch);
      return arith::IndexCastOp::create(body.b, body.loc, body.b.getIndexType(), body.read(indices, {b, place}));
    };
    Value written = write(lowering, {input, updates, op.getKind(), "scatter", target});
    replace(
        rewriter, op,
        ungroup(lowering, written, axis, op.getType(), tensor::getMixedSizes(rewriter, op.getLoc(), op.getInput())));
    return success();
  }
};

struct LowerCacheUpdate : OpRewritePattern<CacheUpdateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CacheUpdateOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    if (llvm::is_contained(op.getType().getShape(), 0)) {
      rewriter.replaceOp(op, op.getCache());
      return success();
    }
    int64_t axis = op.getAxis(), rank = op.getType().getRank();
    SmallVector<std::pair<int64_t, int64_t>> ranges = {{0, axis}, {axis, axis + 1}, {axis + 1, rank}};
    Value cache = regroup(lowering, op.getCache(), ranges), update = regroup(lowering, op.getUpdate(), ranges);
    auto target = [&](LoopBody body, Value, Value place) -> Value {
      Value first = arith::IndexCastOp::create(body.b, body.loc, body.b.getIndexType(),
                                               body.read(op.getPosition(), ValueRange()));
      return arith::AddIOp::create(body.b, body.loc, first, place);
    };
    Value written = write(lowering, {cache, update, ScatterKind::Update, "cache_update", target});
    replace(
        rewriter, op,
        ungroup(lowering, written, axis, op.getType(), tensor::getMixedSizes(rewriter, op.getLoc(), op.getCache())));
    return success();
  }
};

} // namespace

void tolinalg::populateScatterPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerScatter, LowerCacheUpdate>(patterns.getContext());
}
