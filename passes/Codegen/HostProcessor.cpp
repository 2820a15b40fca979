//===- HostProcessor.cpp - properties of the host processor -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Selects the host's instruction set extensions for which code is generated, and their names in the system; or those of
// a level of x86-64.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/HostProcessor.h"

#include "mica/Support/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mica;
using namespace mica::codegen;

namespace {
/// An x86 extension that the code generator uses automatically, with its names in LLVM and in /proc/cpuinfo.
struct Feature {
  const char *llvm, *cpuinfo;
  int level; ///< x86-64 level that includes it (psABI, section 3.1.1); 5: none
};
} // namespace

static constexpr Feature kX86Features[] = {
    {"sse3", "pni", 2},
    {"ssse3", "ssse3", 2},
    {"sse4.1", "sse4_1", 2},
    {"sse4.2", "sse4_2", 2},
    {"popcnt", "popcnt", 2},
    {"cx16", "cx16", 2},
    {"movbe", "movbe", 3},
    {"avx", "avx", 3},
    {"avx2", "avx2", 3},
    {"fma", "fma", 3},
    {"f16c", "f16c", 3},
    {"bmi", "bmi1", 3},
    {"bmi2", "bmi2", 3},
    {"lzcnt", "abm", 3},
    {"avx512f", "avx512f", 4},
    {"avx512bw", "avx512bw", 4},
    {"avx512cd", "avx512cd", 4},
    {"avx512dq", "avx512dq", 4},
    {"avx512vl", "avx512vl", 4},
    {"avx512vbmi", "avx512vbmi", 5},
    {"avx512vnni", "avx512_vnni", 5},
    {"avxvnni", "avx_vnni", 5},
};

/// With blanks around each.
static std::string cpuinfoFlags() {
  const std::string flags = cpuinfoLine("flags");
  return flags.empty() ? "" : " " + flags + " ";
}

/// An x86 machine with those of kX86Features for which `has` returns true.
static CodeTarget x86Target(llvm::function_ref<bool(const Feature &)> has) {
  CodeTarget target;
  target.triple = llvm::sys::getProcessTriple();
  target.cpu = "x86-64";
  std::string features;
  std::vector<std::string> names;
  for (const Feature &feature : kX86Features) {
    if (!has(feature))
      continue;
    features += (features.empty() ? "+" : ",+") + std::string(feature.llvm);
    names.push_back(feature.cpuinfo);
  }
  setFeatures(target, std::move(features), std::move(names));
  return target;
}

void codegen::setFeatures(CodeTarget &target, std::string features, std::vector<std::string> cpuinfoFeatures) {
  target.features = std::move(features);
  target.cpuinfoFeatures = std::move(cpuinfoFeatures);
  if (!llvm::Triple(target.triple).isX86())
    return;
  auto has = [&](llvm::StringRef name) { return llvm::is_contained(target.cpuinfoFeatures, name); };
  target.vectorBits = has("avx512f") && has("avx512vl") ? 512 : has("avx") ? 256 : 128;
  target.int8DotBits = target.vectorBits >= 512 && has("avx512_vnni") ? 512 : has("avx_vnni") ? 256 : 0;
  target.int16PairBits = target.vectorBits >= 512 && has("avx512bw") ? 512 : has("avx2") ? 256 : 128;
  target.emulatedFloats.clear();
  // AVX512-BF16 has conversions, but they flush subnormals to 0.
  target.emulatedFloats.push_back("bf16");
  if (!has("f16c"))
    target.emulatedFloats.push_back("f16");
}

/// The machine that a machine file describes.
static Result<CodeTarget> targetOfMachine(const Machine &machine) {
  const llvm::Triple triple(machine.triple), own(llvm::sys::getProcessTriple());
  if (triple.getArch() != own.getArch() || !triple.isX86())
    return Error{ErrorCode::Unsupported, "the machine file is of " + machine.triple + ", this machine is " + own.str(),
                 "give the file of an x86-64 machine, on one"};
  CodeTarget target =
      x86Target([&](const Feature &feature) { return llvm::is_contained(machine.features, feature.cpuinfo); });
  target.triple = machine.triple;
  target.tune = machine.cpu;
  return target;
}

Result<CodeTarget> codegen::hostTarget(const Machine *machine) {
  if (machine)
    return targetOfMachine(*machine);
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  if (!triple.isX86()) {
    CodeTarget target;
    target.triple = triple.str();
    target.cpu = target.tune = llvm::sys::getHostCPUName().str();
    for (auto &[name, isOn] : host)
      if (isOn)
        target.features += (target.features.empty() ? "+" : ",+") + name.str();
    return target;
  }
  const std::string flags = cpuinfoFlags();
  CodeTarget target = x86Target([&](const Feature &feature) {
    // Both must list it: a hypervisor may hide a feature of the processor, and the loader reads /proc/cpuinfo.
    return host.lookup(feature.llvm) &&
           (flags.empty() || llvm::StringRef(flags).contains((llvm::Twine(" ") + feature.cpuinfo + " ").str()));
  });
  target.tune = llvm::sys::getHostCPUName().str();
  return target;
}

Result<CodeTarget> codegen::cpuTarget(llvm::StringRef level, llvm::StringRef flag) {
  constexpr const char *kLevels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  const auto *found = llvm::find(kLevels, level);
  if (found == std::end(kLevels))
    return Error{ErrorCode::InvalidInput, "no level of processors '" + level.str() + "'",
                 "give x86-64, x86-64-v2, x86-64-v3 or x86-64-v4 behind " + flag.str() + ", or none for this machine"};
  if (llvm::Triple(llvm::sys::getProcessTriple()).getArch() != llvm::Triple::x86_64)
    return Error{ErrorCode::Unsupported, flag.str() + level.str() + " is for x86-64, which this machine is not",
                 "give no level"};
  const int number = static_cast<int>(found - std::begin(kLevels)) + 1;
  CodeTarget target = x86Target([&](const Feature &feature) { return feature.level <= number; });
  target.tune = level.str();
  return target;
}
