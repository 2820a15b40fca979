//===- FloatProbes.cpp - probes for the origins of NaN and infinities ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header, and mica-check-probe-floats.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/FloatProbes.h"

#include "passes/Check/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace mica {
#define GEN_PASS_DEF_PROBEFLOATSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static bool isProbedFloat(Type type) { return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type); }

bool mica::computesFloat(Operation *op) {
  if (op->getNumResults() != 1 || !isProbedFloat(op->getResult(0).getType()))
    return false;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    FloatAttr number;
    return llvm::any_of(ValueRange{select.getTrueValue(), select.getFalseValue()}, [&](Value value) {
      return matchPattern(value, m_Constant(&number)) && number.getValue().isNaN();
    });
  }
  return isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         !isa<arith::ConstantOp, arith::ExtFOp, arith::NegFOp, arith::BitcastOp, math::AbsFOp, math::CopySignOp>(op);
}

namespace {
/// Inserts a probe after one operation.
class Prober {
public:
  explicit Prober(Operation *op) : op(op), b(op->getContext()), loc(op->getLoc()) { b.setInsertionPointAfter(op); }

  check::FailedOp probe(llvm::function_ref<SmallVector<Value>(size_t)> elementOf) {
    Value result = op->getResult(0);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      if (isProbedFloat(operand.getType()))
        operands.push_back(operand);
    Value nan = isNan(result), infinite = isInfinite(result);
    for (Value operand : operands) {
      // A result that is computed from a constant may still be an origin.
      if (matchPattern(operand, m_Constant()))
        continue;
      Value number = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, operand, operand);
      nan = arith::AndIOp::create(b, loc, nan, number);
      infinite = arith::AndIOp::create(b, loc, infinite, isFinite(operand));
    }
    Value originates = arith::OrIOp::create(b, loc, nan, infinite);
    operands.resize(std::min<size_t>(operands.size(), 3));
    SmallVector<Value> element = elementOf(kReportValues - 1 - operands.size());
    auto branch = scf::IfOp::create(b, loc, originates, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> shown{bits(result)};
    for (Value operand : operands)
      shown.push_back(bits(operand));
    shown.append(element);
    return check::FailedOp::create(b, loc, (op->getName().getStringRef() + " " + Twine(operands.size())).str(), shown,
                                   IntegerAttr());
  }

private:
  Value isNan(Value value) { return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value); }
  Value infinity(Type type) {
    const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, APFloat::getInf(semantics)));
  }
  Value compareMagnitude(arith::CmpFPredicate predicate, Value value) {
    return arith::CmpFOp::create(b, loc, predicate, math::AbsFOp::create(b, loc, value), infinity(value.getType()));
  }
  Value isInfinite(Value value) { return compareMagnitude(arith::CmpFPredicate::OEQ, value); }
  Value isFinite(Value value) { return compareMagnitude(arith::CmpFPredicate::OLT, value); }

  /// The bits of `value` as an f64.
  Value bits(Value value) {
    if (!value.getType().isF64())
      value = arith::ExtFOp::create(b, loc, b.getF64Type(), value);
    return arith::BitcastOp::create(b, loc, b.getI64Type(), value);
  }

  Operation *op;
  OpBuilder b;
  Location loc;
};

struct ProbeFloatsPass : mica::impl::ProbeFloatsPassBase<ProbeFloatsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> probed;
    getOperation().walk([&](Operation *op) {
      if (computesFloat(op))
        probed.push_back(op);
    });
    for (Operation *op : probed)
      probeFloat(op)->setAttr(check::kReportAttr, StringAttr::get(&getContext(), check::kFloatReport));
  }
};
} // namespace

check::FailedOp mica::probeFloat(Operation *op, llvm::function_ref<SmallVector<Value>(size_t)> element) {
  return Prober(op).probe(element);
}
