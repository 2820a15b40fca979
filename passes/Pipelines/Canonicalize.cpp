//===- Canonicalize.cpp - upstream's canonicalization without the pattern that miscompiles ------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Canonicalize.h. Folds have no names: mica-tensor-block-dynamic-folds rewrites the ops of those that are wrong.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Pipelines/Canonicalize.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// As llvm::getTypeName writes the pattern's class.
static constexpr llvm::StringLiteral kFaulty = "(anonymous namespace)::WhileMoveIfDown";

std::unique_ptr<Pass> mica::createCanonicalize(const GreedyRewriteConfig &config) {
  return createCanonicalizerPass(config, /*disabledPatterns=*/{kFaulty.str()});
}

void mica::removeFaultyCanonicalizations(RewritePatternSet &patterns) {
  llvm::erase_if(patterns.getNativePatterns(),
                 [](const std::unique_ptr<RewritePattern> &pattern) { return pattern->getDebugName() == kFaulty; });
}
