//===- ClusterIds.cpp - what a kernel asks of its cluster ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   gpu.cluster_id x, of a launch in clusters of 2 blocks -> gpu.block_id x / 2
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Expand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mica;

namespace {
using ClusterSizes = std::array<int64_t, 3>;
} // namespace

/// Blocks of a cluster; nothing where they are not constant.
static std::optional<ClusterSizes> clusterSizes(gpu::LaunchFuncOp launch) {
  if (!launch.hasClusterSize())
    return ClusterSizes{1, 1, 1};
  ClusterSizes sizes;
  const gpu::KernelDim3 dims = launch.getClusterSizeOperandValues();
  for (auto [size, value] : llvm::zip_equal(sizes, ArrayRef<Value>{dims.x, dims.y, dims.z})) {
    const std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 1)
      return std::nullopt;
    size = *constant;
  }
  return sizes;
}

/// The value that `op` asks for, of clusters of `size` blocks.
static Value expand(OpBuilder &b, Operation *op, int64_t size) {
  Location loc = op->getLoc();
  const auto dim = cast<gpu::DimensionAttr>(op->getAttr("dimension")).getValue();
  Value blocks = arith::ConstantIndexOp::create(b, loc, size);
  const auto blockId = [&] { return gpu::BlockIdOp::create(b, loc, b.getIndexType(), dim, IntegerAttr()); };
  if (isa<gpu::ClusterDimBlocksOp>(op))
    return blocks;
  if (isa<gpu::ClusterDimOp>(op))
    return arith::DivUIOp::create(b, loc, gpu::GridDimOp::create(b, loc, b.getIndexType(), dim, IntegerAttr()), blocks);
  if (isa<gpu::ClusterIdOp>(op))
    return arith::DivUIOp::create(b, loc, blockId(), blocks);
  return arith::RemUIOp::create(b, loc, blockId(), blocks);
}

LogicalResult sim::expandClusterIds(ModuleOp program) {
  SmallVector<Operation *> asks;
  program.walk([&](Operation *op) {
    if (isa<gpu::ClusterDimBlocksOp, gpu::ClusterDimOp, gpu::ClusterIdOp, gpu::ClusterBlockIdOp>(op))
      asks.push_back(op);
  });
  for (Operation *op : asks) {
    auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
    auto module = op->getParentOfType<gpu::GPUModuleOp>();
    std::optional<ClusterSizes> sizes;
    bool areKnown = kernel && module;
    program.walk([&](gpu::LaunchFuncOp launch) {
      if (!areKnown || launch.getKernelModuleName() != module.getName() || launch.getKernelName() != kernel.getName())
        return;
      const std::optional<ClusterSizes> now = clusterSizes(launch);
      areKnown = now && (!sizes || *sizes == *now);
      sizes = now;
    });
    if (!areKnown)
      return op->emitOpError() << "is not simulated: clusters have sizes that are constant and the same in all "
                                  "launches of a kernel";
    OpBuilder b(op);
    const auto dim = static_cast<unsigned>(cast<gpu::DimensionAttr>(op->getAttr("dimension")).getValue());
    op->getResult(0).replaceAllUsesWith(expand(b, op, sizes ? (*sizes)[dim] : 1));
    op->erase();
  }
  return success();
}
