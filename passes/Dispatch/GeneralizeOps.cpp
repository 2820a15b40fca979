//===- GeneralizeOps.cpp - generalizing structured ops ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Named linalg ops have an implicit body, which is recreated without locations when text is parsed. As linalg.generic
// each operation of the body carries the ids of its op, through printing and parsing.
//
//   %1 = linalg.matmul ins(%a, %b) outs(%c)             loc(A)
//   =>
//   %1 = linalg.generic {maps of matmul} ins(%a, %b) outs(%c) {
//     %2 = arith.mulf ...                                loc(A)
//     %3 = arith.addf ...                                loc(A)
//   }                                                    loc(A)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/OpIds.h"
#include "passes/Dispatch/DecomposeWinograd.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Tensor/Coverage.h"
#include "passes/Tensor/ExpandGather.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_GENERALIZEOPS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Gives every operation inside `op` without a location the op's own.
static void locateBody(Operation *op) {
  op->walk([&](Operation *inner) {
    if (inner != op && isa<UnknownLoc>(inner->getLoc()))
      inner->setLoc(op->getLoc());
  });
  mica::propagateIdsToBody(op);
}

namespace {
/// linalg.<name> -> linalg.generic. linalg.fill is kept: it has no computation, and patterns match it.
struct GeneralizeNamed : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) || !op.hasPureTensorSemantics())
      return failure();
    SmallVector<NamedAttribute> attributes(op->getDiscardableAttrs());
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return rewriter.notifyMatchFailure(op, "has no generic form");
    (*generic)->setDiscardableAttrs(attributes);
    // A cache of the named op, which passes would take for an attribute that loops must keep.
    (*generic)->removeDiscardableAttr(linalg::LinalgDialect::kMemoizedIndexingMapsAttrName);
    locateBody(*generic);
    return success();
  }
};

/// Marks the maximum and the exponential of a softmax, which `quotient` ends (kSoftmaxAttr). The maximum becomes
/// maximumf, whose neutral element is minus infinity, not NaN.
static void markSoftmax(linalg::GenericOp quotient, PatternRewriter &rewriter) {
  auto powers = quotient.getDpsInputs()[0].getDefiningOp<linalg::GenericOp>();
  auto largest = powers ? powers.getDpsInputs().back().getDefiningOp<linalg::GenericOp>() : nullptr;
  auto fill = largest ? largest.getDpsInits()[0].getDefiningOp<linalg::FillOp>() : nullptr;
  auto type = fill ? dyn_cast<FloatType>(fill.getInputs()[0].getType()) : nullptr;
  if (!type || !APFloat::semanticsHasInf(type.getFloatSemantics()))
    return;
  SmallVector<arith::MaxNumFOp> maxima = llvm::to_vector(largest.getBody()->getOps<arith::MaxNumFOp>());
  if (maxima.size() != 1)
    return;
  rewriter.setInsertionPoint(fill);
  fill.getInputsMutable()[0].set(arith::ConstantOp::create(
      rewriter, fill.getLoc(),
      rewriter.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true))));
  rewriter.setInsertionPoint(maxima.front());
  auto maximum =
      rewriter.replaceOpWithNewOp<arith::MaximumFOp>(maxima.front(), maxima.front().getLhs(), maxima.front().getRhs());
  maximum->setAttr(mica::kSoftmaxAttr, rewriter.getUnitAttr());
  for (math::ExpOp power : powers.getBody()->getOps<math::ExpOp>())
    power->setAttr(mica::kSoftmaxAttr, rewriter.getUnitAttr());
}

/// Ops that decompose to several, such as linalg.softmax.
struct DecomposeAggregated : public OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op, PatternRewriter &rewriter) const override {
    // Upstream creates the float identity of a maximum for all element types.
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op.getOperation());
        softmax && !isa<FloatType>(softmax.getInputOperandType().getElementType()))
      return rewriter.notifyMatchFailure(op, "has elements that are no floats");
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    // linalg.softmax does not specify how its quotient is rounded, and the inverse of its divisor, a sum of
    // exponentials of which one is 1, is neither infinite nor subnormal.
    if (auto quotient = parts->front().getDefiningOp<linalg::GenericOp>(); quotient && isa<linalg::SoftmaxOp>(op)) {
      quotient.walk([](arith::DivFOp division) { division.setFastmath(arith::FastMathFlags::arcp); });
      markSoftmax(quotient, rewriter);
    }
    rewriter.replaceOp(op, *parts);
    return success();
  }
};

