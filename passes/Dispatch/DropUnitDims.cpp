//===- DropUnitDims.cpp - dropping unit dimensions of elementwise ops and reductions ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Exporters keep a batch dimension of 1 and the reduced dimensions of statistics. Without them, statistics have one
// value per row, rows are recognized by their leading loops, and reshapes between a contraction and the following ops
// disappear. Contractions keep theirs, because they are recognized by their dimensions, except for a batch of size 1.
//
//   %1 = linalg.generic ... ins(%x, %m : tensor<1x32x64xf32>, tensor<1x32x1xf32>) outs(.. : tensor<1x32x64xf32>)
//   =>
//   %1 = linalg.generic ... ins(%x', %m' : tensor<32x64xf32>, tensor<32xf32>) outs(.. : tensor<32x64xf32>)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Tensor/BlockViewFolds.h"

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

/// Batch loops of size 1 of a contraction; its other loops determine the kind of contraction.
static llvm::SmallVector<unsigned, 2> unitBatchLoops(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty())
    return {};
  return llvm::to_vector(dims->batch);
}

namespace {
/// The last ops of chains of elementwise ops, each the only reader of the previous one, that begin at a contraction
/// without batch loops of size 1: such a chain is fused with the contraction, loop for loop.
///
/// The result for each op is cached after its producers', so that the cost is linear in the length of the chain. Ops
/// that patterns create are queried when they are visited.
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

  /// A later op may have the same address.
  void forget(Operation *op) { known.erase(op); }

private:
  llvm::DenseMap<Operation *, bool> known;
};
} // namespace

/// Whether a contraction uses the result of `op` as its init: both are computed together, loop for loop.
static bool startsProduct(linalg::GenericOp op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return user && user.isDpsInit(&use) && classify(user) >= OpClass::Pooling;
  });
}

/// Loops of `op` that may be dropped: all of an elementwise op, data movement or reduction without linalg.index.
static SmallVector<unsigned> droppableLoops(Operation *op, ProductFollowers &followers) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  OpClass opClass = generic ? classify(op) : OpClass::Host;
  if (opClass == OpClass::Contraction)
    return llvm::to_vector_of<unsigned>(unitBatchLoops(generic));
  bool candidate = opClass == OpClass::Elementwise || opClass == OpClass::Reduction || opClass == OpClass::DataMovement;
  if (!candidate || generic.hasIndexSemantics() || startsProduct(generic) ||
      (opClass == OpClass::Elementwise && followers.contains(generic)))
    return {};
  // A loop of one iteration is kept if an operand's size is not known to be 1: upstream would recompute the size of its
  // result from sizes of which it drops one. So is one that moves a window: of the sum in the image's map the other
  // loop would remain, and the image, which may be larger than the window, would give its size.
  auto isDroppable = [&](unsigned loop) {
    for (OpOperand &operand : generic->getOpOperands())
      for (auto [dim, expr] : llvm::enumerate(generic.getMatchingIndexingMap(&operand).getResults()))
        if (isa<AffineDimExpr>(expr) ? cast<AffineDimExpr>(expr).getPosition() == loop &&
                                           cast<ShapedType>(operand.get().getType()).isDynamicDim(dim)
                                     : expr.isFunctionOfDim(loop))
          return false;
    return true;
  };
  return llvm::to_vector(llvm::make_filter_range(llvm::seq<unsigned>(0, generic.getNumLoops()), isDroppable));
}

namespace {
/// Upstream moves a fill behind the reshape of its result and gives it the reshape's location. This restores the fill's
/// location, fused with that of a reshape of the program (one of `given`).
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
    mica::blockViewFolds(getOperation());
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
    // A reduction over one element has no reduction loop left, so its init must become an input: if it were read as an
    // output of a broadcast, it would be read once per repetition.
    linalg::populateMoveInitOperandsToInputPattern(clean);
    GreedyRewriteConfig config;
    config.setMaxIterations(maxIterations).setListener(&listener);
    // A fixed point is not required: the rest is only less simple.
    (void)applyPatternsGreedily(getOperation(), std::move(clean), config);
  }

private:
  /// Puts constant sizes of slices into their types before dimensions are dropped, because the static sizes determine
  /// which unit dimensions are dropped, and upstream's canonicalization drops others if a size becomes static later.
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
