//===- EraseShardings.cpp - pass mica-reference-erase-shardings -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mica {
#define GEN_PASS_DEF_ERASESHARDINGS
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
class EraseShardings : public mica::impl::EraseShardingsBase<EraseShardings> {
public:
  void runOnOperation() override {
    SmallVector<Operation *> annotations;
    WalkResult walked = getOperation().walk([&](Operation *op) {
      if (!isa_and_present<shard::ShardDialect>(op->getDialect()))
        return WalkResult::advance();
      if (!isa<shard::ShardOp, shard::ShardingOp, shard::GridOp>(op)) {
        op->emitError() << "the program is written for each rank, by '" << op->getName()
                        << "': there is no program of a single one to compare it with";
        return WalkResult::interrupt();
      }
      annotations.push_back(op);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    if (annotations.empty())
      return markAllAnalysesPreserved();
    for (Operation *op : annotations)
      if (auto annotation = dyn_cast<shard::ShardOp>(op))
        annotation.getResult().replaceAllUsesWith(annotation.getSrc());
    for (Operation *op : llvm::reverse(annotations))
      op->erase();
  }
};
} // namespace
