//===- DeviceTarget.cpp - GPUs that code is made for ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The version of PTX is the oldest that the chip's features need, so that older drivers take it; that of SPIR-V (as OpenCL has it) is
// old for the same reason.
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

bool compiler::isDeviceTarget(llvm::StringRef target) {
  llvm::StringRef kind = target.split(':').first;
  return kind == "cuda" || kind == "rocm" || kind == "spirv";
}

bool compiler::hasTensorCores(llvm::StringRef target) {
  llvm::StringRef kind = target.split(':').first;
  return kind == "cuda" || kind == "sim";
}

/// Whether LLVM knows the chip. Unsupported where it has no code generator for such chips at all.
static Result<bool> knowsChip(const CodeTarget &target) {
  initializeTarget();
  std::string error;
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return Error{ErrorCode::Unsupported, "this LLVM makes no code for --target=" + target.device + ": " + error,
                 "build Mica with an LLVM that has the targets NVPTX, AMDGPU and SPIRV, as Debian's has"};
  std::unique_ptr<llvm::MCSubtargetInfo> any(found->createMCSubtargetInfo(triple, "", ""));
  return any->isCPUStringValid(target.cpu);
}

static Error unknownChip(const CodeTarget &target, const std::string &hint) {
  return {ErrorCode::InvalidInput, "unknown chip '" + target.cpu + "'", hint};
}

static Result<CodeTarget> cudaTarget(CodeTarget target) {
  const std::string hint = "give --target=cuda:sm_80, sm_86, sm_89, sm_90, sm_90a, ...; sm_70 is the oldest";
  target.triple = "nvptx64-nvidia-cuda";
  int number = 0;
  llvm::StringRef digits = target.cpu;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, number) || number < 70)
    return unknownChip(target, hint);
  MICA_ASSIGN_OR_RETURN(const bool known, knowsChip(target));
  if (!known)
    return unknownChip(target, hint);
  target.features = number <= 80   ? "+ptx70"
                    : number < 87  ? "+ptx71"
                    : number < 90  ? "+ptx78"
                    : number == 90 ? "+ptx80"
                    : number < 103 ? "+ptx86"
                                   : "+ptx88";
  return target;
}

static Result<CodeTarget> rocmTarget(CodeTarget target) {
  const std::string hint = "give --target=rocm:gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1100, gfx1201, ...; gfx900 "
                           "is the oldest";
  target.triple = "amdgcn-amd-amdhsa";
  // The last two digits are hexadecimal, what is before them the generation.
  int number = 0;
  llvm::StringRef digits = target.cpu;
  if (!digits.consume_front("gfx") || digits.size() < 3 || digits.drop_back(2).getAsInteger(10, number) || number < 9)
    return unknownChip(target, hint);
  MICA_ASSIGN_OR_RETURN(const bool known, knowsChip(target));
  if (!known)
    return unknownChip(target, hint);
  return target;
}

Result<CodeTarget> compiler::deviceTarget(llvm::StringRef name) {
  auto [kind, chip] = name.split(':');
  CodeTarget target;
  target.cpu = chip.empty() ? (kind == "cuda" ? "sm_80" : kind == "rocm" ? "gfx90a" : "") : chip.str();
  target.device = kind.str() + (target.cpu.empty() ? "" : ":") + target.cpu;
  if (kind == "cuda")
    return cudaTarget(std::move(target));
  if (kind == "rocm")
    return rocmTarget(std::move(target));
  if (!target.cpu.empty())
    return Error{ErrorCode::InvalidInput, "--target=spirv knows no chips, and '" + target.cpu + "' is given",
                 "give --target=spirv"};
  target.triple = "spirv64v1.2-unknown-unknown"; // that of OpenCL 2.2
  MICA_RETURN_IF_ERROR(knowsChip(target).status());
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