/// tensor.splat %x -> linalg.fill ins(%x), which kernels support.
struct SplatToFill : public OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::SplatOp op, PatternRewriter &rewriter) const override {
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), op.getType(), op.getDynamicSizes());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), empty);
    return success();
  }
};

/// tensor.gather and tensor.scatter, which have no other lowering.
struct ExpandGathers : public OpRewritePattern<tensor::GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::GatherOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, mica::expandGather(rewriter, op));
    return success();
  }
};
struct ExpandScatters : public OpRewritePattern<tensor::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ScatterOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, mica::expandScatter(rewriter, op));
    return success();
  }
};

/// Replaces the init of an op that overwrites all of it without reading it by tensor.empty, so that no kernel reads it
/// and there is no dependency.
struct DropUnreadInits : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    bool changed = false;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = cast<RankedTensorType>(init.get().getType());
      if (init.get().getDefiningOp<tensor::EmptyOp>() || op.payloadUsesValueFromOperand(&init) ||
          !mica::writesWhole(op, init))
        continue;
      SmallVector<Value> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          sizes.push_back(tensor::DimOp::create(rewriter, op.getLoc(), init.get(), dim));
      Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type, sizes);
      rewriter.modifyOpInPlace(op, [&] { init.set(empty); });
      changed = true;
    }
    return success(changed);
  }
};

/// Replaces a splat that a body accumulates into by a fill, which is computed inside of the kernel.
struct SplatInitToFill : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      SplatElementsAttr splat;
      if (!matchPattern(init.get(), m_Constant(&splat)) || isa<ComplexType>(splat.getElementType()))
        continue;
      auto type = cast<RankedTensorType>(init.get().getType());
      Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
      Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(), type.getElementType());
      Value fill = linalg::FillOp::create(rewriter, op.getLoc(), scalar, empty).getResult(0);
      rewriter.modifyOpInPlace(op, [&] { init.set(fill); });
      changed = true;
    }
    return success(changed);
  }
};

class GeneralizeOps : public mica::impl::GeneralizeOpsBase<GeneralizeOps> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    mica::populateGeneralizeOpsPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    // Folding and constant merging would move ops to other source locations without benefit here.
    config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      return signalPassFailure();
    getOperation()->walk([](linalg::GenericOp op) { locateBody(op); });
    takeSizesOfInits();
  }

private:
  /// Replaces the size of a structured op's result by that of its init, in program order, so that each is found at
  /// once: later patterns would walk up a whole chain of ops for each of them.
  void takeSizesOfInits() {
    SmallVector<tensor::DimOp> known;
    getOperation()->walk<WalkOrder::PreOrder>([&](tensor::DimOp dim) {
      auto result = dyn_cast<OpResult>(dim.getSource());
      std::optional<int64_t> index = dim.getConstantIndex();
      auto op = result ? dyn_cast<linalg::LinalgOp>(result.getOwner()) : nullptr;
      if (!op || !index)
        return;
      auto init = op.getDpsInitOperand(result.getResultNumber())->get().getDefiningOp<tensor::EmptyOp>();
      if (!init || *index < 0 || *index >= init.getType().getRank() || !init.getType().isDynamicDim(*index))
        return;
      dim.replaceAllUsesWith(init.getDynamicSize(*index));
      known.push_back(dim);
    });
    for (tensor::DimOp dim : known)
      dim.erase();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void mica::populateGeneralizeOpsPatterns(RewritePatternSet &patterns) {
  mica::populateDecomposeWinogradPatterns(patterns);
  patterns.add<GeneralizeNamed, DecomposeAggregated, SplatToFill, ExpandGathers, ExpandScatters, DropUnreadInits,
               SplatInitToFill>(patterns.getContext());
}
