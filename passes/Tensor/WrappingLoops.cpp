//===- WrappingLoops.cpp - loops whose variable may overflow -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See WrappingLoops.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/WrappingLoops.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static constexpr unsigned kBits = 64;

namespace {
/// One dimension of a loop, with the operands of the op that hold its bounds.
struct Dimension {
  Operation *loop;
  Value variable;
  OpOperand *lower, *upper, *step;
};
} // namespace

/// A number of bits that hold the absolute value of `value`; kBits if none is known.
static unsigned magnitude(Value value) {
  constexpr unsigned kSizeBits = 58; // no memory has larger sizes
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isMinSignedValue() ? kBits : number.abs().getActiveBits();
  Operation *op = value.getDefiningOp();
  if (!op)
    return kBits;
  if (isa<tensor::DimOp, memref::DimOp>(op))
    return kSizeBits;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(op)) {
    Type from = op->getOperand(0).getType();
    const unsigned width = from.isIndex() ? kBits : from.getIntOrFloatBitWidth();
    return width < kBits ? width : magnitude(op->getOperand(0));
  }
  if (op->getNumOperands() != 2 || !isa<arith::ArithDialect>(op->getDialect()))
    return kBits;
  const unsigned left = magnitude(op->getOperand(0)), right = magnitude(op->getOperand(1));
  const bool known = left < kBits && right < kBits;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MaxSIOp>(op))
    return known ? std::max(left, right) + 1 : kBits;
  if (isa<arith::MulIOp>(op))
    return known ? std::min(left + right, kBits) : kBits;
  if (isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, arith::RemSIOp>(op))
    return left;
  return kBits;
}

static constexpr unsigned kSmallBits = 61;

/// Whether `value` is below 2^61.
static bool isBelow(Value value) {
  if (auto least = value.getDefiningOp<arith::MinSIOp>())
    return isBelow(least.getLhs()) || isBelow(least.getRhs());
  if (auto choice = value.getDefiningOp<arith::SelectOp>())
    return isBelow(choice.getTrueValue()) && isBelow(choice.getFalseValue());
  return magnitude(value) <= kSmallBits;
}

/// Whether `variable`, or a sum or product of it, is a position in memory or in a tensor. What is near the greatest
/// number is outside of all of them, and proofs about such accesses want the loop as it is.
static bool isPosition(Value variable) {
  return llvm::any_of(variable.getUsers(), [](Operation *user) {
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::IndexCastOp, affine::AffineApplyOp>(user))
      return isPosition(user->getResult(0));
    return !isa<affine::AffineYieldOp>(user) &&
           isa_and_present<memref::MemRefDialect, tensor::TensorDialect, vector::VectorDialect, affine::AffineDialect>(
               user->getDialect());
  });
}

/// Whether the variable of a signed loop may overflow. It cannot by 1, nor below a small enough bound.
static bool mayWrap(const Dimension &dim) {
  APInt step, upper;
  if (!matchPattern(dim.step->get(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return true;
  if (step.isOne())
    return false;
  bool overflows = true;
  if (matchPattern(dim.upper->get(), m_ConstantInt(&upper)))
    (void)upper.sadd_ov(step - 1, overflows);
  return overflows;
}

/// Before: a loop `%i = %a to %b step %s`. After: `%k = 0 to %n step 1`, where %n is the number of iterations, and
/// `%i = %a + %k * %s`.
static void count(Dimension &dim) {
  OpBuilder b(dim.loop);
  const Location loc = dim.loop->getLoc();
  Type type = dim.variable.getType();
  Value lower = dim.lower->get(), upper = dim.upper->get(), step = dim.step->get();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  Value zero = number(0), one = number(1);
  Value last = arith::SubIOp::create(b, loc, arith::SubIOp::create(b, loc, upper, lower), one);
  Value turns = arith::AddIOp::create(b, loc, arith::DivUIOp::create(b, loc, last, step), one);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lower, upper);
  dim.lower->set(zero);
  dim.upper->set(arith::SelectOp::create(b, loc, any, turns, zero));
  dim.step->set(one);
  b.setInsertionPointToStart(&dim.loop->getRegion(0).front());
  Value covered = arith::MulIOp::create(b, loc, dim.variable, step);
  Value place = arith::AddIOp::create(b, loc, lower, covered);
  dim.variable.replaceAllUsesExcept(place, covered.getDefiningOp());
}

/// Makes a step that is larger than the loop as large as the loop: its first number is followed by none that overflows.
/// One that is not positive is for mica-check-insert to report, and stays. Returns whether the step is positive.
static Value shorten(Dimension &dim, OpBuilder &b) {
  const Location loc = dim.loop->getLoc();
  Value step = dim.step->get();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(step.getType()));
  Value positive = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, step, zero);
  Value whole = b.createOrFold<arith::SubIOp>(loc, dim.upper->get(), dim.lower->get());
  Value shortened = b.createOrFold<arith::MinUIOp>(loc, step, whole);
  dim.step->set(arith::SelectOp::create(b, loc, positive, shortened, step));
  return positive;
}

