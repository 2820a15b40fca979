//===- OutlineLaunches.cpp - launches as functions of a gpu.module ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's gpu-launch-sink-index-computations leaves views outside, whose descriptors would be parameters and whose buffers then may
// be anything; here they go inside with all that is arithmetic of indices.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Gpu/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mica {
#define GEN_PASS_DEF_OUTLINELAUNCHESPASS
#include "passes/Gpu/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether a thread rather does `op` itself than be given its result.
static bool goesInside(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return false;
  if (isa<ViewLikeOpInterface, memref::DimOp, affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
          ub::PoisonOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

/// Upstream's function for this takes nothing inside whose operands the launch does not use already.
static void takeInside(gpu::LaunchOp launch) {
  Region &body = launch.getBody();
  OpBuilder builder(launch.getContext());
  for (bool again = true; again;) {
    again = false;
    llvm::SetVector<Value> uses;
    getUsedValuesDefinedAbove(body, uses);
    for (Value value : uses) {
      Operation *def = value.getDefiningOp();
      if (!def || !goesInside(def))
        continue;
      builder.setInsertionPointToStart(&body.front());
      Operation *copy = builder.clone(*def);
      for (auto [before, inside] : llvm::zip_equal(def->getResults(), copy->getResults()))
        replaceAllUsesInRegionWith(before, inside, body);
      again = true;
    }
  }
}

namespace {
struct OutlineLaunchesPass : mica::impl::OutlineLaunchesPassBase<OutlineLaunchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<gpu::LaunchOp> launches;
    module.walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    if (launches.empty())
      return;
    for (gpu::LaunchOp launch : launches)
      takeInside(launch);
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createGpuKernelOutliningPass());
    if (failed(runPipeline(pm, module)))
      signalPassFailure();
  }
};
} // namespace
