//===- OpenCL/Translation.cpp - SPIR-V for drivers that take LLVM's bitcode -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/Translation.h"

#include "mica/Support/Files.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"

#include <string_view>

namespace mica::runtime::opencl {

std::vector<std::filesystem::path> findTranslators() {
  std::vector<std::filesystem::path> found;
  for (const char *name : {"llvm-spirv-15", "llvm-spirv-14", "llvm-spirv"})
    if (auto path = findOnPath(name))
      found.push_back(*path);
  return found;
}

Result<std::string> translate(const std::filesystem::path &translator, const SpirvModule &module) {
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-opencl"));
  const std::filesystem::path from = scratch.path() / "kernel.spv", to = scratch.path() / "kernel.bc";
  const std::vector<uint32_t> words = module.withPlainZeros();
  MICA_RETURN_IF_ERROR(
      writeFile(from, std::string_view(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t))));
  ProcessOptions options;
  options.standardOutput = scratch.path() / "out";
  options.standardError = scratch.path() / "err";
  MICA_ASSIGN_OR_RETURN(const int code,
                        runProcess({translator.string(), "-r", from.string(), "-o", to.string()}, options));
  if (code == 0)
    return readFile(to);
  std::string why;
  if (Result<std::string> text = readFile(options.standardError))
    why = text->substr(0, text->find('\n'));
  return Error{ErrorCode::Unsupported,
               translator.string() + " -r fails with exit code " + std::to_string(code) +
                   (why.empty() ? "" : ": " + why),
               "install another version of it, or a driver with clCreateProgramWithIL"};
}

} // namespace mica::runtime::opencl
