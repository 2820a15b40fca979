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
// types that mica does not have), stays for upstream's lowering of tosa.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTTOSATOMICA
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

//===------------------------------------------------------------------------------------------------------------===//
// What may be converted
//===------------------------------------------------------------------------------------------------------------===//

/// Whether every given value is a ranked tensor of one element type, which mica has.
bool haveOneMicaType(ValueRange values) {
  Type first = getElementTypeOrSelf(values[0].getType());
  if (!first.isF32() && !first.isF64() && !first.isInteger(32) && !first.isInteger(64) && !first.isInteger(1))
    return false;
  return llvm::all_of(values, [&](Value value) {
    return isa<RankedTensorType>(value.getType()) && getElementTypeOrSelf(value.getType()) == first;
  });
}

bool isFloat(Value value) { return isa<FloatType>(getElementTypeOrSelf(value.getType())); }
bool isBool(Value value) { return getElementTypeOrSelf(value.getType()).isInteger(1); }

/// Whether a value is a constant that is zero everywhere: a zero point or shift that does nothing.
bool isZero(Value value) {
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return false;
  if (isa<FloatType>(constant.getElementType()))
    return constant.getSplatValue<APFloat>().isZero();
  return isa<IntegerType>(constant.getElementType()) && constant.getSplatValue<APInt>().isZero();
}

/// Where the size of a dynamic dimension comes from: the same dimension of an earlier value, as far as ops hand it on.
std::pair<Value, int64_t> originOf(Value value, int64_t dim) {
  while (Operation *op = value.getDefiningOp()) {
    bool sameShape = isa<NegOp, ExpOp, TanhOp, ErfOp, SigmoidOp, ReluOp, GeluOp, SiluOp, SoftmaxOp, LayerNormOp>(op) ||
                     (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() && op->getNumOperands() == 1);
    bool binary = isa<AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp>(op);
    // The first dimension of an image or of a row goes through; so does a batch.
    bool keepsFirst = dim == 0 && isa<MatmulOp, Conv2dOp, MaxPoolOp, AvgPoolOp>(op) &&
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

constexpr StringLiteral kTypes = "element types differ or are none of mica's";
constexpr StringLiteral kZeroPoints = "zero points are not zero";
constexpr StringLiteral kNanMode = "NaN is not propagated";

/// An op whose NaN mode is the one mica has.
template <typename OpTy> bool propagatesNan(OpTy op) { return op.getNanMode() == tosa::NanPropagationMode::PROPAGATE; }

//===------------------------------------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------------------------------------===//

template <typename TosaOp, typename MicaOp> struct ConvertUnary : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    Value input = op->getOperand(0), output = op->getResult(0);
    if (!haveOneMicaType({input, output}) || !isFloat(input) || input.getType() != output.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<MicaOp>(op, output.getType(), input);
    return success();
  }
};

struct ConvertNegate : OpRewritePattern<tosa::NegateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::NegateOp op, PatternRewriter &rewriter) const override {
    Value input = op.getInput1();
    if (!haveOneMicaType({input, op.getOutput()}) || isBool(input) || input.getType() != op.getType())
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
    if (!haveOneMicaType({lhs, rhs, op.getOutput()}) || isBool(lhs))
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
    if (!haveOneMicaType({op.getA(), op.getB(), op.getOutput()}) || isBool(op.getA()))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!isZero(op.getAZp()) || !isZero(op.getBZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), op.getA(), op.getB(), /*transpose_a=*/false,
                                          /*transpose_b=*/false);
    return success();
  }
};

