//===- ExpandPowers.cpp - powers with integer exponents ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %0 = math.fpowi %x, dense<2>   =>   %0 = arith.mulf %x, %x
//   %1 = math.fpowi %x, %n         =>   %f = arith.sitofp %n, %1 = math.powf %x, %f
//   %2 = math.isinf %x             =>   %a = math.absf %x, %2 = arith.cmpf oeq, %a, inf
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Common/UnrolledVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDPOWERSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct PowerOfFloat : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op, PatternRewriter &rewriter) const override {
    Value whole = op.getRhs();
    if (getElementTypeOrSelf(whole.getType()).isIndex()) {
      Type type = rewriter.getI64Type();
      if (auto shaped = dyn_cast<ShapedType>(whole.getType()))
        type = shaped.clone(type);
      whole = arith::IndexCastOp::create(rewriter, op.getLoc(), type, whole);
    }
    Value exponent = arith::SIToFPOp::create(rewriter, op.getLoc(), op.getType(), whole);
    rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), exponent, op.getFastmath());
    return success();
  }
};

/// A constant of a float type, or of vectors of one.
Value constantOf(PatternRewriter &rewriter, Location loc, Type type, const APFloat &number) {
  TypedAttr value = FloatAttr::get(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, number);
  return arith::ConstantOp::create(rewriter, loc, value);
}

const llvm::fltSemantics &semanticsOf(Type type) {
  return cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
}

struct ClassOfInfinity : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsInfOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    if (!APFloat::semanticsHasInf(semanticsOf(type)))
      return rewriter.notifyMatchFailure(op, "the type has no infinity");
    Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
    Value infinity = constantOf(rewriter, loc, type, APFloat::getInf(semanticsOf(type)));
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::OEQ, magnitude, infinity);
    return success();
  }
};

/// Normal numbers are between the smallest and the largest one.
struct ClassOfNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getOperand().getType();
    const llvm::fltSemantics &semantics = semanticsOf(type);
    Value magnitude = math::AbsFOp::create(rewriter, loc, op.getOperand());
    Value least = constantOf(rewriter, loc, type, APFloat::getSmallestNormalized(semantics));
    Value largest = constantOf(rewriter, loc, type, APFloat::getLargest(semantics));
    Value above = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGE, magnitude, least);
    Value below = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLE, magnitude, largest);
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, above, below);
    return success();
  }
};

/// Clamps the value to [min, max]. Upstream's pattern follows the wording of the ODS description, which swaps the
/// bounds, and always returns the upper one.
struct ClampOfFloat : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op, PatternRewriter &rewriter) const override {
    Value above = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, above, op.getMax(), op.getFastmath());
    return success();
  }
};

/// Upstream's conversions of these ops only support vectors of one dimension; those of other math ops support all.
template <typename OpTy> struct FlattenVectors : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() == 1 || type.isScalable())
      return rewriter.notifyMatchFailure(op, "a scalar, or a vector of one dimension");
    auto flat = VectorType::get({type.getNumElements()}, type.getElementType());
    Value operand = vector::ShapeCastOp::create(rewriter, op.getLoc(), flat, op.getOperand());
    Value result = OpTy::create(rewriter, op.getLoc(), operand);
    rewriter.replaceOpWithNewOp<vector::ShapeCastOp>(op, type, result);
    return success();
  }
};

struct ExpandPowersPass : mica::impl::ExpandPowersPassBase<ExpandPowersPass> {
  void runOnOperation() override {
    if (failed(mica::checkUnrolledVectors(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    mica::populateExpandPowersPatterns(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(4).enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    // Vector code from the program.
    vector::populateVectorScanLoweringPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(patterns, vector::VectorMultiReductionLowering::InnerParallel);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace

void mica::populateExpandPowersPatterns(RewritePatternSet &patterns) {
  math::populateExpansionPatterns(patterns, {StringRef("fpowi")});
  // Lowest benefit: upstream's pattern for constants is tried first.
  patterns.add<PowerOfFloat>(patterns.getContext(), /*benefit=*/0);
  patterns.add<ClassOfInfinity, ClassOfNormal, ClampOfFloat, FlattenVectors<math::AbsIOp>,
               FlattenVectors<math::CountLeadingZerosOp>, FlattenVectors<math::CountTrailingZerosOp>>(
      patterns.getContext());
}
