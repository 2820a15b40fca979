//===- FoldDivisions.cpp - a pass with a fault, for docs/Tutorial.md ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass of one's own, as a plugin: divisions by a constant become products with its reciprocal. The tutorial finds
// what is wrong with it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

/// x / c => x * (1 / c), for floats.
struct FoldDivision : RewritePattern {
  explicit FoldDivision(MLIRContext *context) : RewritePattern("mica.div", /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    DenseElementsAttr constant;
    if (!matchPattern(op->getOperand(1), m_Constant(&constant)) || !isa<FloatType>(constant.getElementType()))
      return failure();
    const auto divisors = llvm::to_vector(constant.getValues<APFloat>());
    SmallVector<APFloat> reciprocals;
    for (size_t i = 0; i < divisors.size(); ++i)
      reciprocals.push_back(APFloat(divisors[0].getSemantics(), 1) / divisors[0]);

    OperationState state(op->getLoc(), "mica.constant");
    state.addAttribute("value", DenseElementsAttr::get(constant.getType(), reciprocals));
    state.addTypes(constant.getType());
    Operation *factors = rewriter.create(state);
    OperationState product(op->getLoc(), "mica.mul");
    product.addOperands({op->getOperand(0), factors->getResult(0)});
    product.addTypes(op->getResultTypes());
    rewriter.replaceOp(op, rewriter.create(product));
    return success();
  }
};

struct FoldDivisionsPass : PassWrapper<FoldDivisionsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldDivisionsPass)

  StringRef getArgument() const override { return "fold-divisions"; }
  StringRef getDescription() const override { return "Replace divisions by constants with products"; }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldDivision>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FoldDivisions", "1", [] { PassRegistration<FoldDivisionsPass>(); }};
}
