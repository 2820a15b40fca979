//===- Simplify.cpp - canonicalizing and merging equal ops, keeping ids -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's passes `canonicalize` and `cse` accept no listener, so their drivers are called here with one:
//
//   %0 = mica.exp %x   loc(A)              %0 = mica.exp %x   loc(fused[A, B])
//   %1 = mica.exp %x   loc(B)      =>      %1 = mica.add %0, %0
//   %2 = mica.add %0, %1
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/KeepOpIds.h"
#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Pipelines/Canonicalize.h"
#include "passes/Tensor/MergeEqualOps.h"
#include "passes/Tensor/OpKinds.h"
#include "passes/Tensor/Passes.h"
#include "passes/Tensor/PropagateConditions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_SIMPLIFY
#include "passes/Tensor/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Uses of a condition that upstream's pattern may look at, for each scf.if on it.
static constexpr unsigned kMostConditionUses = 64;

namespace {
/// Upstream's pattern, which looks at all uses of the condition of each scf.if: thousands of ifs on one condition would
/// take the square of their number.
struct BoundedConditionPropagation : public RewritePattern {
  BoundedConditionPropagation(std::unique_ptr<RewritePattern> upstream, MLIRContext *context)
      : RewritePattern(scf::IfOp::getOperationName(), upstream->getBenefit(), context), upstream(std::move(upstream)) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (cast<scf::IfOp>(op).getCondition().hasNUsesOrMore(kMostConditionUses + 1))
      return rewriter.notifyMatchFailure(op, "the condition has too many uses");
    return upstream->matchAndRewrite(op, rewriter);
  }

  std::unique_ptr<RewritePattern> upstream;
};
} // namespace

/// Puts BoundedConditionPropagation in the place of upstream's pattern.
static void boundConditionPropagation(RewritePatternSet &patterns) {
  for (std::unique_ptr<RewritePattern> &pattern : patterns.getNativePatterns())
    if (pattern->getRootKind() == OperationName(scf::IfOp::getOperationName(), patterns.getContext()) &&
        pattern->getDebugName().ends_with("::ConditionPropagation"))
      pattern = std::make_unique<BoundedConditionPropagation>(std::move(pattern), patterns.getContext());
}

namespace {
class Simplify : public mica::impl::SimplifyBase<Simplify> {
public:
  using SimplifyBase::SimplifyBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    populateTakeStaticSizesPatterns(set);
    boundConditionPropagation(set);
    removeFaultyCanonicalizations(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    propagateConditions(getOperation(), kMostConditionUses + 1);
    KeepOpIds listener;
    GreedyRewriteConfig config;
    config.setMaxIterations(maxIterations).setListener(&listener);
    // A fixed point is not required: the rest is only less simple.
    (void)applyPatternsGreedily(getOperation(), patterns, config);

    makeDistinct();
    IRRewriter rewriter(&getContext(), &listener);
    mergeEqualOps(rewriter, getAnalysis<DominanceInfo>(), getOperation());
  }

private:
  /// Makes ops differ that every reader recomputes later: if they were merged, each clone would have the ids of all.
  void makeDistinct() {
    Builder builder(&getContext());
    int64_t next = 0;
    getOperation()->walk([&](Operation *op) {
      bool isRepeated = isa<tensor::EmptyOp, tensor::SplatOp>(op) || classify(op) == OpClass::Fill ||
                        (isa<linalg::LinalgOp>(op) && kindOf(op) == "broadcast");
      if (isRepeated)
        op->setDiscardableAttr(kApartAttr, builder.getI64IntegerAttr(next++));
    });
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
