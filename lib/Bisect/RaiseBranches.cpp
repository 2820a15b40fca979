//===- RaiseBranches.cpp - branches of the LLVM dialect in functions of func -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RaiseBranches.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/RaiseBranches.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

static void raise(Operation *op) {
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  if (auto branch = dyn_cast<LLVM::BrOp>(op)) {
    cf::BranchOp::create(builder, loc, branch.getDest(), branch.getDestOperands());
  } else if (auto branch = dyn_cast<LLVM::CondBrOp>(op)) {
    cf::CondBranchOp::create(builder, loc, branch.getCondition(), branch.getTrueDest(), branch.getTrueDestOperands(),
                             branch.getFalseDest(), branch.getFalseDestOperands());
  } else if (auto branch = dyn_cast<LLVM::SwitchOp>(op)) {
    const SmallVector<ValueRange> operands(branch.getCaseOperands().begin(), branch.getCaseOperands().end());
    cf::SwitchOp::create(builder, loc, branch.getValue(), branch.getDefaultDestination(), branch.getDefaultOperands(),
                         branch.getCaseValuesAttr(), branch.getCaseDestinations(), operands);
  } else {
    return;
  }
  op->erase();
}

void mica::bisect::raiseBranches(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (Block &block : function.getBody())
      if (block.mightHaveTerminator())
        raise(block.getTerminator());
}
