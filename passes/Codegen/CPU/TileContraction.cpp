//===- TileContraction.cpp - tiling a contraction for workers and caches -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Tiles the op with a config and the ops fused with it:
//
//   %f = linalg.fill outs(%e);  %m = contraction ins(%a, %b) outs(%f) {mica.contraction = {tile = [128, 64,
//   1024]}} %r = relu ins(%m) outs(%o)
//   ->
//   scf.forall (%i, %j) in (..) shared_outs(%s = %o) {
//     slices of %a, %b, %s;  fill;  scf.for %k step 1024 { contraction };  relu
//     tensor.parallel_insert_slice
//   } {mica.distribute}
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/FusedGroup.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace mica {
#define GEN_PASS_DEF_TILECONTRACTIONPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

/// The op of `func` with a config and reduction loops; null if there is none.
static linalg::LinalgOp findPlanned(func::FuncOp func) {
  linalg::LinalgOp found;
  func.walk([&](linalg::LinalgOp op) {
    if (codegen::loweringConfigOf<codegen::ContractionConfigAttr>(op) && op.getNumReductionLoops() > 0)
      found = op;
  });
  return found;
}

/// Warns if a register block of `plan` does not fit into the registers of `target`. The selection never makes such a
/// block, but an edited config may: its results are correct, only slower. The message has the number of rows that fit.
static void warnOfSpills(linalg::LinalgOp root, const ContractionPlan &plan, const CpuTarget &target) {
  const int64_t bits = getElementTypeOrSelf(root.getDpsInits()[0].getType()).getIntOrFloatBitWidth();
  const RegisterUse use = plan.registerUse(bits, target.vectorBits);
  if (use.total() <= target.numRegisters())
    return;
  ContractionPlan fitting = plan;
  while (fitting.rows > 0 && fitting.registerUse(bits, target.vectorBits).total() > target.numRegisters())
    --fitting.rows;
  const std::string text =
      llvm::formatv(
          "a block of {0} x {1} results in vectors of {2} needs {3} vector registers ({4} for accumulators, {5} for "
          "inputs), but the target has {6} of {7} bits: the rest is spilled to the stack at each step; {8}",
          plan.rows, plan.columns, plan.lanes, use.total(), use.accumulators, use.operands, target.numRegisters(),
          target.vectorBits,
          fitting.rows > 0 ? llvm::formatv("rows = {0} or less fit these columns", fitting.rows).str()
                           : std::string("no number of rows fits these columns"))
          .str();
  emitWarning(root.getLoc()) << "'" << codegen::kLoweringConfigAttr << "': " << text;
  remark::missed(root.getLoc(), remark::RemarkOpts::name("spills").category("contraction"))
      << remark::add("{0}", text) << remark::reason("{0}", text);
}

/// The producers and consumers of `root` that are fused into its tiles: the op that makes its init, and elementwise ops
/// that read its result, or each other's, element by element.
static FusedGroup collectTileGroup(linalg::LinalgOp root) {
  FusedGroup group;
  group.root = root;
  auto isElementwise = [](linalg::LinalgOp op) {
    return op && op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 && hasVectorizableBody(op);
  };
  auto resultLoops = [&](linalg::LinalgOp op, unsigned number) {
    return llvm::map_to_vector(resultMap(op, number).getResults(), [&](AffineExpr expr) {
      return group.loopOf[op][cast<AffineDimExpr>(expr).getPosition()];
    });
  };
  group.loopOf[root] = llvm::to_vector(llvm::seq<unsigned>(0, root.getNumLoops()));

  auto init = root.getDpsInits()[0].getDefiningOp<linalg::LinalgOp>();
  if (isElementwise(init) && init->getBlock() == root->getBlock() && init->getNumResults() == 1 &&
      resultMap(init).isPermutation())
    group.init = init;

  llvm::SmallPtrSet<Operation *, 8> members = {root};
  for (Operation *next = root->getNextNode(); next; next = next->getNextNode()) {
    SmallVector<OpOperand *> produced;
    for (OpOperand &operand : next->getOpOperands())
      if (members.contains(operand.get().getDefiningOp()))
        produced.push_back(&operand);
    if (produced.empty())
      continue;
    auto consumer = dyn_cast<linalg::LinalgOp>(next);
    if (!isElementwise(consumer))
      break;
    SmallVector<unsigned> loops;
    bool fits = llvm::all_of(llvm::seq<unsigned>(0, consumer->getNumResults()),
                             [&](unsigned i) { return resultMap(consumer, i).isPermutation(); });
    for (OpOperand *operand : produced) {
      auto producer = cast<linalg::LinalgOp>(operand->get().getDefiningOp());
      AffineMap map = consumer.getMatchingIndexingMap(operand);
      SmallVector<unsigned> target = resultLoops(producer, cast<OpResult>(operand->get()).getResultNumber());
      if (!consumer.isDpsInput(operand) || !map.isPermutation() || map.getNumResults() != target.size()) {
        fits = false;
        break;
      }
      SmallVector<unsigned> aligned(consumer.getNumLoops());
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        aligned[cast<AffineDimExpr>(expr).getPosition()] = target[i];
      fits &= loops.empty() || loops == aligned;
      loops = aligned;
    }
    if (!fits)
      break;
    group.consumers.push_back(consumer);
    group.loopOf[consumer] = loops;
    members.insert(consumer);
  }
  return group;
}

/// Moves ops between members of `group` after its last op, unless the last op depends on them: the loop replaces the
/// last op, and users of the group's results must follow it.
static void keepWhatLastNeeds(FusedGroup &group) {
  if (group.consumers.empty())
    return;
  Operation *last = group.consumers.back();
  Block *block = last->getBlock();
  llvm::SmallPtrSet<Operation *, 16> needed = {last};
  SmallVector<Operation *> others;
  for (Operation *op = last; op != group.root; op = op->getPrevNode()) {
    if (!needed.contains(op)) {
      others.push_back(op);
      continue;
    }
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          needed.insert(block->findAncestorOpInBlock(*producer));
    });
  }
  for (Operation *op : others)
    op->moveAfter(last);
  llvm::erase_if(group.consumers, [&](linalg::LinalgOp consumer) { return !needed.contains(consumer); });
}

