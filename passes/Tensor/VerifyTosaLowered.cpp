//===- VerifyTosaLowered.cpp - pass mica-tensor-verify-tosa-lowered --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's conversions leave the constants and shapes whose users they converted; these are erased. Any other
// remaining tosa op cannot be lowered: all of them are reported at once.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Iterators.h"

namespace mica {
#define GEN_PASS_DEF_VERIFYTOSALOWERED
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

struct VerifyTosaLowered : mica::impl::VerifyTosaLoweredBase<VerifyTosaLowered> {
  using VerifyTosaLoweredBase::VerifyTosaLoweredBase;

  void runOnOperation() override {
    bool left = false;
    // Users before operands, so that chains of constants are erased in one walk.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (!isa_and_present<tosa::TosaDialect>(op->getDialect()))
        return;
      if (isOpTriviallyDead(op)) {
        op->erase();
        return;
      }
      op->emitOpError("has no lowering to mica, linalg, tensor, arith or scf; express it with operations that do")
          .attachNote()
          .append("operands of shape and zero point must be constants for most operations of tosa");
      left = true;
    });
    if (left)
      signalPassFailure();
  }
};

} // namespace
