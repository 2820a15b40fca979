//===- Cuda/Modules.cpp - code of kernels on a GPU --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Cuda/Modules.h"

#include "mica/Support/Files.h"

#include <string_view>

namespace mica::runtime::cuda {

Modules::~Modules() {
  for (auto &[name, code] : kernels)
    driver.moduleUnload(code.module);
}

/// `log` is what the driver's compiler says.
Code Modules::tryLoad(const std::string &image, Module &module, std::string &log) const {
  // CUjit_option: where errors go and how much of them, lines of the source for profilers.
  enum : int { kErrorLog = 5, kErrorLogBytes = 6, kLineInfo = 13 };
  log.assign(16384, '\0');
  int options[] = {kErrorLog, kErrorLogBytes, kLineInfo};
  void *values[] = {log.data(), reinterpret_cast<void *>(uintptr_t(log.size() - 1)), reinterpret_cast<void *>(1)};
  const cuda::Code code = driver.moduleLoadDataEx(&module, image.c_str(), 3, options, values);
  log.resize(log.find('\0'));
  while (!log.empty() && (log.back() == '\n' || log.back() == ' '))
    log.pop_back();
  return code;
}

Status Modules::load(const std::filesystem::path &folder, const std::string &kernel) {
  if (kernels.count(kernel) != 0)
    return {};
  const std::filesystem::path base = folder / "kernels" / kernel;
  Code loaded;
  std::string log;
  for (const char *name : {"kernel.cubin", "kernel.ptx"}) {
    const std::filesystem::path file = base / name;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
      continue;
    MICA_ASSIGN_OR_RETURN(const std::string image, readFile(file));
    const cuda::Code code = tryLoad(image, loaded.module, log);
    if (code == kSuccess) {
      loaded.file = file;
      kernels.emplace(kernel, std::move(loaded));
      return {};
    }
    // A binary for another device says nothing about the text beside it.
    if (code == kNoBinaryForGpu && std::filesystem::exists(base / "kernel.ptx", ignored) && name[7] == 'c')
      continue;
    return Error{ErrorCode::Unsupported,
                 "kernel '" + kernel + "': " + deviceName + " refuses " + file.string() + ": " + driver.text(code) +
                     (log.empty() ? "" : "\n" + log),
                 code == kNoBinaryForGpu ? "compile for this device: --target=cuda:sm_XX with its compute capability"
                                         : ""};
  }
  return Error{ErrorCode::NotFound,
               "kernel '" + kernel + "' has no code for " + deviceName + ": " + (base / "kernel.ptx").string() +
                   " is not there",
               "compile the program with --target=cuda"};
}

Result<Function> Modules::function(const char *kernel, const char *entry, uint32_t sharedBytes) {
  const auto loaded = kernels.find(std::string_view(kernel));
  if (loaded == kernels.end())
    return Error{ErrorCode::Damaged, "a wrapper launches kernel '" + std::string(kernel) + "', which is not loaded",
                 "program.so does not fit the other files of the artifact: compile the program again"};
  auto known = loaded->second.entries.find(std::string_view(entry));
  if (known == loaded->second.entries.end()) {
    Entry found;
    if (const cuda::Code code = driver.moduleGetFunction(&found.function, loaded->second.module, entry))
      return Error{ErrorCode::Damaged,
                   loaded->second.file.string() + " has no entry '" + entry + "': " + driver.text(code),
                   "compile the program again"};
    known = loaded->second.entries.emplace(entry, found).first;
  }
  if (sharedBytes > known->second.sharedBytes) {
    constexpr int kMostDynamicShared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    MICA_RETURN_IF_ERROR(driver.check(
        driver.functionSetAttribute(known->second.function, kMostDynamicShared, int(sharedBytes)),
        deviceName + " has no " + std::to_string(sharedBytes) + " bytes of workgroup memory for '" + entry + "'"));
    known->second.sharedBytes = sharedBytes;
  }
  return known->second.function;
}

} // namespace mica::runtime::cuda
