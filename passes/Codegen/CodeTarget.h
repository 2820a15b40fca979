//===- CodeTarget.h - the processor of generated code -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The options of LLVM's code generator, and the features that the loader checks.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CODETARGET_H
#define MICA_PASSES_CODEGEN_CODETARGET_H

#include "mica/Support/Status.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mica::codegen {

/// The processor to generate code for.
struct CodeTarget {
  std::string triple;
  std::string cpu;      ///< LLVM's name; its instruction set may be used: "x86-64"
  std::string tune;     ///< LLVM's name of the scheduling model: "znver5"
  std::string features; ///< LLVM's spelling: "+avx2,+fma"
  /// The features that a machine must have, as /proc/cpuinfo names them.
  std::vector<std::string> cpuinfoFeatures;
  int vectorBits = 128; ///< width of the vector registers
  /// The widest vector for which one instruction adds four products of 8-bit integers to each lane of 32 bits; 0: none.
  int int8DotBits = 0;
  /// The widest vector for whose lanes of 32 bits one instruction adds two products of 16-bit integers; 0: none.
  int int16PairBits = 0;
  /// 16-bit floats ("f16", "bf16") without conversion instructions from and to f32.
  std::vector<std::string> emulatedFloats;
  std::string device; ///< the GPU as in --target: "cuda:sm_80", "rocm:gfx90a", "spirv"; "" for a CPU
  bool isGpu() const { return !device.empty(); }
};

/// Initializes LLVM's code generators for the host and for GPUs, once per process.
void initializeTargets();

/// Whether LLVM's code generator for the triple of `target` knows its chip. Unsupported if LLVM was built without that
/// generator.
Result<bool> knowsChip(const CodeTarget &target);

} // namespace mica::codegen

#endif // MICA_PASSES_CODEGEN_CODETARGET_H
