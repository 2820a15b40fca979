//===- ConvertPortableIds.cpp - converting ids for AMD and OpenCL devices ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's convert-gpu-to-rocdl also converts math ops, to calls into a library that is not available, and calls that
// library for sizes; so these few ops are converted here, and everything else as for the CPU.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"
#include "passes/Codegen/GPU/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTPORTABLEIDSPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica::device;

/// A call of OpenCL's builtin `name` (mangled as in C++), which LLVM's SPIR-V back end converts to a variable.
static Value callBuiltin(OpBuilder &builder, gpu::GPUModuleOp module, Location loc, StringRef name,
                         gpu::Dimension dimension) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(top, loc, name, LLVM::LLVMFunctionType::get(i64, {i32}));
    function.setCConv(LLVM::CConv::SPIR_FUNC);
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(builder.getContext(), none, none, none, none, none, none));
    function.setNoUnwind(true);
    function.setWillReturn(true);
  }
  Value number = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(dimension)));
  auto call = LLVM::CallOp::create(builder, loc, function, ValueRange{number});
  call.setCConv(LLVM::CConv::SPIR_FUNC);
  return call.getResult();
}

namespace {
/// The values that a thread can query.
enum class Quantity { ThreadId, BlockId, BlockSize, GridSize };

struct Question {
  Quantity quantity;
  gpu::Dimension dimension;
};

struct ConvertPortableIdsPass : mica::impl::ConvertPortableIdsPassBase<ConvertPortableIdsPass> {
  using ConvertPortableIdsPassBase::ConvertPortableIdsPassBase;

  void runOnOperation() override {
    if (failed(convertGpuOps(getOperation(), [&](Operation *op) { return convert(op); })))
      signalPassFailure();
  }

private:
  StringRef deviceName() const { return abi == mica::DeviceABI::ROCDL ? "AMD GPUs" : "OpenCL devices"; }

  static std::optional<Question> questionOf(Operation *op) {
    if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
      return Question{Quantity::ThreadId, id.getDimension()};
    if (auto id = dyn_cast<gpu::BlockIdOp>(op))
      return Question{Quantity::BlockId, id.getDimension()};
    if (auto size = dyn_cast<gpu::BlockDimOp>(op))
      return Question{Quantity::BlockSize, size.getDimension()};
    if (auto size = dyn_cast<gpu::GridDimOp>(op))
      return Question{Quantity::GridSize, size.getDimension()};
    return std::nullopt;
  }

  /// The value, of 32 or 64 bits; null if the target has none.
  Value answer(OpBuilder &builder, Location loc, Question question) {
    auto [quantity, dimension] = question;
    if (abi == mica::DeviceABI::ROCDL) {
      if (quantity == Quantity::ThreadId)
        return readRegister<ROCDL::ThreadIdXOp, ROCDL::ThreadIdYOp, ROCDL::ThreadIdZOp>(builder, loc, dimension);
      if (quantity == Quantity::BlockId)
        return readRegister<ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp>(builder, loc, dimension);
      return {};
    }
    constexpr StringLiteral kNames[] = {"_Z12get_local_idj", "_Z12get_group_idj", "_Z14get_local_sizej",
                                        "_Z14get_num_groupsj"};
    return callBuiltin(builder, getOperation(), loc, kNames[static_cast<int>(quantity)], dimension);
  }

  LogicalResult convert(Operation *op) {
    std::optional<Question> question = questionOf(op);
    if (!question)
      return op->emitOpError("has no code for ") << deviceName() << "; ids and sizes of blocks and threads have";
    OpBuilder builder(op);
    Location loc = op->getLoc();
    const bool ofBlock = question->quantity == Quantity::ThreadId || question->quantity == Quantity::BlockSize;
    auto function = op->getParentOfType<func::FuncOp>();
    auto sizes =
        function ? function->getAttrOfType<DenseI32ArrayAttr>(ofBlock ? "gpu.known_block_size" : "gpu.known_grid_size")
                 : DenseI32ArrayAttr();
    const int64_t size = sizes ? sizes[static_cast<int>(question->dimension)] : 0;
    const bool isSize = question->quantity == Quantity::BlockSize || question->quantity == Quantity::GridSize;
    Value index;
    if (isSize && size > 0) {
      index = arith::ConstantIndexOp::create(builder, loc, size);
    } else {
      Value value = answer(builder, loc, *question);
      if (!value)
        return op->emitOpError("has no code for ") << deviceName() << " where the size is not known";
      if (size > 0 && abi == mica::DeviceABI::ROCDL)
        value.getDefiningOp()->setAttr("range", LLVM::ConstantRangeAttr::get(op->getContext(), 32, 0, size));
      index = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), value);
    }
    op->getResult(0).replaceAllUsesWith(index);
    op->erase();
    return success();
  }
};
} // namespace
