//===- Elementwise.cpp - lowering elementwise ops ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each becomes one linalg.generic whose body is the operation on one element. Floats of fewer than 32 bits are computed
// in f32 and rounded once.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Element.h"
#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

Value clamp(ClampOp op, const Element &e, Value x) {
  auto bound = [&](TypedAttr attr) -> Value {
    Value constant = arith::ConstantOp::create(e.builder, e.loc, attr);
    return e.isFloat() ? e.on(attr.getType()).convertFloat(e.type, constant) : constant;
  };
  Value least = bound(op.getMin()), raised = e.larger(x, least), most = bound(op.getMax());
  return e.smaller(raised, most);
}

/// The operation on operands of `e.type`.
Value computeElement(Operation *op, const Element &e, ValueRange args) {
  Value x = args[0];
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return e.add(x, args[1]); })
      .Case([&](SubOp) { return e.sub(x, args[1]); })
      .Case([&](MulOp) { return e.mul(x, args[1]); })
      .Case([&](DivOp) { return e.div(x, args[1]); })
      .Case([&](RemOp) { return e.rem(x, args[1]); })
      .Case([&](PowOp) { return e.pow(x, args[1]); })
      .Case([&](MaxOp) { return e.larger(x, args[1]); })
      .Case([&](MinOp) { return e.smaller(x, args[1]); })
      .Case([&](NegOp) { return e.neg(x); })
      .Case([&](AbsOp) { return e.abs(x); })
      .Case([&](ExpOp) { return e.make<math::ExpOp>(x); })
      .Case([&](LogOp) { return e.make<math::LogOp>(x); })
      .Case([&](SqrtOp) { return e.make<math::SqrtOp>(x); })
      .Case([&](RsqrtOp) { return e.make<math::RsqrtOp>(x); })
      .Case([&](SinOp) { return e.make<math::SinOp>(x); })
      .Case([&](CosOp) { return e.make<math::CosOp>(x); })
      .Case([&](FloorOp) { return e.make<math::FloorOp>(x); })
      .Case([&](CeilOp) { return e.make<math::CeilOp>(x); })
      .Case([&](RoundOp) { return e.make<math::RoundEvenOp>(x); })
      .Case([&](TanhOp) { return e.make<math::TanhOp>(x); })
      .Case([&](ErfOp) { return e.make<math::ErfOp>(x); })
      .Case([&](SigmoidOp) { return e.sigmoid(x); })
      .Case([&](SiluOp) { return e.silu(x); })
      .Case([&](ReluOp) { return e.relu(x); })
      .Case([&](GeluOp gelu) { return e.gelu(x, gelu.getApproximate()); })
      .Case([&](ClampOp bounds) { return clamp(bounds, e, x); })
      .Case([&](CompareOp compare) { return e.compare(compare.getKind(), x, args[1]); })
      .Case<LogicalAndOp, BitwiseAndOp>([&](auto) { return e.make<arith::AndIOp>(x, args[1]); })
      .Case<LogicalOrOp, BitwiseOrOp>([&](auto) { return e.make<arith::OrIOp>(x, args[1]); })
      .Case<LogicalXorOp, BitwiseXorOp>([&](auto) { return e.make<arith::XOrIOp>(x, args[1]); })
      .Case<LogicalNotOp, BitwiseNotOp>([&](auto) { return e.invert(x); })
      .Case([&](ShiftLeftOp) { return e.shiftLeft(x, args[1]); })
      .Case([&](ShiftRightArithmeticOp) { return e.shiftRightArithmetic(x, args[1]); })
      .Case([&](ShiftRightLogicalOp) { return e.shiftRightLogical(x, args[1]); });
}

