//===- Reductions.cpp - converting tosa reductions to mica ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reductions of tosa keep their dimension; those of booleans are a maximum and a minimum.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/TosaToMica/Common.h"

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

template <typename TosaOp, ReduceKind kind, Elements elements = Elements::Number>
struct ConvertReduce : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput(), op.getOutput()}, elements))
      return rewriter.notifyMatchFailure(op, kTypes);
    if constexpr (std::is_same_v<TosaOp, tosa::ReduceMaxOp> || std::is_same_v<TosaOp, tosa::ReduceMinOp>) {
      if (isFloat(op.getInput()) && !propagatesNan(op))
        return rewriter.notifyMatchFailure(op, kNanMode);
    }
    const int64_t dims[] = {static_cast<int64_t>(op.getAxis())};
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), kind, op.getInput(), dims, /*keep_dims=*/true);
    return success();
  }
};

struct ConvertArgMax : OpRewritePattern<tosa::ArgMaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ArgMaxOp op, PatternRewriter &rewriter) const override {
    Type position = getElementTypeOrSelf(op.getType());
    if (!haveOneType(op.getInput(), Elements::Number) || !isa<RankedTensorType>(op.getType()) ||
        (!position.isInteger(32) && !position.isInteger(64)))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (isFloat(op.getInput()) && !propagatesNan(op))
      return rewriter.notifyMatchFailure(op, kNanMode);
    rewriter.replaceOpWithNewOp<ArgMaxOp>(op, op.getType(), op.getInput(), static_cast<int64_t>(op.getAxis()),
                                          /*keep_dims=*/false);
    return success();
  }
};

} // namespace

void tosatomica::populateReductionPatterns(RewritePatternSet &patterns) {
  patterns
      .add<ConvertReduce<tosa::ReduceSumOp, ReduceKind::Sum>, ConvertReduce<tosa::ReduceProductOp, ReduceKind::Prod>,
           ConvertReduce<tosa::ReduceMaxOp, ReduceKind::Max>, ConvertReduce<tosa::ReduceMinOp, ReduceKind::Min>,
           ConvertReduce<tosa::ReduceAnyOp, ReduceKind::Max, Elements::Bool>,
           ConvertReduce<tosa::ReduceAllOp, ReduceKind::Min, Elements::Bool>, ConvertArgMax>(patterns.getContext());
}
