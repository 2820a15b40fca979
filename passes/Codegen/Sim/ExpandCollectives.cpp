//===- ExpandCollectives.cpp - expanding reductions to shuffles -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   gpu.all_reduce, gpu.subgroup_reduce, gpu.global_id -> shuffles, workgroup memory, barriers, arithmetic
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Passes.h"

#include "mica/ABI/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {
#define GEN_PASS_DEF_EXPANDCOLLECTIVES
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
struct ExpandCollectives : mica::impl::ExpandCollectivesBase<ExpandCollectives> {
  void runOnOperation() override {
    // Upstream only expands uniform ones. If not all threads reach one, the simulator reports it at the barriers.
    getOperation().walk([](gpu::AllReduceOp op) { op.setUniform(true); });
    RewritePatternSet patterns(&getContext());
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
