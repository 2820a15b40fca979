//===- DuplicateEmptyTensors.cpp - a buffer of its own for each op's result ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// CSE merges equal tensor.empty ops. Bufferization then sees one buffer with several writers and keeps one value alive
// in it while it finds room for the others: needless copies, or two values in one buffer that loops could otherwise
// compute together. This pass gives each reader a tensor.empty again; it runs right before bufferization.
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
