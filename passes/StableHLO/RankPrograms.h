//===- RankPrograms.h - steps to programs of ranks ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The steps of convertToRanks() and convertAnnotations() (Ranks.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_RANKPROGRAMS_H
#define MICA_PASSES_STABLEHLO_RANKPROGRAMS_H

#include "passes/StableHLO/SdyText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica::hlotypes {

/// The number of processes of kind `name` (an attribute of the module) that a program is for; 1: it does not say.
int64_t processesOf(mlir::ModuleOp module, llvm::StringRef name);

/// Whether all groups, of ids with -1 as filling, are of process 0 alone. No groups: all processes are one.
bool isAlone(mlir::DenseIntElementsAttr groups);

bool isCollective(mlir::Operation *op);

/// Makes a function that is one computation for each device the program of one rank. `grid`: that of the functions
/// before it, which it has to share.
void inlineManual(mlir::func::FuncOp function, sdy::ManualComputationOp manual, const llvm::StringMap<Mesh> &meshes,
                  std::optional<Grid> &grid);

/// Makes collectives those of shard, on the grid `mesh` or on one that fits them.
void convertCollectives(mlir::ModuleOp module, std::optional<Grid> mesh);

} // namespace mica::hlotypes

#endif // MICA_PASSES_STABLEHLO_RANKPROGRAMS_H
