//===- ExpandCeilDivisions.cpp - affine divisions that round up ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs in front of upstream's lower-affine, and not earlier: proofs about loops want the ceildiv.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/CeilDivisions.h"
#include "passes/Codegen/Common/Passes.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDCEILDIVISIONSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ExpandCeilDivisionsPass : mica::impl::ExpandCeilDivisionsPassBase<ExpandCeilDivisionsPass> {
  void runOnOperation() override {
    auto found = getOperation()->walk(
        [](Operation *op) { return mica::roundsUp(op) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (found.wasInterrupted() && failed(mica::expandCeilDivisions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
