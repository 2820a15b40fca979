//===- ComputeNarrowFloats.cpp - computing narrow floats in f64 ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Arithmetic on floats of fewer than 32 bits is computed in f64 and rounded once. The conversions are arithmetic too,
// so that neither the machine nor a library must support the types:
//
//   number = mantissa * 2^(exponent - bias - mantissa bits), exactly, in f64
//   code   = round(|x| / q) + (k + bias - 1) * 2^(mantissa bits)     with q = 2^(k - mantissa bits), the distance of
//                                                                    numbers near |x|, and k its exponent, at least
//                                                                    1 - bias
//
// A conversion with a rounding mode is the same with another rounding of |x| / q, also that of f64 to f32. Upstream's
// lowering leaves out the mode.
//
// If the machine has no registers for a 16-bit type, its values become integers in the LLVM dialect.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mica {
#define GEN_PASS_DEF_COMPUTENARROWFLOATS
#define GEN_PASS_DEF_CARRYBITS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

static FloatType smallFloat(Type type) {
  auto floating = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return floating && floating.getWidth() < 32 ? floating : FloatType();
}

namespace {
/// Builds arithmetic on scalars, or on vectors shaped like `like`.
struct Arithmetic {
  OpBuilder &b;
  Location loc;
  Type like;

  Type shaped(Type element) const {
    auto vector = dyn_cast<VectorType>(like);
    return vector ? Type(vector.clone(element)) : element;
  }
  Type i64() const { return shaped(b.getI64Type()); }
  Type f64() const { return shaped(b.getF64Type()); }
  Value constant(TypedAttr value) const {
    if (auto vector = dyn_cast<VectorType>(like))
      value = DenseElementsAttr::get(vector.clone(value.getType()), llvm::cast<Attribute>(value));
    return arith::ConstantOp::create(b, loc, value);
  }
  Value integer(int64_t value) const { return constant(b.getI64IntegerAttr(value)); }
  template <typename OpT> Value make(Value x, Value y) const { return OpT::create(b, loc, x, y); }
  Value add(Value x, int64_t y) const { return make<arith::AddIOp>(x, integer(y)); }
  Value both(Value x, int64_t y) const { return make<arith::AndIOp>(x, integer(y)); }
  Value is(arith::CmpIPredicate predicate, Value x, int64_t y) const {
    return arith::CmpIOp::create(b, loc, predicate, x, integer(y));
  }
  Value select(Value c, Value x, Value y) const { return arith::SelectOp::create(b, loc, c, x, y); }
  Value larger(Value x, int64_t y) const { return make<arith::MaxSIOp>(x, integer(y)); }
  Value smaller(Value x, int64_t y) const { return make<arith::MinSIOp>(x, integer(y)); }
  Value bitsOf(Value x) const { return arith::BitcastOp::create(b, loc, i64(), x); }
  Value realOf(Value bits) const { return arith::BitcastOp::create(b, loc, f64(), bits); }
  /// 2^exponent, of a normal number.
  Value powerOfTwo(Value exponent) const { return realOf(make<arith::ShLIOp>(add(exponent, 1023), integer(52))); }
};

/// The layout of a type's bits.
struct Format {
  explicit Format(FloatType type)
      : bits(type.getWidth()), mantissa(type.getFPMantissaWidth() - 1),
        bias(-APFloat::semanticsMinExponent(type.getFloatSemantics()) + 1),
        hasInfinity(APFloat::semanticsHasInf(type.getFloatSemantics())) {}

  int64_t sign() const { return int64_t(1) << (bits - 1); }
  /// The first bit pattern that is not a finite number, and that of NaN.
  int64_t special() const { return hasInfinity ? ((sign() - 1) >> mantissa) << mantissa : sign() - 1; }
  int64_t nan() const { return hasInfinity ? special() | int64_t(1) << (mantissa - 1) : special(); }

  int64_t bits, mantissa, bias;
  bool hasInfinity;
};
} // namespace

