//===- DeviceTarget.cpp - GPUs that code is made for ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The version of PTX is the oldest that the chip's features need, so that older drivers take it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Codegen.h"
#include "passes/Gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

Result<CodeTarget> compiler::cudaTarget(llvm::StringRef chip) {
  initializeTarget();
  CodeTarget target;
  target.triple = "nvptx64-nvidia-cuda";
  target.cpu = chip.str();
  auto refuse = [&] {
    return Error{ErrorCode::InvalidInput, "unknown chip '" + chip.str() + "'",
                 "give --target=cuda:sm_80, sm_86, sm_89, sm_90, sm_90a, ...; sm_70 is the oldest"};
  };
  int number = 0;
  llvm::StringRef digits = chip;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, number) || number < 70)
    return refuse();
  target.features = number < 90 ? "+ptx70" : number == 90 ? "+ptx80" : number < 103 ? "+ptx86" : "+ptx88";
  std::string error;
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return Error{ErrorCode::Unsupported, "this LLVM makes no code for NVIDIA's GPUs: " + error,
                 "build Mica with an LLVM that has the target NVPTX"};
  std::unique_ptr<llvm::MCSubtargetInfo> any(found->createMCSubtargetInfo(triple, "", ""));
  if (!any->isCPUStringValid(target.cpu))
    return refuse();
  if (number > 80 && number < 90)
    target.features = number < 87 ? "+ptx71" : "+ptx78";
  return target;
}

OwningOpRef<ModuleOp> compiler::takeDeviceModule(ModuleOp kernel) {
  auto device = kernel.lookupSymbol<gpu::GPUModuleOp>(kGpuModuleName);
  if (!device)
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc(), kernel.getName());
  module->getBody()->getOperations().splice(module->getBody()->begin(), device.getBody()->getOperations());
  device.erase();
  return module;
}