/// The body of an elementwise op: extends operands to the computation type, and rounds the result.
Value elementBody(Operation *op, OpBuilder &builder, Location loc, ValueRange args) {
  Element stored{builder, loc, args[0].getType()};
  if (isa<SelectOp>(op))
    return stored.select(args[0], args[1], args[2]);
  if (auto castOp = dyn_cast<CastOp>(op))
    return stored.castTo(castOp.getType().getElementType(), args[0], castOp.getOverflow(), castOp.getRounding());
  Element computed = stored.on(computeType(stored.type));
  unsigned count = op->getNumOperands();
  SmallVector<Value> operands(args.take_front(count));
  if (stored.isFloat())
    for (Value &operand : operands)
      operand = stored.convertFloat(computed.type, operand);
  Value result = computeElement(op, computed, operands);
  return result.getType() == computed.type && stored.isFloat() ? computed.convertFloat(stored.type, result) : result;
}

template <typename OpTy> struct LowerElementwise : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    SmallVector<OpFoldResult> sizes = resultSizes(rewriter, op);
    RankedTensorType type = op.getType();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (Value operand : op->getOperands()) {
      // Drops broadcast dimensions of the operand, so that every map is a projected permutation.
      SmallVector<int64_t> repeated;
      for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(operand.getType()).getShape()))
        if (size == 1 && getConstantIntValue(sizes[dim]) != 1)
          repeated.push_back(dim);
      inputs.push_back(lowering.dropUnitDims(operand, repeated));
      maps.push_back(mapWithout(type.getRank(), repeated, rewriter.getContext()));
    }
    Value result =
        lowering.parallel(inputs, maps, sizes, type.getElementType(),
                          [&](OpBuilder &b, Location loc, ValueRange args) { return elementBody(op, b, loc, args); });
    replace(rewriter, op, result);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Quantization
//===------------------------------------------------------------------------------------------------------------===//

/// Extends a stored integer to i64 or i32, so that differences do not overflow.
Value widenStored(const Element &stored, Type wide, Value x, bool isUnsigned) {
  if (isUnsigned)
    return arith::ExtUIOp::create(stored.builder, stored.loc, wide, x);
  return arith::ExtSIOp::create(stored.builder, stored.loc, wide, x);
}

Value quantizeElement(QuantizeOp op, OpBuilder &b, Location loc, ValueRange args) {
  Element input{b, loc, args[0].getType()}, real = input.on(computeType(input.type));
  Element stored = input.on(op.getType().getElementType());
  Value x = input.convertFloat(real.type, args[0]), scale = input.convertFloat(real.type, args[1]);
  Value quotient = real.make<arith::DivFOp>(x, scale);
  Value whole = real.make<math::RoundEvenOp>(quotient);
  Value zero = real.number(0), isNumber = real.is(arith::CmpFPredicate::ORD, whole, whole);
  whole = real.select(isNumber, whole, zero);
  // Sums are exact within the range: for i32 in f64.
  Element sum = real.on(stored.type.isInteger(32) ? b.getF64Type() : real.type);
  whole = real.convertFloat(sum.type, whole);
  if (op.getZeroPoint()) {
    Value zeroPoint = stored.toFloat(sum.type, args[2], op.getUnsignedStorage());
    whole = sum.add(whole, zeroPoint);
  }
  return sum.saturate(cast<IntegerType>(stored.type), whole, op.getUnsignedStorage());
}

Value dequantizeElement(DequantizeOp op, OpBuilder &b, Location loc, ValueRange args) {
  Element stored{b, loc, args[0].getType()}, result = stored.on(op.getType().getElementType());
  bool isUnsigned = op.getUnsignedStorage(), isWide = stored.type.isInteger(32);
  Element integer = stored.on(b.getIntegerType(isWide ? 64 : 32));
  Value difference = widenStored(stored, integer.type, args[0], isUnsigned);
  if (op.getZeroPoint()) {
    Value zeroPoint = widenStored(stored, integer.type, args[2], isUnsigned);
    difference = integer.sub(difference, zeroPoint);
  }
  // f32 represents the product of a narrow float with a 9-bit number exactly, and of factors with up to 24 bits in
  // total.
  bool needsF64 = isWide || (stored.type.isInteger(16) && computeType(result.type) != result.type);
  Element product = result.on(needsF64 ? b.getF64Type() : computeType(result.type));
  Value number = integer.toFloat(product.type, difference);
  Value scale = result.convertFloat(product.type, args[1]);
  Value scaled = product.mul(number, scale);
  return product.convertFloat(result.type, scaled);
}

