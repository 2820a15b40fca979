//===- InsertInplaceCopies.cpp - copying operands that a kernel updates in place ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   func.func @append(%cache: tensor<8x4xf32>, %new: tensor<1x4xf32>) -> tensor<8x4xf32> {
//     %0 = mica_sched.dispatch @cache_update(%cache, %new) {updates = array<i64: 0>}
//   =>
//     %copy = linalg.generic {identity} ins(%cache) outs(%empty) {mica_sched.group = 0 : i64}
//     %0 = mica_sched.dispatch @cache_update(%copy, %new) {updates = array<i64: 0>}
//
// A loop with a loop-carried updated tensor gets one copy, of the initial value.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/CopyGroup.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Schedule/UpdatedMemory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mica {
#define GEN_PASS_DEF_INSERTINPLACECOPIES
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
class InsertInplaceCopies : public mica::impl::InsertInplaceCopiesBase<InsertInplaceCopies> {
public:
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<OpOperand *> updated;
    function.walk([&](sched::DispatchOp dispatch) {
      for (OpResult result : dispatch->getResults())
        if (OpOperand *input = dispatch.getUpdatedInput(result.getResultNumber()))
          updated.push_back(input);
    });
    for (OpOperand *input : updated)
      // Each copy has no other users: the next operand found is farther out, or there is none.
      while (OpOperand *shared = findSharedOperand(*input)) {
        OpBuilder builder(shared->getOwner());
        shared->set(makeCopyGroup(builder, input->getOwner()->getLoc(), shared->get(), nextGroup(function)));
      }
  }
};
} // namespace
