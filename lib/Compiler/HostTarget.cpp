//===- HostTarget.cpp - the machine this runs on ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Which of the host's instruction set extensions code is made for, and how the system names them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Codegen.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mica;
using namespace mica::compiler;

namespace {
/// An extension of x86 that the code generator uses by itself, as LLVM and as /proc/cpuinfo name it.
struct Feature {
  const char *llvm, *cpuinfo;
};
} // namespace

static constexpr Feature kX86Features[] = {
    {"sse3", "pni"},
    {"ssse3", "ssse3"},
    {"sse4.1", "sse4_1"},
    {"sse4.2", "sse4_2"},
    {"popcnt", "popcnt"},
    {"cx16", "cx16"},
    {"movbe", "movbe"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"f16c", "f16c"},
    {"bmi", "bmi1"},
    {"bmi2", "bmi2"},
    {"lzcnt", "abm"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512cd", "avx512cd"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512vnni", "avx512_vnni"},
    {"avx512bf16", "avx512_bf16"},
};

/// The flags of the first processor in /proc/cpuinfo, with a space on either side; empty where it does not tell.
static std::string cpuinfoFlags() {
  auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!file)
    return "";
  for (llvm::StringRef rest = (*file)->getBuffer(); !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    if (line.consume_front("flags"))
      return (" " + line.split(':').second.trim() + " ").str();
  }
  return "";
}

Result<CodeTarget> compiler::hostTarget() {
  CodeTarget target;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  target.triple = triple.str();
  target.tune = llvm::sys::getHostCPUName().str();
  if (!triple.isX86()) {
    target.cpu = target.tune;
    for (auto &[name, isOn] : llvm::sys::getHostCPUFeatures())
      if (isOn)
        target.features += (target.features.empty() ? "+" : ",+") + name.str();
    return target;
  }
  target.cpu = "x86-64";
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::string flags = cpuinfoFlags();
  for (const Feature &feature : kX86Features) {
    // Both must have it: a hypervisor may hide what the processor has, and the loader asks /proc/cpuinfo.
    bool isListed = flags.empty() || llvm::StringRef(flags).contains((llvm::Twine(" ") + feature.cpuinfo + " ").str());
    if (!host.lookup(feature.llvm) || !isListed)
      continue;
    if (!target.features.empty())
      target.features += ",";
    target.features += "+";
    target.features += feature.llvm;
    target.cpuinfoFeatures.push_back(feature.cpuinfo);
  }
  target.vectorBits = host.lookup("avx512f") && host.lookup("avx512vl") ? 512 : host.lookup("avx") ? 256 : 128;
  return target;
}

/// "48K" in a file of /sys -> 49152; 0 where it is not there.
static int64_t readSize(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  if (!file)
    return 0;
  llvm::StringRef text = (*file)->getBuffer().trim();
  int64_t factor = text.consume_back("K") ? 1024 : text.consume_back("M") ? 1024 * 1024 : 1;
  int64_t value = 0;
  return text.getAsInteger(10, value) ? 0 : value * factor;
}

std::pair<int64_t, int64_t> compiler::dataCacheSizes() {
  std::pair<int64_t, int64_t> sizes{0, 0};
  for (int index = 0; index < 5; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    auto type = llvm::MemoryBuffer::getFileAsStream(folder + "/type");
    auto level = llvm::MemoryBuffer::getFileAsStream(folder + "/level");
    if (!type || !level || (*type)->getBuffer().trim() == "Instruction")
      continue;
    if ((*level)->getBuffer().trim() == "1")
      sizes.first = readSize(folder + "/size");
    else if ((*level)->getBuffer().trim() == "2")
      sizes.second = readSize(folder + "/size");
  }
  return sizes;
}
