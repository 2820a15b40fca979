//===- Runs.h - runs of a program for an editor -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_LANGUAGESERVER_RUNS_H
#define MICA_LIB_LANGUAGESERVER_RUNS_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::languageserver {

/// An error or warning that a tool printed. Lines and columns count from 1.
struct Problem {
  std::string file; ///< as the tool named it; "": the program as a whole
  int64_t line = 1, column = 1;
  bool isWarning = false;
  std::string message; ///< with the hints and notes that follow it
};

/// What `printed`, the standard error of a tool, reports.
std::vector<Problem> problemsOf(std::string_view printed);

/// Runs `mica-run FLAGS FILE`, which is beside this executable or on PATH, in the folder of the file, and waits.
struct RunOutcome {
  int exitCode = 0;
  std::vector<Problem> problems;
};
Result<RunOutcome> runProgram(const std::filesystem::path &file, const std::vector<std::string> &flags);

} // namespace mica::languageserver

#endif // MICA_LIB_LANGUAGESERVER_RUNS_H
