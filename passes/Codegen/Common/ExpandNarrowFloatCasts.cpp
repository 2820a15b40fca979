//===- ExpandNarrowFloatCasts.cpp - emulating narrow floats -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// f8E4M3FN and f8E5M2 are stored as bytes, and LLVM has no arithmetic on them: every operation is computed in f32 and
// rounded, which is correctly rounded for +, -, *, / and square roots. The same applies to math functions on bf16 and
// f16, which would otherwise be libm calls, and to all operations on those of the two that the machine cannot convert:
// LLVM would call library functions with which programs are not linked. The conversions are integer arithmetic on the
// bits, lane by lane. With m bits of mantissa, exponent bias B, and x the bits without the sign:
//
//   to f32     (x << (23 - m)) as a float, times 2^(127 - B): right for subnormals too; infinity and NaN by a select
//   from f32   normal     add half a unit, less one if the unit's bit is even; shift; take the biases' difference off
//              subnormal  add the float whose unit in the last place is the smallest subnormal; the bits above are left
//              too large  f8E4M3FN: NaN, the others: infinity, as the rounding of APFloat
//
// bf16 is the upper half of an f32, subnormals included, so it needs only the first case. AVX512-BF16 has an
// instruction for it, which flushes subnormals to 0; hence `types` has bf16 on every x86.
//
// A cast with another rounding mode than to nearest even is that cast, and then a step to the neighbor where the result
// lies on the wrong side of the operand. Upstream lowers it to an LLVM intrinsic that only says which mode the machine
// is in, and it is in the default one.
//
// A bf16 is converted to f32 by a shift. LLVM must not recognize it as a conversion, because it then moves functions
// (floor) across it, to bf16.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/NarrowFloats.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <cmath>

namespace mica {
#define GEN_PASS_DEF_EXPANDNARROWFLOATCASTSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Bits computes on scalars and vectors; tensors have not been lowered yet.
bool isLowered(Type type) { return !isa<TensorType>(type); }

/// The 16-bit floats that the machine cannot convert.
struct Emulated {
  bool f16 = false, bf16 = false;
};

/// The layout of a float of eight or sixteen bits.
struct Format {
  int32_t bits;
  int32_t mantissaBits;
  int32_t bias;
  int32_t firstSpecial; ///< magnitudes from here on are NaN, or infinity and NaNs
  bool hasInfinity;     ///< `firstSpecial` is infinity
};

std::optional<Format> formatOf(Type type, const Emulated &emulated) {
  if (isa<Float8E4M3FNType>(type))
    return Format{8, 3, 7, 0x7f, false};
  if (isa<Float8E5M2Type>(type))
    return Format{8, 2, 15, 0x7c, true};
  if (isa<Float16Type>(type) && emulated.f16)
    return Format{16, 10, 15, 0x7c00, true};
  if (isa<BFloat16Type>(type) && emulated.bf16)
    return Format{16, 7, 127, 0x7f80, true};
  return std::nullopt;
}

/// Builds 32-bit arithmetic in the shape of `like`, a scalar or a vector.
struct Bits {
  OpBuilder &b;
  Location loc;
  Type like;

