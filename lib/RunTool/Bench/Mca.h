//===- Mca.h - what a model of the processor says of a kernel --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// llvm-mca on the innermost loop of a kernel's assembly that does the most work.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_MCA_H
#define MICA_LIB_RUNTOOL_BENCH_MCA_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::bench {

/// A loop of assembly of x86-64: its lines, counted from 1, and the line of kernel.mlir that most of it is from.
struct AssemblyLoop {
  int first = 0, last = 0;
  int line = 0;               ///< 0: unknown
  int packed = 0, scalar = 0; ///< floating-point instructions
  std::vector<std::string> instructions;
};

/// The innermost loops of a .s file, that with the most floating-point instructions first.
std::vector<AssemblyLoop> innermostLoops(std::string_view assembly);

/// What llvm-mca says of one loop.
struct LoopAnalysis {
  AssemblyLoop loop;
  double cycles = 0;      ///< of one iteration, with all data in the first cache
  double perCycle = 0;    ///< instructions
  std::string bottleneck; ///< "ports SKXPort0, SKXPort5 (98 %)", "data dependencies (40 %)", or ""
};

/// Of the kernel in `folder` (kernels/NAME of an artifact), for processor `cpu` as LLVM names it. NotFound without
/// llvm-mca, or without assembly.
Result<LoopAnalysis> analyzeKernel(const std::filesystem::path &folder, const std::string &cpu);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_MCA_H
