//===- ConvertTosaToMica.cpp - pass convert-tosa-to-mica ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
//   %0 = tosa.mul %a, %b, %shift : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
// After:
//   %0 = mica.mul %a, %b : tensor<4xf32>
//
// One op for one op; contractions, shapes and constants are here, all others in TosaToMica. Ops without an equivalent
// in mica, or with features that it lacks (zero points, a shift, other element types), are left to upstream's lowering
// of tosa.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"
#include "passes/Tensor/TosaToMica/Common.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTTOSATOMICA
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// Contraction
//===------------------------------------------------------------------------------------------------------------===//

struct ConvertMatmul : OpRewritePattern<tosa::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::MatMulOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getA(), op.getB(), op.getOutput()}, Elements::Number))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!isZero(op.getAZp()) || !isZero(op.getBZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), op.getA(), op.getB(), /*transpose_a=*/false,
                                          /*transpose_b=*/false);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Shape, constants
//===------------------------------------------------------------------------------------------------------------===//

struct ConvertReshape : OpRewritePattern<tosa::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput1(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (cast<RankedTensorType>(op.getType()).getNumDynamicDims() > 1)
      return rewriter.notifyMatchFailure(op, "more than one size of the result is dynamic");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getInput1());
    return success();
  }
};

struct ConvertTranspose : OpRewritePattern<tosa::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::TransposeOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType({op.getInput1(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), op.getInput1(),
                                             SmallVector<int64_t>(op.getPerms().begin(), op.getPerms().end()));
    return success();
  }
};

struct ConvertConst : OpRewritePattern<tosa::ConstOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ConstOp op, PatternRewriter &rewriter) const override {
    if (!haveOneType(op.getOutput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    // Upstream's lowering looks for tosa.const.
    bool ofTosa = llvm::any_of(op->getUsers(),
                               [](Operation *user) { return isa_and_present<tosa::TosaDialect>(user->getDialect()); });
    if (ofTosa || !isa<DenseElementsAttr, DenseResourceElementsAttr>(op.getValues()))
      return rewriter.notifyMatchFailure(op, "an operation that stays in tosa uses it");
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), op.getValues());
    return success();
  }
};

struct ConvertTosaToMica : mica::impl::ConvertTosaToMicaBase<ConvertTosaToMica> {
  using ConvertTosaToMicaBase::ConvertTosaToMicaBase;

  void runOnOperation() override {
    tosatomica::foldShapes(getOperation());
    RewritePatternSet patterns(&getContext());
    populateTosaToMicaPatterns(patterns);
    if (!keepGather)
      tosatomica::populateGatherPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    // Constants last, when their remaining users are known; unused ones (zero points) are erased.
    RewritePatternSet constants(&getContext());
    constants.add<ConvertConst>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(constants));
    getOperation()->walk([](Operation *op) {
      if ((isa<tosa::ConstOp, tosa::ConstShapeOp, ConstantOp>(op)) && op->use_empty())
        op->erase();
    });
  }
};

} // namespace

void mica::populateTosaToMicaPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertMatmul, ConvertReshape, ConvertTranspose>(patterns.getContext());
  tosatomica::populateElementwisePatterns(patterns);
  tosatomica::populateMovementPatterns(patterns);
  tosatomica::populateReductionPatterns(patterns);
  tosatomica::populateWindowPatterns(patterns);
}
