//===- Passes.h - passes of the area StableHLO -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes that convert the input dialects vhlo, stablehlo and chlo.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_PASSES_H
#define MICA_PASSES_STABLEHLO_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mica {

#define GEN_PASS_DECL
#include "passes/StableHLO/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/StableHLO/Passes.h.inc"

/// Replaces the ops of `vhlo` in `root` by those of `stablehlo` and `func` that they are versions of. On failure,
/// errors were emitted and a part is converted.
mlir::LogicalResult convertVHLOToStableHLO(mlir::Operation *root);

/// A unit attribute of a module: legalize-stablehlo-types makes its annotations those of shard.
inline constexpr llvm::StringLiteral kUseShardingsAttr = "stablehlo.use_shardings";

/// Whether a program of `stablehlo` has collectives among several processes, or computations that run on each device.
bool isForSeveralProcesses(mlir::Operation *program);

} // namespace mica

#endif // MICA_PASSES_STABLEHLO_PASSES_H
