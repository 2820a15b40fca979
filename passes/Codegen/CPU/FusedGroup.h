//===- FusedGroup.h - ops that are fused with a contraction ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// After bufferization: a contraction, the op that fills its result before it, and the elementwise ops that read or
// overwrite the result after it. They can be computed block by block if each buffer is accessed at one point of the
// iteration space at a time.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_FUSEDGROUP_H
#define MICA_PASSES_CODEGEN_CPU_FUSEDGROUP_H

#include "passes/Codegen/CPU/ContractionPlan.h"

namespace mica::cpu {

/// Ops of one block that are computed together. Every loop of `consumers` and `init` corresponds to a parallel loop of
/// `root`.
struct FusedGroup {
  /// The contraction, or an elementwise op if the group has none.
  mlir::linalg::LinalgOp root;
  /// Computes the initial value of `root` (a fill, a broadcast bias); null: read from `root`'s init tensor.
  mlir::linalg::LinalgOp init;
  /// Elementwise ops that read results of `root` or of each other, in program order.
  llvm::SmallVector<mlir::linalg::LinalgOp> consumers;
  /// For `init` and each consumer: the loops of `root` that its loops correspond to.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loopOf;
};

/// Collects the group around `root`: only ops of the same block, and a consumer only if all results of the group are
/// contiguous along `plan.laneDim`.
FusedGroup collectGroup(mlir::linalg::LinalgOp root, const ContractionPlan &plan);

/// The map from `op`'s loops to the indices of its result `number`.
mlir::AffineMap resultMap(mlir::linalg::LinalgOp op, unsigned number = 0);

/// Renames the loops of `map` to those of an op with `numLoops` loops: loop i becomes loop `loops[i]`.
mlir::AffineMap renameLoops(mlir::AffineMap map, llvm::ArrayRef<unsigned> loops, unsigned numLoops);

/// The allocation or function argument that a chain of views starts from; null if unknown.
mlir::Value baseOf(mlir::Value buffer);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_FUSEDGROUP_H
