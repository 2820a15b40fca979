//===- Elementwise.cpp - converting elementwise tosa ops to mica -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Before:
//   %0 = tosa.greater %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>
//   %1 = tosa.cast %a : (tensor<4xf32>) -> tensor<4xi8>
// After:
//   %0 = mica.compare gt %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>
//   %1 = mica.cast %a rounding = nearest_even : tensor<4xf32> to tensor<4xi8>
//
// In tosa a dynamic dimension of size 1 is broadcast; in mica it is not. Ops are converted if the dynamic sizes of
// their operands are known to be equal.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/TosaToMica/Common.h"

using namespace mlir;
using namespace mica;
using namespace mica::tosatomica;

namespace {

constexpr StringLiteral kDynamic = "a dynamic dimension may have to be repeated";

Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

//===------------------------------------------------------------------------------------------------------------===//
// Dynamic dimensions
//===------------------------------------------------------------------------------------------------------------===//

/// The operand from which dimension `dim` of an op's result is copied; null if there is none.
Value handedOn(Operation *op, int64_t dim) {
  if (op->getNumOperands() == 0 || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return nullptr;
  auto first = cast<RankedTensorType>(op->getOperand(0).getType());
  bool isUnary =
      (isa_and_present<MicaDialect>(op->getDialect()) && op->hasTrait<OpTrait::SameOperandsAndResultType>()) ||
      isa<CastOp, SoftmaxOp, LayerNormOp>(op) ||
      (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>() && op->getNumOperands() == 1);
  // The first dimension of an image or of a row is kept, and so is a batch.
  bool keepsFirst = dim == 0 && isa<MatmulOp, Conv2dOp, Conv2dTransposeOp, MaxPoolOp, AvgPoolOp, ResizeOp>(op) &&
                    first.isDynamicDim(0) && !op->hasAttr("transpose_a");
  if (isUnary || keepsFirst)
    return op->getOperand(0);
  bool broadcasts = isa<AddOp, SubOp, MulOp, DivOp, RemOp, PowOp, MaxOp, MinOp, CompareOp, SelectOp, LogicalAndOp,
                        LogicalOrOp, LogicalXorOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp, ShiftLeftOp,
                        ShiftRightArithmeticOp, ShiftRightLogicalOp>(op);
  if (broadcasts)
    for (Value operand : op->getOperands())
      if (cast<RankedTensorType>(operand.getType()).getDimSize(dim) != 1)
        return operand;
  return nullptr;
}

/// The origin of a dynamic dimension's size: the same dimension of an earlier value, through ops that keep it.
Value originOf(Value value, int64_t dim) {
  while (Operation *op = value.getDefiningOp()) {
    Value next = handedOn(op, dim);
    if (!next || !cast<RankedTensorType>(next.getType()).isDynamicDim(dim))
      break;
    value = next;
  }
  return value;
}

/// Whether the operands have the same semantics in mica as in tosa.
bool broadcastStatically(ValueRange operands) {
  int64_t rank = cast<RankedTensorType>(operands[0].getType()).getRank();
  for (Value operand : operands)
    if (cast<RankedTensorType>(operand.getType()).getRank() != rank)
      return false;
  for (int64_t dim = 0; dim < rank; ++dim) {
    // All operands that are not statically 1 have the same size.
    Value first;
    for (Value operand : operands) {
      int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(dim);
      if (size == 1)
        continue;
      if (!first) {
        first = operand;
        continue;
      }
      int64_t other = cast<RankedTensorType>(first.getType()).getDimSize(dim);
      if (size != other || (ShapedType::isDynamic(size) && originOf(first, dim) != originOf(operand, dim)))
        return false;
    }
  }
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Patterns
//===------------------------------------------------------------------------------------------------------------===//

template <typename TosaOp, typename MicaOp, Elements elements> struct ConvertUnary : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    Value input = op->getOperand(0), output = op->getResult(0);
    if (!haveOneType({input, output}, elements) || input.getType() != output.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    rewriter.replaceOpWithNewOp<MicaOp>(op, output.getType(), input);
    return success();
  }
};

struct ConvertNegate : OpRewritePattern<tosa::NegateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::NegateOp op, PatternRewriter &rewriter) const override {
    Value input = op.getInput1();
    if (!haveOneType({input, op.getOutput()}, Elements::Number) || input.getType() != op.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    if (auto type = dyn_cast<IntegerType>(elementOf(input)); type && type.getWidth() < 32)
      return rewriter.notifyMatchFailure(op, "narrow integers saturate");
    if (!isZero(op.getInput1Zp()) || !isZero(op.getOutputZp()))
      return rewriter.notifyMatchFailure(op, kZeroPoints);
    rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), input);
    return success();
  }
};

