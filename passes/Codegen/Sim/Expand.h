//===- Expand.h - expansions before kernels are converted for the simulator ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ops of a device that others express, in kernels.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_SIM_EXPAND_H
#define MICA_PASSES_CODEGEN_SIM_EXPAND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mica::sim {

/// Rewrites registers, shuffles, elections, reductions and fences of the NVVM dialect to ops of `gpu`, or to none. A
/// reduction that is not of a whole warp, and a shuffle in segments that are not constant, stay.
void populateExpandNvvmPatterns(mlir::RewritePatternSet &patterns);

/// Replaces what kernels of `program` ask of their cluster by arithmetic, from the sizes of the launches. Fails with an
/// error where these are not constant or differ between launches of one kernel.
llvm::LogicalResult expandClusterIds(mlir::ModuleOp program);

} // namespace mica::sim

#endif // MICA_PASSES_CODEGEN_SIM_EXPAND_H
