//===- Contraction.cpp - lowering matrix products -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Matrix products become linalg.matmul or linalg.batch_matmul, with indexing maps for transposed operands, and
// linalg.generic for other batches.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;
using utils::IteratorType;

namespace {

/// The indexing map of one operand of a matrix product: its batch dimensions, then the two given loops, in the
/// operand's order.
AffineMap productMap(int64_t loops, ArrayRef<int64_t> batch, int64_t first, int64_t second, bool transposed,
                     MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : batch)
    exprs.push_back(getAffineDimExpr(dim, context));
  exprs.push_back(getAffineDimExpr(transposed ? second : first, context));
  exprs.push_back(getAffineDimExpr(transposed ? first : second, context));
  return AffineMap::get(loops, 0, exprs, context);
}

struct LowerMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The batch dimensions of an operand; broadcast ones are added to `repeated`.
  static SmallVector<int64_t> batchOf(Value operand, ArrayRef<OpFoldResult> sizes, SmallVectorImpl<int64_t> &repeated) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> batch;
    for (int64_t dim = 0; dim < type.getRank() - 2; ++dim)
      if (type.getDimSize(dim) == 1 && getConstantIntValue(sizes[dim]) != 1)
        repeated.push_back(dim);
      else
        batch.push_back(dim);
    return batch;
  }

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    MLIRContext *context = rewriter.getContext();
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    Type element = op.getType().getElementType();
    int64_t batch = sizes.size() - 2, m = batch, n = batch + 1, k = batch + 2, loops = batch + 3;

    SmallVector<int64_t> lhsRepeated, rhsRepeated;
    SmallVector<int64_t> lhsBatch = batchOf(op.getLhs(), sizes, lhsRepeated);
    SmallVector<int64_t> rhsBatch = batchOf(op.getRhs(), sizes, rhsRepeated);
    Value lhs = lowering.dropUnitDims(op.getLhs(), lhsRepeated), rhs = lowering.dropUnitDims(op.getRhs(), rhsRepeated);
    Value init = lowering.filled(sizes, cast<TypedAttr>(rewriter.getZeroAttr(element)));
    SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    SmallVector<AffineMap> maps = {productMap(loops, lhsBatch, m, k, op.getTransposeA(), context),
                                   productMap(loops, rhsBatch, k, n, op.getTransposeB(), context),
                                   productMap(loops, all, m, n, /*transposed=*/false, context)};

    bool everyBatch = lhsBatch == all && rhsBatch == all;
    if (everyBatch && batch == 0) {
      replace(rewriter, op, named<linalg::MatmulOp>(rewriter, op, lhs, rhs, init, maps));
      return success();
    }
    if (everyBatch && batch == 1) {
      replace(rewriter, op, named<linalg::BatchMatmulOp>(rewriter, op, lhs, rhs, init, maps));
      return success();
    }
    SmallVector<IteratorType> iterators(loops, IteratorType::parallel);
    iterators.back() = IteratorType::reduction;
    Value result =
        lowering.generic({lhs, rhs}, init, maps, iterators, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value left = widenTo(b, loc, args[0], element), right = widenTo(b, loc, args[1], element);
          if (isa<FloatType>(element)) {
            Value product = arith::MulFOp::create(b, loc, left, right);
            return arith::AddFOp::create(b, loc, args[2], product);
          }
          Value product = arith::MulIOp::create(b, loc, left, right);
          return arith::AddIOp::create(b, loc, args[2], product);
        });
    replace(rewriter, op, result);
    return success();
  }

  template <typename Named>
  static Value named(PatternRewriter &rewriter, MatmulOp op, Value lhs, Value rhs, Value init,
                     ArrayRef<AffineMap> maps) {
    auto product = Named::create(rewriter, op.getLoc(), init.getType(), ValueRange{lhs, rhs}, ValueRange{init});
    if (op.getTransposeA() || op.getTransposeB())
      product.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    return product.getResult(0);
  }
};

} // namespace

void tolinalg::populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMatmul>(patterns.getContext());
}
