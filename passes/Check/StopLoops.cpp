//===- StopLoops.cpp - ending loops after a failed check ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The state is in memory, which LLVM makes a value. Where the check is in front of the condition, that value is
// constant in each iteration: what fails leaves the loop.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/StopLoops.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mica;

void mica::stopLoopsAfterFailures(Block &entry, ArrayRef<Operation *> reports) {
  Location loc = entry.getParentOp()->getLoc();
  Value memory, none;
  llvm::SmallPtrSet<Operation *, 4> stopped;
  for (Operation *report : reports) {
    auto loop = report->getParentOfType<scf::WhileOp>();
    if (!loop || isa<check::NotFiniteOp>(report) || report->hasAttr(check::kReportAttr))
      continue;
    if (!memory) {
      OpBuilder begin = OpBuilder::atBlockBegin(&entry);
      memory = memref::AllocaOp::create(begin, loc, MemRefType::get({}, begin.getI32Type()));
      none = arith::ConstantOp::create(begin, loc, begin.getI32IntegerAttr(0));
      memref::StoreOp::create(begin, loc, none, memory);
    }
    OpBuilder builder(report);
    Value one = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
    memref::StoreOp::create(builder, loc, one, memory);
    for (; loop; loop = loop->getParentOfType<scf::WhileOp>()) {
      if (!stopped.insert(loop).second)
        continue;
      scf::ConditionOp condition = loop.getConditionOp();
      OpBuilder end(condition);
      Value state = memref::LoadOp::create(end, loc, memory);
      Value goesOn = arith::CmpIOp::create(end, loc, arith::CmpIPredicate::eq, state, none);
      Value both = arith::AndIOp::create(end, loc, condition.getCondition(), goesOn);
      condition.getConditionMutable().assign(both);
    }
  }
}
