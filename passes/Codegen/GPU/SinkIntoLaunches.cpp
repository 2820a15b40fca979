//===- SinkIntoLaunches.cpp - sinking index arithmetic into launches -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's gpu-launch-sink-index-computations sinks no op whose operands the launch does not use already, and no
// views, whose descriptors would become parameters and lose their allocation.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mica {
#define GEN_PASS_DEF_SINKINTOLAUNCHESPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// Whether computing `op` in each thread is better than passing its result.
static bool goesInside(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return false;
  // Not every device has 128-bit integers.
  if (isa<arith::MulUIExtendedOp>(op))
    return false;
  if (isa<ViewLikeOpInterface, memref::DimOp, affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
          ub::PoisonOp, vector::ExtractOp, vector::InsertOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa_and_present<arith::ArithDialect>(op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

void mica::sinkIntoLaunch(gpu::LaunchOp launch) {
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
struct SinkIntoLaunchesPass : mica::impl::SinkIntoLaunchesPassBase<SinkIntoLaunchesPass> {
  void runOnOperation() override { getOperation().walk(mica::sinkIntoLaunch); }
};
} // namespace