/// Before: a loop `%i = %a to %b step %s`. After: `%j = %a - %d to %b - %d step %s` and `%i = %j + %d`, where %d is 0
/// but if %b is so near the greatest number that a step would pass it.
static void shift(Dimension &dim) {
  OpBuilder b(dim.loop);
  const Location loc = dim.loop->getLoc();
  Type type = dim.variable.getType();
  auto number = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  Value lower = dim.lower->get(), upper = dim.upper->get(), limit;
  Value least = number(APInt::getSignedMinValue(kBits));
  if (APInt known; matchPattern(dim.step->get(), m_ConstantInt(&known))) {
    limit = number(APInt::getSignedMinValue(kBits) - known);
  } else {
    Value positive = shorten(dim, b);
    limit = arith::SelectOp::create(b, loc, positive, arith::SubIOp::create(b, loc, least, dim.step->get()),
                                    number(APInt::getSignedMaxValue(kBits)));
  }
  Value above = b.createOrFold<arith::SubIOp>(loc, upper, b.createOrFold<arith::MinSIOp>(loc, upper, limit));
  // No further than to the least number.
  Value by = b.createOrFold<arith::MinUIOp>(loc, above, b.createOrFold<arith::XOrIOp>(loc, lower, least));
  dim.lower->set(b.createOrFold<arith::SubIOp>(loc, lower, by));
  dim.upper->set(b.createOrFold<arith::SubIOp>(loc, upper, by));
  b.setInsertionPointToStart(&dim.loop->getRegion(0).front());
  Value place = arith::AddIOp::create(b, loc, dim.variable, by);
  dim.variable.replaceAllUsesExcept(place, place.getDefiningOp());
}

/// Whether `shorten` or `shift` made the dimension.
static bool isDone(const Dimension &dim) {
  auto step = dim.step->get().getDefiningOp<arith::SelectOp>();
  if (step && step.getTrueValue().getDefiningOp<arith::MinUIOp>())
    return true;
  auto upper = dim.upper->get().getDefiningOp<arith::SubIOp>();
  auto place = dim.variable.hasOneUse() ? dyn_cast<arith::AddIOp>(*dim.variable.user_begin()) : arith::AddIOp();
  return upper && place && place.getRhs() == upper.getRhs();
}

/// A signed dimension of 64 bits.
static void keepFromWrapping(Dimension dim) {
  APInt step, upper;
  constexpr int64_t kMostSteps = int64_t(1) << 32;
  if (isDone(dim))
    return;
  const bool isLow = isBelow(dim.upper->get()), isSmall = magnitude(dim.lower->get()) <= kSmallBits;
  if (!matchPattern(dim.step->get(), m_ConstantInt(&step))) {
    // From 0, or by a small step, to a small bound.
    const std::optional<int64_t> first = getConstantIntValue(dim.lower->get());
    if (isLow && isSmall && ((first && *first <= 0) || magnitude(dim.step->get()) <= kSmallBits))
      return;
    OpBuilder b(dim.loop);
    // If there is a second position, the step is small.
    if ((isLow && isSmall) || isPosition(dim.variable))
      shorten(dim, b);
    else
      shift(dim);
    return;
  }
  if (!step.isStrictlyPositive() || !mayWrap(dim)) // checked where it is not positive
    return;
  if (matchPattern(dim.upper->get(), m_ConstantInt(&upper)) || step.sgt(kMostSteps))
    count(dim);
  else if (!isLow && !isPosition(dim.variable))
    shift(dim);
}

