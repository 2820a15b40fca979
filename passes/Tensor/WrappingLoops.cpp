//===- WrappingLoops.cpp - scf.for on narrow or unsigned numbers --------------------------------------------------===//
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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static constexpr unsigned kBits = 64;

/// Whether the variable of a signed loop may overflow. It cannot by 1, nor below a small enough bound.
static bool mayWrap(scf::ForOp loop) {
  APInt step, upper;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return true;
  if (step.isOne())
    return false;
  bool overflows = true;
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    (void)upper.sadd_ov(step - 1, overflows);
  return overflows;
}

/// Whether a signed loop of 64 bits may pass the greatest number: its last step does, or the step is so large that a
/// bound which is no size of memory may be that close.
static bool mayWrapWide(scf::ForOp loop) {
  APInt step, upper;
  constexpr int64_t kMostSteps = int64_t(1) << 32;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return false; // checked where it is not positive
  return mayWrap(loop) && (matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) || step.sgt(kMostSteps));
}

/// Before: `scf.for %i = %a to %b step %s`. After: `scf.for %k = 0 to %n step 1`, where %n is the number of turns, and
/// `%i = %a + %k * %s`.
static void count(scf::ForOp loop) {
  OpBuilder b(loop);
  const Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(), step = loop.getStep();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  Value zero = number(0), one = number(1);
  Value last = arith::SubIOp::create(b, loc, arith::SubIOp::create(b, loc, upper, lower), one);
  Value turns = arith::AddIOp::create(b, loc, arith::DivUIOp::create(b, loc, last, step), one);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lower, upper);
  loop.getLowerBoundMutable().assign(zero);
  loop.getUpperBoundMutable().assign(arith::SelectOp::create(b, loc, any, turns, zero));
  loop.getStepMutable().assign(one);
  b.setInsertionPointToStart(loop.getBody());
  Value variable = loop.getInductionVar();
  Value covered = arith::MulIOp::create(b, loc, variable, step);
  Value place = arith::AddIOp::create(b, loc, lower, covered);
  variable.replaceAllUsesExcept(place, covered.getDefiningOp());
}

/// Before: `scf.for unsigned %i = %a to %b step %s : i8`. After: a loop from `extui %a` to `extui %b` in i64, whose
/// body begins with `trunci`. Of 64 bits: a loop from `%a ^ min` to `%b ^ min`, whose body begins with `%i ^ min`.
static void widen(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  const unsigned width = type.isIndex() ? kBits : type.getIntOrFloatBitWidth();
  const bool isUnsigned = loop.getUnsignedCmp();
  if (width == kBits && !isUnsigned && mayWrapWide(loop))
    return count(loop);
  if (width > kBits || (!isUnsigned && (width == kBits || !mayWrap(loop))))
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

void mica::widenWrappingLoops(Operation *root) { root->walk(widen); }
