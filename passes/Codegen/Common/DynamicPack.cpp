//===- DynamicPack.cpp - lowering linalg.pack with tiles of any size ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DynamicPack.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/DynamicPack.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

LogicalResult mica::lowerPack(RewriterBase &rewriter, linalg::PackOp op) {
  // The form with tensor.insert_slice requires outer unit dims; the general one is equivalent after bufferization.
  if (llvm::none_of(op.getStaticInnerTiles(), ShapedType::isDynamic))
    return linalg::lowerPack(rewriter, op, /*lowerPadLikeWithInsertSlice=*/false);
  auto dest = dyn_cast<RankedTensorType>(op.getDest().getType());
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!dest || !source)
    return failure();
  const Location loc = op.getLoc();
  const int64_t rank = source.getRank();
  // Where the number of tiles and the size of a tile of each dimension of the source are in the destination.
  SmallVector<int64_t> outerAt = llvm::to_vector(llvm::seq<int64_t>(0, rank)), tileAt(rank, -1);
  for (auto [at, dim] : llvm::enumerate(op.getOuterDimsPerm()))
    outerAt[dim] = at;
  for (auto [at, dim] : llvm::enumerate(op.getInnerDimsPos()))
    tileAt[dim] = rank + at;

  const AffineExpr a = rewriter.getAffineSymbolExpr(0), b = rewriter.getAffineSymbolExpr(1);
  SmallVector<OpFoldResult> tiles(rank), low(rank, rewriter.getIndexAttr(0)), high;
  for (int64_t dim = 0; dim < rank; ++dim) {
    OpFoldResult whole = tensor::getMixedSize(rewriter, loc, op.getDest(), outerAt[dim]);
    if (tileAt[dim] >= 0) {
      tiles[dim] = tensor::getMixedSize(rewriter, loc, op.getDest(), tileAt[dim]);
      whole = affine::makeComposedFoldedAffineApply(rewriter, loc, a * b, {whole, tiles[dim]});
    }
    high.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, a - b, {whole, tensor::getMixedSize(rewriter, loc, op.getSource(), dim)}));
  }
  Value padding = op.getPaddingValue();
  if (!padding) // then the tiles cover the source exactly
    padding = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(source.getElementType()));
  auto paddedType = RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), source.getElementType());
  Value padded = tensor::PadOp::create(rewriter, loc, paddedType, op.getSource(), low, high, padding, /*nofold=*/false);
  auto packed = linalg::GenericOp::create(
      rewriter, loc, dest, ValueRange(), op.getDest(), rewriter.getMultiDimIdentityMap(dest.getRank()),
      SmallVector<utils::IteratorType>(dest.getRank(), utils::IteratorType::parallel),
      [&](OpBuilder &body, Location, ValueRange) {
        const AffineExpr tile = body.getAffineSymbolExpr(0), size = body.getAffineSymbolExpr(1),
                         within = body.getAffineSymbolExpr(2);
        SmallVector<Value> position;
        for (int64_t dim = 0; dim < rank; ++dim) {
          OpFoldResult at = linalg::IndexOp::create(body, loc, outerAt[dim]).getResult();
          if (tileAt[dim] >= 0)
            at = affine::makeComposedFoldedAffineApply(
                body, loc, tile * size + within,
                {at, tiles[dim], linalg::IndexOp::create(body, loc, tileAt[dim]).getResult()});
          position.push_back(getValueOrCreateConstantIndexOp(body, loc, at));
        }
        linalg::YieldOp::create(body, loc, tensor::ExtractOp::create(body, loc, padded, position).getResult());
      });
  rewriter.replaceOp(op, packed->getResults());
  return success();
}
