//===- KeepOnHost.cpp - kernels that a device has no code for ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLVM selects instructions for a few functions and mica-cpu-approximate-math expands others on f32, to which smaller floats are widened.
// What is in neither set would be a call into a library that is not there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Gpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mica {
#define GEN_PASS_DEF_KEEPONHOSTPASS
#include "passes/Gpu/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether `op`, of the math dialect, becomes instructions for elements of any float.
static bool hasInstructions(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::RsqrtOp, math::FmaOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::CopySignOp, math::FPowIOp, math::IPowIOp,
             math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp, math::CtPopOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::ClampFOp>(op);
}

/// Whether it does for elements of f32 and smaller.
static bool hasExpansion(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::Log1pOp, math::ExpM1Op, math::TanhOp,
             math::ErfOp, math::ErfcOp, math::SinOp, math::CosOp, math::PowFOp>(op);
}

namespace {
struct KeepOnHostPass : mica::impl::KeepOnHostPassBase<KeepOnHostPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    func.walk([&](Operation *op) {
      if (!isa<math::MathDialect>(op->getDialect()) || hasInstructions(op))
        return WalkResult::advance();
      Type element = getElementTypeOrSelf(op->getOperand(0).getType());
      if (hasExpansion(op) && isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 32)
        return WalkResult::advance();
      std::string type;
      llvm::raw_string_ostream(type) << element;
      func->setAttr(mica::kHostReasonAttr, StringAttr::get(&getContext(), op->getName().getStringRef() + " on " + type +
                                                                              " has no code for the device"));
      return WalkResult::interrupt();
    });
  }
};
} // namespace
