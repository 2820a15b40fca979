//===- RemoveShadows.cpp - removing the shadows of a kernel -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A hand-edited kernel gets new shadows, because an edit may have removed a store without that of its shadow.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Check/Shadows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {
#define GEN_PASS_DEF_REMOVESHADOWSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
struct RemoveShadowsPass : mica::impl::RemoveShadowsPassBase<RemoveShadowsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func->hasAttr(check::kShadowsAttr))
      return;
    dropShadows(func, [](check::ShadowOp) { return true; });
    func.walk([](check::UninitializedOp op) { op.erase(); });
    func->removeAttr(check::kShadowsAttr);
    func->removeAttr(check::kReadsAttr);
  }
};
} // namespace
