//===- EraseZeroTripOps.cpp - ops without an element to compute leave ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A structured op one of whose loops is known to make no turn gives its inits as they are; a slice without elements
// that is put into a tensor leaves it as it is. The strategies then never meet a size of 0, of which upstream makes
// slices that its own verifiers refuse.
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

/// What `op` gives without doing anything; nothing where it does something.
static SmallVector<Value> unchangedResults(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // What the operands do not say of a size the results may.
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
