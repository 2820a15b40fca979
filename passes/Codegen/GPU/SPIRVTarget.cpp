//===- SPIRVTarget.cpp - the target spirv -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The base that it shares with the target opencl, and the target itself, whose modules Mica does not run.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/SPIRVTarget.h"

using namespace mlir;
using namespace mica;
using codegen::CodeTarget;

Result<CodeTarget> SPIRVTargetBase::makeCode(std::string device) {
  CodeTarget code;
  code.device = std::move(device);
  code.triple = "spirv64v1.2-unknown-unknown"; // that of OpenCL 2.2
  MICA_RETURN_IF_ERROR(codegen::knowsChip(code).status());
  return code;
}

/// OpEntryPoint Kernel %7 "relu_0" %2 %3
Result<std::vector<artifact::DeviceEntry>>
SPIRVTargetBase::describeCode(StringRef text, const std::string &, const CodeTarget &, const std::string &) const {
  std::vector<artifact::DeviceEntry> entries;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().starts_with("OpEntryPoint"))
      entries.push_back({line.split('"').second.split('"').first.str()});
  }
  return entries;
}

namespace {
struct SPIRVTarget final : SPIRVTargetBase {
  SPIRVTarget() : SPIRVTargetBase("spirv") {}
  bool supportsAssertLevel() const override { return false; }

  Result<CodeTarget> deviceCode(StringRef chip) const override {
    if (!chip.empty())
      return Error{ErrorCode::InvalidInput, "--target=spirv knows no chips, and '" + chip.str() + "' is given",
                   "give --target=spirv, or --target=opencl:DEVICE for a device that Mica runs kernels on"};
    return makeCode(name().str());
  }

protected:
  SelectHostFallbackPassOptions hostFallback(const PipelineOptions &options) const override {
    SelectHostFallbackPassOptions fallback = DeviceTarget::hostFallback(options);
    fallback.missingTypes = {"bf16"};
    return fallback;
  }
};
} // namespace

const codegen::Target &mica::getSPIRVTarget() {
  static const SPIRVTarget target;
  return target;
}