/// Rejects features of a binary op that the mica op lacks.
template <typename TosaOp> LogicalResult checkForm(TosaOp op, PatternRewriter &rewriter) {
  if constexpr (std::is_same_v<TosaOp, tosa::MulOp>) {
    if (!isZero(op.getShift()))
      return rewriter.notifyMatchFailure(op, "the product is shifted");
  } else if constexpr (std::is_same_v<TosaOp, tosa::ArithmeticRightShiftOp>) {
    if (op.getRound())
      return rewriter.notifyMatchFailure(op, "the shift rounds");
  } else if constexpr (std::is_same_v<TosaOp, tosa::MaximumOp> || std::is_same_v<TosaOp, tosa::MinimumOp>) {
    if (isFloat(op.getInput1()) && !propagatesNan(op))
      return rewriter.notifyMatchFailure(op, kNanMode);
  }
  return success();
}

template <typename TosaOp, typename MicaOp, Elements elements> struct ConvertBinary : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (!haveOneType({lhs, rhs, op.getOutput()}, elements))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!broadcastStatically({lhs, rhs}))
      return rewriter.notifyMatchFailure(op, kDynamic);
    if (failed(checkForm(op, rewriter)))
      return failure();
    rewriter.replaceOpWithNewOp<MicaOp>(op, op.getType(), lhs, rhs);
    return success();
  }
};

/// A shift that rounds adds the last bit that was shifted out: `(a >> s) + (a >> max(s - 1, 0) & min(s, 1))`. That of
/// upstream shifts by -1 where nothing is shifted out, and selects the other value.
struct ConvertRoundingShift : OpRewritePattern<tosa::ArithmeticRightShiftOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ArithmeticRightShiftOp op, PatternRewriter &rewriter) const override {
    Value value = op.getInput1(), amount = op.getInput2();
    if (!op.getRound())
      return rewriter.notifyMatchFailure(op, "the shift does not round");
    if (!haveOneType({value, amount, op.getOutput()}, Elements::Integer))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!broadcastStatically({value, amount}))
      return rewriter.notifyMatchFailure(op, kDynamic);
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(amount.getType());
    auto one = type.clone(SmallVector<int64_t>(type.getRank(), 1));
    auto splat = [&](int64_t number) -> Value {
      auto attribute = rewriter.getIntegerAttr(type.getElementType(), number);
      return mica::ConstantOp::create(rewriter, loc, DenseElementsAttr::get(one, cast<Attribute>(attribute)));
    };
    Value less = MaxOp::create(rewriter, loc, type, SubOp::create(rewriter, loc, type, amount, splat(1)), splat(0));
    Value isShifted = MinOp::create(rewriter, loc, type, amount, splat(1));
    Value last = ShiftRightArithmeticOp::create(rewriter, loc, op.getType(), value, less);
    Value bit = BitwiseAndOp::create(rewriter, loc, op.getType(), last, isShifted);
    Value shifted = ShiftRightArithmeticOp::create(rewriter, loc, op.getType(), value, amount);
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), shifted, bit);
    return success();
  }
};

template <typename TosaOp, Comparison kind> struct ConvertComparison : OpRewritePattern<TosaOp> {
  using OpRewritePattern<TosaOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(TosaOp op, PatternRewriter &rewriter) const override {
    Value lhs = op.getInput1(), rhs = op.getInput2();
    if (!haveOneType({lhs, rhs}) || !isMicaTensor(op.getOutput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!broadcastStatically({lhs, rhs}))
      return rewriter.notifyMatchFailure(op, kDynamic);
    rewriter.replaceOpWithNewOp<CompareOp>(op, op.getType(), kind, lhs, rhs);
    return success();
  }
};

struct ConvertSelect : OpRewritePattern<tosa::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::SelectOp op, PatternRewriter &rewriter) const override {
    Value condition = op.getInput1(), onTrue = op.getInput2(), onFalse = op.getInput3();
    if (!haveOneType({onTrue, onFalse, op.getOutput()}) || !isMicaTensor(condition))
      return rewriter.notifyMatchFailure(op, kTypes);
    if (!broadcastStatically({condition, onTrue, onFalse}))
      return rewriter.notifyMatchFailure(op, kDynamic);
    rewriter.replaceOpWithNewOp<SelectOp>(op, op.getType(), condition, onTrue, onFalse);
    return success();
  }
};

