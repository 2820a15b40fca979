//===- CodeTarget.h - processors that a piece of code runs on -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What LLVM's code generator knows of a processor, and what the loader asks a machine for.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CODETARGET_H
#define MICA_PASSES_CODEGEN_CODETARGET_H

#include "mica/Support/Status.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::codegen {

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

/// Initializes LLVM's code generators for the host and for GPUs, once a process.
void initializeTargets();

/// Whether LLVM's code generator for the triple of `target` knows its chip. Unsupported where LLVM was built without
/// that generator.
Result<bool> knowsChip(const CodeTarget &target);

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_CODETARGET_H
