//===- ExpandPowers.cpp - powers with integer exponents ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %0 = math.fpowi %x, dense<2>   =>   %0 = arith.mulf %x, %x
//   %1 = math.fpowi %x, %n         =>   %f = arith.sitofp %n, %1 = math.powf %x, %f
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Cpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDPOWERSPASS
#include "passes/Cpu/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct PowerOfFloat : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter &rewriter) const override {
    Value exponent = arith::SIToFPOp::create(rewriter, op.getLoc(), op.getType(), op.getRhs());
    rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), exponent, op.getFastmath());
    return success();
  }
};

struct ExpandPowersPass : mica::impl::ExpandPowersPassBase<ExpandPowersPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    mica::populateExpandPowersPatterns(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(4).enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace

void mica::populateExpandPowersPatterns(RewritePatternSet &patterns) {
  math::populateExpansionPatterns(patterns, {StringRef("fpowi")});
  // Last: what upstream's pattern, for constants, has left.
  patterns.add<PowerOfFloat>(patterns.getContext(), /*benefit=*/0);
}
