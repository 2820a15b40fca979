//===- ConvertIds.cpp - what threads ask of the device, as NVVM -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's convert-gpu-to-nvvm would take math along, into calls of a library that need not be there, and refuses LLVM's own
// functions in its place; so these few are converted here, and everything else as it is for the CPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTIDSPASS
#include "passes/Gpu/Passes.h.inc"
} // namespace mica

using namespace mlir;

template <typename X, typename Y, typename Z>
static Value readRegister(OpBuilder &builder, Location loc, gpu::Dimension dimension) {
  Type i32 = builder.getI32Type();
  switch (dimension) {
  case gpu::Dimension::x:
    return X::create(builder, loc, i32);
  case gpu::Dimension::y:
    return Y::create(builder, loc, i32);
  case gpu::Dimension::z:
    return Z::create(builder, loc, i32);
  }
  return {};
}

namespace {
struct ConvertIdsPass : mica::impl::ConvertIdsPassBase<ConvertIdsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<gpu::GPUDialect>(op->getDialect()) && op != getOperation())
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(convert(op)))
        return signalPassFailure();
  }

private:
  static LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto function = op->getParentOfType<func::FuncOp>();
    Value value;
    int64_t limit = 0; // the register's value is below
    auto limitOf = [&](StringRef attribute, gpu::Dimension dimension) {
      auto sizes = function ? function->getAttrOfType<DenseI32ArrayAttr>(attribute) : DenseI32ArrayAttr();
      return sizes ? sizes[static_cast<int>(dimension)] : 0;
    };
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
      value = readRegister<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp, NVVM::ThreadIdZOp>(builder, loc, id.getDimension());
      limit = limitOf("gpu.known_block_size", id.getDimension());
    } else if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
      value = readRegister<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(builder, loc, id.getDimension());
      limit = limitOf("gpu.known_grid_size", id.getDimension());
    } else if (auto id = dyn_cast<gpu::BlockDimOp>(op)) {
      value = readRegister<NVVM::BlockDimXOp, NVVM::BlockDimYOp, NVVM::BlockDimZOp>(builder, loc, id.getDimension());
    } else if (auto id = dyn_cast<gpu::GridDimOp>(op)) {
      value = readRegister<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(builder, loc, id.getDimension());
    } else {
      return op->emitOpError("has no code for NVIDIA's GPUs here; ids and sizes of blocks and threads have");
    }
    if (limit > 0)
      value.getDefiningOp()->setAttr("range", LLVM::ConstantRangeAttr::get(op->getContext(), 32, 0, limit));
    op->getResult(0).replaceAllUsesWith(
        arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), value).getResult());
    op->erase();
    return success();
  }
};
} // namespace
