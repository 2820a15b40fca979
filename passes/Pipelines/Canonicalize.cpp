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

/// As llvm::getTypeName writes the patterns' classes.
static constexpr llvm::StringLiteral kFaulty = "(anonymous namespace)::WhileMoveIfDown";
static constexpr llvm::StringLiteral kSlow = "(anonymous namespace)::ConditionPropagation";

std::unique_ptr<Pass> mica::createCanonicalize(const GreedyRewriteConfig &config) {
  return createCanonicalizerPass(config, /*disabledPatterns=*/{kFaulty.str()});
}

std::unique_ptr<Pass> mica::createHostCanonicalize() {
  return createCanonicalizerPass({}, /*disabledPatterns=*/{kFaulty.str(), kSlow.str()});
}

void mica::removeFaultyCanonicalizations(RewritePatternSet &patterns) {
  llvm::erase_if(patterns.getNativePatterns(),
                 [](const std::unique_ptr<RewritePattern> &pattern) { return pattern->getDebugName() == kFaulty; });
}
