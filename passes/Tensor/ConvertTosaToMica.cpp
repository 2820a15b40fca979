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
//   %0 = mica.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//
// One operation for one operation; what has no twin in mica, or says more than its twin can (zero points, a shift, element
// types that mica does not have), stays for upstream's lowering of tosa. Windows, images and reductions are in TosaToMica.
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
// What may be converted
//===------------------------------------------------------------------------------------------------------------===//

/// Where the size of a dynamic dimension comes from: the same dimension of an earlier value, as far as ops hand it on.
std::pair<Value, int64_t> originOf(Value value, int64_t dim) {
  while (Operation *op = value.getDefiningOp()) {
    bool sameShape = isa<NegOp, ExpOp, TanhOp, ErfOp, SigmoidOp, ReluOp, GeluOp, SiluOp, SoftmaxOp, LayerNormOp>(op) ||
                     (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() && op->getNumOperands() == 1);
    bool binary = isa<AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp>(op);
    // The first dimension of an image or of a row goes through; so does a batch.
    bool keepsFirst = dim == 0 && isa<MatmulOp, Conv2dOp, Conv2dTransposeOp, MaxPoolOp, AvgPoolOp, ResizeOp>(op) &&
                      cast<RankedTensorType>(op->getOperand(0).getType()).isDynamicDim(0) &&
                      !op->hasAttr("transpose_a");
    Value next;
    if (sameShape || keepsFirst)
      next = op->getOperand(0);
    else if (binary)
      next = cast<RankedTensorType>(op->getOperand(0).getType()).getDimSize(dim) == 1 ? op->getOperand(1)
                                                                                      : op->getOperand(0);
    if (!next || !cast<RankedTensorType>(next.getType()).isDynamicDim(dim))
      break;
    value = next;
  }
  return {value, dim};
}

/// Whether the operands of an elementwise op have, in mica, the meaning they have in tosa: there a dynamic dimension may
/// turn out to be 1 and is then repeated, so both must be known to be the same.
bool broadcastsStatically(Value lhs, Value rhs) {
  auto lhsType = cast<RankedTensorType>(lhs.getType()), rhsType = cast<RankedTensorType>(rhs.getType());
  if (lhsType.getRank() != rhsType.getRank())
    return false;
  for (int64_t dim = 0; dim < lhsType.getRank(); ++dim) {
    int64_t l = lhsType.getDimSize(dim), r = rhsType.getDimSize(dim);
    if (l == 1 || r == 1 || (l == r && !ShapedType::isDynamic(l)))
      continue;
    if (l != r || originOf(lhs, dim) != originOf(rhs, dim))
      return false;
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------------------------===//

template <typename TosaOp, typename MicaOp> struct ConvertUnary : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    Value input = op->getOperand(0), output = op->getResult(0);
    if (!haveOneWideType({input, output}) || !isFloat(input) || input.getType() != output.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<MicaOp>(op, output.getType(), input);
    return success();
  }
};

struct ConvertNegate : OpRewritePattern<tosa::NegateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::NegateOp op, PatternRewriter &rewriter) const override {
    Value input = op.getInput1();
    if (!haveOneWideType({input, op.getOutput()}) || isBool(input) || input.getType() != op.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!isZero(op.getInput1Zp()) || !isZero(op.getOutputZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), input);
    return success();
  }
};

template <typename TosaOp, typename MicaOp> struct ConvertBinary : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    Value lhs = op.getInput1(), rhs = op.getInput2();
    if (!haveOneWideType({lhs, rhs, op.getOutput()}) || isBool(lhs))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!broadcastsStatically(lhs, rhs))
      return rewriter.notifyMatchFailure(op, "a dynamic dimension may have to be repeated");
    if constexpr (std::is_same_v<TosaOp, tosa::MulOp>) {
      if (!isZero(op.getShift()))
        return rewriter.notifyMatchFailure(op, "the product is shifted");
    }
    if constexpr (std::is_same_v<TosaOp, tosa::MaximumOp> || std::is_same_v<TosaOp, tosa::MinimumOp>) {
      if (isFloat(lhs) && !propagatesNan(op))
        return rewriter.notifyMatchFailure(op, kNanMode);
    }
    rewriter.replaceOpWithNewOp<MicaOp>(op, op.getType(), lhs, rhs);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Contraction
//===------------------------------------------------------------------------------------------------------------===//

struct ConvertMatmul : OpRewritePattern<tosa::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::MatMulOp op, PatternRewriter &rewriter) const override {
    if (!haveOneWideType({op.getA(), op.getB(), op.getOutput()}) || isBool(op.getA()))
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
    if (!haveOneWideType({op.getInput1(), op.getOutput()}))
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
    if (!haveOneWideType({op.getInput1(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), op.getInput1(),
                                             SmallVector<int64_t>(op.getPerms().begin(), op.getPerms().end()));
    return success();
  }
};

struct ConvertConst : OpRewritePattern<tosa::ConstOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ConstOp op, PatternRewriter &rewriter) const override {
    if (!haveOneWideType(op.getOutput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    // Upstream's lowering looks for the constants among tosa's own.
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
    RewritePatternSet patterns(&getContext());
    populateTosaToMicaPatterns(patterns);
    populateTosaMovementPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));

    // Constants last, when it is known whose operands they still are; those that nobody uses any more (zero points) go.
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
  patterns
      .add<ConvertBinary<tosa::AddOp, AddOp>, ConvertBinary<tosa::SubOp, SubOp>, ConvertBinary<tosa::MulOp, MulOp>,
           ConvertBinary<tosa::MaximumOp, MaxOp>, ConvertBinary<tosa::MinimumOp, MinOp>,
           ConvertUnary<tosa::ExpOp, ExpOp>, ConvertUnary<tosa::TanhOp, TanhOp>, ConvertUnary<tosa::ErfOp, ErfOp>,
           ConvertUnary<tosa::SigmoidOp, SigmoidOp>, ConvertNegate, ConvertMatmul, ConvertReshape, ConvertTranspose>(
          patterns.getContext());
  tosatomica::populateReductionPatterns(patterns);
  tosatomica::populateWindowPatterns(patterns);
}
