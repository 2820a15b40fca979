//===- Elementwise.cpp - elementwise operations of mica to linalg ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each becomes one linalg.generic whose body is the operation on one element.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/MicaToLinalg/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mica;
using namespace mica::tolinalg;

namespace {

/// Arithmetic on one element, all with one location. Operations are made one per statement: the order in which arguments
/// of a call are evaluated is the compiler's choice, and the IR must not depend on it.
struct Element {
  OpBuilder &builder;
  Location loc;
  Type type;

  bool isFloat() const { return isa<FloatType>(type); }
  Value number(double value) { return tolinalg::number(builder, loc, type, value); }

  template <typename FloatOp, typename IntOp> Value either(Value lhs, Value rhs) {
    if (isFloat())
      return FloatOp::create(builder, loc, lhs, rhs);
    return IntOp::create(builder, loc, lhs, rhs);
  }
  Value add(Value lhs, Value rhs) { return either<arith::AddFOp, arith::AddIOp>(lhs, rhs); }
  Value sub(Value lhs, Value rhs) { return either<arith::SubFOp, arith::SubIOp>(lhs, rhs); }
  Value mul(Value lhs, Value rhs) { return either<arith::MulFOp, arith::MulIOp>(lhs, rhs); }

  Value smaller(Value lhs, Value rhs) {
    if (type.isInteger(1))
      return arith::AndIOp::create(builder, loc, lhs, rhs);
    return either<arith::MinimumFOp, arith::MinSIOp>(lhs, rhs);
  }

  Value div(Value lhs, Value rhs) {
    if (isFloat())
      return arith::DivFOp::create(builder, loc, lhs, rhs);
    // The two divisions that a processor answers with a trap are kept from it: x / 0 is 0, x / -1 is -x.
    Value zero = number(0), one = number(1), minusOne = number(-1);
    Value byZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rhs, zero);
    Value byMinusOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rhs, minusOne);
    Value special = arith::OrIOp::create(builder, loc, byZero, byMinusOne);
    Value safe = arith::SelectOp::create(builder, loc, special, one, rhs);
    Value quotient = arith::DivSIOp::create(builder, loc, lhs, safe);
    Value negated = arith::SubIOp::create(builder, loc, zero, lhs);
    Value wrapped = arith::SelectOp::create(builder, loc, byMinusOne, negated, quotient);
    return arith::SelectOp::create(builder, loc, byZero, zero, wrapped);
  }

  Value neg(Value x) {
    if (isFloat())
      return arith::NegFOp::create(builder, loc, x);
    Value zero = number(0);
    return arith::SubIOp::create(builder, loc, zero, x);
  }

  Value relu(Value x) {
    Value zero = number(0);
    if (!isFloat())
      return arith::MaxSIOp::create(builder, loc, x, zero);
    // Unordered: NaN stays. One comparison and one select cost less than the maximum that must order -0 before +0.
    Value kept = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT, x, zero);
    return arith::SelectOp::create(builder, loc, kept, x, zero);
  }

  /// 1 + e^(-x).
  Value logisticDenominator(Value x) {
    Value negated = arith::NegFOp::create(builder, loc, x);
    Value power = math::ExpOp::create(builder, loc, negated);
    Value one = number(1);
    return add(one, power);
  }

  Value sigmoid(Value x) {
    Value denominator = logisticDenominator(x), one = number(1);
    return arith::DivFOp::create(builder, loc, one, denominator);
  }

  Value gelu(Value x, GeluApproximation approximate) {
    Value bell;
    if (approximate == GeluApproximation::None) {
      Value scale = number(1 / std::sqrt(2.0)), scaled = mul(x, scale);
      bell = math::ErfOp::create(builder, loc, scaled);
    } else {
      Value square = mul(x, x), cube = mul(square, x);
      Value third = number(0.044715), correction = mul(third, cube), corrected = add(x, correction);
      Value scale = number(std::sqrt(2 / M_PI)), scaled = mul(scale, corrected);
      bell = math::TanhOp::create(builder, loc, scaled);
    }
    Value half = number(0.5), halved = mul(half, x), one = number(1), raised = add(one, bell);
    return mul(halved, raised);
  }
};

/// The body of an elementwise operation.
Value computeElement(Operation *op, OpBuilder &builder, Location loc, ValueRange args) {
  Element e{builder, loc, args[0].getType()};
  Value x = args[0];
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) { return e.add(x, args[1]); })
      .Case([&](SubOp) { return e.sub(x, args[1]); })
      .Case([&](MulOp) { return e.mul(x, args[1]); })
      .Case([&](DivOp) { return e.div(x, args[1]); })
      .Case([&](MaxOp) { return larger(builder, loc, x, args[1]); })
      .Case([&](MinOp) { return e.smaller(x, args[1]); })
      .Case([&](NegOp) { return e.neg(x); })
      .Case([&](ExpOp) { return math::ExpOp::create(builder, loc, x).getResult(); })
      .Case([&](TanhOp) { return math::TanhOp::create(builder, loc, x).getResult(); })
      .Case([&](ErfOp) { return math::ErfOp::create(builder, loc, x).getResult(); })
      .Case([&](SigmoidOp) { return e.sigmoid(x); })
      .Case([&](SiluOp) { return arith::DivFOp::create(builder, loc, x, e.logisticDenominator(x)).getResult(); })
      .Case([&](ReluOp) { return e.relu(x); })
      .Case([&](GeluOp gelu) { return e.gelu(x, gelu.getApproximate()); });
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
      // A repeated dimension leaves the operand, so that every map is a projected permutation.
      SmallVector<int64_t> repeated;
      for (auto [dim, size] : llvm::enumerate(cast<RankedTensorType>(operand.getType()).getShape()))
        if (size == 1 && getConstantIntValue(sizes[dim]) != 1)
          repeated.push_back(dim);
      inputs.push_back(lowering.dropUnitDims(operand, repeated));
      maps.push_back(mapWithout(type.getRank(), repeated, rewriter.getContext()));
    }
    Value result =
        lowering.parallel(inputs, maps, sizes, type.getElementType(), [&](OpBuilder &b, Location loc, ValueRange args) {
          return computeElement(op, b, loc, args);
        });
    replace(rewriter, op, result);
    return success();
  }
};

} // namespace

void tolinalg::populateElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerElementwise<AddOp>, LowerElementwise<SubOp>, LowerElementwise<MulOp>, LowerElementwise<DivOp>,
               LowerElementwise<MaxOp>, LowerElementwise<MinOp>, LowerElementwise<NegOp>, LowerElementwise<ExpOp>,
               LowerElementwise<TanhOp>, LowerElementwise<ErfOp>, LowerElementwise<SigmoidOp>, LowerElementwise<ReluOp>,
               LowerElementwise<GeluOp>, LowerElementwise<SiluOp>>(patterns.getContext());
}
