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
#include "passes/Tensor/SingleIterations.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/ReshapeChecks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_CHECKRESHAPES
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

/// Whether `op` reads or updates a tensor in the body of a structured op or a parallel loop, where the host cannot
/// check its position.
static bool isAccessInBody(mlir::Operation *op) {
  if (mlir::isa<mlir::tensor::ExtractOp>(op))
    return op->getParentOfType<mlir::linalg::LinalgOp>() || op->getParentOfType<mlir::tensor::GenerateOp>();
  // Of slices that attributes give, the verifiers are sure.
  auto slice = mlir::dyn_cast<mlir::OffsetSizeAndStrideOpInterface>(op);
  return slice &&
         mlir::isa<mlir::tensor::ExtractSliceOp, mlir::tensor::InsertSliceOp, mlir::tensor::ParallelInsertSliceOp>(
             op) &&
         op->getParentOfType<mlir::scf::ForallOp>() &&
         (!slice.getOffsets().empty() || !slice.getSizes().empty() || !slice.getStrides().empty());
}

static void tag(mlir::Operation *op) {
  if (!mica::hasTag(op->getLoc(), mica::kAccessTag))
    op->setLoc(mica::withTag(op->getLoc(), mica::kAccessTag));
}

namespace {
struct CheckReshapes : mica::impl::CheckReshapesBase<CheckReshapes> {
  void runOnOperation() override {
    // Calls were inlined just before.
    mica::promoteSingleIterations(getOperation());
    mica::blockStepFolds(getOperation());
    mica::sched::checkReshapes(getOperation(), /*inKernelWork=*/false);
    // Before ops of mica become such bodies and loops, whose positions are right.
    getOperation().walk([](mlir::Operation *op) {
      if (isAccessInBody(op))
        tag(op);
      // A loop of one iteration is replaced by its body, whose insertion then has the location of the loop.
      if (auto insertion = mlir::dyn_cast<mlir::tensor::ParallelInsertSliceOp>(op))
        if (isAccessInBody(op))
          tag(insertion->getParentOfType<mlir::scf::ForallOp>());
    });
  }
};
} // namespace
