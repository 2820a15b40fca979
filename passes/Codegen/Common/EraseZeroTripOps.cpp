//===- EraseZeroTripOps.cpp - erasing ops with empty iteration domains --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A structured op with a loop of zero iterations is replaced by its inits; inserting an empty slice into a tensor is
// replaced by the tensor. So strategies never see a size of 0, for which upstream creates slices that its own verifiers
// reject.
//
//   %1 = linalg.generic ins(%a : tensor<0x4xf32>) outs(%f : tensor<4xf32>)  ->  %f
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_ERASEZEROTRIPOPSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

/// The results of `op` if it does nothing; nothing if it does something.
static SmallVector<Value> unchangedResults(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // A result's type may have a static size that the operands' types lack.
    auto isEmpty = [](Type type) { return llvm::is_contained(cast<ShapedType>(type).getShape(), 0); };
    if (linalgOp.hasPureTensorSemantics() &&
        (llvm::is_contained(linalgOp.getStaticLoopRanges(), 0) || llvm::all_of(linalgOp->getResultTypes(), isEmpty)))
      return llvm::to_vector_of<Value>(linalgOp.getDpsInits());
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (llvm::is_contained(insert.getSourceType().getShape(), 0))
      return {insert.getDest()};
  }
  return {};
}

namespace {
struct EraseZeroTripOpsPass : mica::impl::EraseZeroTripOpsPassBase<EraseZeroTripOpsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      SmallVector<Value> results = unchangedResults(op);
      if (results.empty())
        return;
      op->replaceAllUsesWith(results);
      op->erase();
    });
  }
};
} // namespace
