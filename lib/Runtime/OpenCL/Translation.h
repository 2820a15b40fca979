//===- OpenCL/Translation.h - SPIR-V for drivers that take LLVM's bitcode ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A driver without clCreateProgramWithIL may have cl_khr_spir: programs are bitcode then. Khronos' translator,
// llvm-spirv, makes it of a module, each version the bitcode of its LLVM, which drivers with an older one cannot read.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_TRANSLATION_H
#define MICA_LIB_RUNTIME_OPENCL_TRANSLATION_H

#include "lib/Runtime/OpenCL/SpirvModule.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::runtime::opencl {

/// The translators on PATH, in the order to be tried in: llvm-spirv-15, llvm-spirv-14, llvm-spirv.
std::vector<std::filesystem::path> findTranslators();

/// The bitcode that `translator` makes of `module`. Unsupported, with what it said, if it fails.
Result<std::string> translate(const std::filesystem::path &translator, const SpirvModule &module);

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_TRANSLATION_H
