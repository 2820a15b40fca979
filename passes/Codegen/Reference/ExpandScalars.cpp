//===- ExpandScalars.cpp - expanding ops without LLVM instructions ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Expands scalar and vector arithmetic to ops that the conversions to LLVM support:
//
//   arith.ceildivsi, ceildivui, floordivsi       by upstream's patterns
//   math.ipowi                                   a loop that multiplies
//   math.fpowi                                   math.powf in f64
//   arith.maxnumf, minnumf                       maximumf and minimumf, ignoring NaN
//   math.rsqrt                                   1 divided by the root, math.clampf: a maximum and a minimum
//   math.isnan, isfinite, isinf, isnormal        comparisons of the magnitude
//   math.absi, copysign, sincos, ctlz, cttz, ctpop   arithmetic on integers and bits, two calls, intrinsics of LLVM
//   memref.generic_atomic_rmw, products of memref.atomic_rmw   a load and a store: the code is single-threaded
//   a load or store of i4                        one of a byte, of which the four low bits are used
//   memref.copy                                  a loop
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Tensor/Arctangents.h"
#include "passes/Tensor/IndexSwitches.h"
#include "passes/Tensor/WrappingLoops.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDSCALARS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// `value` in every element of `type`.
static Value splat(OpBuilder &b, Location loc, Type type, TypedAttr value) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, cast<Attribute>(value));
  return arith::ConstantOp::create(b, loc, value);
}

static Type shapedLike(Type like, Type element) {
  auto shaped = dyn_cast<ShapedType>(like);
  return shaped ? Type(shaped.clone(element)) : element;
}

