//===- LowerAffineAccesses.cpp - lowering affine loops and accesses to scf, memref and vector ---------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's lower-affine expands index arithmetic to divisions and selects, about which nothing can be proved; this
// pass keeps it as affine.apply, affine.min and affine.max.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_LOWERAFFINEACCESSESPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mlir::affine;

namespace {

/// Each result of `map` as a separate value. Not folded: a division by an operand that is 0 would become poison.
SmallVector<Value> applied(OpBuilder &builder, Location loc, AffineMap map, ValueRange operands) {
  SmallVector<Value> values;
  for (AffineExpr expr : map.getResults()) {
    auto single = AffineMap::get(map.getNumDims(), map.getNumSymbols(), expr);
    values.push_back(AffineApplyOp::create(builder, loc, single, operands));
  }
  return values;
}

void replaceByPlain(PatternRewriter &rewriter, AffineLoadOp op, ValueRange indices) {
  rewriter.replaceOpWithNewOp<memref::LoadOp>(op, op.getMemRef(), indices);
}
void replaceByPlain(PatternRewriter &rewriter, AffineStoreOp op, ValueRange indices) {
  rewriter.replaceOpWithNewOp<memref::StoreOp>(op, op.getValueToStore(), op.getMemRef(), indices);
}
void replaceByPlain(PatternRewriter &rewriter, AffineVectorLoadOp op, ValueRange indices) {
  rewriter.replaceOpWithNewOp<vector::LoadOp>(op, op.getVectorType(), op.getMemRef(), indices);
}
void replaceByPlain(PatternRewriter &rewriter, AffineVectorStoreOp op, ValueRange indices) {
  rewriter.replaceOpWithNewOp<vector::StoreOp>(op, op.getValueToStore(), op.getMemRef(), indices);
}

template <typename AccessOp> struct PlainAccess : OpRewritePattern<AccessOp> {
  using OpRewritePattern<AccessOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(AccessOp op, PatternRewriter &rewriter) const override {
    replaceByPlain(rewriter, op, applied(rewriter, op.getLoc(), op.getAffineMap(), op.getMapOperands()));
    return success();
  }
};

struct PlainFor : OpRewritePattern<AffineForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AffineForOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto bound = [&](AffineMap map, ValueRange operands, bool isLower) -> Value {
      if (map.getNumResults() == 1)
        return applied(rewriter, loc, map, operands).front();
      return isLower ? rewriter.createOrFold<AffineMaxOp>(loc, map, operands)
                     : rewriter.createOrFold<AffineMinOp>(loc, map, operands);
    };
    Value lower = bound(op.getLowerBoundMap(), op.getLowerBoundOperands(), true);
    Value upper = bound(op.getUpperBoundMap(), op.getUpperBoundOperands(), false);
    Value step = arith::ConstantIndexOp::create(rewriter, loc, op.getStepAsInt());
    auto loop = scf::ForOp::create(rewriter, loc, lower, upper, step, op.getInits());
    rewriter.eraseBlock(loop.getBody());
    auto yield = cast<AffineYieldOp>(op.getBody()->getTerminator());
    rewriter.setInsertionPoint(yield);
    rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield.getOperands());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(), loop.getRegion().end());
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

struct PlainIf : OpRewritePattern<AffineIfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AffineIfOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const IntegerSet set = op.getIntegerSet();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value holds = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    for (auto [expr, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      auto map = AffineMap::get(set.getNumDims(), set.getNumSymbols(), expr);
      Value value = applied(rewriter, loc, map, op.getOperands()).front();
      Value one = arith::CmpIOp::create(rewriter, loc,
                                        isEquality ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge, value, zero);
      holds = rewriter.createOrFold<arith::AndIOp>(loc, holds, one);
    }
    auto branch = scf::IfOp::create(rewriter, loc, op.getResultTypes(), holds, /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    for (unsigned i : {0u, 1u}) {
      Region &from = op->getRegion(i), &to = branch->getRegion(i);
      if (from.empty())
        continue;
      Operation *yield = from.front().getTerminator();
      rewriter.setInsertionPoint(yield);
      rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield->getOperands());
      rewriter.inlineRegionBefore(from, to, to.end());
    }
    rewriter.replaceOp(op, branch.getResults());
    return success();
  }
};

struct LowerAffineAccessesPass : mica::impl::LowerAffineAccessesPassBase<LowerAffineAccessesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    mica::populateLowerAffineAccessesPatterns(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(10);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
  }
};

} // namespace

void mica::populateLowerAffineAccessesPatterns(RewritePatternSet &patterns) {
  patterns.add<PlainAccess<AffineLoadOp>, PlainAccess<AffineStoreOp>, PlainAccess<AffineVectorLoadOp>,
               PlainAccess<AffineVectorStoreOp>, PlainFor, PlainIf>(patterns.getContext());
}
