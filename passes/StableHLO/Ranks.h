//===- Ranks.h - StableHLO programs of several processes ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the passes of this folder: collectives and annotations become those of the dialect shard.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_RANKS_H
#define MICA_PASSES_STABLEHLO_RANKS_H

#include "mlir/IR/BuiltinOps.h"

namespace mica::hlotypes {

/// Whether a program, by the attributes that frameworks give it, has one process.
bool hasOneProcess(mlir::ModuleOp module);

/// Whether `op` is a collective in groups of one process, or gives the number of the only process.
bool isOfOneProcess(mlir::Operation *op);

/// Makes collectives among several processes those of shard, on a grid along whose axes their groups lie, and a
/// function that is one sdy.manual_computation the program of one rank. Leaves what has no such form. Types are those
/// of StableHLO.
void convertToRanks(mlir::ModuleOp module);

/// Makes the annotations of sdy and mhlo.sharding of arguments and results those of shard; an error at one that has no
/// such form. `used` tells whether there was one.
llvm::LogicalResult convertAnnotations(mlir::ModuleOp module, bool &used);

} // namespace mica::hlotypes

#endif // MICA_PASSES_STABLEHLO_RANKS_H