static Value powerOf(math::IPowIOp op, OpBuilder &b) {
  Location loc = op.getLoc();
  Type type = op.getType();
  Type element = getElementTypeOrSelf(type);
  auto constant = [&](int64_t value) { return splat(b, loc, type, b.getIntegerAttr(element, value)); };
  Value zero = constant(0), one = constant(1), base = op.getLhs(), exponent = op.getRhs();
  auto is = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  auto select = [&](Value c, Value x, Value y) -> Value { return arith::SelectOp::create(b, loc, c, x, y); };
  Value oddBit = arith::AndIOp::create(b, loc, exponent, one);
  Value isOdd = is(arith::CmpIPredicate::ne, oddBit, zero);
  Value first = arith::ConstantIndexOp::create(b, loc, 0), step = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = arith::ConstantIndexOp::create(b, loc, element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  auto loop = scf::ForOp::create(b, loc, first, last, step, ValueRange{one, base, exponent},
                                 [&](OpBuilder &inner, Location at, Value, ValueRange carried) {
                                   Value bit = arith::AndIOp::create(inner, at, carried[2], one);
                                   Value isSet = arith::CmpIOp::create(inner, at, arith::CmpIPredicate::ne, bit, zero);
                                   Value product = arith::MulIOp::create(inner, at, carried[0], carried[1]);
                                   Value square = arith::MulIOp::create(inner, at, carried[1], carried[1]);
                                   Value rest = element.isInteger(1)
                                                    ? zero
                                                    : arith::ShRUIOp::create(inner, at, carried[2], one).getResult();
                                   Value next = arith::SelectOp::create(inner, at, isSet, product, carried[0]);
                                   scf::YieldOp::create(inner, at, ValueRange{next, square, rest});
                                 });
  Value sign = select(isOdd, constant(-1), one);
  Value isOne = is(arith::CmpIPredicate::eq, base, one), isMinusOne = is(arith::CmpIPredicate::eq, base, constant(-1));
  Value inverse = select(isOne, one, select(isMinusOne, sign, zero));
  return select(is(arith::CmpIPredicate::slt, exponent, zero), inverse, loop.getResult(0));
}

static Value powerOf(math::FPowIOp op, OpBuilder &b) {
  Location loc = op.getLoc();
  Type wide = shapedLike(op.getType(), b.getF64Type());
  Value base = op.getLhs();
  if (base.getType() != wide)
    base = arith::ExtFOp::create(b, loc, wide, base);
  Value whole = op.getRhs();
  if (isa<IndexType>(getElementTypeOrSelf(whole.getType())))
    whole = arith::IndexCastOp::create(b, loc, shapedLike(whole.getType(), b.getI64Type()), whole);
  Value exponent = arith::SIToFPOp::create(b, loc, wide, whole);
  Value power = math::PowFOp::create(b, loc, base, exponent);
  return power.getType() == op.getType() ? power : arith::TruncFOp::create(b, loc, op.getType(), power).getResult();
}

/// Whether `op` is one of vectors that are no list.
static bool hasDimensions(Operation *op) {
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  return vector && vector.getRank() != 1;
}

/// The low and the high half of a product of integers.
static SmallVector<Value> halvesOf(Operation *op, OpBuilder &b) {
  const unsigned width = getElementTypeOrSelf(op->getResult(0).getType()).getIntOrFloatBitWidth();
  Type type = op->getResult(0).getType(), wide = shapedLike(type, b.getIntegerType(2 * width));
  auto extend = [&](Value value) -> Value {
    if (isa<arith::MulSIExtendedOp>(op))
      return arith::ExtSIOp::create(b, op->getLoc(), wide, value);
    return arith::ExtUIOp::create(b, op->getLoc(), wide, value);
  };
  Value product = arith::MulIOp::create(b, op->getLoc(), extend(op->getOperand(0)), extend(op->getOperand(1)));
  Value places = splat(b, op->getLoc(), wide, b.getIntegerAttr(b.getIntegerType(2 * width), width));
  Value high = arith::ShRUIOp::create(b, op->getLoc(), product, places);
  return {arith::TruncIOp::create(b, op->getLoc(), type, product),
          arith::TruncIOp::create(b, op->getLoc(), type, high)};
}

/// Whether the magnitude of `x` satisfies `predicate` with `limit`.
static Value magnitudeIs(OpBuilder &b, Location loc, arith::CmpFPredicate predicate, Value x, const APFloat &limit) {
  Value bound = splat(b, loc, x.getType(), FloatAttr::get(getElementTypeOrSelf(x.getType()), limit));
  return arith::CmpFOp::create(b, loc, predicate, math::AbsFOp::create(b, loc, x), bound);
}

/// The result of a classification op; null if `op` is none.
static Value classOf(Operation *op, OpBuilder &b) {
  if (!isa<math::IsNaNOp, math::IsFiniteOp, math::IsInfOp, math::IsNormalOp>(op))
    return {};
  using P = arith::CmpFPredicate;
  Location loc = op->getLoc();
  Value x = op->getOperand(0);
  const llvm::fltSemantics &semantics = cast<FloatType>(getElementTypeOrSelf(x.getType())).getFloatSemantics();
  if (isa<math::IsNaNOp>(op))
    return arith::CmpFOp::create(b, loc, P::UNO, x, x);
  if (isa<math::IsFiniteOp>(op))
    return magnitudeIs(b, loc, P::OLE, x, APFloat::getLargest(semantics));
  if (isa<math::IsInfOp>(op))
    return magnitudeIs(b, loc, P::OGT, x, APFloat::getLargest(semantics));
  Value isLarge = magnitudeIs(b, loc, P::OGE, x, APFloat::getSmallestNormalized(semantics));
  return arith::AndIOp::create(b, loc, isLarge, magnitudeIs(b, loc, P::OLE, x, APFloat::getLargest(semantics)));
}

/// The maximum or minimum of two floats, the other one if one is NaN, with -0 < +0, which LLVM does not guarantee.
static Value numberOf(OpBuilder &b, Location loc, bool isMax, Value x, Value y) {
  Value xIsNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  Value yIsNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, y, y);
  Value first = arith::SelectOp::create(b, loc, xIsNaN, y, x), second = arith::SelectOp::create(b, loc, yIsNaN, x, y);
  return isMax ? arith::MaximumFOp::create(b, loc, first, second).getResult()
               : arith::MinimumFOp::create(b, loc, first, second).getResult();
}

/// The same over the lanes of a vector in order; null if `op` is another reduction.
static Value numberOf(vector::ReductionOp op, OpBuilder &b) {
  bool isMax = op.getKind() == vector::CombiningKind::MAXNUMF;
  if ((!isMax && op.getKind() != vector::CombiningKind::MINNUMF) || isa<vector::MaskOp>(op->getParentOp()))
    return {};
  Value best = op.getAcc();
  for (int64_t lane = 0; lane < op.getSourceVectorType().getNumElements(); ++lane) {
    Value element = vector::ExtractOp::create(b, op.getLoc(), op.getVector(), lane);
    best = best ? numberOf(b, op.getLoc(), isMax, best, element) : element;
  }
  return best;
}

