//===- ExpandGather.cpp - expanding tensor.gather and tensor.scatter ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ExpandGather.h. The last dimension of the indices holds the coordinates in the gathered dimensions; the others
// (here "batch") are the first dimensions of the result of a gather, and of the source of a scatter. The gathered
// dimensions themselves have size 1 there, or are omitted.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/ExpandGather.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Coordinate `position` of the coordinate vector at `batch`.
static Value coordinate(OpBuilder &b, Location loc, Value indices, ArrayRef<Value> batch, int64_t position) {
  SmallVector<Value> at(batch);
  at.push_back(arith::ConstantIndexOp::create(b, loc, position));
  Value value = tensor::ExtractOp::create(b, loc, indices, at);
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
}

Value mica::expandGather(OpBuilder &b, tensor::GatherOp op) {
  Location loc = op.getLoc();
  Value source = op.getSource(), indices = op.getIndices();
  auto sourceType = cast<RankedTensorType>(source.getType());
  RankedTensorType resultType = op.getResultType();
  ArrayRef<int64_t> gathered = op.getGatherDims();
  const int64_t batchRank = op.getIndicesType().getRank() - 1, rank = resultType.getRank();
  const bool isReduced = rank != batchRank + sourceType.getRank();
  // For each dimension of the result after the batch, the corresponding dimension of the source.
  SmallVector<int64_t> from;
  for (int64_t d = 0; d < sourceType.getRank(); ++d)
    if (!isReduced || !llvm::is_contained(gathered, d))
      from.push_back(d);
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < rank; ++d)
    if (resultType.isDynamicDim(d))
      sizes.push_back(d < batchRank ? tensor::DimOp::create(b, loc, indices, d)
                                    : tensor::DimOp::create(b, loc, source, from[d - batchRank]));
  Value empty = tensor::EmptyOp::create(b, loc, resultType, sizes);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange{resultType}, ValueRange(), ValueRange{empty},
      ArrayRef<AffineMap>{b.getMultiDimIdentityMap(rank)}, loops, [&](OpBuilder &inner, Location, ValueRange) {
        SmallVector<Value> at, place(sourceType.getRank());
        for (int64_t d = 0; d < rank; ++d)
          at.push_back(linalg::IndexOp::create(inner, loc, d));
        for (auto [position, d] : llvm::enumerate(from))
          place[d] = at[batchRank + position];
        for (auto [position, d] : llvm::enumerate(gathered))
          place[d] = coordinate(inner, loc, indices, ArrayRef(at).take_front(batchRank), position);
        Value element = tensor::ExtractOp::create(inner, loc, source, place);
        linalg::YieldOp::create(inner, loc, element);
      });
  return generic.getResult(0);
}

Value mica::expandScatter(OpBuilder &b, tensor::ScatterOp op) {
  Location loc = op.getLoc();
  Value source = op.getSource(), indices = op.getIndices(), dest = op.getDest();
  auto sourceType = cast<RankedTensorType>(source.getType());
  const int64_t batchRank = op.getIndicesType().getRank() - 1, rank = op.getDestType().getRank();
  SmallVector<OpFoldResult> counts;
  for (int64_t d = 0; d < batchRank; ++d)
    counts.push_back(tensor::getMixedSize(b, loc, indices, d));
  if (counts.empty())
    counts.push_back(b.getIndexAttr(1));
  auto forall = scf::ForallOp::create(b, loc, counts, ValueRange{dest}, /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  SmallVector<Value> batch = forall.getInductionVars();
  batch.truncate(batchRank);
  const OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  // The slice of the source for these coordinates.
  SmallVector<OpFoldResult> offsets(batch.begin(), batch.end()), sizes(batchRank, one);
  for (int64_t d = batchRank; d < sourceType.getRank(); ++d) {
    offsets.push_back(zero);
    sizes.push_back(tensor::getMixedSize(b, loc, source, d));
  }
  auto partType = RankedTensorType::get(sourceType.getShape().drop_front(batchRank), sourceType.getElementType());
  Value part = tensor::ExtractSliceOp::create(b, loc, partType, source, offsets, sizes,
                                              SmallVector<OpFoldResult>(sourceType.getRank(), one));
  SmallVector<OpFoldResult> to(rank, zero), extents;
  for (int64_t d = 0; d < rank; ++d)
    extents.push_back(llvm::is_contained(op.getScatterDims(), d) ? one : tensor::getMixedSize(b, loc, dest, d));
  for (auto [position, d] : llvm::enumerate(op.getScatterDims()))
    to[d] = coordinate(b, loc, indices, batch, position);
  b.setInsertionPointToStart(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, part, forall.getRegionIterArgs().front(), to, extents,
                                        SmallVector<OpFoldResult>(rank, one));
  return forall.getResult(0);
}