/// Converts a narrow float, or a vector of them, to f64.
static Value decode(OpBuilder &b, Location loc, Value x) {
  Format format(smallFloat(x.getType()));
  Arithmetic a{b, loc, x.getType()};
  Value stored = arith::BitcastOp::create(b, loc, a.shaped(b.getIntegerType(format.bits)), x);
  Value code = arith::ExtUIOp::create(b, loc, a.i64(), stored);
  Value magnitude = a.both(code, format.sign() - 1);
  Value exponent = a.make<arith::ShRUIOp>(magnitude, a.integer(format.mantissa));
  Value mantissa = a.both(magnitude, (int64_t(1) << format.mantissa) - 1);
  Value isNormal = a.is(arith::CmpIPredicate::ne, exponent, 0);
  mantissa = a.select(isNormal, a.add(mantissa, int64_t(1) << format.mantissa), mantissa);
  Value scale = a.powerOfTwo(a.add(a.larger(exponent, 1), -format.bias - format.mantissa));
  Value number = a.make<arith::MulFOp>(arith::SIToFPOp::create(b, loc, a.f64(), mantissa), scale);
  Value bits = a.bitsOf(number);
  constexpr int64_t kInfinity = 0x7ff0000000000000, kNaN = 0x7ff8000000000000;
  if (format.hasInfinity)
    bits = a.select(a.is(arith::CmpIPredicate::eq, magnitude, format.special()), a.integer(kInfinity), bits);
  Value isNaN =
      a.is(format.hasInfinity ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::eq, magnitude, format.special());
  bits = a.select(isNaN, a.integer(kNaN), bits);
  Value sign = a.make<arith::ShLIOp>(a.both(code, format.sign()), a.integer(64 - format.bits));
  return a.realOf(a.make<arith::OrIOp>(bits, sign));
}

/// Rounds `magnitude` to an integer as numbers of its sign are rounded. `isNegative`: of the number, i1.
static Value roundMagnitude(OpBuilder &b, Location loc, Value magnitude, Value isNegative, arith::RoundingMode mode) {
  auto awayIf = [&](bool ofNegative) -> Value {
    Value away = math::CeilOp::create(b, loc, magnitude), toward = math::FloorOp::create(b, loc, magnitude);
    return arith::SelectOp::create(b, loc, isNegative, ofNegative ? away : toward, ofNegative ? toward : away);
  };
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return math::RoundEvenOp::create(b, loc, magnitude);
  case arith::RoundingMode::to_nearest_away:
    return math::RoundOp::create(b, loc, magnitude);
  case arith::RoundingMode::toward_zero:
    return math::FloorOp::create(b, loc, magnitude);
  case arith::RoundingMode::downward:
    return awayIf(/*ofNegative=*/true);
  case arith::RoundingMode::upward:
    return awayIf(/*ofNegative=*/false);
  }
  llvm_unreachable("covered");
}

/// Whether a number beyond the largest one is rounded to that one, by a mode that rounds in one direction.
static Value staysFinite(Arithmetic &a, Value magnitude, Value isNegative, arith::RoundingMode mode) {
  Value infinity = a.constant(a.b.getF64FloatAttr(std::numeric_limits<double>::infinity()));
  Value isFinite = arith::CmpFOp::create(a.b, a.loc, arith::CmpFPredicate::OLT, magnitude, infinity);
  if (mode == arith::RoundingMode::toward_zero)
    return isFinite;
  if (mode == arith::RoundingMode::upward)
    return a.make<arith::AndIOp>(isFinite, isNegative);
  Value isPositive = a.make<arith::XOrIOp>(isNegative, a.constant(a.b.getBoolAttr(true)));
  return a.make<arith::AndIOp>(isFinite, isPositive);
}

