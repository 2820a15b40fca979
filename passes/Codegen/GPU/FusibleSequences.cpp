//===- FusibleSequences.cpp - consecutive structured ops ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/FusibleSequences.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

void mica::device::forEachRun(Operation *root, function_ref<bool(linalg::GenericOp)> belongs,
                              function_ref<void(ArrayRef<linalg::GenericOp>)> plan) {
  root->walk([&](Block *block) {
    SmallVector<linalg::GenericOp> run;
    for (Operation &op : *block) {
      if (auto generic = dyn_cast<linalg::GenericOp>(op);
          generic && generic.hasPureBufferSemantics() && belongs(generic)) {
        run.push_back(generic);
      } else if (!isMemoryEffectFree(&op) && !isa<memref::AllocOp, memref::DeallocOp>(op)) {
        plan(run);
        run.clear();
      }
    }
    plan(run);
  });
}
