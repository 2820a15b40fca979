//===- ApproximateMath.cpp - vectorizable expansions of math functions --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Calls into libm process one element at a time. On f32, the functions that models use become arithmetic on whole
// vectors:
//
//   exp erf                    own expansions, below
//   log log2 sin cos powf      own expansions, in VectorFunctions.cpp
//   tanh erfc log1p expm1      upstream's polynomials
//   maximumf of a softmax      a comparison and a selection
//   maximumf, minimumf         comparisons and selections, where they are fewer instructions than the target's own
//   a / splat(s), flag arcp    a * splat(1 / s): one scalar division instead of one per vector
//
// exp(x), for x clamped to the range in which the result is neither 0 nor infinite, with h = roundeven(x / (2 ln 2)):
//   t = x * log2(e) / 2 + m, with m = 1.5 * 2^23 + 127     the low bits of t are h + 127; t - m is h as a float
//   r = (x - h * 2 ln2_high) - h * 2 ln2_low
//   y = e^r by a polynomial of degree 7 on [-ln 2, ln 2], relative error 1.5e-8 before rounding
//   (y * 2^h) * 2^h, the factor made by shifting t's bits into the exponent, whose bias they have
// 2^h is a normal number wherever the result is not 0, so the last product alone rounds: subnormal results, the largest
// floats and infinity come out right without a comparison. NaN goes through the arithmetic unharmed.
//
// In a softmax (mica.softmax), no operand is positive, and neither clamping from above nor half of the exponent is
// needed. With n = roundeven(x / ln 2):
//   t = x * log2(e) + m, with m = 1.5 * 2^23 + 127 + 64     2^(n + 64) is a normal number
//   y = e^r by a polynomial of degree 6 on [-ln 2 / 2, ln 2 / 2], relative error 3.1e-9 before rounding
//   (y * 2^(n + 64)) * 2^-64
//
// erf(x) = x * P(x^2) / Q(x^2), for x clamped to [-4, 4] and the result to [-1, 1], with P and Q of degree 5 fitted for
// minimal relative error (1.9e-8; 5.5 units in the last place after rounding). One division is cheaper than upstream's
// selection among five polynomials per coefficient.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Common/VectorArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;
using mica::cpu::Arithmetic;

namespace {

/// 1 if `value` is a magnitude, times nonnegative numbers; -1 if it is the negative of one; 0 if unknown.
static int signOf(Value value) {
  FloatAttr number;
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)) && isa<FloatType>(splat.getElementType()))
    return splat.getSplatValue<APFloat>().isNegative() ? -1 : 1;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValue().isNegative() ? -1 : 1;
  Operation *op = value.getDefiningOp();
  if (isa_and_present<math::AbsFOp>(op))
    return 1;
  if (isa_and_present<arith::NegFOp>(op))
    return -signOf(op->getOperand(0));
  return isa_and_present<arith::MulFOp>(op) ? signOf(op->getOperand(0)) * signOf(op->getOperand(1)) : 0;
}

struct ApproximateExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() || isa<TensorType>(op.getType()))
      return failure();
    if (op->hasAttr(mica::kSoftmaxAttr)) {
      rewriter.replaceOp(op, ofNonpositive(Arithmetic{rewriter, op.getLoc(), op.getType()}, op.getOperand()));
      return success();
    }
    Arithmetic a{rewriter, op.getLoc(), op.getType()};
    constexpr float kMagic = 12582912.0f + 127; // 1.5 * 2^23 and the bias
    Value x = a.atLeast(op.getOperand(), a.constant(-104.5f));
    if (signOf(op.getOperand()) >= 0) // exp of a nonpositive number does not overflow
      x = a.atMost(x, a.constant(89.0f));
    Value t = a.mulAdd(x, a.constant(0.72134752f), a.constant(kMagic));
    Value h = a.sub(t, a.constant(kMagic));
    // 2 ln 2 in two parts; h times the first is exact.
    Value r = a.mulAdd(h, a.constant(-1.38671875f), x);
    r = a.mulAdd(h, a.constant(4.24388880e-4f), r);
    // Minimal relative error with the first two terms 1 + r.
    Value y = a.polynomial(r, {1.9611802240859788e-4, 1.4104304518737162e-3, 8.336098637446998e-3, 4.166127655658665e-2,
                               1.666661427548134e-1, 5.000003456204247e-1, 1.0, 1.0});
    Value root = a.bitcast(a.type, a.make<arith::ShLIOp>(a.bitcast(a.integerType(), t), a.integer(23)));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, a.mul(y, root), root);
    return success();
  }

private:
  static Value ofNonpositive(const Arithmetic &a, Value operand) {
    constexpr float kMagic = 12582912.0f + 127 + 64; // 1.5 * 2^23, the bias, and 64
    Value x = a.atLeast(operand, a.constant(-104.5f));
    Value t = a.mulAdd(x, a.constant(1.44269504f), a.constant(kMagic));
    Value n = a.sub(t, a.constant(kMagic));
    Value r = a.mulAdd(n, a.constant(-0.693359375f), x);
    r = a.mulAdd(n, a.constant(2.12194440e-4f), r);
    Value y = a.polynomial(r, {1.38144668889e-3, 8.368780414604e-3, 4.1668394214299104e-2, 1.66665201077825e-1,
                               4.999999341248529e-1, 1.0, 1.0});
    Value power = a.bitcast(a.type, a.make<arith::ShLIOp>(a.bitcast(a.integerType(), t), a.integer(23)));
    return a.mul(a.mul(y, power), a.constant(0x1p-64));
  }
};

