//===- CUDATarget.cpp - the target cuda ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The PTX version is the oldest that the chip's features require, so that older drivers accept it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUTarget.h"
#include "passes/Codegen/GPU/Ptxas.h"

#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mica;
using codegen::CodeTarget;

namespace {
struct CUDATarget final : DeviceTarget {
  CUDATarget() : DeviceTarget("cuda", DeviceABI::NVVM) {}
  Result<CodeTarget> deviceCode(StringRef chip) const override;
  void setChip(StringRef chip, PipelineOptions &options) const override;
  bool supportsHostFunctions() const override { return true; }
  void addIdPasses(OpPassManager &device) const override;
  codegen::DeviceFiles deviceFiles() const override { return {"kernel.ptx", ""}; }
  Result<std::vector<artifact::DeviceEntry>> describeCode(StringRef text, const std::string &file,
                                                          const CodeTarget &code,
                                                          const std::string &cubin) const override {
    return codegen::describePtx(text, file, code.cpu, codegen::findPtxas(), cubin);
  }
  bool emitsPtx() const override { return true; }
};
} // namespace

/// 80 for "sm_80"; nothing if `chip` has another form.
static std::optional<int> numberOf(StringRef chip) {
  int number = 0;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

Result<CodeTarget> CUDATarget::deviceCode(StringRef chip) const {
  constexpr int kOldest = 70;
  CodeTarget code;
  code.cpu = chip.empty() ? "sm_80" : chip.str();
  code.device = name().str() + ":" + code.cpu;
  code.triple = "nvptx64-nvidia-cuda";
  const Error unknown{ErrorCode::InvalidInput, "unknown chip '" + code.cpu + "'",
                      "give --target=cuda:sm_80, sm_86, sm_89, sm_90, sm_90a, ...; sm_70 is the oldest"};
  const std::optional<int> number = numberOf(code.cpu);
  if (!number || *number < kOldest)
    return unknown;
  MICA_ASSIGN_OR_RETURN(const bool known, codegen::knowsChip(code));
  if (!known)
    return unknown;
  code.features = *number <= 80   ? "+ptx70"
                  : *number < 87  ? "+ptx71"
                  : *number < 90  ? "+ptx78"
                  : *number == 90 ? "+ptx80"
                  : *number < 103 ? "+ptx86"
                                  : "+ptx88";
  return code;
}

void CUDATarget::setChip(StringRef chip, PipelineOptions &options) const {
  if (std::optional<int> number = numberOf(chip))
    options.computeCapability = *number;
}

void CUDATarget::addIdPasses(OpPassManager &device) const {
  device.addPass(createConvertMmaPass());
  device.addPass(createConvertNVGPUToNVVMPass());
  device.addPass(createConvertIdsToNVVMPass());
}

const codegen::Target &mica::getCUDATarget() {
  static const CUDATarget target;
  return target;
}