  Type shaped(Type element) {
    auto vector = dyn_cast<VectorType>(like);
    return vector ? Type(vector.clone(element)) : element;
  }
  Type integers(int32_t bits) { return shaped(b.getIntegerType(bits)); }
  Type i32() { return shaped(b.getI32Type()); }
  Type f32() { return shaped(b.getF32Type()); }
  Value constant(TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(shaped(value.getType())))
      value = DenseElementsAttr::get(vector, llvm::cast<Attribute>(value));
    return arith::ConstantOp::create(b, loc, value);
  }
  Value integer(uint32_t v) { return constant(b.getI32IntegerAttr(static_cast<int32_t>(v))); }
  Value powerOfTwo(int32_t exponent) { return constant(b.getF32FloatAttr(std::ldexp(1.0f, exponent))); }
  Value cast(Type type, Value v) { return arith::BitcastOp::create(b, loc, type, v); }
  Value less(Value x, Value y) { return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, x, y); }
  Value select(Value c, Value x, Value y) { return arith::SelectOp::create(b, loc, c, x, y); }
  template <typename OpT> Value make(Value x, Value y) { return OpT::create(b, loc, x, y); }
};

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  ExpandExtF(MLIRContext *context, Emulated emulated) : OpRewritePattern(context), emulated(emulated) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Type small = getElementTypeOrSelf(op.getIn().getType());
    std::optional<Format> format = formatOf(small, emulated);
    if (!format || !isLowered(op.getType()))
      return failure();
    Bits a{rewriter, op.getLoc(), op.getType()};
    Value stored = a.cast(a.integers(format->bits), op.getIn());
    Value x = arith::ExtUIOp::create(rewriter, a.loc, a.i32(), stored);
    Value result = small.isBF16() ? a.cast(a.f32(), a.make<arith::ShLIOp>(x, a.integer(16))) : widen(a, x, *format);
    Type element = getElementTypeOrSelf(op.getType());
    if (element.getIntOrFloatBitWidth() < 32)
      result = arith::TruncFOp::create(rewriter, a.loc, op.getType(), result); // exact
    else if (element.getIntOrFloatBitWidth() > 32)
      result = arith::ExtFOp::create(rewriter, a.loc, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static Value widen(Bits &a, Value x, const Format &format) {
    const uint32_t signBit = 1u << (format.bits - 1);
    Value magnitude = a.make<arith::AndIOp>(x, a.integer(signBit - 1));
    Value sign = a.make<arith::ShLIOp>(a.make<arith::AndIOp>(x, a.integer(signBit)), a.integer(32 - format.bits));
    Value shifted = a.make<arith::ShLIOp>(magnitude, a.integer(23 - format.mantissaBits));
    Value number = a.make<arith::MulFOp>(a.cast(a.f32(), shifted), a.powerOfTwo(127 - format.bias));
    Value special = format.hasInfinity ? a.make<arith::OrIOp>(shifted, a.integer(0x7f800000)) : a.integer(0x7fc00000);
    Value isNumber = a.less(magnitude, a.integer(format.firstSpecial));
    Value bits = a.make<arith::OrIOp>(a.select(isNumber, a.cast(a.i32(), number), special), sign);
    return a.cast(a.f32(), bits);
  }

  const Emulated emulated;
};

/// Converts the f64 `x` to f32, rounded to odd: the last bit of an inexact result is 1, so that a second rounding gives
/// the same result as rounding `x` directly.
static Value roundToOdd(Bits &a, Value x) {
  Value nearest = arith::TruncFOp::create(a.b, a.loc, a.f32(), x);
  Value back = arith::ExtFOp::create(a.b, a.loc, x.getType(), nearest);
  Value reached = math::AbsFOp::create(a.b, a.loc, back), magnitude = math::AbsFOp::create(a.b, a.loc, x);
  Value tooLarge = arith::CmpFOp::create(a.b, a.loc, arith::CmpFPredicate::OGT, reached, magnitude);
  Value inexact = arith::CmpFOp::create(a.b, a.loc, arith::CmpFPredicate::ONE, back, x);
  Value bits = a.cast(a.i32(), nearest), one = a.integer(1);
  Value toZero = a.select(tooLarge, a.make<arith::SubIOp>(bits, one), bits);
  return a.cast(a.f32(), a.select(inexact, a.make<arith::OrIOp>(toZero, one), bits));
}

/// LLVM calls a library function for f64 to 16-bit floats, with which programs are not linked.
struct NarrowTwice : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!isa<Float16Type, BFloat16Type>(element) || !isLowered(op.getType()) ||
        !getElementTypeOrSelf(op.getIn().getType()).isF64() || op.getRoundingmode())
      return failure();
    Bits a{rewriter, op.getLoc(), op.getType()};
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), roundToOdd(a, op.getIn()));
    return success();
  }
};

/// A cast with a rounding mode, by one without. The bits of floats of one sign are in the order of their magnitudes, so
/// that the neighbor of a number is one bit pattern further.
struct RoundAsGiven : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    std::optional<arith::RoundingMode> mode = op.getRoundingmode();
    if (!mode || !isLowered(op.getType()))
      return failure();
    Bits a{rewriter, op.getLoc(), op.getType()};
    Type element = getElementTypeOrSelf(op.getType());
    Value x = op.getIn();
    if (getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth() < 32)
      x = arith::ExtFOp::create(rewriter, a.loc, a.f32(), x); // exact
    Value nearest = arith::TruncFOp::create(rewriter, a.loc, op.getType(), x);
    if (*mode == arith::RoundingMode::to_nearest_even) {
      rewriter.replaceOp(op, nearest);
      return success();
    }
    Rounded rounded{a, x, nearest};
    Value bits = rounded.neighbor(*mode);
    if (isa<Float8E4M3FNType>(element))
      bits = rounded.withoutInfinity(*mode, bits);
    rewriter.replaceOp(op, a.cast(op.getType(), bits));
    return success();
  }

