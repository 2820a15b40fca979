//===- ExpandCollectives.cpp - expanding reductions and NVVM's ops ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   gpu.all_reduce, gpu.subgroup_reduce, gpu.global_id -> shuffles, workgroup memory, barriers, arithmetic
//   nvvm.shfl.sync, nvvm.redux.sync, ...               -> ExpandNvvmOps.cpp
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Sim/Expand.h"
#include "passes/Codegen/Sim/Passes.h"

#include "mica/ABI/Sim.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDCOLLECTIVES
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
struct ExpandCollectives : mica::impl::ExpandCollectivesBase<ExpandCollectives> {
  LogicalResult lowerLoops() {
    OpPassManager pm(getOperation()->getName());
    pm.addPass(createExpandCeilDivisionsPass());
    pm.addPass(createLowerAffinePass());
    pm.addPass(createSCFToControlFlowPass());
    return runPipeline(pm, getOperation());
  }

  void runOnOperation() override {
    // Upstream only expands uniform ones. If not all threads reach one, the simulator reports it at the barriers.
    bool isInLoop = false;
    getOperation().walk([&](gpu::AllReduceOp op) {
      op.setUniform(true);
      if (isa<gpu::GPUFuncOp>(op->getParentOp()))
        return;
      isInLoop = true;
      // Upstream's expansion writes to workgroup memory that the threads may still read of the iteration before.
      OpBuilder builder(op);
      gpu::BarrierOp::create(builder, op.getLoc());
    });
    // Upstream's expansion is blocks, which have no place in the regions of loops and branches.
    if (isInLoop && failed(lowerLoops()))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    sim::populateExpandNvvmPatterns(patterns);
    populateGpuAllReducePatterns(patterns);
    populateGpuGlobalIdPatterns(patterns);
    populateGpuBreakDownSubgroupReducePatterns(patterns);
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, MICA_SIM_LANES);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, MICA_SIM_LANES);
    GreedyRewriteConfig config;
    config.setMaxIterations(10);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};
} // namespace