/// Before: `scf.for unsigned %i = %a to %b step %s : i8`. After: a loop from `extui %a` to `extui %b` in i64, whose
/// body begins with `trunci`. Of 64 bits: a loop from `%a ^ min` to `%b ^ min`, whose body begins with `%i ^ min`.
static void widen(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  const unsigned width = type.isIndex() ? kBits : type.getIntOrFloatBitWidth();
  const bool isUnsigned = loop.getUnsignedCmp();
  Dimension dim{loop, loop.getInductionVar(), &loop.getLowerBoundMutable(), &loop.getUpperBoundMutable(),
                &loop.getStepMutable()};
  if (width == kBits && !isUnsigned)
    return keepFromWrapping(dim);
  if (width > kBits || (!isUnsigned && !mayWrap(dim)))
    return;
  OpBuilder b(loop);
  const Location loc = loop.getLoc();
  Value variable = loop.getInductionVar(), narrowed;
  if (width == kBits) {
    auto flip = [&](Value number) -> Value {
      Value least = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, APInt::getSignedMinValue(kBits)));
      return b.createOrFold<arith::XOrIOp>(loc, number, least);
    };
    loop.getLowerBoundMutable().assign(flip(loop.getLowerBound()));
    loop.getUpperBoundMutable().assign(flip(loop.getUpperBound()));
    b.setInsertionPointToStart(loop.getBody());
    narrowed = flip(variable);
  } else {
    auto extend = [&](OpOperand &number) {
      Type wide = b.getI64Type();
      number.set(isUnsigned ? b.createOrFold<arith::ExtUIOp>(loc, wide, number.get())
                            : b.createOrFold<arith::ExtSIOp>(loc, wide, number.get()));
    };
    extend(loop.getLowerBoundMutable());
    extend(loop.getUpperBoundMutable());
    extend(loop.getStepMutable());
    variable.setType(b.getI64Type());
    b.setInsertionPointToStart(loop.getBody());
    narrowed = arith::TruncIOp::create(b, loc, type, variable);
  }
  variable.replaceAllUsesExcept(narrowed, narrowed.getDefiningOp());
  loop.setUnsignedCmp(false);
}

/// An affine.for of a step above 1 to a bound that is not a size, of which the variable is no position, as a scf.for.
static void makePlain(affine::AffineForOp loop) {
  const bool isSize = llvm::all_of(loop.getUpperBoundOperands(), [](Value each) { return magnitude(each) < kBits; });
  if (loop.getStepAsInt() == 1 || isSize || isPosition(loop.getInductionVar()))
    return;
  OpBuilder b(loop);
  const Location loc = loop.getLoc();
  Value lower = lowerAffineLowerBound(loop, b), upper = lowerAffineUpperBound(loop, b);
  Value step = arith::ConstantIndexOp::create(b, loc, loop.getStepAsInt());
  auto made = scf::ForOp::create(b, loc, lower, upper, step, loop.getInits());
  if (Block *empty = made.getBody(); !empty->empty())
    empty->getTerminator()->erase();
  Operation *yield = loop.getBody()->getTerminator();
  b.setInsertionPoint(yield);
  scf::YieldOp::create(b, loc, yield->getOperands());
  yield->erase();
  made.getBody()->getOperations().splice(made.getBody()->end(), loop.getBody()->getOperations());
  for (auto [old, fresh] : llvm::zip_equal(loop.getBody()->getArguments(), made.getBody()->getArguments()))
    old.replaceAllUsesWith(fresh);
  loop.replaceAllUsesWith(made.getResults());
  loop.erase();
}

void mica::widenWrappingLoops(Operation *root) {
  root->walk(makePlain);
  root->walk(widen);
  root->walk([](scf::ParallelOp loop) {
    MutableOperandRange lower = loop.getLowerBoundMutable(), upper = loop.getUpperBoundMutable(),
                        step = loop.getStepMutable();
    for (unsigned i = 0; i < loop.getNumLoops(); ++i)
      keepFromWrapping({loop, loop.getInductionVars()[i], &lower[i], &upper[i], &step[i]});
  });
}
