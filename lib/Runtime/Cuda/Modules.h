//===- Cuda/Modules.h - code of kernels on a GPU ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// `kernels/<kernel>/kernel.cubin` of the artifact where it is there and made for this device, else `kernel.ptx`, which
// the driver compiles; its log is part of the error where it refuses.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CUDA_MODULES_H
#define MICA_LIB_RUNTIME_CUDA_MODULES_H

#include "lib/Runtime/Cuda/Driver.h"

#include <filesystem>
#include <map>
#include <string>

namespace mica::runtime::cuda {

/// Loaded modules of one program. For one thread at a time, with the device's context current.
class Modules {
public:
  Modules(const Driver &driver, std::string deviceName) : driver(driver), deviceName(std::move(deviceName)) {}
  Modules(const Modules &) = delete;
  Modules &operator=(const Modules &) = delete;
  ~Modules();

  /// Loads the code of `kernel` from `folder`/kernels, unless it is there. NotFound without any; Unsupported with the
  /// compiler's log where the driver refuses it.
  Status load(const std::filesystem::path &folder, const std::string &kernel);
  /// Entry `entry` of a loaded kernel, ready for `sharedBytes` of dynamic workgroup memory. Damaged where it is not
  /// there.
  Result<Function> function(const char *kernel, const char *entry, uint32_t sharedBytes);

private:
  struct Entry {
    Function function = nullptr;
    uint32_t sharedBytes = 48 * 1024; ///< what it may have; more has to be asked for
  };
  struct Code {
    Module module = nullptr;
    std::filesystem::path file;
    std::map<std::string, Entry, std::less<>> entries;
  };
  cuda::Code tryLoad(const std::string &image, Module &module, std::string &log) const;

  const Driver &driver;
  const std::string deviceName;
  std::map<std::string, Code, std::less<>> kernels;
};

} // namespace mica::runtime::cuda

#endif // MICA_LIB_RUNTIME_CUDA_MODULES_H
