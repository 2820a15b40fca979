//===- Target.h - what code is made for -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --target=NAME[:CHIP]: which back end, and for which processors its code is.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_TARGET_H
#define MICA_COMPILER_TARGET_H

#include "mica/Support/Status.h"

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

/// Processors that a piece of code runs on.
struct CodeTarget {
  std::string triple;
  std::string cpu;      ///< whose instructions may be used beyond the features: "x86-64"
  std::string tune;     ///< whose timings the code is arranged for: "znver5"
  std::string features; ///< LLVM's spelling: "+avx2,+fma"
  /// What of `features` a machine must have, as /proc/cpuinfo names it.
  std::vector<std::string> cpuinfoFeatures;
  int vectorBits = 128; ///< width of the vector registers the features give
  /// 16-bit floats ("f16", "bf16") that no instruction converts to and from f32.
  std::vector<std::string> emulatedFloats;
  std::string device; ///< of a GPU, as --target names it: "cuda:sm_80", "rocm:gfx90a", "spirv"; "" for a CPU
  bool isGpu() const { return !device.empty(); }
};

/// What --target names.
struct Target {
  std::string backend;              ///< "cpu", "sim", "cuda", "rocm", "spirv"
  CodeTarget host;                  ///< of everything where there is no device
  std::optional<CodeTarget> device; ///< of kernels that are not code of the host
};

/// "cpu" (this machine), "cpu:x86-64-v3" (machines of that level, cpuTarget), "sim", or a GPU as deviceTarget takes it. Unsupported or
/// InvalidInput, with the nearest name, for others. `hostLevel`: the level of the machines that code of the CPU beside a GPU's, or for the
/// simulator, is for; "": this machine. `machine` stands in for what would be measured of this machine; null: it is measured.
Result<Target> parseTarget(llvm::StringRef text, llvm::StringRef hostLevel = "", const Machine *machine = nullptr);

/// The machine this runs on. Only features that LLVM's code generator uses by itself are asked for, so that an artifact
/// runs on every machine that has these. With `machine`, that one instead.
Result<CodeTarget> hostTarget(const Machine *machine = nullptr);

/// Machines of a level of the x86-64 psABI ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"), whatever this one has. Unsupported
/// where this machine is no x86-64. `flag` is what named it, for errors.
Result<CodeTarget> cpuTarget(llvm::StringRef level, llvm::StringRef flag);

/// A host with the features of another one: `cpuinfoFeatures` and `features` belong together (Manifest.h).
void setFeatures(CodeTarget &target, std::string features, std::vector<std::string> cpuinfoFeatures);

/// Whether --target=`target` makes kernels for a GPU beside code of this machine: cuda, rocm, spirv, with or without a chip.
bool isDeviceTarget(llvm::StringRef target);

/// Whether products for `target` may be those of tensor cores: NVIDIA's, or the simulator's.
bool hasTensorCores(llvm::StringRef target);

/// That GPU; without a chip sm_80 or gfx90a. InvalidInput for chips that LLVM does not know, or that are older than sm_70 or gfx900.
Result<CodeTarget> deviceTarget(llvm::StringRef target);

} // namespace mica::compiler

#endif // MICA_COMPILER_TARGET_H
