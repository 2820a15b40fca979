//===- ControlFlow.cpp - lowering control flow to scf ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica.if becomes scf.if, and mica.while scf.while; the condition is extracted from its tensor where the host function
// needs it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

/// Moves `from` into `to`, which is empty; `end` creates the new terminator from the yielded values.
void moveRegion(PatternRewriter &rewriter, Region &from, Region &to,
                llvm::function_ref<void(Location, ValueRange)> end) {
  // A builder of scf may have created a block.
  while (!to.empty())
    rewriter.eraseBlock(&to.front());
  rewriter.inlineRegionBefore(from, to, to.end());
  auto yield = cast<YieldOp>(to.front().getTerminator());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(yield);
  end(yield.getLoc(), yield.getValues());
  rewriter.eraseOp(yield);
}

struct LowerIf : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    Value condition = tensor::ExtractOp::create(rewriter, op.getLoc(), op.getCondition(), ValueRange());
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), op.getResultTypes(), condition,
                                    /*addThenBlock=*/false, /*addElseBlock=*/false);
    auto yield = [&](Location loc, ValueRange values) { scf::YieldOp::create(rewriter, loc, values); };
    moveRegion(rewriter, op.getThenRegion(), branch.getThenRegion(), yield);
    moveRegion(rewriter, op.getElseRegion(), branch.getElseRegion(), yield);
    rewriter.replaceOp(op, branch);
    return success();
  }
};

struct LowerWhile : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op, PatternRewriter &rewriter) const override {
    auto loop = scf::WhileOp::create(rewriter, op.getLoc(), op.getResultTypes(), op.getInits());
    moveRegion(rewriter, op.getCondition(), loop.getBefore(), [&](Location loc, ValueRange values) {
      Value condition = tensor::ExtractOp::create(rewriter, loc, values[0], ValueRange());
      scf::ConditionOp::create(rewriter, loc, condition, loop.getBeforeArguments());
    });
    moveRegion(rewriter, op.getBody(), loop.getAfter(),
               [&](Location loc, ValueRange values) { scf::YieldOp::create(rewriter, loc, values); });
    rewriter.replaceOp(op, loop);
    return success();
  }
};

} // namespace

void tolinalg::populateControlFlowPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerIf, LowerWhile>(patterns.getContext());
}
