//===- ConvertIdsToNVVM.cpp - converting ids and warp operations to NVVM ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's convert-gpu-to-nvvm also converts math ops, to calls into a library that may not be installed, and rejects
// LLVM's own functions instead; so these few ops are converted here, and everything else as for the CPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTIDSTONVVMPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica::device;

/// Splits `value` into 32-bit words, which threads exchange, and back.
static SmallVector<Value> toWords(OpBuilder &builder, Location loc, Value value) {
  const unsigned bits = value.getType().getIntOrFloatBitWidth();
  Type i32 = builder.getI32Type();
  if (isa<FloatType>(value.getType()))
    value = arith::BitcastOp::create(builder, loc, builder.getIntegerType(bits), value);
  if (bits < 32)
    return {arith::ExtUIOp::create(builder, loc, i32, value)};
  if (bits == 32)
    return {value};
  Value shift = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
  Value high = arith::ShRUIOp::create(builder, loc, value, shift);
  return {arith::TruncIOp::create(builder, loc, i32, value), arith::TruncIOp::create(builder, loc, i32, high)};
}

static Value fromWords(OpBuilder &builder, Location loc, ValueRange words, Type type) {
  const unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value value = words[0];
  if (bits < 32)
    value = arith::TruncIOp::create(builder, loc, integer, value);
  if (bits == 64) {
    Value shift = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
    Value high = arith::ShLIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, integer, words[1]), shift);
    value = arith::OrIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, integer, value), high);
  }
  return isa<FloatType>(type) ? arith::BitcastOp::create(builder, loc, type, value).getResult() : value;
}

static LogicalResult convertShuffle(gpu::ShuffleOp op) {
  Type type = op.getValue().getType();
  if (!type.isIntOrFloat() || (type.getIntOrFloatBitWidth() > 32 && type.getIntOrFloatBitWidth() != 64))
    return op.emitOpError() << "has no code for values of " << type << "; of up to 32 or 64 bits it has";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type();
  auto number = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  };
  // The lanes of a group of `width`, and its last lane (its first, for shuffles up).
  Value group = arith::SubIOp::create(builder, loc, number(kWarp), op.getWidth());
  Value clamp = op.getMode() == gpu::ShuffleMode::UP ? number(0) : number(kWarp - 1);
  Value segments = arith::OrIOp::create(builder, loc, arith::ShLIOp::create(builder, loc, group, number(8)), clamp);
  NVVM::ShflKind kind = NVVM::ShflKind::bfly;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    break;
  case gpu::ShuffleMode::DOWN:
    kind = NVVM::ShflKind::down;
    break;
  case gpu::ShuffleMode::UP:
    kind = NVVM::ShflKind::up;
    break;
  case gpu::ShuffleMode::IDX:
    kind = NVVM::ShflKind::idx;
    break;
  }
  auto both = LLVM::LLVMStructType::getLiteral(op.getContext(), {i32, builder.getI1Type()});
  SmallVector<Value> words = toWords(builder, loc, op.getValue());
  Value valid;
  for (Value &word : words) {
    Value result = NVVM::ShflOp::create(builder, loc, both, number(-1), word, op.getOffset(), segments, kind,
                                        builder.getUnitAttr());
    word = LLVM::ExtractValueOp::create(builder, loc, result, 0);
    valid = LLVM::ExtractValueOp::create(builder, loc, result, 1);
  }
  op.replaceAllUsesWith(ValueRange{fromWords(builder, loc, words, type), valid});
  op.erase();
  return success();
}

namespace {
struct ConvertIdsToNVVMPass : mica::impl::ConvertIdsToNVVMPassBase<ConvertIdsToNVVMPass> {
  void runOnOperation() override {
    if (failed(convertGpuOps(getOperation(), [&](Operation *op) { return convert(op); })))
      signalPassFailure();
  }

private:
  static LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto function = op->getParentOfType<func::FuncOp>();
    Value value;
    int64_t limit = 0; // exclusive upper bound of the register's value
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
    } else if (isa<gpu::BarrierOp>(op)) {
      NVVM::Barrier0Op::create(builder, loc);
      op->erase();
      return success();
    } else if (isa<gpu::LaneIdOp>(op)) {
      value = NVVM::LaneIdOp::create(builder, loc, builder.getI32Type());
      limit = kWarp;
    } else if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
      return convertShuffle(shuffle);
    } else {
      return op->emitOpError("has no code for NVIDIA's GPUs here; ids and sizes of blocks and threads, barriers and "
                             "shuffles have");
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
