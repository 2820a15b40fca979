//===- AllocationSizes.cpp - checks of the sizes of allocations --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// See AllocationSizes.h.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "passes/Check/AllocationSizes.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

static bool isUnknown(Value size) {
  APInt number;
  return !matchPattern(size, m_ConstantInt(&number)) || number.isNegative();
}

static MutableOperandRange sizesOf(Operation *allocation) {
  if (auto alloc = dyn_cast<memref::AllocOp>(allocation))
    return alloc.getDynamicSizesMutable();
  return cast<memref::AllocaOp>(allocation).getDynamicSizesMutable();
}

bool mica::allocatesUnknownSize(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp>(op) && op->getParentOfType<gpu::LaunchOp>() &&
         llvm::any_of(sizesOf(op), [](OpOperand &size) { return isUnknown(size.get()); });
}

int64_t mica::checkSizes(OpBuilder &builder, Operation *allocation) {
  Location loc = allocation->getLoc();
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  builder.setInsertionPoint(allocation);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t inserted = 0, dim = -1;
  for (OpOperand &size : sizesOf(allocation)) {
    do
      ++dim;
    while (!type.isDynamicDim(dim));
    if (!isUnknown(size.get()))
      continue;
    Value ok = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, size.get(), zero);
    auto branch = scf::IfOp::create(builder, loc, ok, /*withElseRegion=*/true);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.elseBlock());
      check::FailedOp::create(builder, loc, ("it would have the size {0} in dimension " + Twine(dim)).str(), size.get(),
                              IntegerAttr());
    }
    size.set(arith::MaxSIOp::create(builder, loc, size.get(), zero));
    ++inserted;
  }
  return inserted;
}
