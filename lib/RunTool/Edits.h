//===- Edits.h - an artifact whose files were edited by hand ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Before an artifact runs, what lies downstream of edited files is built again by mica-compile (mica/Artifact/Edits.h).
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_EDITS_H
#define MICA_LIB_RUNTOOL_EDITS_H

#include "lib/RunTool/Options.h"

#include <filesystem>

namespace mica::runtool {

/// Builds the artifact in `folder` again where its files were edited since its last build, or --reset is given. Returns
/// the exit code of mica-compile, which has said what it did or what is wrong; 0 where there was nothing to do. With
/// --no-rebuild only a warning is printed. Costs reading the artifact's texts: about 5 ms for a small program.
Result<int> buildEdits(const Options &options, const std::filesystem::path &folder);

/// --watch: waits for a text of an artifact, or a model file, to be saved. What is saved while the program runs counts.
class Watch {
public:
  explicit Watch(std::filesystem::path program) : program(std::move(program)) {}

  /// Before a run: notes what it will see.
  Status begin();
  /// After it: returns when there is something else to be seen. Looks ten times a second at times and sizes.
  Status wait();

private:
  /// The edits that are not built of an artifact, or the contents of a model, as a hash.
  Result<std::string> state() const;

  std::filesystem::path program;
  std::string seen;
};

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_EDITS_H
