//===- DuplicateEmptyTensors.cpp - a separate tensor.empty for each use -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// CSE merges equal tensor.empty ops. Bufferization then sees one buffer with several writers, and inserts copies to
// keep their values apart, or reuses one buffer where loops could otherwise be fused. This pass gives each user its own
// tensor.empty; it runs right before bufferization.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_DUPLICATEEMPTYTENSORSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct DuplicateEmptyTensorsPass : mica::impl::DuplicateEmptyTensorsPassBase<DuplicateEmptyTensorsPass> {
  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (tensor::EmptyOp op : empties) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : op->getUses())
        uses.push_back(&use);
      for (OpOperand *use : uses) {
        OpBuilder builder(use->getOwner());
        use->set(builder.clone(*op.getOperation())->getResult(0));
      }
      op.erase();
    }
  }
};
} // namespace
