//===- SPIRVTarget.cpp - the target spirv -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Kernels become SPIR-V modules for OpenCL 2.2, which older implementations accept too; Mica does not run them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUTarget.h"

using namespace mlir;
using namespace mica;
using codegen::CodeTarget;

namespace {
struct SPIRVTarget final : DeviceTarget {
  SPIRVTarget() : DeviceTarget("spirv", DeviceABI::SPIRV) {}
  Result<CodeTarget> deviceCode(StringRef chip) const override;
  bool supportsAssertLevel() const override { return false; }
  codegen::DeviceFiles deviceFiles() const override { return {"kernel.spvasm", "kernel.spv"}; }
  Result<std::vector<artifact::DeviceEntry>> describeCode(StringRef text, const std::string &file,
                                                          const CodeTarget &code,
                                                          const std::string &cubin) const override;
};
} // namespace

Result<CodeTarget> SPIRVTarget::deviceCode(StringRef chip) const {
  if (!chip.empty())
    return Error{ErrorCode::InvalidInput, "--target=spirv knows no chips, and '" + chip.str() + "' is given",
                 "give --target=spirv"};
  CodeTarget code;
  code.device = name().str();
  code.triple = "spirv64v1.2-unknown-unknown"; // that of OpenCL 2.2
  MICA_RETURN_IF_ERROR(codegen::knowsChip(code).status());
  return code;
}

/// OpEntryPoint Kernel %7 "relu_0" %2 %3
Result<std::vector<artifact::DeviceEntry>> SPIRVTarget::describeCode(StringRef text, const std::string &,
                                                                     const CodeTarget &, const std::string &) const {
  std::vector<artifact::DeviceEntry> entries;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().starts_with("OpEntryPoint"))
      entries.push_back({line.split('"').second.split('"').first.str()});
  }
  return entries;
}

const codegen::Target &mica::getSPIRVTarget() {
  static const SPIRVTarget target;
  return target;
}
