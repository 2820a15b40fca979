//===- PlanRowContractions.cpp - configs of contractions in tiles of rows -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel with several contractions (attention: the scores, and their weighted sum) has been tiled by the rows that
// they share. Each contraction of a tile gets a config of its own, and its long reductions are tiled:
//
//   scf.forall (%b, %i) step (1, 64) {
//     %s = linalg.generic <product> ins(%q1, %k1)      scores of 64 rows
//     softmax of %s
//     %r = linalg.generic <product> ins(%p, %v1)
//   } {mica_codegen.distribute}
//   ->
//   the same, with mica_codegen.lowering_config on both products
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Checked.h"
#include "passes/Codegen/CPU/ContractionPlan.h"
#include "passes/Codegen/CPU/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "mica-cpu-plan-row-contractions"

namespace mica {
#define GEN_PASS_DEF_CPUPLANROWCONTRACTIONSPASS
#include "passes/Codegen/CPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::cpu;

/// Whether `op` is in a loop that is distributed over workers.
static bool isInTileOfRows(Operation *op) {
  auto loop = op->getParentOfType<scf::ForallOp>();
  return loop && loop->hasAttr(codegen::kDistributeAttr);
}

/// How many blocks of rows a worker takes in a row: the iterations of the loops between `op` and the distributed one.
static int64_t blocksInARow(Operation *op) {
  int64_t blocks = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>())
    if (std::optional<APInt> count = loop.getStaticTripCount())
      blocks = saturatingMul(blocks, count->getSExtValue());
  return blocks;
}

namespace {
struct CPUPlanRowContractionsPass : mica::impl::CPUPlanRowContractionsPassBase<CPUPlanRowContractionsPass> {
  using CPUPlanRowContractionsPassBase::CPUPlanRowContractionsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : findChainedContractions(func)) {
      if (!isInTileOfRows(op) || op->hasAttr(codegen::kLoweringConfigAttr))
        continue;
      std::optional<ContractionPlan> plan =
          planContraction(op, CpuTarget{vectorBits, l1Bytes, l2Bytes, int8DotBits, int16PairBits}, blocksInARow(op));
      if (!plan) {
        remarkNotPlanned(op);
        continue;
      }
      // The tile of rows is what one worker computes.
      for (auto [size, kind] : llvm::zip_equal(plan->tile, op.getIteratorTypesArray()))
        if (linalg::isParallelIterator(kind))
          size = 0;
      const codegen::ContractionConfigAttr config = attachPlan(op, *plan);
      LDBG() << func.getName() << ": " << config;
      if (failed(tileReductions(rewriter, op, *plan)))
        return signalPassFailure();
    }
  }
};
} // namespace
