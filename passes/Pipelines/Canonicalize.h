//===- Canonicalize.h - upstream's canonicalization without the pattern that miscompiles --------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Every canonicalization of Mica's pipelines leaves out the pattern WhileMoveIfDown of scf.while, which takes the value
// of the `else` branch for one of two equal operands of scf.condition (docs/UpstreamFindings.md).
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_PIPELINES_CANONICALIZE_H
#define MICA_PASSES_PIPELINES_CANONICALIZE_H

#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mica {

/// `canonicalize` without the patterns that miscompile.
std::unique_ptr<mlir::Pass> createCanonicalize(const mlir::GreedyRewriteConfig &config = {});

/// The same for host functions, whose ifs can be thousands on one condition: without ConditionPropagation of `scf.if`,
/// which takes the square of their number. See passes/Tensor/PropagateConditions.h.
std::unique_ptr<mlir::Pass> createHostCanonicalize();

/// Removes the patterns that miscompile from `patterns`, for passes that collect canonicalizations themselves.
void removeFaultyCanonicalizations(mlir::RewritePatternSet &patterns);

} // namespace mica

#endif // MICA_PASSES_PIPELINES_CANONICALIZE_H