private:
  /// What `x` rounded to the nearest is, and what it should be; results are bits.
  struct Rounded {
    Rounded(Bits &a, Value x, Value nearest)
        : a(a), x(x), back(arith::ExtFOp::create(a.b, a.loc, x.getType(), nearest)), narrow(nearest.getType()),
          width(getElementTypeOrSelf(narrow).getIntOrFloatBitWidth()), bits(a.cast(a.integers(width), nearest)),
          larger(a.make<arith::AddIOp>(bits, pattern(1))), smaller(a.make<arith::SubIOp>(bits, pattern(1))) {}

    Value neighbor(arith::RoundingMode mode) {
      if (mode == arith::RoundingMode::toward_zero)
        return a.select(compare(arith::CmpFPredicate::OGT, magnitude(back), magnitude(x)), smaller, bits);
      if (mode == arith::RoundingMode::to_nearest_away)
        return a.select(isTieRoundedDown(), larger, bits);
      const bool isUpward = mode == arith::RoundingMode::upward;
      Value isNegative = arith::CmpIOp::create(a.b, a.loc, arith::CmpIPredicate::slt, bits, pattern(0));
      Value next = isUpward ? a.select(isNegative, smaller, larger) : a.select(isNegative, larger, smaller);
      return a.select(compare(isUpward ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT, back, x), next, bits);
    }

    /// f8E4M3FN has NaN where others have an infinity, behind an even number: what is too large becomes the largest
    /// number if the mode rounds it toward zero, and the tie between 448 and NaN becomes NaN if ties go away from zero.
    Value withoutInfinity(arith::RoundingMode mode, Value result) {
      Value isNegative = compare(arith::CmpFPredicate::OLT, x, number(0.0));
      if (mode == arith::RoundingMode::to_nearest_away)
        return a.select(compare(arith::CmpFPredicate::OEQ, magnitude(x), number(464.0)),
                        a.select(isNegative, pattern(0xff), pattern(0x7f)), result);
      Value isTooLarge = a.make<arith::AndIOp>(
          compare(arith::CmpFPredicate::UNO, back, back),
          compare(arith::CmpFPredicate::OLT, magnitude(x), number(std::numeric_limits<double>::infinity())));
      if (mode == arith::RoundingMode::downward)
        isTooLarge = a.make<arith::AndIOp>(isTooLarge, compare(arith::CmpFPredicate::OGT, x, number(0.0)));
      if (mode == arith::RoundingMode::upward)
        isTooLarge = a.make<arith::AndIOp>(isTooLarge, isNegative);
      return a.select(isTooLarge, a.select(isNegative, pattern(0xfe), pattern(0x7e)), result);
    }

  private:
    /// Both distances are exact where they are equal. Before an infinity there is an odd number, which no tie goes to.
    Value isTieRoundedDown() {
      Value next = arith::ExtFOp::create(a.b, a.loc, x.getType(), a.cast(narrow, larger));
      Value below = a.make<arith::SubFOp>(magnitude(x), magnitude(back));
      Value above = a.make<arith::SubFOp>(magnitude(next), magnitude(x));
      return a.make<arith::AndIOp>(compare(arith::CmpFPredicate::OGT, below, number(0.0)),
                                   compare(arith::CmpFPredicate::OEQ, above, below));
    }
    Value magnitude(Value value) { return math::AbsFOp::create(a.b, a.loc, value); }
    Value compare(arith::CmpFPredicate predicate, Value l, Value r) {
      return arith::CmpFOp::create(a.b, a.loc, predicate, l, r);
    }
    Value pattern(int64_t value) {
      return a.constant(a.b.getIntegerAttr(a.b.getIntegerType(width), APInt(width, value, false, true)));
    }
    Value number(double value) { return a.constant(a.b.getFloatAttr(getElementTypeOrSelf(x.getType()), value)); }

    Bits &a;
    Value x, back;
    Type narrow;
    unsigned width;
    Value bits, larger, smaller;
  };
};

