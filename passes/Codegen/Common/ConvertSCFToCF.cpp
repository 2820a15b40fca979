//===- ConvertSCFToCF.cpp - structured control flow to blocks -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's patterns, from the last op of a block to the first. Each splits its block behind the op, which moves all
// ops that follow; so from the first to the last, as the conversion driver goes, n loops move n^2 / 2 ops.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Rewrite/PatternApplicator.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTSCFTOCFPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct ConvertSCFToCFPass : mica::impl::ConvertSCFToCFPassBase<ConvertSCFToCFPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    // What becomes another structured op, with the same body, comes before what its body becomes blocks of.
    if (failed(convertAll<scf::ForallOp>()) || failed(convertAll<scf::ParallelOp>()) ||
        failed(convertAll<scf::ExecuteRegionOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>()))
      signalPassFailure();
  }

private:
  template <typename... Ops> LogicalResult convertAll() {
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    // An op before those of its regions, which its pattern moves; of a block's ops the last one first.
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
      if (isa<Ops...>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      const std::string name = op->getName().getStringRef().str();
      const Location loc = op->getLoc();
      if (failed(applicator.matchAndRewrite(op, rewriter)))
        return emitError(loc) << "'" << name << "' does not become branches between blocks";
    }
    return success();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