/// Tiles the parallel loops to one scf.forall that contains the whole group.
static LogicalResult tileForWorkers(RewriterBase &rewriter, linalg::LinalgOp root, const ContractionPlan &plan) {
  FusedGroup group = collectTileGroup(root);
  keepWhatLastNeeds(group);
  linalg::LinalgOp last = group.consumers.empty() ? root : group.consumers.back();
  llvm::SmallPtrSet<Operation *, 8> members = {root};
  for (linalg::LinalgOp consumer : group.consumers)
    members.insert(consumer);
  SmallVector<OpFoldResult> sizes;
  bool any = false;
  for (auto [loop, rootLoop] : llvm::enumerate(group.loopOf[last])) {
    bool parallel = linalg::isParallelIterator(root.getIteratorTypesArray()[rootLoop]);
    sizes.push_back(rewriter.getIndexAttr(parallel ? plan.tile[rootLoop] : 0));
    any |= parallel && plan.tile[rootLoop] > 0;
  }
  if (!any)
    return success();
  // Determined now, because tiling adds uses.
  llvm::SmallPtrSet<Operation *, 8> neededOutside;
  for (Operation *member : members)
    if (llvm::any_of(member->getUsers(), [&](Operation *user) { return !members.contains(user); }))
      neededOutside.insert(member);
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp).setTileSizes(sizes);
  options.setFusionControlFn([&](tensor::ExtractSliceOp, OpResult producer,
                                 bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
    Operation *op = producer.getOwner();
    if (!members.contains(op) && op != group.init)
      return std::nullopt;
    return scf::SCFTileAndFuseOptions::ControlFnResult{neededOutside.contains(op)};
  });
  rewriter.setInsertionPoint(last);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, cast<TilingInterface>(last.getOperation()), options);
  if (failed(result))
    return failure();
  // Sizes of the loop may be computed from a member until they are folded, so that member and its operands stay before
  // the loop.
  for (auto [from, to] : result->replacements)
    rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
      return !members.contains(use.getOwner()) && !isa<tensor::DimOp>(use.getOwner());
    });
  for (LoopLikeOpInterface loop : result->loops)
    loop->setAttr(codegen::kDistributeAttr, rewriter.getUnitAttr());
  for (linalg::LinalgOp consumer : llvm::reverse(group.consumers))
    if (consumer->use_empty())
      rewriter.eraseOp(consumer);
  if (root->use_empty())
    rewriter.eraseOp(root);
  if (group.init && group.init->use_empty())
    rewriter.eraseOp(group.init);
  return success();
}