struct ConvertClamp : OpRewritePattern<tosa::ClampOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::ClampOp op, PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    if (!haveOneType({input, op.getOutput()}, Elements::Number) || input.getType() != op.getType())
      return rewriter.notifyMatchFailure(op, kTypes);
    bool ordered = false;
    auto least = cast<TypedAttr>(op.getMinVal()), most = cast<TypedAttr>(op.getMaxVal());
    if (least.getType() != elementOf(input) || most.getType() != elementOf(input))
      return rewriter.notifyMatchFailure(op, "the bounds have another type");
    if (isFloat(input)) {
      if (!propagatesNan(op))
        return rewriter.notifyMatchFailure(op, kNanMode);
      ordered = cast<FloatAttr>(least).getValue() <= cast<FloatAttr>(most).getValue();
    } else {
      ordered = cast<IntegerAttr>(least).getValue().sle(cast<IntegerAttr>(most).getValue());
    }
    if (!ordered)
      return rewriter.notifyMatchFailure(op, "the bounds are no interval");
    rewriter.replaceOpWithNewOp<ClampOp>(op, op.getType(), input, least, most);
    return success();
  }
};

struct ConvertCast : OpRewritePattern<tosa::CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tosa::CastOp op, PatternRewriter &rewriter) const override {
    if (!isMicaTensor(op.getInput()) || !isMicaTensor(op.getOutput()))
      return rewriter.notifyMatchFailure(op, kTypes);
    // Floats are rounded to the nearest even integer and saturate; integers are truncated to the low bits.
    Type from = elementOf(op.getInput()), to = elementOf(op.getOutput());
    bool toInteger = isa<IntegerType>(to) && !to.isInteger(1), fromFloat = isa<FloatType>(from);
    rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), op.getInput(),
                                        toInteger && !fromFloat ? Overflow::Wrap : Overflow::Saturate,
                                        toInteger && fromFloat ? Rounding::NearestEven : Rounding::TowardZero);
    return success();
  }
};

} // namespace

void tosatomica::populateElementwisePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConvertUnary<tosa::AbsOp, AbsOp, Elements::Number>, ConvertUnary<tosa::CeilOp, CeilOp, Elements::Float>,
               ConvertUnary<tosa::FloorOp, FloorOp, Elements::Float>, ConvertUnary<tosa::ExpOp, ExpOp, Elements::Float>,
               ConvertUnary<tosa::LogOp, LogOp, Elements::Float>, ConvertUnary<tosa::RsqrtOp, RsqrtOp, Elements::Float>,
               ConvertUnary<tosa::SinOp, SinOp, Elements::Float>, ConvertUnary<tosa::CosOp, CosOp, Elements::Float>,
               ConvertUnary<tosa::TanhOp, TanhOp, Elements::Float>, ConvertUnary<tosa::ErfOp, ErfOp, Elements::Float>,
               ConvertUnary<tosa::SigmoidOp, SigmoidOp, Elements::Float>,
               ConvertUnary<tosa::LogicalNotOp, LogicalNotOp, Elements::Bool>,
               ConvertUnary<tosa::BitwiseNotOp, BitwiseNotOp, Elements::Integer>, ConvertNegate>(context);
  patterns
      .add<ConvertBinary<tosa::AddOp, AddOp, Elements::Number>, ConvertBinary<tosa::SubOp, SubOp, Elements::Number>,
           ConvertBinary<tosa::MulOp, MulOp, Elements::Number>, ConvertBinary<tosa::IntDivOp, DivOp, Elements::Integer>,
           ConvertBinary<tosa::PowOp, PowOp, Elements::Float>, ConvertBinary<tosa::MaximumOp, MaxOp, Elements::Number>,
           ConvertBinary<tosa::MinimumOp, MinOp, Elements::Number>,
           ConvertBinary<tosa::LogicalAndOp, LogicalAndOp, Elements::Bool>,
           ConvertBinary<tosa::LogicalOrOp, LogicalOrOp, Elements::Bool>,
           ConvertBinary<tosa::LogicalXorOp, LogicalXorOp, Elements::Bool>,
           ConvertBinary<tosa::BitwiseAndOp, BitwiseAndOp, Elements::Integer>,
           ConvertBinary<tosa::BitwiseOrOp, BitwiseOrOp, Elements::Integer>,
           ConvertBinary<tosa::BitwiseXorOp, BitwiseXorOp, Elements::Integer>,
           ConvertBinary<tosa::LogicalLeftShiftOp, ShiftLeftOp, Elements::Integer>,
           ConvertBinary<tosa::LogicalRightShiftOp, ShiftRightLogicalOp, Elements::Integer>,
           ConvertBinary<tosa::ArithmeticRightShiftOp, ShiftRightArithmeticOp, Elements::Integer>>(context);
  patterns.add<ConvertComparison<tosa::EqualOp, Comparison::Eq>, ConvertComparison<tosa::GreaterOp, Comparison::Gt>,
               ConvertComparison<tosa::GreaterEqualOp, Comparison::Ge>, ConvertSelect, ConvertClamp, ConvertCast,
               ConvertRoundingShift>(context);
}
