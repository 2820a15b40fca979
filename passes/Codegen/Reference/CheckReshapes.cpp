//===- CheckReshapes.cpp - plain code touches no memory outside of a tensor -------------------------------- ---===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See dialects/MicaSched/IR/ReshapeChecks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/ReshapeChecks.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mica {
#define GEN_PASS_DEF_REFERENCECHECKRESHAPES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ReferenceCheckReshapes : mica::impl::ReferenceCheckReshapesBase<ReferenceCheckReshapes> {
  void runOnOperation() override {
    mica::sched::checkReshapes(getOperation(), /*inKernelWork=*/true);
    // Which values they are is left out: the check is there to end the run, not to explain it.
    getOperation()->walk([](mica::sched::CheckSizesOp op) {
      OpBuilder builder(op);
      std::string text = "shape mismatch: sizes or positions do not fit";
      if (SmallVector<StringRef> ids = mica::getOpIds(op); !ids.empty())
        text += " [" + ids.front().str() + "]";
      cf::AssertOp::create(builder, op.getLoc(), op.getOk(), text);
      op.erase();
    });
  }
};
} // namespace