struct ConvertConv2d : OpRewritePattern<tosa::Conv2DOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::Conv2DOp op, PatternRewriter &rewriter) const override {
    Value bias = op.getBias();
    if (!haveOneMicaType({op.getInput(), op.getWeight(), bias, op.getOutput()}) || isBool(bias))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (op.getAccType() != getElementTypeOrSelf(bias))
      return rewriter.notifyMatchFailure(op, "sums are taken in another type");
    if (!isZero(op.getInputZp()) || !isZero(op.getWeightZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    auto outputs = cast<RankedTensorType>(op.getWeight().getType()).getDimSize(0);
    auto biasType = cast<RankedTensorType>(bias.getType());
    if (biasType.getDimSize(0) != outputs) {
      if (biasType.getDimSize(0) != 1 || ShapedType::isDynamic(outputs))
        return rewriter.notifyMatchFailure(op, "the bias may have to be repeated");
      auto type = RankedTensorType::get({outputs}, biasType.getElementType());
      bias = BroadcastOp::create(rewriter, op.getLoc(), type, bias, ValueRange{});
    }
    rewriter.replaceOpWithNewOp<Conv2dOp>(op, op.getType(), op.getInput(), op.getWeight(), bias, ConvLayout::NhwcFhwc,
                                          op.getStride(), op.getDilation(), op.getPad());
    return success();
  }
};

/// Whether no window of a pool lies in the padding alone, which mica's constraint (C4) forbids.
bool everyWindowCoversImage(ArrayRef<int64_t> kernel, ArrayRef<int64_t> pads) {
  return pads[0] < kernel[0] && pads[1] < kernel[0] && pads[2] < kernel[1] && pads[3] < kernel[1];
}

struct ConvertMaxPool : OpRewritePattern<tosa::MaxPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::MaxPool2dOp op, PatternRewriter &rewriter) const override {
    if (!haveOneMicaType({op.getInput(), op.getOutput()}) || isBool(op.getInput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (isFloat(op.getInput()) && !propagatesNan(op))
      return rewriter.notifyMatchFailure(op, kNanMode);
    if (!everyWindowCoversImage(op.getKernel(), op.getPad()))
      return rewriter.notifyMatchFailure(op, "a window lies in the padding");
    rewriter.replaceOpWithNewOp<MaxPoolOp>(op, op.getType(), op.getInput(), ImageLayout::Nhwc, op.getKernel(),
                                           op.getStride(), op.getPad());
    return success();
  }
};

struct ConvertAvgPool : OpRewritePattern<tosa::AvgPool2dOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::AvgPool2dOp op, PatternRewriter &rewriter) const override {
    // On integers tosa's mean is rounded in a way of its own.
    if (!haveOneMicaType({op.getInput(), op.getOutput()}) || !isFloat(op.getInput()) ||
        op.getAccType() != getElementTypeOrSelf(op.getInput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!isZero(op.getInputZp()) || !isZero(op.getOutputZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    if (!everyWindowCoversImage(op.getKernel(), op.getPad()))
      return rewriter.notifyMatchFailure(op, "a window lies in the padding");
    rewriter.replaceOpWithNewOp<AvgPoolOp>(op, op.getType(), op.getInput(), ImageLayout::Nhwc, op.getKernel(),
                                           op.getStride(), op.getPad(), /*count_include_pad=*/false);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Reduction, shape, constants
//===------------------------------------------------------------------------------------------------------------===//

template <typename TosaOp, ReduceKind kind> struct ConvertReduce : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    if (!haveOneMicaType({op.getInput(), op.getOutput()}) || isBool(op.getInput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    if constexpr (kind == ReduceKind::Max) {
      if (isFloat(op.getInput()) && !propagatesNan(op))
        return rewriter.notifyMatchFailure(op, kNanMode);
    }
    const int64_t dims[] = {static_cast<int64_t>(op.getAxis())};
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), kind, op.getInput(), dims, /*keep_dims=*/true);
    return success();
  }
};

struct ConvertReshape : OpRewritePattern<tosa::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ReshapeOp op, PatternRewriter &rewriter) const override {
    if (!haveOneMicaType({op.getInput1(), op.getOutput()}))
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
    if (!haveOneMicaType({op.getInput1(), op.getOutput()}))
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), op.getInput1(),
                                             SmallVector<int64_t>(op.getPerms().begin(), op.getPerms().end()));
    return success();
  }
};

struct ConvertConst : OpRewritePattern<tosa::ConstOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ConstOp op, PatternRewriter &rewriter) const override {
    if (!haveOneMicaType(op.getOutput()))
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
  patterns.add<ConvertBinary<tosa::AddOp, AddOp>, ConvertBinary<tosa::SubOp, SubOp>, ConvertBinary<tosa::MulOp, MulOp>,
               ConvertBinary<tosa::MaximumOp, MaxOp>, ConvertBinary<tosa::MinimumOp, MinOp>,
               ConvertUnary<tosa::ExpOp, ExpOp>, ConvertUnary<tosa::TanhOp, TanhOp>, ConvertUnary<tosa::ErfOp, ErfOp>,
               ConvertUnary<tosa::SigmoidOp, SigmoidOp>, ConvertNegate, ConvertMatmul, ConvertConv2d, ConvertMaxPool,
               ConvertAvgPool, ConvertReduce<tosa::ReduceSumOp, ReduceKind::Sum>,
               ConvertReduce<tosa::ReduceMaxOp, ReduceKind::Max>, ConvertReshape, ConvertTranspose>(
      patterns.getContext());
}
