//===- DropUnitDims.cpp - dimensions of size 1 leave elementwise ops and reductions -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Exporters keep a batch dimension of 1 and the reduced dimensions of statistics. Without them, statistics are one
// value per row, rows are found by their leading loops, and reshapes between a product and what follows it disappear.
// Products keep theirs, because they are found by their dimensions; only a batch of one product is no batch.
//
//   %1 = linalg.generic ... ins(%x, %m : tensor<1x32x64xf32>, tensor<1x32x1xf32>) outs(.. : tensor<1x32x64xf32>)
//   =>
//   %1 = linalg.generic ... ins(%x', %m' : tensor<32x64xf32>, tensor<32xf32>) outs(.. : tensor<32x64xf32>)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mica {
#define GEN_PASS_DEF_DROPUNITDIMS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// Batch loops of size 1 of a contraction; the others say what kind of product it is.
static llvm::SmallVector<unsigned, 2> unitBatchLoops(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty())
    return {};
  return llvm::to_vector(dims->batch);
}

namespace {
/// Which ops end a chain of elementwise ops, each the only reader of the one before, that begins at a product without
/// batch loops of size 1: such a chain is computed together with the product, loop for loop.
///
/// Each op is asked once, after its producers, so that a chain costs what its length is. Ops that patterns made since
/// are asked when they come up.
class ProductFollowers {
public:
  explicit ProductFollowers(Operation *top) {
    top->walk([&](linalg::GenericOp op) {
      if (classify(op) == OpClass::Elementwise)
        (void)contains(op);
    });
  }

  /// `op` is elementwise.
  bool contains(linalg::GenericOp op) {
    if (auto it = known.find(op); it != known.end())
      return it->second;
    const bool follows = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      auto def = operand->get().getDefiningOp<linalg::LinalgOp>();
      if (!def || !operand->get().hasOneUse() || !op.getMatchingIndexingMap(operand).isIdentity())
        return false;
      if (OpClass opClass = classify(def); opClass >= OpClass::Pooling)
        return opClass != OpClass::Contraction || unitBatchLoops(def).empty();
      auto generic = dyn_cast<linalg::GenericOp>(def.getOperation());
      return generic && classify(generic) == OpClass::Elementwise && contains(generic);
    });
    known[op] = follows;
    return follows;
  }

  /// A later op may lie where this one lay.
  void forget(Operation *op) { known.erase(op); }

private:
  llvm::DenseMap<Operation *, bool> known;
};
} // namespace

/// Whether a product starts its result from what `op` makes: both are computed together, loop for loop.
static bool startsProduct(linalg::GenericOp op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return user && user.isDpsInit(&use) && classify(user) >= OpClass::Pooling;
  });
}

/// Loops of `op` that may be dropped: all of an elementwise op, movement or reduction that does not ask for its
/// position.
static SmallVector<unsigned> droppableLoops(Operation *op, ProductFollowers &followers) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  OpClass opClass = generic ? classify(op) : OpClass::Host;
  if (opClass == OpClass::Contraction)
    return llvm::to_vector_of<unsigned>(unitBatchLoops(generic));
  bool candidate = opClass == OpClass::Elementwise || opClass == OpClass::Reduction || opClass == OpClass::DataMovement;
  if (!candidate || generic.hasIndexSemantics() || startsProduct(generic) ||
      (opClass == OpClass::Elementwise && followers.contains(generic)))
    return {};
  // A loop of one step in which an operand's size is not known to be 1 stays: upstream would compute the size of its
  // result anew, from sizes of which it drops one.
  auto isKnownByAll = [&](unsigned loop) {
    for (OpOperand &operand : generic->getOpOperands())
      for (auto [dim, expr] : llvm::enumerate(generic.getMatchingIndexingMap(&operand).getResults()))
        if (expr == getAffineDimExpr(loop, generic.getContext()) &&
            cast<ShapedType>(operand.get().getType()).isDynamicDim(dim))
          return false;
    return true;
  };
  return llvm::to_vector(llvm::make_filter_range(llvm::seq<unsigned>(0, generic.getNumLoops()), isKnownByAll));
}

namespace {
/// Upstream moves a fill behind the reshape of its result and gives it the reshape's location. What is filled is still
/// the fill's, so it keeps its own location; a reshape of the program (one of `given`) counts beside it.
class KeepFillLocations : public RewriterBase::Listener {
public:
  KeepFillLocations(const llvm::DenseSet<Attribute> &given, ProductFollowers &followers)
      : given(given), followers(followers) {}

  void notifyOperationReplaced(Operation *op, Operation *replacement) override { keep(op, replacement); }
  void notifyOperationReplaced(Operation *op, ValueRange replacement) override {
    if (replacement.size() == 1)
      keep(op, replacement.front().getDefiningOp());
  }
  void notifyOperationErased(Operation *op) override { followers.forget(op); }
  void notifyOperationModified(Operation *op) override { followers.forget(op); }

private:
  void keep(Operation *reshape, Operation *replacement) {
    auto now = dyn_cast_or_null<linalg::FillOp>(replacement);
    if (!now || !isTensorView(reshape))
      return;
    auto before = reshape->getOperand(0).getDefiningOp<linalg::FillOp>();
    if (!before)
      return;
    Location loc = before.getLoc();
    now->setLoc(given.contains(reshape->getLoc()) ? FusedLoc::get(now.getContext(), {loc, reshape->getLoc()}) : loc);
  }

  const llvm::DenseSet<Attribute> &given;
  ProductFollowers &followers;
};

class DropUnitDims : public mica::impl::DropUnitDimsBase<DropUnitDims> {
public:
  using DropUnitDimsBase::DropUnitDimsBase;

  void runOnOperation() override {
    llvm::DenseSet<Attribute> reshapes;
    getOperation()->walk([&](Operation *op) {
      if (isTensorView(op))
        reshapes.insert(op->getLoc());
    });
    settleSliceSizes();
    ProductFollowers followers(getOperation());
    KeepFillLocations listener(reshapes, followers);
    linalg::ControlDropUnitDims control;
    control.controlFn = [&](Operation *op) { return droppableLoops(op, followers); };
    RewritePatternSet drop(&getContext());
    linalg::populateFoldUnitExtentDimsPatterns(drop, control);
    walkAndApplyPatterns(getOperation(), std::move(drop), &listener);

    RewritePatternSet clean(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(clean, control);
    // A sum over one element has no loop left to sum in. What computes each element once must not take it from where
    // the result goes: with what repeats its result it is computed once per repetition.
    linalg::populateMoveInitOperandsToInputPattern(clean);
    GreedyRewriteConfig config;
    config.setMaxIterations(maxIterations).setListener(&listener);
    // Coming to rest is not needed: what is left is only less simple.
    (void)applyPatternsGreedily(getOperation(), std::move(clean), config);
  }

private:
  /// Slices whose sizes are constants say them in their types before they drop dimensions: which ones of size 1 are
  /// dropped is told by the sizes that the types know, and upstream's canonicalization drops others where it learns of
  /// one later.
  void settleSliceSizes() {
    SmallVector<Operation *> slices;
    getOperation()->walk([&](tensor::ExtractSliceOp op) { slices.push_back(op); });
    RewritePatternSet settle(&getContext());
    tensor::ExtractSliceOp::getCanonicalizationPatterns(settle, &getContext());
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    (void)applyOpPatternsGreedily(slices, std::move(settle), config);
  }
};
} // namespace
