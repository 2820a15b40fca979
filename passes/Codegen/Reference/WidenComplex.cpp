//===- WidenComplex.cpp - tangents of complex numbers in f64 ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's expansion divides two numbers that are huge near a pole, where it has an error of 3e-4 in f32.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/PatternMatch.h"

namespace mica {
#define GEN_PASS_DEF_WIDENCOMPLEX
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

static void widen(Operation *op) {
  auto type = dyn_cast<ComplexType>(op->getResult(0).getType());
  auto part = type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
  if (!part || part.getWidth() >= 64)
    return;
  IRRewriter b(op);
  const Location loc = op->getLoc();
  Type f64 = b.getF64Type(), wide = ComplexType::get(f64);
  auto wider = [&](Value number) -> Value { return arith::ExtFOp::create(b, loc, f64, number); };
  auto narrower = [&](Value number) -> Value { return arith::TruncFOp::create(b, loc, part, number); };
  Value re = wider(complex::ReOp::create(b, loc, part, op->getOperand(0)));
  Value im = wider(complex::ImOp::create(b, loc, part, op->getOperand(0)));
  Value operand = complex::CreateOp::create(b, loc, wide, re, im);
  Operation *computed = b.clone(*op);
  computed->setOperand(0, operand);
  computed->getResult(0).setType(wide);
  Value result = computed->getResult(0);
  re = narrower(complex::ReOp::create(b, loc, f64, result));
  im = narrower(complex::ImOp::create(b, loc, f64, result));
  b.replaceOpWithNewOp<complex::CreateOp>(op, type, re, im);
}

namespace {
struct WidenComplex : mica::impl::WidenComplexBase<WidenComplex> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<complex::TanOp, complex::TanhOp>(op))
        ops.push_back(op);
    });
    llvm::for_each(ops, widen);
  }
};
} // namespace