LogicalResult mica::cpu::tileReductions(RewriterBase &rewriter, linalg::LinalgOp root, const ContractionPlan &plan) {
  SmallVector<OpFoldResult> sizes;
  bool any = false;
  for (auto [loop, kind] : llvm::enumerate(root.getIteratorTypesArray())) {
    bool reduction = !linalg::isParallelIterator(kind);
    sizes.push_back(rewriter.getIndexAttr(reduction ? plan.tile[loop] : 0));
    any |= reduction && plan.tile[loop] > 0;
  }
  if (!any)
    return success();
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTilingResult> result =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(result))
    return failure();
  rewriter.replaceOp(root, result->replacements);
  return success();
}

/// Whether `slice` takes every dimension that is padded as a whole.
static bool readsPaddedDimsWhole(tensor::ExtractSliceOp slice) {
  auto pad = slice.getSource().getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getResultType().hasStaticShape())
    return false;
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides()))
    if (pad.getPaddedDims().test(dim) &&
        (!isConstantIntValue(offset, 0) || !isConstantIntValue(size, pad.getResultType().getDimSize(dim)) ||
         !isConstantIntValue(stride, 1)))
      return false;
  return true;
}

/// Computes the indices of loops that tiling has moved, inside bodies, by arithmetic, of which there are vector forms.
static void expandIndices(func::FuncOp func) {
  SmallVector<affine::AffineApplyOp> found;
  func.walk([&](linalg::LinalgOp op) {
    for (Operation &inner : *op.getBlock())
      if (auto apply = dyn_cast<affine::AffineApplyOp>(inner))
        found.push_back(apply);
  });
  for (affine::AffineApplyOp apply : found) {
    OpBuilder b(apply);
    auto values = affine::expandAffineMap(b, apply.getLoc(), apply.getAffineMap(), apply.getOperands());
    if (!values)
      continue;
    apply.replaceAllUsesWith(values->front());
    apply.erase();
  }
}

namespace {
struct TileContractionPass : mica::impl::TileContractionPassBase<TileContractionPass> {
  using TileContractionPassBase::TileContractionPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    linalg::LinalgOp root = findPlanned(func);
    if (!root)
      return;
    const auto plan = ContractionPlan::fromAttr(codegen::loweringConfigOf<codegen::ContractionConfigAttr>(root));
    warnOfSpills(root, plan, CpuTarget{vectorBits});
    IRRewriter rewriter(&getContext());
    if (failed(tileForWorkers(rewriter, root, plan)))
      return signalPassFailure();
    root = findPlanned(func);
    if (!root || failed(tileReductions(rewriter, root, plan)))
      return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    tensor::populateFoldTensorEmptyPatterns(patterns);
    tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
    // A tile pads its own images, if it reads them whole.
    patterns.add<linalg::ExtractSliceOfPadTensorSwapPattern>(
        &getContext(), [](tensor::ExtractSliceOp slice) -> std::optional<bool> {
          return readsPaddedDimsWhole(slice) ? std::optional(false) : std::nullopt;
        });
    GreedyRewriteConfig config;
    config.setMaxIterations(maxIterations);
    // If the limit is reached, the IR is correct but less simple.
    (void)applyPatternsGreedily(func, std::move(patterns), config);
    expandIndices(func);
    // Erases members that were only used for their sizes, which are folded now.
    (void)runRegionDCE(rewriter, func->getRegions());
  }
};
} // namespace