/// Rounds f64 to `type`, whose elements are f32 or narrow floats.
static Value encode(OpBuilder &b, Location loc, Value x, Type type,
                    arith::RoundingMode mode = arith::RoundingMode::to_nearest_even) {
  Format format(cast<FloatType>(getElementTypeOrSelf(type)));
  Arithmetic a{b, loc, type};
  Value bits = a.bitsOf(x), magnitude = math::AbsFOp::create(b, loc, x);
  Value exponent = a.both(a.make<arith::ShRUIOp>(bits, a.integer(52)), 0x7ff);
  // Beyond the type's range the exponent is clamped.
  Value k = a.smaller(a.larger(a.add(exponent, -1023), 1 - format.bias), format.bias + 1);
  Value scaled = a.make<arith::MulFOp>(magnitude, a.powerOfTwo(a.make<arith::SubIOp>(a.integer(format.mantissa), k)));
  Value limit = a.constant(b.getF64FloatAttr(1 << 24));
  Value isLess = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, scaled, limit);
  Value isNegative = a.is(arith::CmpIPredicate::slt, bits, 0);
  Value rounded = roundMagnitude(b, loc, a.select(isLess, scaled, limit), isNegative, mode);
  Value steps = arith::FPToSIOp::create(b, loc, a.i64(), rounded);
  Value begin = a.make<arith::ShLIOp>(a.add(k, format.bias - 1), a.integer(format.mantissa));
  Value code = a.smaller(a.make<arith::AddIOp>(steps, begin), format.special());
  if (mode != arith::RoundingMode::to_nearest_even && mode != arith::RoundingMode::to_nearest_away)
    code = a.select(staysFinite(a, magnitude, isNegative, mode), a.smaller(code, format.special() - 1), code);
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  code = a.select(isNaN, a.integer(format.nan()), code);
  Value sign = a.both(a.make<arith::ShRUIOp>(bits, a.integer(64 - format.bits)), format.sign());
  Value stored =
      arith::TruncIOp::create(b, loc, a.shaped(b.getIntegerType(format.bits)), a.make<arith::OrIOp>(code, sign));
  return arith::BitcastOp::create(b, loc, type, stored);
}

/// Converts an integer to f64; the bits that exceed its mantissa are replaced by a sticky bit.
template <typename OpT> static Value wholeNumber(OpBuilder &b, OpT op) {
  Location loc = op.getLoc();
  Arithmetic a{b, loc, op.getType()};
  Value x = op.getIn();
  if (getElementTypeOrSelf(x.getType()).isInteger(64)) {
    constexpr bool kSigned = std::is_same_v<OpT, arith::SIToFPOp>;
    Value distance = kSigned ? a.add(x, int64_t(1) << 53) : x;
    Value isExact = a.is(arith::CmpIPredicate::ult, distance, int64_t(1) << (kSigned ? 54 : 53));
    Value kept = a.both(x, ~int64_t(0x7ff));
    Value isWhole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, kept, x);
    Value marked = a.select(isWhole, kept, a.make<arith::OrIOp>(kept, a.integer(0x800)));
    x = a.select(isExact, x, marked);
  }
  return OpT::create(b, loc, a.f64(), x);
}

/// Whether `op` moves values without computing.
static bool onlyMoves(Operation *op) { return isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp>(op); }

static bool computes(Operation *op) {
  if (onlyMoves(op) || isa<arith::ExtFOp, arith::TruncFOp>(op))
    return false;
  return isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<vector::ContractionOp, vector::ReductionOp, vector::MultiDimReductionOp, vector::FMAOp,
             vector::OuterProductOp, vector::ScanOp>(op);
}

