//===- ApproximateMath.cpp - math functions as arithmetic on vectors ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Calls into libm work on one element at a time. On f32, the functions that models are made of become arithmetic that works
// on whole vectors:
//
//   exp erf                          own expansions, below
//   log log2 sin cos powf            own expansions, in VectorFunctions.cpp
//   tanh erfc log1p expm1            upstream's polynomials
//   maximumf, minimumf               comparisons and selections, where they are fewer instructions than the target's own
//   a / splat(s), flag arcp          a * splat(1 / s): one scalar division instead of one per vector
//
// exp(x), for x clamped to the range in which the result is neither 0 nor infinite, with h = roundeven(x / (2 ln 2)):
//   t = x * log2(e) / 2 + 1.5 * 2^23     the low bits of t are h; t - 1.5 * 2^23 is h as a float
//   r = (x - h * 2 ln2_high) - h * 2 ln2_low
//   y = e^r by a polynomial of degree 7 on [-ln 2, ln 2], relative error 1.5e-8 before rounding
//   (y * 2^h) * 2^h, the factor made by shifting t's bits into the exponent
// 2^h is a normal number wherever the result is not 0, so the last product alone rounds: subnormal results, the largest floats
// and infinity come out right without a comparison. NaN goes through the arithmetic unharmed.
//
// erf(x) = x * P(x^2) / Q(x^2), for x clamped to [-4, 4] and the result to [-1, 1], with P and Q of degree 5 fitted for the least
// relative error (1.9e-8; 5.5 units in the last place after rounding). One division costs less than upstream's choice
// among five polynomials, coefficient by coefficient.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Cpu/Passes.h"
#include "passes/Cpu/VectorArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/Cpu/Passes.h.inc"
} // namespace mica

using namespace mlir;
using mica::cpu::Arithmetic;

namespace {

struct ApproximateExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() || isa<TensorType>(op.getType()))
      return failure();
    Arithmetic a{rewriter, op.getLoc(), op.getType()};
    constexpr float kMagic = 12582912.0f; // 1.5 * 2^23
    Value x = a.atMost(a.atLeast(op.getOperand(), a.constant(-104.5f)), a.constant(89.0f));
    Value t = a.mulAdd(x, a.constant(0.72134752f), a.constant(kMagic));
    Value h = a.sub(t, a.constant(kMagic));
    // 2 ln 2 in two parts; h times the first is exact.
    Value r = a.mulAdd(h, a.constant(-1.38671875f), x);
    r = a.mulAdd(h, a.constant(4.24388880e-4f), r);
    // Of the least relative error with 1 + r for its first two terms.
    Value y = a.polynomial(r, {1.9611802240859788e-4, 1.4104304518737162e-3, 8.336098637446998e-3, 4.166127655658665e-2,
                               1.666661427548134e-1, 5.000003456204247e-1, 1.0, 1.0});
    Value bits = a.make<arith::ShLIOp>(a.bitcast(a.integerType(), t), a.integer(23));
    Value root = a.bitcast(a.type, a.make<arith::AddIOp>(bits, a.integer(127 << 23)));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, a.mul(y, root), root);
    return success();
  }
};

struct ApproximateErf : OpRewritePattern<math::ErfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ErfOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() || isa<TensorType>(op.getType()))
      return failure();
    Arithmetic a{rewriter, op.getLoc(), op.getType()};
    Value x = a.atMost(a.atLeast(op.getOperand(), a.constant(-4.0f)), a.constant(4.0f));
    Value square = arith::MulFOp::create(rewriter, a.loc, x, x);
    auto polynomial = [&](ArrayRef<float> coefficients) {
      Value sum = a.constant(coefficients.front());
      for (float coefficient : coefficients.drop_front())
        sum = a.mulAdd(sum, square, a.constant(coefficient));
      return sum;
    };
    Value p = polynomial({2.0461980057007167e-06f, 2.848368603736162e-04f, 3.772000316530466e-03f,
                          5.276758223772049e-02f, 1.9058012962341309e-01f, 1.1283791065216064f});
    Value q = polynomial({3.804921288974583e-05f, 1.1637359857559204e-03f, 1.4982078224420547e-02f,
                          1.141771748661995e-01f, 5.022299885749817e-01f, 1.0f});
    Value xp = arith::MulFOp::create(rewriter, a.loc, x, p);
    Value y = arith::DivFOp::create(rewriter, a.loc, xp, q);
    rewriter.replaceOp(op, a.atMost(a.atLeast(y, a.constant(-1.0f)), a.constant(1.0f)));
    return success();
  }
};

