//===- CommandTest.h - a command that says whether IR has a property ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: runs the user's command on a file, within limits, with the file as $1 and a pipeline as $2.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REDUCE_COMMANDTEST_H
#define MICA_LIB_REDUCE_COMMANDTEST_H

#include "lib/IRTools/Reduce/Reduction.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <stop_token>
#include <string>

namespace mica::reduce {

struct CommandLimits {
  double seconds = 60;
  int64_t memoryBytes = int64_t(8) << 30;
};

class CommandTest {
public:
  /// The property holds where `command` ends with `interesting`. Candidates are files in `scratch`. Once `stop` is
  /// requested, runs end, and hold no more.
  CommandTest(std::string command, int interesting, CommandLimits limits, std::filesystem::path scratch,
              std::stop_token stop)
      : command(std::move(command)), interesting(interesting), limits(limits), scratch(std::move(scratch)),
        stop(std::move(stop)) {}

  /// Runs the command twice on `file` as the user gave it. InvalidInput where the property does not hold, or where the
  /// runs differ.
  Status checkGiven(const std::filesystem::path &file, const std::string &pipeline);

  /// Starts a test of `module`, which holds only where that verifies. `withLocations`: its text has them.
  std::unique_ptr<irtools::RunningTest> start(mlir::ModuleOp module, const std::string &pipeline, bool withLocations);
  /// The same of a text.
  std::unique_ptr<irtools::RunningTest> start(std::string text, const std::string &pipeline);

  int64_t runs() const { return started; }

private:
  class Run;
  /// The exit code of the command on `file`; what it says goes to `said`.
  Result<int> run(const std::filesystem::path &file, const std::string &pipeline, const std::filesystem::path &said,
                  std::stop_token ends) const;

  std::string command;
  int interesting;
  CommandLimits limits;
  std::filesystem::path scratch;
  std::stop_token stop;
  int64_t started = 0;
};

} // namespace mica::reduce

#endif // MICA_LIB_REDUCE_COMMANDTEST_H