namespace {
struct ComputeNarrowFloats : mica::impl::ComputeNarrowFloatsBase<ComputeNarrowFloats> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    auto isSmall = [](Type type) { return bool(smallFloat(type)); };
    getOperation()->walk([&](Operation *op) {
      auto cast = dyn_cast<arith::TruncFOp>(op);
      if (llvm::any_of(op->getOperandTypes(), isSmall) || llvm::any_of(op->getResultTypes(), isSmall) ||
          (cast && cast.getRoundingmode()))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      if (computes(op))
        widen(rewriter, op);
      else if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        convert(rewriter, op);
    }
  }

private:
  /// `x` in f64 if it is a narrow float.
  static Value wide(OpBuilder &b, Location loc, Value x) { return smallFloat(x.getType()) ? decode(b, loc, x) : x; }

  static void convert(IRRewriter &b, Operation *op) {
    Location loc = op->getLoc();
    Value x = wide(b, loc, op->getOperand(0));
    Type to = op->getResult(0).getType();
    Arithmetic a{b, loc, to};
    if (x.getType() != a.f64())
      x = arith::ExtFOp::create(b, loc, a.f64(), x);
    auto truncation = dyn_cast<arith::TruncFOp>(op);
    std::optional<arith::RoundingMode> mode = truncation ? truncation.getRoundingmode() : std::nullopt;
    if (smallFloat(to) || mode)
      x = encode(b, loc, x, to, mode.value_or(arith::RoundingMode::to_nearest_even));
    else if (x.getType() != to)
      x = arith::TruncFOp::create(b, loc, to, x);
    b.replaceOp(op, x);
  }

  /// The same op on f64.
  static void widen(IRRewriter &b, Operation *op) {
    Location loc = op->getLoc();
    SmallVector<Value> results;
    if (auto integer = dyn_cast<arith::SIToFPOp>(op)) {
      results.push_back(wholeNumber(b, integer));
    } else if (auto integer = dyn_cast<arith::UIToFPOp>(op)) {
      results.push_back(wholeNumber(b, integer));
    } else {
      OperationState state(loc, op->getName());
      for (Value operand : op->getOperands())
        state.addOperands(wide(b, loc, operand));
      for (Type type : op->getResultTypes())
        state.addTypes(smallFloat(type) ? Arithmetic{b, loc, type}.f64() : type);
      state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
      state.propertiesAttr = op->getPropertiesAsAttribute();
      llvm::append_range(results, b.create(state)->getResults());
    }
    for (auto [value, type] : llvm::zip_equal(results, op->getResultTypes()))
      if (smallFloat(type))
        value = encode(b, loc, value, type);
    b.replaceOp(op, results);
  }
};

struct CarryBits : mica::impl::CarryBitsBase<CarryBits> {
  using CarryBitsBase::CarryBitsBase;

  void runOnOperation() override {
    auto carried = [&](Type type) {
      return (type.isF16() && llvm::is_contained(types, "f16")) || (type.isBF16() && llvm::is_contained(types, "bf16"));
    };
    Type bits = IntegerType::get(&getContext(), 16);
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](FloatType type) -> std::optional<Type> { return carried(type) ? std::optional(bits) : std::nullopt; });
    replacer.addReplacement([&](LLVM::LLVMStructType type) -> std::optional<Type> {
      if (type.isIdentified())
        return std::nullopt;
      SmallVector<Type> body = llvm::map_to_vector(type.getBody(), [&](Type each) { return replacer.replace(each); });
      return LLVM::LLVMStructType::getLiteral(type.getContext(), body, type.isPacked());
    });
    replacer.addReplacement([&](FloatAttr value) -> std::optional<std::pair<Attribute, WalkResult>> {
      if (!carried(value.getType()))
        return std::nullopt;
      return std::pair(Attribute(IntegerAttr::get(bits, value.getValue().bitcastToAPInt())), WalkResult::skip());
    });
    replacer.addReplacement([&](DenseElementsAttr values) -> std::optional<std::pair<Attribute, WalkResult>> {
      if (!carried(values.getElementType()))
        return std::nullopt;
      return std::pair(Attribute(values.bitcast(bits)), WalkResult::skip());
    });
    for (Operation &op : *getOperation().getBody())
      if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
        replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  }
};
} // namespace
