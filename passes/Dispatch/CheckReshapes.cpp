//===- CheckReshapes.cpp - host functions touch no memory outside of a tensor ---------------------------- ---===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See dialects/MicaSched/IR/ReshapeChecks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/Passes.h"
#include "passes/Tensor/BlockViewFolds.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/ReshapeChecks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_CHECKRESHAPES
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

namespace {
struct CheckReshapes : mica::impl::CheckReshapesBase<CheckReshapes> {
  void runOnOperation() override {
    // Calls were inlined just before.
    mica::blockStepFolds(getOperation());
    mica::sched::checkReshapes(getOperation(), /*inKernelWork=*/false);
    // Before ops of mica become such bodies, whose positions are right.
    getOperation().walk([](mlir::tensor::ExtractOp op) {
      const bool isInBody =
          op->getParentOfType<mlir::linalg::LinalgOp>() || op->getParentOfType<mlir::tensor::GenerateOp>();
      if (isInBody && !mica::hasTag(op.getLoc(), mica::kAccessTag))
        op->setLoc(mica::withTag(op.getLoc(), mica::kAccessTag));
    });
  }
};
} // namespace
