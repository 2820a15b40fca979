//===- Rebuild.h - rebuilding an artifact from edited files -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Implements mica-compile --rebuild. docs/Artifact.md, "Editing".
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_REBUILD_REBUILD_H
#define MICA_COMPILER_REBUILD_REBUILD_H

#include "mica/Support/Status.h"

#include <string>

namespace mica::compiler {

struct RebuildOptions {
  std::string folder; ///< the artifact
  /// First restores the compiler's version of this file; "all": of every file; "": of none.
  std::string reset;
  bool checkSchedule = true; ///< a schedule that lacks a dependency is an error
  bool quiet = false;        ///< do not print what was done
};

/// Rebuilds what depends on the files that were edited since the last build, in the artifact's folder: all new files
/// are made beside the old ones, and put in place when they are complete, the manifest last, so after a failure the
/// last build still runs. Succeeds if there is nothing to do. Errors: InvalidInput for edits (errors of the IR are
/// printed, at the edited line), Io.
Status rebuild(const RebuildOptions &options);

} // namespace mica::compiler

#endif // MICA_COMPILER_REBUILD_REBUILD_H