/// Expands bit counts, absolute values, copysign and sincos; empty if `op` is none of them.
static SmallVector<Value> unaryOf(Operation *op, OpBuilder &b) {
  Location loc = op->getLoc();
  Value x = op->getNumOperands() ? op->getOperand(0) : Value();
  if (isa<math::AbsIOp>(op)) {
    Value zero = splat(b, loc, x.getType(), b.getIntegerAttr(getElementTypeOrSelf(x.getType()), 0));
    Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, zero);
    return {arith::SelectOp::create(b, loc, isNegative, arith::SubIOp::create(b, loc, zero, x), x)};
  }
  if (isa<math::CopySignOp>(op)) {
    Type bits = shapedLike(x.getType(), b.getIntegerType(getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth()));
    APInt sign = APInt::getSignMask(getElementTypeOrSelf(bits).getIntOrFloatBitWidth());
    Value mask = splat(b, loc, bits, b.getIntegerAttr(getElementTypeOrSelf(bits), sign));
    Value rest = splat(b, loc, bits, b.getIntegerAttr(getElementTypeOrSelf(bits), ~sign));
    Value magnitude = arith::AndIOp::create(b, loc, arith::BitcastOp::create(b, loc, bits, x), rest);
    Value given = arith::AndIOp::create(b, loc, arith::BitcastOp::create(b, loc, bits, op->getOperand(1)), mask);
    Value both = arith::OrIOp::create(b, loc, magnitude, given);
    return {arith::BitcastOp::create(b, loc, x.getType(), both)};
  }
  if (isa<math::SincosOp>(op))
    return {math::SinOp::create(b, loc, x), math::CosOp::create(b, loc, x)};
  if (!isa<math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(op))
    return {};
  // LLVM's intrinsics take integers (index becomes i64) and vectors of rank 1.
  const Type given = x.getType();
  auto vector = dyn_cast<VectorType>(given);
  if (vector && vector.getRank() != 1) {
    if (vector.isScalable())
      return {};
    x = vector::ShapeCastOp::create(b, loc, VectorType::get({vector.getNumElements()}, vector.getElementType()), x);
  }
  Type type = x.getType(), bits = type;
  if (getElementTypeOrSelf(type).isIndex()) {
    bits = shapedLike(type, b.getI64Type());
    x = arith::IndexCastOp::create(b, loc, bits, x);
  }
  Value count;
  if (isa<math::CountLeadingZerosOp>(op))
    count = LLVM::CountLeadingZerosOp::create(b, loc, bits, x, /*is_zero_poison=*/false);
  else if (isa<math::CountTrailingZerosOp>(op))
    count = LLVM::CountTrailingZerosOp::create(b, loc, bits, x, /*is_zero_poison=*/false);
  else
    count = LLVM::CtPopOp::create(b, loc, bits, x);
  if (type != bits)
    count = arith::IndexCastOp::create(b, loc, type, count);
  return {type == given ? count : vector::ShapeCastOp::create(b, loc, given, count).getResult()};
}

/// Loads, computes and stores: the code is single-threaded.
static void storeComputed(memref::GenericAtomicRMWOp op, IRRewriter &b) {
  Value old = memref::LoadOp::create(b, op.getLoc(), op.getMemref(), op.getIndices());
  auto yield = cast<memref::AtomicYieldOp>(op.getBody()->getTerminator());
  b.inlineBlockBefore(op.getBody(), op, ValueRange(old));
  b.setInsertionPoint(yield);
  memref::StoreOp::create(b, op.getLoc(), yield.getResult(), op.getMemref(), op.getIndices());
  b.eraseOp(yield);
  b.replaceOp(op, old);
}

/// The same for products, for which LLVM has no atomic instruction. As for others, the result is the old element.
static bool storeProduct(memref::AtomicRMWOp op, IRRewriter &b) {
  const bool isFloat = op.getKind() == arith::AtomicRMWKind::mulf;
  if (!isFloat && op.getKind() != arith::AtomicRMWKind::muli)
    return false;
  Value old = memref::LoadOp::create(b, op.getLoc(), op.getMemref(), op.getIndices());
  Value product = isFloat ? arith::MulFOp::create(b, op.getLoc(), old, op.getValue()).getResult()
                          : arith::MulIOp::create(b, op.getLoc(), old, op.getValue()).getResult();
  memref::StoreOp::create(b, op.getLoc(), product, op.getMemref(), op.getIndices());
  b.replaceOp(op, old);
  return true;
}

/// A buffer of i4 cast to one of bytes; null if it is another.
static Value asBytes(OpBuilder &b, Location loc, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.getElementType().isInteger(4))
    return {};
  auto bytes = MemRefType::get(type.getShape(), b.getI8Type(), type.getLayout(), type.getMemorySpace());
  return UnrealizedConversionCastOp::create(b, loc, bytes, buffer).getResult(0);
}

