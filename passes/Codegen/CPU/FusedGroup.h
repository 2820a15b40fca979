//===- FusedGroup.h - which ops are computed together with a contraction -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// After bufferization: a contraction, the op that fills its result before it, and the elementwise ops that read or
// overwrite the result behind it. They can be computed block by block where each buffer is touched at one point of the
// iteration space at a time.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_FUSEDGROUP_H
#define MICA_PASSES_CODEGEN_CPU_FUSEDGROUP_H

#include "passes/Codegen/CPU/ContractionPlan.h"

namespace mica::cpu {

/// Ops of one block that are computed together. Every loop of `consumers` and `init` corresponds to a
/// parallel loop of `root`.
struct FusedGroup {
  /// The contraction, or an elementwise op where the group has none.
  mlir::linalg::LinalgOp root;
  /// Computes what `root` starts from (a fill, a broadcast bias), or null: read from `root`'s init tensor.
  mlir::linalg::LinalgOp init;
  /// Elementwise ops that read `root`'s result or one another's, in program order.
  llvm::SmallVector<mlir::linalg::LinalgOp> consumers;
  /// For `init` and each consumer: its loops as loops of `root`.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loopOf;
};

/// The group around `root`: looks only at ops of the same block, and takes a consumer only if all results of
/// the group lie side by side along `plan.laneDim`.
FusedGroup collectGroup(mlir::linalg::LinalgOp root, const ContractionPlan &plan);

/// The map from `op`'s loops to the indices of its result `number`.
mlir::AffineMap resultMap(mlir::linalg::LinalgOp op, unsigned number = 0);

/// `map`, from loops of one op, as a map from the `numLoops` loops of another: loop i is loop `loops[i]` there.
mlir::AffineMap renameLoops(mlir::AffineMap map, llvm::ArrayRef<unsigned> loops, unsigned numLoops);

/// The allocation or function argument that a chain of views starts from; null where that cannot be told.
mlir::Value baseOf(mlir::Value buffer);

} // namespace mica::cpu

#endif // MICA_PASSES_CODEGEN_CPU_FUSEDGROUP_H
