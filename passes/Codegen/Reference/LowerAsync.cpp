//===- LowerAsync.cpp - lowering the dialect async ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's three passes, for programs that need them: async-to-async-runtime crashes on an op of an unregistered
// dialect in a structured loop, whether or not the program has an async op.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/Async/Passes.h"
#include "mlir/Pass/PassManager.h"

namespace mica {
#define GEN_PASS_DEF_LOWERASYNC
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct LowerAsync : mica::impl::LowerAsyncBase<LowerAsync> {
  void runOnOperation() override {
    bool isAsync = false;
    Operation *unregistered = nullptr;
    getOperation().walk([&](Operation *op) {
      isAsync |= isa_and_present<async::AsyncDialect>(op->getDialect());
      if (!op->getDialect() && !unregistered)
        unregistered = op;
    });
    if (!isAsync)
      return;
    if (unregistered) {
      unregistered->emitOpError("is of a dialect that is not registered; a program with async ops may have none");
      return signalPassFailure();
    }
    OpPassManager pm("builtin.module");
    pm.addPass(createAsyncFuncToAsyncRuntimePass());
    pm.addPass(createAsyncToAsyncRuntimePass());
    pm.addPass(createAsyncRuntimeRefCountingPass());
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }
};
} // namespace
