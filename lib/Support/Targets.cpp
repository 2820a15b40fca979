//===- Targets.cpp - target names and their common properties ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Targets.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Targets.h"

using namespace mica;

static constexpr TargetInfo kTargets[] = {
    {.name = "cpu", .summary = "this machine's CPU, or CPUs of a level of x86-64", .chips = "LEVEL", .device = "cpu"},
    {.name = "sim",
     .summary = "GPU kernels, simulated on the CPU with checks",
     .device = "sim",
     .launches = true,
     .hasWarps = true,
     .isSimulated = true},
    {.name = "cuda",
     .summary = "NVIDIA GPUs",
     .chips = "sm_XX",
     .device = "gpu",
     .launches = true,
     .hasWarps = true,
     .hasDeviceCode = true},
    {.name = "rocm",
     .summary = "AMD GPUs",
     .chips = "gfxXX",
     .device = "rocm",
     .launches = true,
     .hasDeviceCode = true,
     .isCompiledOnly = true},
    {.name = "opencl",
     .summary = "OpenCL devices",
     .chips = "DEVICE",
     .device = "opencl",
     .launches = true,
     .hasDeviceCode = true},
    {.name = "spirv",
     .summary = "SPIR-V for loaders of your own",
     .device = "spirv",
     .launches = true,
     .hasDeviceCode = true,
     .isCompiledOnly = true},
};

std::span<const TargetInfo> mica::allTargets() { return kTargets; }

const TargetInfo *mica::findTarget(std::string_view target) {
  const std::string_view name = target.substr(0, target.find(':'));
  for (const TargetInfo &info : kTargets)
    if (info.name == name)
      return &info;
  return nullptr;
}

static std::string makeSyntax() {
  std::string text;
  for (const TargetInfo &info : kTargets) {
    text += (text.empty() ? "" : "|") + std::string(info.name);
    if (!info.chips.empty())
      text += "[:" + std::string(info.chips) + "]";
  }
  return text;
}

std::string_view mica::targetSyntax() {
  static const std::string text = makeSyntax();
  return text;
}
