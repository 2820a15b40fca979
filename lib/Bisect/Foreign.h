//===- Foreign.h - the pipelines of anybody's compiler ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: bisects the pipeline of a compiler that is driven from outside, by a command that runs passes and one that
// runs programs. Nothing of the program is parsed here.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_FOREIGN_H
#define MICA_LIB_BISECT_FOREIGN_H

#include "lib/Bisect/Bisection.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::bisect {

/// Commands of /bin/sh.
struct ForeignCommands {
  std::string opt; ///< "$@" is appended: FILE, the flags of the passes, -o OUTPUT
  std::string run; ///< "$@" is appended where it has no "$1": FILE
};

/// The passes of a pipeline, one by one.
class ForeignPipeline {
public:
  /// `text` is "builtin.module(a,b)", or flags: "--a --b=x".
  static Result<ForeignPipeline> parse(const std::string &text);

  size_t size() const { return names.size(); }
  /// Of pass `i`, from 0: "cse", "--convert-x".
  const std::string &name(size_t i) const { return names[i]; }
  /// Arguments of the command for passes `first` to `last` - 1.
  std::vector<std::string> arguments(size_t first, size_t last) const;

private:
  std::string text; ///< of a pipeline; "": flags
  std::vector<std::string> names;
};

/// Runs `program` as written and after prefixes of `pipeline`, and ends with a verdict. Fails (InvalidInput) where a
/// command cannot be started, or the first pass is not known to the compiler.
Result<Verdict> bisectForeign(const std::string &program, const ForeignPipeline &pipeline,
                              const ForeignCommands &commands, const Limits &limits,
                              const std::filesystem::path &scratch, const Settings &settings);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_FOREIGN_H
