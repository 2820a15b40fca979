//===- IndexSwitches.cpp - scf.index_switch on numbers of 32 bits -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See IndexSwitches.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/IndexSwitches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

/// The first number that is not below: those that a signed integer of 32 bits has.
static constexpr int64_t kEnd = int64_t(1) << 31;

static bool fits(int64_t number) { return number >= 0 && number < kEnd; }

/// Whether the operand was narrowed before, or is known to be small.
static bool isNarrow(Value number) {
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return fits(constant.getSExtValue());
  // Of the outermost select that this file makes.
  auto choice = number.getDefiningOp<arith::SelectOp>();
  return choice && matchPattern(choice.getFalseValue(), m_ConstantInt(&constant)) &&
         constant.getSExtValue() >= kEnd / 2 && fits(constant.getSExtValue());
}

static void narrow(scf::IndexSwitchOp op) {
  SmallVector<int64_t> cases(op.getCases());
  const bool hasWide = !llvm::all_of(cases, fits);
  if (!hasWide && isNarrow(op.getArg()))
    return;
  llvm::DenseSet<int64_t> taken(cases.begin(), cases.end());
  int64_t next = kEnd - 1;
  auto unused = [&] {
    while (taken.contains(next))
      --next;
    return next--;
  };
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto constant = [&](int64_t number) -> Value { return arith::ConstantIndexOp::create(b, loc, number); };
  Value arg = op.getArg();
  Value isSmall = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, arg, constant(kEnd));
  Value other = constant(unused());
  for (int64_t &each : cases) {
    if (fits(each))
      continue;
    Value isCase = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, arg, constant(each));
    each = unused();
    other = arith::SelectOp::create(b, loc, isCase, constant(each), other);
  }
  op.getArgMutable().assign(arith::SelectOp::create(b, loc, isSmall, arg, other));
  op.setCases(cases);
}

void mica::narrowIndexSwitches(Operation *root) { root->walk(narrow); }