/// maximumf and minimumf of vectors: NaN stays NaN, and -0 is below +0. With one number a comparison says all. Of two vectors
/// of 512 bits the lanes that no order tells apart, equal ones and NaN, take bits of both: three instructions with AVX-512,
/// where the target's own expansion, which narrower ones are left to, has five.
template <typename OpT, arith::CmpFPredicate better, arith::CmpFPredicate notWorse>
struct ExpandExtremum : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getType()))
      return failure();
    Value number = op.getRhs(), other = op.getLhs();
    std::optional<APFloat> value = valueOf(number);
    if (!value) {
      std::swap(number, other);
      value = valueOf(number);
    }
    if (!value)
      return expandWide(op, rewriter);
    // Equal are only equal bits, but for zeros: the number wins where it is the larger zero (the smaller one). The target's
    // instruction gives its second operand where either is NaN, and so does the first select.
    bool wins = value->isZero() && value->isNegative() == (better == arith::CmpFPredicate::OLT);
    Value chosen = arith::CmpFOp::create(rewriter, op.getLoc(), wins ? notWorse : better, number, other);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, chosen, number, other);
    return success();
  }

  static LogicalResult expandWide(OpT op, PatternRewriter &rewriter) {
    auto type = cast<VectorType>(op.getType());
    auto element = cast<FloatType>(type.getElementType());
    if (element.getWidth() < 32 || type.isScalable() || type.getNumElements() * element.getWidth() != 512)
      return failure();
    Location loc = op.getLoc();
    Value x = op.getLhs(), y = op.getRhs();
    Value first = arith::CmpFOp::create(rewriter, loc, better, x, y);
    Value ordered = arith::SelectOp::create(rewriter, loc, first, x, y);
    Value isOpen = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UEQ, x, y);
    auto bits = VectorType::get(type.getShape(), rewriter.getIntegerType(element.getWidth()));
    Value xBits = arith::BitcastOp::create(rewriter, loc, bits, x),
          yBits = arith::BitcastOp::create(rewriter, loc, bits, y);
    // NaN with any bits set besides is NaN; of the signs of zeros the larger is one only if both are.
    Value mixed = arith::OrIOp::create(rewriter, loc, xBits, yBits);
    if (better == arith::CmpFPredicate::OGT) {
      auto magnitude = DenseElementsAttr::get(bits, APInt::getSignedMaxValue(element.getWidth()));
      Value mask = arith::ConstantOp::create(rewriter, loc, magnitude);
      Value both = arith::AndIOp::create(rewriter, loc, xBits, yBits);
      Value rest = arith::AndIOp::create(rewriter, loc, mixed, mask);
      mixed = arith::OrIOp::create(rewriter, loc, both, rest);
    }
    Value open = arith::BitcastOp::create(rewriter, loc, type, mixed);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isOpen, open, ordered);
    return success();
  }

  /// The number that `value` holds in every lane; nothing where it is NaN.
  static std::optional<APFloat> valueOf(Value value) {
    SplatElementsAttr splat;
    if (!matchPattern(value, m_Constant(&splat)) || splat.getSplatValue<APFloat>().isNaN())
      return std::nullopt;
    return splat.getSplatValue<APFloat>();
  }
};

/// a / splat(s) -> a * splat(1 / s), on f32, where the division carries `arcp`: the quotient is then within 1.5 units in the last
/// place, and wrong where 1 / s is infinite or subnormal, which whoever sets the flag has excluded.
struct DivideBySplat : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    auto splat = op.getRhs().getDefiningOp<vector::BroadcastOp>();
    if (!type || !splat || !splat.getSource().getType().isF32())
      return failure();
    if (!arith::bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::arcp))
      return rewriter.notifyMatchFailure(op, "a division without 'arcp' is rounded once");
    Value one = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getF32FloatAttr(1.0f));
    Value inverse = arith::DivFOp::create(rewriter, op.getLoc(), one, splat.getSource());
    Value factor = vector::BroadcastOp::create(rewriter, splat.getLoc(), type, inverse);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), factor);
    return success();
  }
};

struct ApproximateMathPass : mica::impl::ApproximateMathPassBase<ApproximateMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    mica::populateApproximateMathPatterns(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(4);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

void mica::populateApproximateMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateExp, ApproximateErf, DivideBySplat,
               ExpandExtremum<arith::MaximumFOp, arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE>,
               ExpandExtremum<arith::MinimumFOp, arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE>>(
      patterns.getContext(), /*benefit=*/2);
  cpu::populateVectorFunctionPatterns(patterns);
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    return llvm::is_contained({math::TanhOp::getOperationName(), math::ErfcOp::getOperationName(),
                               math::Log1pOp::getOperationName(), math::ExpM1Op::getOperationName()},
                              name);
  });
}
