//===- ExpandAffine.cpp - affine ops of functions that are inlined anywhere ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ExpandAffine.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/ExpandAffine.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

void mica::expandAffineForCall(func::CallOp call, func::FuncOp callee) {
  if (call->getParentOp()->hasTrait<OpTrait::AffineScope>())
    return;
  SmallVector<Operation *> found;
  callee.walk([&](Operation *op) {
    if (isa_and_present<affine::AffineDialect>(op->getDialect()))
      found.push_back(op);
  });
  if (found.empty())
    return;
  RewritePatternSet patterns(callee.getContext());
  populateAffineToStdConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.enableFolding(false).setStrictness(GreedyRewriteStrictness::ExistingOps);
  (void)applyOpPatternsGreedily(found, std::move(patterns), config);
}
