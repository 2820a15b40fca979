//===- Scatter.cpp - writing at computed positions: mica to loops ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %0 = mica.scatter add %x, %i, %u axis = 1 : (tensor<4x50x8xf32>, tensor<3xi64>, tensor<4x3x8xf32>) -> ...
// After: all dimensions before the axis as one, all behind it as one, and
//   scf.forall (%l, %t) ... shared_outs(%o = %empty) {   // rows l, blocks of positions t
//     %block = the block of %x, copied
//     for w in 0 .. 3: for t in the block, none where the index is out of range: block[i[w], t] += u[l, w, t]
//   }
// The places are worked through in order within a row, so that the last of equal indices wins.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

/// Positions of a row that are one share of the work.
static constexpr int64_t kBlockSize = 1024;

namespace {

/// What is written where: all tensors as [rows, positions, rest].
struct Writes {
  Value input, updates;
  ScatterKind kind;
  StringRef name;
  /// The position along the axis, as an index, that place `place` of row `row` is written to.
  llvm::function_ref<Value(LoopBody, Value row, Value place)> target;
};

Value write(Lowering &lowering, const Writes &writes) {
  OpBuilder &builder = lowering.builder;
  auto type = cast<RankedTensorType>(writes.input.getType());
  Value empty = lowering.empty(tensor::getMixedSizes(builder, lowering.loc, writes.input), type.getElementType());
  auto row = [&](LoopBody body, Value l, Value t, Value number, ValueRange blocks) -> SmallVector<Value> {
    Value zero = body.index(0), one = body.index(1), block = blocks[0];
    Value size = body.index(tensor::getMixedSize(body.b, body.loc, block, 0));
    Value places = body.index(tensor::getMixedSize(body.b, body.loc, writes.updates, 1));
    // First a copy of the operand's block, which is never written.
    OpFoldResult unit = body.b.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets = {l, body.b.getIndexAttr(0), t}, strides(3, unit);
    SmallVector<OpFoldResult> sizes = {unit, tensor::getMixedSize(body.b, body.loc, block, 0), number};
    Value old = tensor::ExtractSliceOp::create(body.b, body.loc, cast<RankedTensorType>(block.getType()), writes.input,
                                               offsets, sizes, strides);
    Value copy = bufferization::MaterializeInDestinationOp::create(body.b, body.loc, old, block).getResult();

    return body.loop(zero, places, one, copy, [&](LoopBody body, Value place, ValueRange carried) {
      Value at = writes.target(body, l, place);
      Value inside = arith::CmpIOp::create(body.b, body.loc, arith::CmpIPredicate::ult, at, size);
      Value count = arith::SelectOp::create(body.b, body.loc, inside, number, zero);
      return body.loop(zero, count, one, carried, [&](LoopBody body, Value i, ValueRange inner) {
        Value from = arith::AddIOp::create(body.b, body.loc, t, i);
        Value value = body.read(writes.updates, {l, place, from});
        if (writes.kind == ScatterKind::Add)
          value = sum(body.b, body.loc, body.read(inner[0], {at, i}), value);
        return SmallVector<Value>{body.write(value, inner[0], {at, i})};
      });
    });
  };
  return forEachRow(lowering, empty, kBlockSize, writes.name, row)[0];
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
