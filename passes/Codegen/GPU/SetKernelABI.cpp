//===- SetKernelABI.cpp - setting the kernel ABI of a device module ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The number of threads of a block limits the registers of a thread, so it is passed to the code generator.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace mica {
#define GEN_PASS_DEF_SETKERNELABIPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// The address space of OpenCL's global memory.
static constexpr unsigned kGlobalSpace = 1;
/// The address space of a thread's private memory on AMD GPUs.
static constexpr unsigned kRocmPrivateSpace = 5;

static void markCuda(LLVM::LLVMFuncOp function, DenseI32ArrayAttr block) {
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), UnitAttr::get(function.getContext()));
  if (block)
    function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), block);
}

static void markRocm(LLVM::LLVMFuncOp function, DenseI32ArrayAttr block) {
  MLIRContext *context = function.getContext();
  ROCDL::ROCDLDialect &dialect = *context->getOrLoadDialect<ROCDL::ROCDLDialect>();
  dialect.getKernelAttrHelper().setAttr(function, UnitAttr::get(context));
  function.walk([&](LLVM::AllocaOp alloca) {
    OpBuilder builder(context);
    builder.setInsertionPointAfter(alloca);
    Type pointer = alloca.getType();
    alloca.getResult().setType(LLVM::LLVMPointerType::get(context, kRocmPrivateSpace));
    Value generic = LLVM::AddrSpaceCastOp::create(builder, alloca.getLoc(), pointer, alloca);
    alloca.getResult().replaceAllUsesExcept(generic, generic.getDefiningOp());
  });
  if (!block)
    return;
  dialect.getReqdWorkGroupSizeAttrHelper().setAttr(function, block);
  int64_t threads = 1;
  for (int32_t size : block.asArrayRef())
    threads *= size;
  const std::string both = std::to_string(threads) + "," + std::to_string(threads);
  dialect.getFlatWorkGroupSizeAttrHelper().setAttr(function, StringAttr::get(context, both));
}

static void markSpirv(LLVM::LLVMFuncOp function, DenseI32ArrayAttr block) {
  MLIRContext *context = function.getContext();
  function.setCConv(LLVM::CConv::SPIR_KERNEL);
  if (block)
    function.setReqdWorkGroupSizeAttr(block);
  auto pointer = LLVM::LLVMPointerType::get(context), global = LLVM::LLVMPointerType::get(context, kGlobalSpace);
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Type> parameters(type.getParams());
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (auto [parameter, argument] : llvm::zip_equal(parameters, function.getArguments())) {
    if (parameter != pointer)
      continue;
    parameter = global;
    argument.setType(global);
    Value inside = LLVM::AddrSpaceCastOp::create(builder, function.getLoc(), pointer, argument);
    argument.replaceAllUsesExcept(inside, inside.getDefiningOp());
  }
  function.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  // An address that is passed as an integer, as that of the check log, is one of global memory as well.
  function.walk([&](LLVM::IntToPtrOp cast) {
    if (cast.getType() != pointer)
      return;
    builder.setInsertionPoint(cast);
    Value address = LLVM::IntToPtrOp::create(builder, cast.getLoc(), global, cast.getArg());
    cast.replaceAllUsesWith(LLVM::AddrSpaceCastOp::create(builder, cast.getLoc(), pointer, address).getResult());
    cast.erase();
  });
}

namespace {
struct SetKernelABIPass : mica::impl::SetKernelABIPassBase<SetKernelABIPass> {
  using SetKernelABIPassBase::SetKernelABIPassBase;

  void runOnOperation() override {
    auto mark = abi == DeviceABI::NVVM ? markCuda : abi == DeviceABI::ROCDL ? markRocm : markSpirv;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (!function->hasAttr(mica::codegen::kEntryAttr))
        continue;
      function->removeAttr(mica::codegen::kEntryAttr);
      function->removeAttr("gpu.known_grid_size");
      mark(function, dyn_cast_or_null<DenseI32ArrayAttr>(function->removeAttr("gpu.known_block_size")));
    }
  }
};
} // namespace
