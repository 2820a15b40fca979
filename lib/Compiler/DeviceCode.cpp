//===- DeviceCode.cpp - files of a kernel's code for a GPU ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DeviceCode.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/DeviceCode.h"

#include "lib/Compiler/Ptxas.h"
#include "mica/Support/Files.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/TargetParser/Triple.h"

using namespace mica;
using namespace mica::compiler;

DeviceFiles compiler::deviceFilesOf(const CodeTarget &target) {
  llvm::Triple triple(target.triple);
  if (triple.isAMDGCN())
    return {"kernel.gcn", "kernel.hsaco"};
  if (triple.isSPIRV())
    return {"kernel.spvasm", "kernel.spv"};
  return {"kernel.ptx", ""};
}

bool compiler::isPtx(const CodeTarget &target) { return llvm::Triple(target.triple).isNVPTX(); }

Status compiler::writeDeviceBinary(const CodeTarget &target, const GeneratedCode &code, const std::string &output) {
  return llvm::Triple(target.triple).isAMDGCN() ? linkCodeObject(code.object, output) : writeFile(output, code.object);
}

/// From the metadata that assembly of AMD's ends with, a document of YAML.
static std::vector<artifact::DeviceEntry> describeGcn(llvm::StringRef text) {
  std::vector<artifact::DeviceEntry> entries;
  llvm::StringRef metadata = text.split(".amdgpu_metadata").second.split(".end_amdgpu_metadata").first;
  llvm::msgpack::Document document;
  if (!document.fromYAML(metadata) || !document.getRoot().isMap())
    return entries;
  auto kernels = document.getRoot().getMap()["amdhsa.kernels"];
  if (!kernels.isArray())
    return entries;
  for (llvm::msgpack::DocNode &kernel : kernels.getArray()) {
    if (!kernel.isMap())
      continue;
    auto number = [&](llvm::StringRef name) -> int64_t {
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

/// OpEntryPoint Kernel %7 "relu_0" %2 %3
static std::vector<artifact::DeviceEntry> describeSpirv(llvm::StringRef text) {
  std::vector<artifact::DeviceEntry> entries;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().starts_with("OpEntryPoint"))
      entries.push_back({line.split('"').second.split('"').first.str()});
  }
  return entries;
}

Result<std::vector<artifact::DeviceEntry>> compiler::describeDeviceCode(const CodeTarget &target,
                                                                        const GeneratedCode &code,
                                                                        const std::string &file,
                                                                        const std::string &cubin) {
  llvm::Triple triple(target.triple);
  if (triple.isAMDGCN())
    return describeGcn(code.assembly);
  if (triple.isSPIRV())
    return describeSpirv(code.assembly);
  return describePtx(code.assembly, file, target.cpu, findPtxas(), cubin);
}
