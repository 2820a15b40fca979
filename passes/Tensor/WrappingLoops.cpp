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

/// Before: `scf.for unsigned %i = %a to %b step %s : i8`. After: a loop from `extui %a` to `extui %b` in i64, whose
/// body begins with `trunci`. Of 64 bits: a loop from `%a ^ min` to `%b ^ min`, whose body begins with `%i ^ min`.
static void widen(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  const unsigned width = type.isIndex() ? kBits : type.getIntOrFloatBitWidth();
  const bool isUnsigned = loop.getUnsignedCmp();
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
