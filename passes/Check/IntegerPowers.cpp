//===- IntegerPowers.cpp - integer powers that are undefined ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/IntegerPowers.h"

#include "passes/Check/ExposeDivisions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mica;

static bool isNeverNegative(Value value) {
  return isConstantWhere(value, [](const APInt &number) { return number.isNonNegative(); });
}

/// Whether `exponent` is a constant that is not negative where `base` is 0, as `mica.pow` writes it:
/// select(base == 0 && y < 0, 1, y), or select(base == 0, 1, y).
static bool avoidsZero(Value base, Value exponent) {
  auto chosen = exponent.getDefiningOp<arith::SelectOp>();
  if (!chosen || !isNeverNegative(chosen.getTrueValue()))
    return false;
  auto compares = [](Value value, arith::CmpIPredicate predicate, Value with) {
    auto compared = value.getDefiningOp<arith::CmpIOp>();
    return compared && compared.getPredicate() == predicate && compared.getLhs() == with &&
           isConstantWhere(compared.getRhs(), [](const APInt &number) { return number.isZero(); });
  };
  if (compares(chosen.getCondition(), arith::CmpIPredicate::eq, base))
    return true;
  auto both = chosen.getCondition().getDefiningOp<arith::AndIOp>();
  return both && compares(both.getLhs(), arith::CmpIPredicate::eq, base) &&
         compares(both.getRhs(), arith::CmpIPredicate::slt, chosen.getFalseValue());
}

bool mica::mayInvertZero(Operation *op) {
  auto power = dyn_cast<math::IPowIOp>(op);
  return power && !isNeverNegative(power.getRhs()) && !avoidsZero(power.getLhs(), power.getRhs()) &&
         !isConstantWhere(power.getLhs(), [](const APInt &number) { return !number.isZero(); });
}

Value mica::invertedBase(OpBuilder &builder, math::IPowIOp power, Value zero, Value one) {
  Location loc = power.getLoc();
  Value isNegative = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, power.getRhs(), zero);
  return builder.createOrFold<arith::SelectOp>(loc, isNegative, power.getLhs(), one);
}
