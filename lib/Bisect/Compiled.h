//===- Compiled.h - what goes wrong in a program that Mica compiled -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: searches the states of an artifact after passes, then its kernels, then LLVM's passes on the code of one,
// until one is left. What threads and schedules change, and edits by hand, are found on the way.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_COMPILED_H
#define MICA_LIB_BISECT_COMPILED_H

#include "lib/Bisect/Bisection.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::bisect {

/// What is searched.
struct Axes {
  bool pass = true;    ///< the states after passes
  bool kernel = true;  ///< which kernel, of several that a pass changed, or of all
  bool llvm = true;    ///< LLVM's passes on the code of a kernel
  bool threads = true; ///< numbers of threads, and orders of execution in the simulator
  bool input = true;   ///< the part of the inputs that shows the fault
};

/// "pass,kernel": these alone.
Result<Axes> parseAxes(const std::string &text);

/// An artifact of mica-compile.
struct CompiledProgram {
  std::filesystem::path folder;
  std::vector<std::string> plugins; ///< flags of mica-compile that its pipeline needs
};

/// Whether `folder` is one.
bool isArtifact(const std::filesystem::path &folder);
/// The plugins that the artifact in `folder` was compiled with, as flags, where they still are.
std::vector<std::string> pluginsOf(const std::filesystem::path &folder);

/// `written` is the program before any pass, whose entry computes `baseline`.
Result<Verdict> bisectCompiled(const CompiledProgram &program, mlir::ModuleOp written, const Entry &entry,
                               const Baseline &baseline, Runner &runner, const Settings &settings, const Axes &axes);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_COMPILED_H
