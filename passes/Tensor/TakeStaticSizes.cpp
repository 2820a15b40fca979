//===- TakeStaticSizes.cpp - propagating static sizes through casts to mica ops ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %c = tensor.cast %x : tensor<0x5xf32> to tensor<?x5xf32>     %r = mica.exp %x : tensor<0x5xf32>
//   %r = mica.exp %c : tensor<?x5xf32>                       =>  %c = tensor.cast %r : tensor<0x5xf32> to
//   tensor<?x5xf32>
//
// Upstream's ops have the same canonicalization. Static sizes lead to better kernels, and empty tensors are detected
// before upstream's slices, whose offsets must be below the size.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace {
struct TakeStaticSizes : RewritePattern {
  explicit TakeStaticSizes(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto infers = dyn_cast<InferTypeOpInterface>(op);
    if (!infers || !isa_and_present<mica::MicaDialect>(op->getDialect()) || op->getNumRegions() > 0)
      return failure();
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands)
      if (auto cast = operand.getDefiningOp<tensor::CastOp>(); cast && tensor::canFoldIntoConsumerOp(cast))
        operand = cast.getSource();
    if (llvm::equal(operands, op->getOperands()))
      return failure();
    SmallVector<Type> types;
    if (failed(infers.inferReturnTypes(op->getContext(), /*location=*/std::nullopt, operands,
                                       op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
                                       types)))
      return rewriter.notifyMatchFailure(op, "types are not known of these operands");
    for (auto [type, old] : llvm::zip_equal(types, op->getResultTypes()))
      if (type != old && !tensor::preservesStaticInformation(old, type))
        return rewriter.notifyMatchFailure(op, "types that say less");
    // Contradicting sizes are an error at run time, and none of the program as written.
    OwningOpRef<Operation *> made = op->cloneWithoutRegions();
    made.get()->setOperands(operands);
    for (auto [result, type] : llvm::zip_equal(made.get()->getResults(), types))
      result.setType(type);
    {
      ScopedDiagnosticHandler silence(op->getContext(), [](Diagnostic &) { return success(); });
      if (failed(verify(made.get())))
        return rewriter.notifyMatchFailure(op, "sizes that do not fit");
    }
    Operation *placed = rewriter.insert(made.release());
    SmallVector<Value> results;
    for (auto [result, old] : llvm::zip_equal(placed->getResults(), op->getResultTypes()))
      results.push_back(result.getType() == old ? Value(result)
                                                : tensor::CastOp::create(rewriter, op->getLoc(), old, result));
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void mica::populateTakeStaticSizesPatterns(RewritePatternSet &patterns) {
  patterns.add<TakeStaticSizes>(patterns.getContext());
}