/// The maximum of a softmax, which need not propagate NaN or order zeros: one instruction.
struct PickMaximum : OpRewritePattern<arith::MaximumFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MaximumFOp op, PatternRewriter &rewriter) const override {
    if (!op->hasAttr(mica::kSoftmaxAttr) || !isa<VectorType>(op.getType()))
      return failure();
    Arithmetic a{rewriter, op.getLoc(), op.getType()};
    rewriter.replaceOp(op, a.atLeast(op.getLhs(), op.getRhs()));
    return success();
  }
};

/// The same among the lanes of a vector: a shuffle and a maximum for each halving.
struct PickReducedMaximum : OpRewritePattern<vector::ReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ReductionOp op, PatternRewriter &rewriter) const override {
    const int64_t lanes = op.getSourceVectorType().getNumElements();
    if (!op->hasAttr(mica::kSoftmaxAttr) || op.getKind() != vector::CombiningKind::MAXIMUMF || !op.getAcc() ||
        op.getSourceVectorType().isScalable() || !llvm::isPowerOf2_64(lanes))
      return failure();
    Value best = op.getVector();
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      SmallVector<int64_t> low = llvm::to_vector(llvm::seq<int64_t>(0, half));
      SmallVector<int64_t> high = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
      Value lower = vector::ShuffleOp::create(rewriter, op.getLoc(), best, best, low);
      Value upper = vector::ShuffleOp::create(rewriter, op.getLoc(), best, best, high);
      best = Arithmetic{rewriter, op.getLoc(), lower.getType()}.atLeast(lower, upper);
    }
    Value only = vector::ExtractOp::create(rewriter, op.getLoc(), best, ArrayRef<int64_t>{0});
    rewriter.replaceOp(op, Arithmetic{rewriter, op.getLoc(), only.getType()}.atLeast(op.getAcc(), only));
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

/// maximumf and minimumf of vectors: NaN is propagated, and -0 < +0. If one operand is a constant, a comparison is
/// sufficient. Otherwise, the target's instruction in both orders: it returns its second operand unless the first is
/// better, so if the operands compare equal, the two results have the bits of both. With AVX-512 these are four
/// instructions (three), and the target's own expansion is six, with masks; without AVX-512's ternary logic the
/// target's own is as short.
template <typename OpT, arith::CmpFPredicate better, arith::CmpFPredicate notWorse>
struct ExpandExtremum : OpRewritePattern<OpT> {
  ExpandExtremum(MLIRContext *context, bool ofTwo) : OpRewritePattern<OpT>(context, /*benefit=*/2), ofTwo(ofTwo) {}

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
      return ofTwo ? expandTwo(op, rewriter) : failure();
    // Equal operands have equal bits, except zeros: the constant wins if it is the larger zero (the smaller one). If
    // either operand is NaN, the target's instruction returns its second operand, and so does the first select.
    bool wins = value->isZero() && value->isNegative() == (better == arith::CmpFPredicate::OLT);
    Value chosen = arith::CmpFOp::create(rewriter, op.getLoc(), wins ? notWorse : better, number, other);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, chosen, number, other);
    return success();
  }

  static LogicalResult expandTwo(OpT op, PatternRewriter &rewriter) {
    auto type = cast<VectorType>(op.getType());
    auto element = cast<FloatType>(type.getElementType());
    if (!element.isF32() && !element.isF64())
      return failure();
    Arithmetic a{rewriter, op.getLoc(), type};
    Value first = a.pick(better, op.getLhs(), op.getRhs()), second = a.pick(better, op.getRhs(), op.getLhs());
    Value firstBits = a.bitcast(a.integerType(), first), secondBits = a.bitcast(a.integerType(), second);
    // NaN with any further bits set is NaN. Of two zeros, the minimum is negative if either is, the maximum if both
    // are.
    Value joined;
    if (better == arith::CmpFPredicate::OLT) {
      joined = a.make<arith::OrIOp>(firstBits, secondBits);
    } else {
      Value magnitude =
          a.integer(element.isF32() ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max());
      joined = a.make<arith::OrIOp>(a.make<arith::AndIOp>(firstBits, magnitude), secondBits);
      joined = a.make<arith::AndIOp>(joined, a.make<arith::OrIOp>(firstBits, magnitude));
    }
    rewriter.replaceOp(op, a.bitcast(type, joined));
    return success();
  }

  /// The constant that `value` has in every lane; nothing if it is NaN.
  static std::optional<APFloat> valueOf(Value value) {
    SplatElementsAttr splat;
    if (!matchPattern(value, m_Constant(&splat)) || splat.getSplatValue<APFloat>().isNaN())
      return std::nullopt;
    return splat.getSplatValue<APFloat>();
  }

private:
  bool ofTwo;
};

/// a / splat(s) -> a * splat(1 / s), on f32, if the division has `arcp`: the quotient is then within 1.5 units in the
/// last place, and wrong if 1 / s is infinite or subnormal, which the flag excludes.
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
  using ApproximateMathPassBase::ApproximateMathPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    mica::populateApproximateMathPatterns(patterns, extrema);
    GreedyRewriteConfig config;
    config.setMaxIterations(4);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

void mica::populateApproximateMathPatterns(RewritePatternSet &patterns, bool extrema) {
  patterns.add<ApproximateExp, ApproximateErf, DivideBySplat>(patterns.getContext(), /*benefit=*/2);
  patterns.add<PickMaximum, PickReducedMaximum>(patterns.getContext(), /*benefit=*/3);
  patterns.add<ExpandExtremum<arith::MaximumFOp, arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE>,
               ExpandExtremum<arith::MinimumFOp, arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE>>(
      patterns.getContext(), extrema);
  cpu::populateVectorFunctionPatterns(patterns);
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    return llvm::is_contained({math::TanhOp::getOperationName(), math::ErfcOp::getOperationName(),
                               math::Log1pOp::getOperationName(), math::ExpM1Op::getOperationName()},
                              name);
  });
}
