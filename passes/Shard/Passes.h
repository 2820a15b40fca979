//===- Passes.h - passes of the area Shard --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creation and registration of the passes that make a program with shardings one for each rank.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SHARD_PASSES_H
#define MICA_PASSES_SHARD_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mica {

#define GEN_PASS_DECL
#include "passes/Shard/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Shard/Passes.h.inc"

/// Whether `program` has ops of the dialect `shard`.
bool hasShardOps(mlir::Operation *program);

/// shard.update_halo becomes shifts of rows. Left as they are: updates of sizes that are computed at run time, of
/// dimensions that several axes of the grid split, and of parts with fewer rows than a halo.
void populateExpandHaloUpdatesPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica

#endif // MICA_PASSES_SHARD_PASSES_H
