//===- Targets.h - target names and their common properties -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A target is registered twice under one name: in the compiler half (passes/Codegen/Target.h: limits, pipelines,
// emission) and, if Mica runs its programs, in the std half (lib/Runtime/Backend/Registration.h). The manifest contains
// the name. Properties that both halves need are in this table, so that no other code compares names.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_TARGETS_H
#define MICA_SUPPORT_TARGETS_H

#include <span>
#include <string>
#include <string_view>

namespace mica {

/// The name of the host's device. Its kernels are functions of program.so.
inline constexpr std::string_view kHostDevice = "cpu:0";

/// One row of the table.
struct TargetInfo {
  std::string_view name = {};    ///< as --target and the manifest name it: "cuda"
  std::string_view summary = {}; ///< one line for help texts: "NVIDIA GPUs"
  std::string_view chips = {};   ///< placeholder for what may follow a colon: "sm_XX"; "": nothing
  std::string_view device = {};  ///< prefix of the names of its devices: "gpu"
  bool launches = false;         ///< kernels become launches of thread grids, on a GPU or in the simulator
  bool hasWarps = false;         ///< its threads form warps of 32 with shuffles and matrix multiply instructions
  bool hasDeviceCode = false;    ///< kernels are GPU code in separate files, not functions of program.so
  bool isCompiledOnly = false;   ///< Mica has no back end that runs its programs
  bool isSimulated = false;      ///< launches run in the simulator, which has switches of its own
};

/// All targets, the host first.
std::span<const TargetInfo> allTargets();

/// The row of `target`, with or without a chip ("cuda", "cuda:sm_90"). Null if there is no such target.
const TargetInfo *findTarget(std::string_view target);

/// The values of --target for help texts: "cpu[:LEVEL]|sim|cuda[:sm_XX]|...". Constant.
std::string_view targetSyntax();

} // namespace mica

#endif // MICA_SUPPORT_TARGETS_H
