//===- ROCmTarget.cpp - the target rocm ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Kernels become assembly and a code object for AMD's loaders; Mica does not run them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUTarget.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"

using namespace mlir;
using namespace mica;
using codegen::CodeTarget;

namespace {
struct ROCmTarget final : DeviceTarget {
  ROCmTarget() : DeviceTarget("rocm", DeviceABI::ROCDL) {}
  Result<CodeTarget> deviceCode(StringRef chip) const override;
  bool supportsAssertLevel() const override { return false; }
  codegen::DeviceFiles deviceFiles() const override { return {"kernel.gcn", "kernel.hsaco", /*isLinked=*/true}; }
  Result<std::vector<artifact::DeviceEntry>> describeCode(StringRef text, const std::string &file,
                                                          const CodeTarget &code,
                                                          const std::string &cubin) const override;
};
} // namespace

Result<CodeTarget> ROCmTarget::deviceCode(StringRef chip) const {
  CodeTarget code;
  code.cpu = chip.empty() ? "gfx90a" : chip.str();
  code.device = name().str() + ":" + code.cpu;
  code.triple = "amdgcn-amd-amdhsa";
  const Error unknown{
      ErrorCode::InvalidInput, "unknown chip '" + code.cpu + "'",
      "give --target=rocm:gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1100, gfx1201, ...; gfx900 is the "
      "oldest"};
  // The last two digits are hexadecimal, those before them the generation.
  constexpr int kOldest = 9;
  int generation = 0;
  StringRef digits = code.cpu;
  if (!digits.consume_front("gfx") || digits.size() < 3 || digits.drop_back(2).getAsInteger(10, generation) ||
      generation < kOldest)
    return unknown;
  MICA_ASSIGN_OR_RETURN(const bool known, codegen::knowsChip(code));
  if (!known)
    return unknown;
  return code;
}

/// Reads the YAML metadata at the end of AMD assembly.
Result<std::vector<artifact::DeviceEntry>> ROCmTarget::describeCode(StringRef text, const std::string &,
                                                                    const CodeTarget &, const std::string &) const {
  std::vector<artifact::DeviceEntry> entries;
  StringRef metadata = text.split(".amdgpu_metadata").second.split(".end_amdgpu_metadata").first;
  llvm::msgpack::Document document;
  if (!document.fromYAML(metadata) || !document.getRoot().isMap())
    return entries;
  auto kernels = document.getRoot().getMap()["amdhsa.kernels"];
  if (!kernels.isArray())
    return entries;
  for (llvm::msgpack::DocNode &kernel : kernels.getArray()) {
    if (!kernel.isMap())
      continue;
    auto number = [&](StringRef name) -> int64_t {
      llvm::msgpack::DocNode &node = kernel.getMap()[name];
      return node.getKind() == llvm::msgpack::Type::UInt  ? static_cast<int64_t>(node.getUInt())
             : node.getKind() == llvm::msgpack::Type::Int ? node.getInt()
                                                          : -1;
    };
    artifact::DeviceEntry entry;
    entry.name = kernel.getMap()[".name"].toString();
    entry.registers = number(".vgpr_count");
    constexpr int64_t kRegisterBytes = 4;
    if (int64_t spilled = number(".vgpr_spill_count"); spilled >= 0)
      entry.spillBytes = spilled * kRegisterBytes;
    entry.sharedBytes = number(".group_segment_fixed_size");
    entries.push_back(std::move(entry));
  }
  return entries;
}

const codegen::Target &mica::getROCmTarget() {
  static const ROCmTarget target;
  return target;
}
