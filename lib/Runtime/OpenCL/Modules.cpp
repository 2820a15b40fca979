//===- OpenCL/Modules.cpp - code of kernels on an OpenCL device -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/Modules.h"

#include "lib/Runtime/OpenCL/Translation.h"
#include "mica/Support/Files.h"

#include <string_view>
#include <utility>

namespace mica::runtime::opencl {

Modules::~Modules() {
  for (auto &[name, code] : kernels) {
    for (auto &[entry, known] : code.entries)
      library.releaseKernel(known.kernel);
    if (code.program)
      library.releaseProgram(code.program);
  }
}

/// Builds a program that was created with `code`, and takes it.
Result<Program> Modules::finish(Program program, opencl::Code code, const std::string &file) const {
  // A driver may divide f32 within 2.5 units in the last place unless it is asked to do better.
  const char *options = properties.dividesCorrectly ? "-cl-fp32-correctly-rounded-divide-sqrt" : "";
  if (code == kSuccess)
    code = library.buildProgram(program, 1, &properties.device, options, nullptr, nullptr);
  if (code == kSuccess)
    return program;
  Error error{ErrorCode::Unsupported, device + " refuses " + file + ": " + codeText(code), ""};
  if (program) {
    constexpr size_t kMostLog = 4000;
    size_t size = 0;
    std::string log;
    if (library.getBuildInfo(program, properties.device, kBuildLog, 0, nullptr, &size) == kSuccess && size > 1) {
      log.resize(size);
      library.getBuildInfo(program, properties.device, kBuildLog, size, log.data(), nullptr);
      log = log.substr(0, std::min(log.find('\0'), kMostLog));
    }
    if (!log.empty())
      error.message += "\n" + log;
    library.releaseProgram(program);
  }
  return error;
}

Result<Program> Modules::build(const SpirvModule &module, const std::string &file) {
  opencl::Code code = kSuccess;
  if (properties.takesSpirv) {
    Program program = library.createProgramWithIL(context, module.words.data(), module.words.size() * 4, &code);
    return finish(program, code, file);
  }
  // The driver's LLVM may be older than that of a translator; what it cannot read it refuses.
  Result<Program> built = Error{ErrorCode::Unsupported, device + " needs llvm-spirv, which is not on PATH", ""};
  for (const std::filesystem::path &translator : findTranslators()) {
    const Result<std::string> bitcode = translate(translator, module);
    if (!bitcode) {
      built = bitcode.error();
      continue;
    }
    const size_t size = bitcode->size();
    const auto *bytes = reinterpret_cast<const unsigned char *>(bitcode->data());
    opencl::Code loaded = kSuccess;
    Program program = library.createProgramWithBinary(context, 1, &properties.device, &size, &bytes, &loaded, &code);
    built = finish(program, code, file);
    if (built)
      return built;
  }
  return built;
}

Status Modules::load(const std::filesystem::path &folder, const std::string &kernel) {
  if (kernels.count(kernel) != 0)
    return {};
  Code loaded;
  loaded.file = folder / "kernels" / kernel / "kernel.spv";
  std::error_code ignored;
  if (!std::filesystem::exists(loaded.file, ignored))
    return Error{ErrorCode::NotFound,
                 "kernel '" + kernel + "' has no code for " + device + ": " + loaded.file.string() + " is not there",
                 "compile the program with --target=opencl"};
  MICA_ASSIGN_OR_RETURN(const std::string bytes, readFile(loaded.file));
  MICA_ASSIGN_OR_RETURN(loaded.module, SpirvModule::parse(bytes, loaded.file.string()));
  if (const std::string missing = properties.missingFor(loaded.module); !missing.empty())
    return Error{ErrorCode::Unsupported,
                 "kernel '" + kernel + "' needs " + missing + ", which " + device + " (" + properties.name +
                     ") does not have",
                 "compile with --target=opencl:nofp64 (without f64) or --target=opencl (without f16): what the device "
                 "lacks then runs on the host, or is emulated"};
  kernels.emplace(kernel, std::move(loaded));
  return {};
}

Status Modules::prepare(std::string_view kernel) {
  const auto loaded = kernels.find(kernel);
  if (loaded == kernels.end())
    return Error{ErrorCode::Damaged, "a wrapper launches kernel '" + std::string(kernel) + "', which is not loaded",
                 "program.so does not match the other files of the artifact: compile the program again"};
  Code &code = loaded->second;
  if (code.program)
    return {};
  Result<Program> built = build(code.module, code.file.string());
  if (!built)
    return Error{built.error().code, "kernel '" + std::string(kernel) + "': " + built.error().message,
                 built.error().hint};
  code.program = *built;
  return {};
}

Result<Entry> Modules::entry(const char *kernel, const char *name) {
  MICA_RETURN_IF_ERROR(prepare(kernel));
  Code &code = kernels.find(std::string_view(kernel))->second;
  if (auto known = code.entries.find(std::string_view(name)); known != code.entries.end())
    return known->second;
  const auto parameters = code.module.entries.find(std::string_view(name));
  opencl::Code status = kSuccess;
  Entry entry;
  if (parameters != code.module.entries.end()) {
    entry.kernel = library.createKernel(code.program, name, &status);
    entry.parameters = &parameters->second;
  }
  if (!entry.kernel)
    return Error{ErrorCode::Damaged,
                 code.file.string() + " has no entry '" + name + "'" +
                     (status == kSuccess ? "" : ": " + codeText(status)),
                 "compile the program again"};
  library.getGroupInfo(entry.kernel, properties.device, kKernelLocalMemory, sizeof entry.localBytes, &entry.localBytes,
                       nullptr);
  code.entries.emplace(name, entry);
  return entry;
}

} // namespace mica::runtime::opencl
