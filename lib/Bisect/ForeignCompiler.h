//===- ForeignCompiler.h - runs the commands of anybody's compiler ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: one call of the command that runs passes, and of the one that runs programs, with limits.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_FOREIGNCOMPILER_H
#define MICA_LIB_BISECT_FOREIGNCOMPILER_H

#include "lib/Bisect/Foreign.h"

#include <map>

namespace mica::bisect {

/// What came of running passes.
struct Compiled {
  enum class Status { Ended, Failed, Crashed, TimedOut };
  Status status = Status::Failed;
  std::string text;    ///< the program after them
  std::string message; ///< of the compiler, where it did not end well: the first line that says "error", or the first
  int signal = 0;
};

/// A command as a person types it, with `arguments` behind it.
std::string shellText(const std::string &command, const std::vector<std::string> &arguments);

class ForeignCompiler {
public:
  ForeignCompiler(const ForeignCommands &commands, const ForeignPipeline &pipeline, const Limits &limits,
                  std::filesystem::path scratch)
      : commands(commands), pipeline(pipeline), limits(limits), scratch(std::move(scratch)) {}

  /// Passes `first` to `last` - 1 on `program`. Fails where the command cannot be started.
  Result<Compiled> compile(const std::string &program, size_t first, size_t last);
  /// The program's text. Refused where the command ends with an exit code, Crashed by a signal.
  Result<Outcome> run(const std::string &program);
  /// The same, once for each text.
  Result<Outcome> runOnce(const std::string &program);

private:
  struct Ended {
    int code = 0;
    bool timedOut = false;
    std::string output, errors;
  };
  Result<Ended> shell(const std::string &command, const std::string &flag, std::vector<std::string> arguments);

  const ForeignCommands &commands;
  const ForeignPipeline &pipeline;
  const Limits &limits;
  std::filesystem::path scratch;
  std::map<std::string, Outcome> known;
};

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_FOREIGNCOMPILER_H
