//===- SingleIterations.cpp - parallel loops of one iteration -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SingleIterations.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/SingleIterations.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {
/// Gives the insertions that are made the locations of those that they replace, which are in the same order.
struct KeptLocations : RewriterBase::Listener {
  explicit KeptLocations(scf::ForallOp loop) {
    for (Operation &op : loop.getTerminator().getYieldingOps())
      locations.push_back(op.getLoc());
  }
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint before) override {
    if (isa<tensor::InsertSliceOp>(op) && !before.isSet() && next < locations.size())
      op->setLoc(locations[next++]);
  }
  SmallVector<Location> locations;
  size_t next = 0;
};
} // namespace

void mica::promoteSingleIterations(Operation *root) {
  SmallVector<scf::ForallOp> loops;
  root->walk([&](scf::ForallOp loop) { loops.push_back(loop); });
  for (scf::ForallOp loop : loops) {
    KeptLocations listener(loop);
    IRRewriter rewriter(loop.getContext(), &listener);
    rewriter.setInsertionPoint(loop);
    (void)loop.promoteIfSingleIteration(rewriter);
  }
}
