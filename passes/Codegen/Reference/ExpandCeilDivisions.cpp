//===- ExpandCeilDivisions.cpp - affine divisions that round up ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs in front of upstream's lower-affine. See passes/Check/CeilDivisions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/CeilDivisions.h"
#include "passes/Codegen/Reference/Passes.h"

namespace mica {
#define GEN_PASS_DEF_REFERENCEEXPANDCEILDIVISIONS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ExpandCeilDivisions : mica::impl::ReferenceExpandCeilDivisionsBase<ExpandCeilDivisions> {
  void runOnOperation() override {
    auto found = getOperation()->walk(
        [](Operation *op) { return mica::roundsUp(op) ? WalkResult::interrupt() : WalkResult::advance(); });
    if (found.wasInterrupted() && failed(mica::expandCeilDivisions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
