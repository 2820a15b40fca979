//===- LowerDynamicAllocs.cpp - lowering dynamic allocations on a device ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lowers the allocations that mica-codegen-allocate-scratch has left to an allocation of bytes and a view, so that all
// element types are supported, and a size that overflows is rejected as too large.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/Temporaries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mica {
#define GEN_PASS_DEF_GPULOWERDYNAMICALLOCSPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct GPULowerDynamicAllocsPass : mica::impl::GPULowerDynamicAllocsPassBase<GPULowerDynamicAllocsPass> {
  using GPULowerDynamicAllocsPassBase::GPULowerDynamicAllocsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    bool launches = false;
    SmallVector<memref::AllocOp> allocs;
    func.walk([&](Operation *op) {
      launches |= isa<gpu::LaunchOp>(op);
      if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && !alloc->getParentOfType<gpu::LaunchOp>())
        allocs.push_back(alloc);
    });
    if (!launches)
      return;
    for (memref::AllocOp alloc : allocs)
      place(alloc);
  }

private:
  /// The runtime names a negative size.
  void checkSizesOf(memref::AllocOp alloc, OpBuilder &builder) {
    Type element = alloc.getType().getElementType();
    auto sizes = RankedTensorType::get(alloc.getType().getShape(),
                                       TensorType::isValidElementType(element) ? element : Type(builder.getI8Type()));
    mica::sched::CheckReshapeOp::create(builder, alloc.getLoc(), /*same_sizes=*/true, sizes, alloc.getDynamicSizes(),
                                        sizes, alloc.getDynamicSizes());
  }

  void place(memref::AllocOp alloc) {
    IRRewriter rewriter(alloc);
    Location loc = alloc.getLoc();
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        rewriter.eraseOp(user);
    if (checkSizes)
      checkSizesOf(alloc, rewriter);
    Value bytes = mica::device::temporaryBytes(rewriter, loc, alloc.getType(), alloc.getDynamicSizes());
    auto type = MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type());
    Value memory = gpu::AllocOp::create(rewriter, loc, type, Type(), ValueRange(), ValueRange(bytes), ValueRange(),
                                        /*hostShared=*/false)
                       .getMemref();
    Value first = arith::ConstantIndexOp::create(rewriter, loc, 0);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(alloc, alloc.getType(), memory, first, alloc.getDynamicSizes());
    // The launches that follow may reuse its memory: they run after those that use it.
    rewriter.setInsertionPoint(memory.getParentBlock()->getTerminator());
    gpu::DeallocOp::create(rewriter, loc, Type(), ValueRange(), memory);
  }
};
} // namespace
