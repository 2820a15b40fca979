//===- FuseElementwise.cpp - fusing elementwise generics ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Fuses an elementwise linalg.generic with the generic that reads its result, so that the intermediate value is in a
// register:
//
//   %d = generic(%x, %mean) { sub };  %v = generic(%d) { mul, add: reduction };  %r = generic(%d, %s) { mul }
//   ->
//   %v = generic(%x, %mean) { sub, mul, add };  %r = generic(%x, %mean, %s) { sub, mul }
//
// A result with several readers is recomputed for each only if that is cheaper than storing a row: a few simple
// operations. exp is computed once.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/KeepOpIds.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-codegen-fuse-elementwise"

namespace mica {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether recomputing a result is cheaper than storing it: few operations, none of them expensive.
static bool isCheap(linalg::GenericOp op, int64_t maxOps) {
  if (op.getNumReductionLoops() != 0 || op->getNumResults() != 1 || op.getNumDpsInputs() > 3)
    return false;
  int64_t count = 0;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp>(inner))
      continue;
    if (!isa_and_present<arith::ArithDialect>(inner.getDialect()) ||
        isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(inner))
      return false;
    ++count;
  }
  return count <= maxOps;
}

/// Whether the readers of `op` are generics into which its body can be fused.
static bool hasFusableReaders(linalg::GenericOp op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    return reader && reader.isDpsInput(&use);
  });
}

/// Upstream folds the value of a fill into its reader and erases the fill: adds the fill's ids to the reader.
static void addIdsOfFills(func::FuncOp func) {
  func.walk([](linalg::GenericOp reader) {
    llvm::SmallVector<Location> fills;
    for (OpOperand *operand : reader.getDpsInputOperands())
      if (auto fill = operand->get().getDefiningOp<linalg::FillOp>())
        fills.push_back(fill.getLoc());
    mica::addOpIds(reader, fills);
  });
}

/// Whether `op` sums products of two operands.
static bool isProduct(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaContractionOpInterface(linalgOp);
}

/// Whether `use` is the only one of its value.
static bool isReadOnce(OpOperand *use) {
  Operation *producer = use->get().getDefiningOp();
  return producer && producer->hasOneUse();
}

/// Whether a kernel has several products, which are planned later, with their elementwise consumers: a product reads
/// each element many times, and computes its consumers once.
static bool hasSeveralProducts(func::FuncOp func) {
  return llvm::count_if(func.getOps(), [](Operation &op) { return isProduct(&op); }) > 1;
}

namespace {
/// As upstream's pattern, which gives the fused op only the consumer's location; this one fuses both. It has the higher
/// benefit, so that upstream's never applies.
struct FuseWithLocations : public OpRewritePattern<linalg::GenericOp> {
  FuseWithLocations(MLIRContext *context, linalg::ControlFusionFn mayFuse, PatternBenefit benefit)
      : OpRewritePattern(context, benefit), mayFuse(std::move(mayFuse)) {}

  LogicalResult matchAndRewrite(linalg::GenericOp consumer, PatternRewriter &rewriter) const override {
    for (OpOperand &operand : consumer->getOpOperands()) {
      if (!linalg::areElementwiseOpsFusable(&operand) || !mayFuse(&operand))
        continue;
      Operation *producer = operand.get().getDefiningOp();
      FailureOr<linalg::ElementwiseOpFusionResult> result = linalg::fuseElementwiseOps(rewriter, &operand);
      if (failed(result))
        return rewriter.notifyMatchFailure(consumer, "cannot be fused with its producer");
      result->fusedOp->setLoc(rewriter.getFusedLoc({consumer.getLoc(), producer->getLoc()}));
      for (auto [before, now] : result->replacements)
        rewriter.replaceUsesWithIf(before, now, [&](OpOperand &use) { return use.get().getDefiningOp() != producer; });
      rewriter.eraseOp(consumer);
      return success();
    }
    return rewriter.notifyMatchFailure(consumer, "reads nothing that can be fused");
  }

  linalg::ControlFusionFn mayFuse;
};

struct FuseElementwisePass : mica::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using FuseElementwisePassBase::FuseElementwisePassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func->hasAttr("mica_sched.strategy"))
      return;
    // In program order, so that a chain of cheap ops is duplicated as a whole.
    SmallVector<linalg::GenericOp> generics(func.getOps<linalg::GenericOp>());
    const bool chained = hasSeveralProducts(func);
    for (linalg::GenericOp op : generics) {
      if (chained && llvm::any_of(op.getDpsInputs(), [](Value input) { return isProduct(input.getDefiningOp()); }))
        continue;
      if (!op.hasPureTensorSemantics() || op->hasOneUse() || op->use_empty() || !isCheap(op, maxRepeatedOps) ||
          !hasFusableReaders(op))
        continue;
      LDBG() << "repeats for each reader: " << op->getName() << " at " << op->getLoc();
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : op->getUses())
        uses.push_back(&use);
      for (OpOperand *use : ArrayRef(uses).drop_front()) {
        OpBuilder builder(op);
        use->set(builder.clone(*op.getOperation())->getResult(cast<OpResult>(use->get()).getResultNumber()));
      }
    }

    addIdsOfFills(func);
    RewritePatternSet patterns(&getContext());
    const linalg::ControlFusionFn mayFuse = [chained](OpOperand *use) {
      return isReadOnce(use) && !(chained && isProduct(use->getOwner()));
    };
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    patterns.add<FuseWithLocations>(&getContext(), mayFuse, /*benefit=*/2);
    GreedyRewriteConfig config;
    mica::KeepOpIds listener;
    config.setMaxIterations(10).setListener(&listener);
    (void)applyPatternsGreedily(func, std::move(patterns), config);
  }
};
} // namespace
