//===- SelectContractionConfig.cpp - selecting the config of contraction kernels ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds the op that dominates a kernel's run time, and attaches a config to it:
//
//   linalg.matmul ins(%a, %b) outs(%c)
//   ->
//   linalg.generic ... {mica.contraction = {form = "outer", rows = 8, columns = 32, tile = [128, 128, 0],
//   ...}}
//
// Transposes and broadcasts of its inputs are folded into its indexing maps.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Checked.h"
#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/Passes.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-cpu-select-contraction-config"

namespace mica {
#define GEN_PASS_DEF_CPUSELECTCONTRACTIONCONFIGPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

/// Whether `op` only moves elements: it yields its one input unchanged, at a permutation of the loops.
static bool onlyMovesElements(linalg::LinalgOp op) {
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op.getNumReductionLoops() != 0 || !op.getBlock()->without_terminator().empty())
    return false;
  OpOperand *input = op.getDpsInputOperand(0);
  return isa<RankedTensorType>(input->get().getType()) &&
         op.getBlock()->getTerminator()->getOperand(0) == op.getMatchingBlockArgument(input) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         op.getMatchingIndexingMap(input).isProjectedPermutation();
}

void mica::cpu::foldOperandMoves(RewriterBase &rewriter, linalg::GenericOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    while (auto producer = input->get().getDefiningOp<linalg::LinalgOp>()) {
      if (!onlyMovesElements(producer))
        break;
      AffineMap from = producer.getMatchingIndexingMap(producer.getDpsInputOperand(0));
      AffineMap to = producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      AffineMap &map = maps[input->getOperandNumber()];
      map = from.compose(inversePermutation(to)).compose(map);
      rewriter.modifyOpInPlace(op, [&] {
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
        input->set(producer.getDpsInputs()[0]);
        // The op now computes both.
        op->setLoc(rewriter.getFusedLoc({op.getLoc(), producer.getLoc()}));
      });
      if (producer->use_empty())
        rewriter.eraseOp(producer);
    }
}

/// Drops trailing dimensions of inputs that are indexed only by a loop of one iteration (a matrix of one column), so
/// that the contiguous dimension is recognized.
static void dropTrailingUnits(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!type || !map.isProjectedPermutation())
      continue;
    unsigned rank = type.getRank();
    while (rank > 1 && type.getDimSize(rank - 1) == 1 &&
           sizes[cast<AffineDimExpr>(map.getResult(rank - 1)).getPosition()] == 1)
      --rank;
    if (rank == type.getRank())
      continue;
    SmallVector<ReassociationIndices> groups;
    for (unsigned i = 0; i < rank; ++i)
      groups.push_back({static_cast<int64_t>(i)});
    for (int64_t i = rank; i < type.getRank(); ++i)
      groups.back().push_back(i);
    rewriter.setInsertionPoint(op);
    Value flat = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), input->get(), groups);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[input->getOperandNumber()] = map.getMajorSubMap(rank);
    // A window operand only provides its shape, and every loop's size must still follow from an operand.
    if (!inversePermutation(concatAffineMaps(maps, op.getContext()))) {
      rewriter.eraseOp(flat.getDefiningOp());
      continue;
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      input->set(flat);
    });
  }
}

/// Computes elementwise producers of `op`'s inputs in `op`'s body. Fusion has put them into the kernel for this.
static linalg::GenericOp foldPrologues(RewriterBase &rewriter, linalg::GenericOp op) {
  for (bool changed = true; changed;) {
    changed = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto producer = input->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || producer->getNumResults() != 1 || !producer->hasOneUse() ||
          !linalg::areElementwiseOpsFusable(input))
        continue;
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, input);
      if (failed(fused))
        continue;
      auto both = cast<linalg::GenericOp>(fused->fusedOp);
      both->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      rewriter.replaceOp(op, both->getResults().take_back(op->getNumResults()));
      rewriter.eraseOp(producer);
      op = both;
      changed = true;
      break;
    }
  }
  return op;
}

