//===- Target.h - compilation targets -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Parses --target=NAME[:CHIP]: the back end and the processor to generate code for.
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
  CodeTarget host;                  ///< of all code if there is no device
  std::optional<CodeTarget> device; ///< of device kernels
};

/// Parses "cpu" (this machine), "cpu:x86-64-v3" (machines of that level, cpuTarget), "sim", or a GPU as deviceTarget
/// takes it. Unsupported or InvalidInput, with the nearest name, for others. `hostLevel`: the processor level for host
/// code beside GPU or simulator code; "": this machine. `machine` replaces the measurements of this machine; null: it
/// is measured.
Result<Target> parseTarget(llvm::StringRef text, llvm::StringRef hostLevel = "", const Machine *machine = nullptr);

/// The GPU that `target` names; without a chip, a common one. InvalidInput for chips that LLVM does not know, or that
/// are too old.
Result<CodeTarget> deviceTarget(llvm::StringRef target);

} // namespace mica::compiler

#endif // MICA_COMPILER_TARGETS_TARGET_H
