//===- FoldViews.cpp - folding views into the accesses through them -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-codegen-fold-views.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/ReducedSubviews.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_FOLDVIEWSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether `name`, as llvm::getTypeName writes it, is a pattern that moves a vector to a buffer of another shape.
static bool reshapesVectors(StringRef name) {
  return name.contains("::vector::") && (name.contains("OfExpandShape") || name.contains("OfCollapseShape"));
}

/// Whether the one subview that upstream makes of `op` and its source would have strides that hide which dimensions it
/// leaves out (dialects/ReducedSubviews.h).
static bool hidesDroppedDims(memref::SubViewOp op) {
  auto source = op.getSource().getDefiningOp<memref::SubViewOp>();
  auto steps = [](memref::SubViewOp view) {
    return llvm::any_of(view.getStaticStrides(), [](int64_t stride) { return stride != 1; });
  };
  return source && op.getType().getRank() < source.getSourceType().getRank() && (steps(op) || steps(source));
}

/// Whether the program itself accesses memory by `op`, through a view.
static bool isAccessThroughView(Operation *op) {
  return mica::hasTag(op->getLoc(), mica::kAccessTag) && llvm::any_of(op->getOperands(), [](Value operand) {
           return isa_and_present<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
               operand.getDefiningOp());
         });
}

namespace {
struct FoldViewsPass : mica::impl::FoldViewsPassBase<FoldViewsPass> {
  using FoldViewsPassBase::FoldViewsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    for (bool isApart : {false, true}) {
      RewritePatternSet set(context);
      memref::populateFoldMemRefAliasOpPatterns(set);
      llvm::erase_if(set.getNativePatterns(), [&](const std::unique_ptr<RewritePattern> &pattern) {
        const StringRef name = pattern->getDebugName();
        return reshapesVectors(name) || (isApart && name.contains("SubViewOfSubView"));
      });
      (isApart ? apart : patterns) = std::move(set);
    }
    return success();
  }

  void runOnOperation() override {
    // The code of a kernel that kept none is what it would be without checks.
    if (onlyKept && !takeMarks())
      return;
    const bool keeps = keepAccesses && markKept();
    mica::reshapeReducedSubviews(getOperation());
    bool hides = false;
    getOperation()->walk([&](memref::SubViewOp op) { hides |= hidesDroppedDims(op); });
    const FrozenRewritePatternSet &used = hides ? apart : patterns;
    if (!keeps) {
      (void)applyPatternsGreedily(getOperation(), used);
      return;
    }
    SmallVector<Operation *> folded;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && !isAccessThroughView(op))
        folded.push_back(op);
    });
    (void)applyOpPatternsGreedily(folded, used,
                                  GreedyRewriteConfig().setStrictness(GreedyRewriteStrictness::ExistingAndNewOps));
  }

private:
  /// Marks the functions in which an access keeps its view; whether there is one.
  bool markKept() {
    bool any = false;
    getOperation()->walk([&](func::FuncOp function) {
      const bool keeps = function
                             .walk([](Operation *op) {
                               return isAccessThroughView(op) ? WalkResult::interrupt() : WalkResult::advance();
                             })
                             .wasInterrupted();
      if (keeps)
        function->setAttr(mica::check::kKeptViewsAttr, UnitAttr::get(&getContext()));
      any |= keeps;
    });
    return any;
  }
  /// Removes the marks; whether there was one.
  bool takeMarks() {
    bool any = false;
    getOperation()->walk(
        [&](func::FuncOp function) { any |= function->removeAttr(mica::check::kKeptViewsAttr) != nullptr; });
    return any;
  }

  FrozenRewritePatternSet patterns;
  FrozenRewritePatternSet apart; ///< without the one that makes one subview of two
};
} // namespace
