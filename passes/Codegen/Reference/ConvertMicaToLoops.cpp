//===- ConvertMicaToLoops.cpp - lowering mica ops to loops --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See MicaToLoops/Emitter.h. Nested ops are lowered first, so that a branch's region is moved when it is complete.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/MicaToLoops/Emitter.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTMICATOLOOPS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
struct ConvertMicaToLoops : mica::impl::ConvertMicaToLoopsBase<ConvertMicaToLoops> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<MicaDialect>(op->getDialect()) && !isa<YieldOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      bool isDone = plain::emitElementwise(op) || plain::emitCasts(op) || plain::emitMovement(op) ||
                    plain::emitReductions(op) || plain::emitNorms(op) || plain::emitProducts(op) ||
                    plain::emitWindows(op) || plain::emitOrder(op) || plain::emitControlFlow(op);
      if (isDone)
        continue;
      op->emitError() << "the reference lowering has no loops for '" << op->getName() << "'";
      return signalPassFailure();
    }
  }
};
} // namespace