template <typename OpTy, Value (*body)(OpTy, OpBuilder &, Location, ValueRange)>
struct LowerQuantization : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t rank = op.getType().getRank();
    SmallVector<AffineExpr> along;
    if (std::optional<int64_t> axis = op.getAxis())
      along.push_back(rewriter.getAffineDimExpr(*axis));
    AffineMap parameterMap = AffineMap::get(rank, 0, along, rewriter.getContext());
    SmallVector<Value> inputs = {op.getInput(), op.getScale()};
    SmallVector<AffineMap> maps = {rewriter.getMultiDimIdentityMap(rank), parameterMap};
    if (op.getZeroPoint()) {
      inputs.push_back(op.getZeroPoint());
      maps.push_back(parameterMap);
    }
    Value result =
        lowering.parallel(inputs, maps, resultSizes(rewriter, op), op.getType().getElementType(),
                          [&](OpBuilder &b, Location loc, ValueRange args) { return body(op, b, loc, args); });
    replace(rewriter, op, result);
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Positions
//===------------------------------------------------------------------------------------------------------------===//

/// The position along a loop, as an i64.
Value positionOf(OpBuilder &b, Location loc, int64_t loop) {
  Value index = linalg::IndexOp::create(b, loc, loop);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

struct LowerIota : OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IotaOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    Type element = op.getType().getElementType();
    Value result = lowering.parallel(
        {}, {}, resultSizes(rewriter, op), element, [&](OpBuilder &b, Location loc, ValueRange) -> Value {
          Value position = positionOf(b, loc, op.getAxis());
          return Element{b, loc, b.getI64Type()}.castTo(element, position, Overflow::Wrap, Rounding::TowardZero);
        });
    replace(rewriter, op, result);
    return success();
  }
};

struct LowerOneHot : OpRewritePattern<OneHotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(OneHotOp op, PatternRewriter &rewriter) const override {
    Lowering lowering(rewriter, op.getLoc());
    int64_t axis = op.getAxis(), rank = op.getType().getRank();
    Type element = op.getType().getElementType();
    Value result = lowering.parallel(
        op.getIndices(), mapWithout(rank, {axis}, rewriter.getContext()), resultSizes(rewriter, op), element,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Element index{b, loc, args[0].getType()}, wide = index.on(b.getI64Type()), made = index.on(element);
          Value named = index.castTo(wide.type, args[0], Overflow::Wrap, Rounding::TowardZero);
          Value position = positionOf(b, loc, axis);
          Value hit = wide.is(arith::CmpIPredicate::eq, named, position);
          Value one = element.isInteger(1) ? made.integer(APInt(1, 1)) : made.number(1), zero = made.number(0);
          return made.select(hit, one, zero);
        });
    replace(rewriter, op, result);
    return success();
  }
};

template <typename... Ops> void addElementwise(RewritePatternSet &patterns) {
  patterns.add<LowerElementwise<Ops>...>(patterns.getContext());
}

} // namespace

void tolinalg::populateElementwisePatterns(RewritePatternSet &patterns) {
  addElementwise<AddOp, SubOp, MulOp, DivOp, RemOp, PowOp, MaxOp, MinOp>(patterns);
  addElementwise<NegOp, AbsOp, ExpOp, LogOp, SqrtOp, RsqrtOp, SinOp, CosOp, FloorOp, CeilOp, RoundOp, ClampOp>(
      patterns);
  addElementwise<TanhOp, ErfOp, SigmoidOp, ReluOp, GeluOp, SiluOp>(patterns);
  addElementwise<CompareOp, SelectOp, LogicalAndOp, LogicalOrOp, LogicalXorOp, LogicalNotOp, BitwiseAndOp, BitwiseOrOp,
                 BitwiseXorOp, BitwiseNotOp, ShiftLeftOp, ShiftRightArithmeticOp, ShiftRightLogicalOp, CastOp>(
      patterns);
  patterns.add<LowerQuantization<QuantizeOp, quantizeElement>, LowerQuantization<DequantizeOp, dequantizeElement>,
               LowerIota, LowerOneHot>(patterns.getContext());
}