linalg::GenericOp mica::cpu::generalizeContraction(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op)) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return {};
    op = *generic;
    op->removeDiscardableAttr(linalg::LinalgDialect::kMemoizedIndexingMapsAttrName);
  }
  foldOperandMoves(rewriter, cast<linalg::GenericOp>(op));
  linalg::GenericOp generic = foldPrologues(rewriter, cast<linalg::GenericOp>(op));
  dropTrailingUnits(rewriter, generic);
  return generic;
}

codegen::ContractionConfigAttr mica::cpu::attachPlan(linalg::LinalgOp op, const ContractionPlan &plan) {
  const codegen::ContractionConfigAttr config = plan.toAttr(op.getContext());
  remark::passed(op.getLoc(), remark::RemarkOpts::name("planned").category("contraction"))
      << remark::add("{0}", config.describe()) << remark::metric("Strategy", config.describe());
  op->setAttr(codegen::kLoweringConfigAttr, config);
  return config;
}

void mica::cpu::remarkNotPlanned(linalg::LinalgOp op) {
  remark::missed(op.getLoc(), remark::RemarkOpts::name("not-planned").category("contraction"))
      << remark::add("a product, convolution or pooling without a plan for registers and caches: plain loops")
      << remark::metric("Rejected", "register blocks") << remark::metric("Selected", "plain loops")
      << remark::reason("everything is summed to one value: nothing lies side by side in the result");
}

/// Tiles no loop along which an input is padded in the kernel: each tile pads its own images, whole. Tiles the other
/// loops so that these stay in the cache.
static void keepPaddedDims(linalg::LinalgOp op, const CpuTarget &target, ContractionPlan &plan) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto pad = input->get().getDefiningOp<tensor::PadOp>();
    if (!pad || !pad.getResultType().hasStaticShape())
      continue;
    const llvm::SmallBitVector padded = pad.getPaddedDims();
    int64_t bytes = std::max<int64_t>(1, pad.getResultType().getElementTypeBitWidth() / 8);
    SmallVector<unsigned> others;
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(input).getResults())) {
      if (padded.test(dim))
        bytes = saturatingMul(bytes, pad.getResultType().getDimSize(dim));
      else if (auto loop = dyn_cast<AffineDimExpr>(expr))
        others.push_back(loop.getPosition());
      for (auto [loop, size] : llvm::enumerate(plan.tile))
        if (padded.test(dim) && expr.isFunctionOfDim(loop))
          size = 0;
    }
    int64_t images = std::max<int64_t>(1, target.l2Bytes / 2 / bytes);
    for (unsigned loop : llvm::reverse(others)) {
      const int64_t size = op.getStaticLoopRanges()[loop], tile = plan.tile[loop] == 0 ? size : plan.tile[loop];
      if (ShapedType::isDynamic(size) || loop == plan.laneDim)
        continue;
      if (tile > images)
        plan.tile[loop] = images;
      images = std::max<int64_t>(1, images / std::min(tile, images));
    }
  }
}

namespace {
struct CPUSelectContractionConfigPass : mica::impl::CPUSelectContractionConfigPassBase<CPUSelectContractionConfigPass> {
  using CPUSelectContractionConfigPassBase::CPUSelectContractionConfigPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    IRRewriter rewriter(&getContext());
    // Chained ones are planned in the tiles of their rows; moves of their operands would hide these rows.
    for (linalg::LinalgOp chained : findChainedContractions(func))
      if (auto generic = dyn_cast<linalg::GenericOp>(chained.getOperation()))
        foldOperandMoves(rewriter, generic);
    linalg::LinalgOp op = findContraction(func);
    if (!op || op->hasAttr(codegen::kLoweringConfigAttr))
      return;
    op = generalizeContraction(rewriter, op);
    if (!op)
      return;
    std::optional<ContractionPlan> plan =
        planContraction(op, CpuTarget{vectorBits, l1Bytes, l2Bytes, int8DotBits, int16PairBits});
    if (!plan) {
      remarkNotPlanned(op);
      return;
    }
    keepPaddedDims(op, CpuTarget{vectorBits, l1Bytes, l2Bytes, int8DotBits, int16PairBits}, *plan);
    const codegen::ContractionConfigAttr config = attachPlan(op, *plan);
    LDBG() << func.getName() << ": " << config;
    func->setAttr("mica_sched.strategy", rewriter.getStringAttr(config.describe()));
  }
};
} // namespace
