//===- VersionShadows.cpp - versioning for fully written arguments ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   body
//   ->
//   scf.if (mica_check.partly) { body } else { body without the shadows of arguments }
//
// Stack memory is allocated before the branch, once for both versions.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/Passes.h"
#include "passes/Check/Shadows.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mica {
#define GEN_PASS_DEF_VERSIONSHADOWSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
struct VersionShadowsPass : mica::impl::VersionShadowsPassBase<VersionShadowsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!func->hasAttr(check::kShadowsAttr) || !llvm::hasSingleElement(func.getBody()))
      return;
    // A buffer that is filled from an argument that may be partly uninitialized keeps its shadow.
    bool any = false, ownPoison = false;
    func.walk([&](check::ShadowOp op) {
      any |= !op.getMemory();
      ownPoison |= op.getMemory() && !op.getFilled();
    });
    if (!any)
      return;
    Block &body = func.getBody().front();
    SmallVector<Operation *> moved;
    for (Operation &op : body.without_terminator())
      if (!isa<memref::AllocaOp>(op))
        moved.push_back(&op);
      else if (op.getNumOperands() > 0)
        return; // its size is computed in between
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPoint(body.getTerminator());
    Value partly = check::PartlyOp::create(rewriter, func.getLoc());
    auto branch = scf::IfOp::create(rewriter, func.getLoc(), partly, /*withElseRegion=*/true);
    IRMapping mapping;
    rewriter.setInsertionPointToStart(branch.elseBlock());
    for (Operation *op : moved)
      rewriter.clone(*op, mapping);
    Operation *end = branch.thenBlock()->getTerminator();
    for (Operation *op : moved)
      op->moveBefore(end);
    dropShadows(branch, [&](check::ShadowOp op) {
      return branch.getElseRegion().isAncestor(op->getParentRegion()) &&
             (!op.getMemory() || (op.getFilled() && !ownPoison));
    });
  }
};
} // namespace
