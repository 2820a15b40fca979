//===- CopyResults.cpp - copying results that no kernel writes --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A kernel writes each result of a host function directly to the result's memory. If no kernel can, because the result
// is an argument, a constant, a result of control flow or is returned twice, this pass inserts a copy.
//
//   func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
//     return %x
//   =>
//     %0 = linalg.generic {identity} ins(%x) outs(%empty) {mica_sched.group = 0 : i64}
//     return %0
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/CopyGroup.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Schedule/HostTensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_COPYRESULTS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
class CopyResults : public mica::impl::CopyResultsBase<CopyResults> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    auto terminator = dyn_cast<func::ReturnOp>(function.getBody().front().getTerminator());
    if (!terminator)
      return;
    llvm::DenseSet<Value> taken;
    OpBuilder builder(terminator);
    for (OpOperand &operand : terminator->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type)
        continue;
      Value root = viewRoot(operand.get(), isTensorView);
      Operation *def = root.getDefiningOp();
      bool isWritten = isa_and_present<sched::DispatchOp>(def) || (def && def->hasAttr(sched::kGroupAttr));
      bool written =
          isWritten && def->getBlock() == terminator->getBlock() && (root == operand.get() || type.hasStaticShape());
      if (written && taken.insert(root).second)
        continue;
      // The return has no id: the copy gets the location of the value's definition, or that of the return.
      Location loc = def ? def->getLoc() : terminator.getLoc();
      operand.set(makeCopyGroup(builder, loc, operand.get(), nextGroup(function)));
    }
  }
};
} // namespace
