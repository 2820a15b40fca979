//===- ParallelLoops.cpp - structured ops whose loops threads share -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/ParallelLoops.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mica;

bool device::writesMemory(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(inner) ||
            hasSingleEffect<MemoryEffects::Read>(inner))
          return WalkResult::advance();
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool device::writesApart(linalg::GenericOp op) {
  for (Operation &inner : *op.getBody())
    if (writesMemory(&inner))
      return false;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (unsigned dim : parallel)
      if (!llvm::is_contained(map.getResults(), getAffineDimExpr(dim, op.getContext())))
        return false;
  }
  return !parallel.empty();
}

bool device::hasGrowingMaps(linalg::GenericOp op) {
  auto grows = [](AffineExpr part) {
    auto both = dyn_cast<AffineBinaryOpExpr>(part);
    if (!both || both.getKind() == AffineExprKind::Add)
      return WalkResult::advance();
    auto factor = dyn_cast<AffineConstantExpr>(both.getRHS());
    const bool isPositive = both.getKind() == AffineExprKind::Mul && factor && factor.getValue() >= 0;
    return isPositive ? WalkResult::advance() : WalkResult::interrupt();
  };
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::none_of(map.getResults(), [&](AffineExpr expr) { return expr.walk(grows).wasInterrupted(); });
  });
}