template <typename LoadOp, typename StoreOp> static bool moveBytes(Operation *op, IRRewriter &b) {
  Location loc = op->getLoc();
  if (auto load = dyn_cast<LoadOp>(op)) {
    Value bytes = asBytes(b, loc, op->getOperand(0));
    if (!bytes)
      return false;
    Type type = op->getResult(0).getType();
    Value loaded = LoadOp::create(b, loc, shapedLike(type, b.getI8Type()), bytes, load.getIndices());
    b.replaceOpWithNewOp<arith::TruncIOp>(op, type, loaded);
    return true;
  }
  auto store = dyn_cast<StoreOp>(op);
  Value bytes = store ? asBytes(b, loc, op->getOperand(1)) : Value();
  if (!bytes)
    return false;
  Value stored = op->getOperand(0);
  Value extended = arith::ExtSIOp::create(b, loc, shapedLike(stored.getType(), b.getI8Type()), stored);
  b.replaceOpWithNewOp<StoreOp>(op, extended, bytes, store.getIndices());
  return true;
}

static void copyInLoops(memref::CopyOp op) {
  if (isa<MemRefType>(op.getSource().getType()) && isa<MemRefType>(op.getTarget().getType())) {
    plain::Emitter e(op);
    e.loop(e.sizes(op.getSource()),
           [&](ArrayRef<Value> at) { e.storeRaw(e.raw(op.getSource(), at), op.getTarget(), at); });
    op.erase();
  }
}

namespace {
struct ExpandScalars : mica::impl::ExpandScalarsBase<ExpandScalars> {
  void runOnOperation() override {
    mica::narrowIndexSwitches(getOperation());
    mica::separateZeroArctangents(getOperation());
    mica::widenWrappingLoops(getOperation());
    RewritePatternSet divisions(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(divisions);
    walkAndApplyPatterns(getOperation(), std::move(divisions));
    SmallVector<Operation *> ops;
    getOperation()->walk([&](memref::CopyOp op) { ops.push_back(op); });
    for (Operation *op : ops)
      copyInLoops(cast<memref::CopyOp>(op));
    ops.clear();
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      if (op == getOperation())
        continue;
      rewriter.setInsertionPoint(op);
      if (auto power = dyn_cast<math::IPowIOp>(op))
        rewriter.replaceOp(op, powerOf(power, rewriter));
      else if (auto power = dyn_cast<math::FPowIOp>(op))
        rewriter.replaceOp(op, powerOf(power, rewriter));
      else if (auto root = dyn_cast<math::RsqrtOp>(op)) {
        // Upstream calls a libm function that does not exist.
        Value one =
            splat(rewriter, op->getLoc(), root.getType(), FloatAttr::get(getElementTypeOrSelf(root.getType()), 1.0));
        Value divisor = math::SqrtOp::create(rewriter, op->getLoc(), root.getOperand());
        rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, divisor);
      } else if (auto clamp = dyn_cast<math::ClampFOp>(op)) {
        // As documented for the op, whose operand order differs from upstream's expansion.
        Value above = arith::MaximumFOp::create(rewriter, op->getLoc(), clamp.getValue(), clamp.getMin());
        rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, above, clamp.getMax());
      } else if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
        rewriter.replaceOp(
            op, numberOf(rewriter, op->getLoc(), isa<arith::MaxNumFOp>(op), op->getOperand(0), op->getOperand(1)));
      else if (auto sum = dyn_cast<arith::AddUIExtendedOp>(op);
               sum && (getElementTypeOrSelf(sum.getLhs().getType()).isIndex() || hasDimensions(op))) {
        // Upstream's conversion converts neither the index type nor vectors of several dimensions.
        Value total = arith::AddIOp::create(rewriter, op->getLoc(), sum.getLhs(), sum.getRhs());
        Value isOver = arith::CmpIOp::create(rewriter, op->getLoc(), arith::CmpIPredicate::ult, total, sum.getLhs());
        rewriter.replaceOp(op, {total, isOver});
      } else if (isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(op) && hasDimensions(op))
        rewriter.replaceOp(op, halvesOf(op, rewriter));
      else if (auto update = dyn_cast<memref::GenericAtomicRMWOp>(op))
        storeComputed(update, rewriter);
      else if (auto product = dyn_cast<memref::AtomicRMWOp>(op); product && storeProduct(product, rewriter))
        continue;
      else if (SmallVector<Value> values = unaryOf(op, rewriter); !values.empty())
        rewriter.replaceOp(op, values);
      else if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
        if (Value number = numberOf(reduction, rewriter))
          rewriter.replaceOp(op, number);
      } else if (Value truth = classOf(op, rewriter))
        rewriter.replaceOp(op, truth);
      else if (!moveBytes<memref::LoadOp, memref::StoreOp>(op, rewriter))
        moveBytes<vector::LoadOp, vector::StoreOp>(op, rewriter);
    }
  }
};
} // namespace
