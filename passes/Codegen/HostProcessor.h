//===- HostProcessor.h - the machine this runs on -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Which processors code of the host is for: this machine's, those of a machine file, or those of a level of x86-64.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_HOSTPROCESSOR_H
#define MICA_PASSES_CODEGEN_HOSTPROCESSOR_H

#include "passes/Codegen/CodeTarget.h"

namespace mica {
struct Machine;
} // namespace mica

namespace mica::codegen {

/// The machine this runs on. Only features that LLVM's code generator uses by itself are asked for, so that an artifact
/// runs on every machine that has these. With `machine`, that one instead.
Result<CodeTarget> hostTarget(const Machine *machine = nullptr);

/// Machines of a level of the x86-64 psABI ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"), whatever this one has.
/// Unsupported where this machine is no x86-64. `flag` is what named it, for errors.
Result<CodeTarget> cpuTarget(llvm::StringRef level, llvm::StringRef flag);

/// A host with the features of another one: `cpuinfoFeatures` and `features` belong together (Manifest.h).
void setFeatures(CodeTarget &target, std::string features, std::vector<std::string> cpuinfoFeatures);

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_HOSTPROCESSOR_H
