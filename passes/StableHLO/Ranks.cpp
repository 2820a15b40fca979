//===- Ranks.cpp - StableHLO programs of several processes --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Which programs are for several processes, and how they become programs of one rank of a grid.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Ranks.h"

#include "passes/StableHLO/Common.h"
#include "passes/StableHLO/Passes.h"
#include "passes/StableHLO/RankPrograms.h"

using namespace mlir;
using namespace mica;
namespace hlo = mica::stablehlo;

int64_t hlotypes::processesOf(ModuleOp module, StringRef name) {
  auto count = module->getAttrOfType<IntegerAttr>(name);
  return count ? count.getValue().getZExtValue() : 1;
}

bool hlotypes::hasOneProcess(ModuleOp module) {
  return processesOf(module, "mhlo.num_partitions") <= 1 && processesOf(module, "mhlo.num_replicas") <= 1;
}

bool hlotypes::isAlone(DenseIntElementsAttr groups) {
  unsigned count = 0;
  for (const APInt &id : groups.getValues<APInt>()) {
    if (id.isAllOnes())
      continue;
    if (!id.isZero() || ++count > 1)
      return false;
  }
  return true;
}

bool hlotypes::isCollective(Operation *op) {
  return isa<hlo::PartitionIdOp, hlo::ReplicaIdOp, hlo::AllGatherOp, hlo::AllReduceOp, hlo::ReduceScatterOp,
             hlo::AllToAllOp, hlo::CollectiveBroadcastOp, hlo::CollectivePermuteOp>(op);
}

bool hlotypes::isOfOneProcess(Operation *op) {
  if (!hasOneProcess(op->getParentOfType<ModuleOp>()))
    return false;
  if (auto permute = dyn_cast<hlo::CollectivePermuteOp>(op)) {
    auto pairs = cast<DenseIntElementsAttr>(permute.getSourceTargetPairs());
    return llvm::all_of(pairs.getValues<APInt>(), [](const APInt &id) { return id.isZero(); });
  }
  if (isa<hlo::PartitionIdOp, hlo::ReplicaIdOp>(op))
    return true;
  auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  return groups && isAlone(groups);
}

bool mica::isForSeveralProcesses(Operation *program) {
  return program
      ->walk([](Operation *op) {
        return isa<sdy::ManualComputationOp>(op) || (isCollective(op) && !hlotypes::isOfOneProcess(op))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void hlotypes::convertToRanks(ModuleOp module) {
  if (!mica::isForSeveralProcesses(module))
    return;
  std::optional<Grid> grid;
  if (module->getContext()->getLoadedDialect<sdy::SdyDialect>()) {
    const llvm::StringMap<Mesh> meshes = meshesOf(module);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.getBody().hasOneBlock())
        continue;
      if (auto manual = dyn_cast<sdy::ManualComputationOp>(function.getBody().front().front()))
        inlineManual(function, manual, meshes, grid);
    }
  }
  convertCollectives(module, grid);
}