struct ExpandTruncF : OpRewritePattern<arith::TruncFOp> {
  ExpandTruncF(MLIRContext *context, Emulated emulated) : OpRewritePattern(context), emulated(emulated) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    std::optional<Format> format = formatOf(getElementTypeOrSelf(op.getType()), emulated);
    if (!format || !isLowered(op.getType()) || op.getRoundingmode())
      return failure();
    Bits a{rewriter, op.getLoc(), op.getType()};
    Value from = op.getIn();
    unsigned width = getElementTypeOrSelf(from.getType()).getIntOrFloatBitWidth();
    if (width < 32)
      from = arith::ExtFOp::create(rewriter, a.loc, a.f32(), from);
    else if (width > 32)
      from = roundToOdd(a, from);
    if (getElementTypeOrSelf(op.getType()).isBF16()) {
      rewriter.replaceOp(op, a.cast(op.getType(), upperHalf(a, from)));
      return success();
    }
    int32_t dropped = 23 - format->mantissaBits;
    Value x = a.cast(a.i32(), from);
    Value magnitude = a.make<arith::AndIOp>(x, a.integer(0x7fffffff));
    Value sign = a.make<arith::AndIOp>(a.make<arith::ShRUIOp>(x, a.integer(32 - format->bits)),
                                       a.integer(1u << (format->bits - 1)));

    Value odd = a.make<arith::AndIOp>(a.make<arith::ShRUIOp>(magnitude, a.integer(dropped)), a.integer(1));
    Value rounded = a.make<arith::AddIOp>(magnitude, a.integer((1 << (dropped - 1)) - 1));
    rounded = a.make<arith::ShRUIOp>(a.make<arith::AddIOp>(rounded, odd), a.integer(dropped));
    Value normal = a.make<arith::SubIOp>(rounded, a.integer((127 - format->bias) << format->mantissaBits));
    Value limit = a.integer(format->firstSpecial);
    normal = a.select(a.less(normal, limit), normal, limit);

    Value magic = a.powerOfTwo(24 - format->bias - format->mantissaBits);
    Value sum = a.make<arith::AddFOp>(a.cast(a.f32(), magnitude), magic);
    Value subnormal = a.make<arith::SubIOp>(a.cast(a.i32(), sum), a.cast(a.i32(), magic));
    Value isSubnormal = a.less(magnitude, a.integer((127 + 1 - format->bias) << 23));
    Value result = a.select(isSubnormal, subnormal, normal);
    if (format->hasInfinity)
      result = a.select(a.less(a.integer(0x7f800000), magnitude),
                        a.integer(format->firstSpecial | 1 << (format->mantissaBits - 1)), result);
    result = a.make<arith::OrIOp>(result, sign);
    result = arith::TruncIOp::create(rewriter, a.loc, a.integers(format->bits), result);
    rewriter.replaceOp(op, a.cast(op.getType(), result));
    return success();
  }

  /// The bits of the bf16 nearest to the f32 `from`. Both have the same exponent, so that a carry out of the mantissa
  /// is correct for subnormals, and for overflow to infinity; only NaN needs special handling.
  static Value upperHalf(Bits &a, Value from) {
    Value x = a.cast(a.i32(), from);
    Value odd = a.make<arith::AndIOp>(a.make<arith::ShRUIOp>(x, a.integer(16)), a.integer(1));
    Value rounded = a.make<arith::AddIOp>(a.make<arith::AddIOp>(x, a.integer(0x7fff)), odd);
    Value isNan = arith::CmpFOp::create(a.b, a.loc, arith::CmpFPredicate::UNO, from, from);
    Value quiet = a.make<arith::OrIOp>(a.make<arith::AndIOp>(x, a.integer(0x80000000)), a.integer(0x7fc00000));
    Value bits = a.make<arith::ShRUIOp>(a.select(isNan, quiet, rounded), a.integer(16));
    return arith::TruncIOp::create(a.b, a.loc, a.integers(16), bits);
  }

private:
  const Emulated emulated;
};

