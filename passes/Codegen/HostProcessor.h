//===- HostProcessor.h - properties of the host processor ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Determines the processors for host code: this machine's, those of a machine file, or those of a level of x86-64.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_HOSTPROCESSOR_H
#define MICA_PASSES_CODEGEN_HOSTPROCESSOR_H

#include "passes/Codegen/CodeTarget.h"

namespace mica {
struct Machine;
} // namespace mica

namespace mica::codegen {

/// This machine. Only features that LLVM's code generator uses automatically are listed, so that an artifact runs on
/// every machine that has these. With `machine`, that machine instead.
Result<CodeTarget> hostTarget(const Machine *machine = nullptr);

/// Machines of a level of the x86-64 psABI ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"), independent of this one.
/// Unsupported if this machine is not x86-64. `flag`: its source, for errors.
Result<CodeTarget> cpuTarget(llvm::StringRef level, llvm::StringRef flag);

/// Sets the features of another host: `cpuinfoFeatures` and `features` must correspond (Manifest.h).
void setFeatures(CodeTarget &target, std::string features, std::vector<std::string> cpuinfoFeatures);

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_HOSTPROCESSOR_H
