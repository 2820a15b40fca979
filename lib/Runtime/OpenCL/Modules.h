//===- OpenCL/Modules.h - code of kernels on an OpenCL device ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// `kernels/<kernel>/kernel.spv` of the artifact, which the driver compiles, or the bitcode that a translator makes of
// it; the driver's log is part of the error where it refuses.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_MODULES_H
#define MICA_LIB_RUNTIME_OPENCL_MODULES_H

#include "lib/Runtime/OpenCL/Devices.h"
#include "lib/Runtime/OpenCL/SpirvModule.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime::opencl {

/// What is launched.
struct Entry {
  Kernel kernel = nullptr;
  const std::vector<SpirvParameter> *parameters = nullptr;
  uint64_t localBytes = 0; ///< memory of a block that it declares
};

/// Loaded modules of one program. For one thread at a time.
class Modules {
public:
  Modules(const Library &library, const DeviceProperties &properties, std::string device, Context context)
      : library(library), properties(properties), device(std::move(device)), context(context) {}
  Modules(const Modules &) = delete;
  Modules &operator=(const Modules &) = delete;
  ~Modules();

  /// Reads the code of `kernel` of the artifact `folder`. Unsupported if the device lacks what it needs.
  Status load(const std::filesystem::path &folder, const std::string &kernel);
  /// Builds the code of a loaded kernel the first time: kernels that do not run cost nothing. Unsupported, with the
  /// driver's log, if the device refuses it.
  Status prepare(std::string_view kernel);
  /// The entry `entry` of a loaded kernel, which it prepares. Valid as long as this object.
  Result<Entry> entry(const char *kernel, const char *entry);

private:
  struct Code {
    std::filesystem::path file;
    SpirvModule module;
    Program program = nullptr;
    std::map<std::string, Entry, std::less<>> entries;
  };
  Result<Program> build(const SpirvModule &module, const std::string &file);
  Result<Program> finish(Program program, opencl::Code code, const std::string &file) const;

  const Library &library;
  const DeviceProperties &properties;
  const std::string device;
  const Context context;
  std::map<std::string, Code, std::less<>> kernels;
};

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_MODULES_H