/// Integers of more bits than the mantissa of f32, to bf16: via f32 they would be rounded twice. Via f64 they are not,
/// if the bits that exceed its mantissa are replaced by one sticky bit. The other narrow floats have a smaller range
/// than the integers that f32 represents exactly.
template <typename OpT> struct RoundOnce : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    unsigned width = getElementTypeOrSelf(from).getIntOrFloatBitWidth();
    if (!getElementTypeOrSelf(op.getType()).isBF16() || !isLowered(op.getType()) || width <= 24 || width > 64)
      return failure();
    Location loc = op.getLoc();
    Bits a{rewriter, loc, op.getType()};
    Value x = op.getIn();
    if (width > 53) {
      auto constant = [&](int64_t v) { return a.constant(rewriter.getIntegerAttr(getElementTypeOrSelf(from), v)); };
      // Magnitudes below 2^53 are exact.
      Value dropped = a.make<arith::AndIOp>(x, constant(0x7ff));
      Value isExact = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, dropped, constant(0));
      Value kept = a.make<arith::AndIOp>(x, constant(~int64_t(0x7ff)));
      Value marked = a.make<arith::OrIOp>(kept, constant(0x800));
      Value bits = a.select(isExact, x, marked);
      Value isSmall;
      if constexpr (std::is_same_v<OpT, arith::SIToFPOp>) {
        Value shifted = a.make<arith::AddIOp>(x, constant(int64_t(1) << 52));
        isSmall = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, shifted, constant(int64_t(1) << 53));
      } else {
        isSmall = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, x, constant(int64_t(1) << 53));
      }
      x = a.select(isSmall, x, bits);
    }
    Value wide = OpT::create(rewriter, loc, a.shaped(rewriter.getF64Type()), x);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

struct ExpandNarrowFloatCastsPass : mica::impl::ExpandNarrowFloatCastsPassBase<ExpandNarrowFloatCastsPass> {
  using ExpandNarrowFloatCastsPassBase::ExpandNarrowFloatCastsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    SmallVector<Type> named;
    if (failed(mica::readSmallFloats(context, types, named)))
      return failure();
    emulated.f16 = llvm::any_of(named, llvm::IsaPred<Float16Type>);
    emulated.bf16 = llvm::any_of(named, llvm::IsaPred<BFloat16Type>);
    return success();
  }

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet integers(context);
    integers.add<RoundOnce<arith::SIToFPOp>, RoundOnce<arith::UIToFPOp>>(context);
    walkAndApplyPatterns(getOperation(), std::move(integers));
    Type f32 = Float32Type::get(context);
    SmallVector<Type> whole = {Float8E4M3FNType::get(context), Float8E5M2Type::get(context)}, functions;
    (emulated.bf16 ? whole : functions).push_back(BFloat16Type::get(context));
    (emulated.f16 ? whole : functions).push_back(Float16Type::get(context));
    if (failed(computeIn(f32, whole, /*functionsOnly=*/false)) ||
        failed(computeIn(f32, functions, /*functionsOnly=*/true)))
      return signalPassFailure();
    RewritePatternSet patterns(context);
    mica::populateExpandNarrowFloatPatterns(patterns, emulated.f16, emulated.bf16);
    // Do not simplify the blocks of a host function: for a switch of n cases the operands of each are computed in O(n).
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }

private:
  LogicalResult computeIn(Type wide, ArrayRef<Type> types, bool functionsOnly) {
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(converter, types, wide);
    RewritePatternSet patterns(&getContext());
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(getContext());
    if (functionsOnly)
      target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    else
      arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    target.addDynamicallyLegalDialect<math::MathDialect>([&](Operation *op) { return converter.isLegal(op); });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return failure();
    // The patterns may be contracted, which removes intermediate roundings; every operation must round.
    getOperation()->walk([](arith::ArithFastMathInterface op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op.getOperation()))
        op->removeAttr(op.getFastMathAttrName());
    });
    return success();
  }

  Emulated emulated;
};

} // namespace

void mica::populateExpandNarrowFloatPatterns(RewritePatternSet &patterns, bool emulateF16, bool emulateBF16) {
  const Emulated emulated{emulateF16, emulateBF16};
  patterns.add<ExpandExtF, ExpandTruncF>(patterns.getContext(), emulated);
  patterns.add<NarrowTwice, RoundAsGiven>(patterns.getContext());
}
