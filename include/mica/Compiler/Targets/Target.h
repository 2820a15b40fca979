//===- Target.h - what code is made for ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --target=NAME[:CHIP]: which back end, and for which processors its code is.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_TARGETS_TARGET_H
#define MICA_COMPILER_TARGETS_TARGET_H

#include "mica/Support/Status.h"
#include "passes/Codegen/HostProcessor.h"
#include "passes/Targets.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mica {
struct Machine;
} // namespace mica

namespace mica::compiler {

using codegen::CodeTarget;
using codegen::hostTarget;
using codegen::setFeatures;

/// What --target names.
struct Target {
  const codegen::Target *backend = nullptr;
  CodeTarget host;                  ///< of everything where there is no device
  std::optional<CodeTarget> device; ///< of kernels that are not code of the host
};

/// "cpu" (this machine), "cpu:x86-64-v3" (machines of that level, cpuTarget), "sim", or a GPU as deviceTarget takes it.
/// Unsupported or InvalidInput, with the nearest name, for others. `hostLevel`: the level of the machines that code of
/// the CPU beside a GPU's, or for the simulator, is for; "": this machine. `machine` stands in for what would be
/// measured of this machine; null: it is measured.
Result<Target> parseTarget(llvm::StringRef text, llvm::StringRef hostLevel = "", const Machine *machine = nullptr);

/// The GPU that `target` names; without a chip one that is common. InvalidInput for chips that LLVM does not know, or
/// that are too old.
Result<CodeTarget> deviceTarget(llvm::StringRef target);

} // namespace mica::compiler

#endif // MICA_COMPILER_TARGETS_TARGET_H
