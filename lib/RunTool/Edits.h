//===- Edits.h - rebuilding an edited artifact before a run -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Before an artifact runs, mica-compile rebuilds what depends on edited files (mica/Artifact/Edits.h).
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_EDITS_H
#define MICA_LIB_RUNTOOL_EDITS_H

#include "lib/RunTool/Options.h"

#include <filesystem>

namespace mica::runtool {

/// Rebuilds the artifact in `folder` if its files were edited since its last build, or --reset is given. Returns the
/// exit code of mica-compile, which has printed the result; 0 if there was nothing to do. With --no-rebuild only prints
/// a warning. Reads the artifact's texts: about 5 ms for a small program.
Result<int> buildEdits(const Options &options, const std::filesystem::path &folder);

/// --watch: waits until a text of an artifact, or a model file, is saved. A save during the run also counts.
class Watch {
public:
  explicit Watch(std::filesystem::path program) : program(std::move(program)) {}

  /// Before a run: records the state that it uses.
  Status begin();
  /// After the run: returns when the state has changed. Polls times and sizes ten times a second.
  Status wait();

private:
  /// A hash of the edits of an artifact that are not built, or of the contents of a model.
  Result<std::string> state() const;

  std::filesystem::path program;
  std::string seen;
};

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_EDITS_H
