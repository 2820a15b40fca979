//===- MarkEntries.cpp - the entries of a device module ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Threads of a block bound the registers of a thread, so what is known of them reaches PTX.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mica {
#define GEN_PASS_DEF_MARKENTRIESPASS
#include "passes/Gpu/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {
struct MarkEntriesPass : mica::impl::MarkEntriesPassBase<MarkEntriesPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (!function->hasAttr(mica::kEntryAttr))
        continue;
      function->removeAttr(mica::kEntryAttr);
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), UnitAttr::get(&getContext()));
      if (Attribute size = function->removeAttr("gpu.known_block_size"))
        function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), size);
      function->removeAttr("gpu.known_grid_size");
    }
  }
};
} // namespace
