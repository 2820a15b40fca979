//===- Rebuild.h - an artifact built again from files that were edited --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What mica-compile --rebuild does. docs/Artifact.md, "Editing".
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_REBUILD_REBUILD_H
#define MICA_COMPILER_REBUILD_REBUILD_H

#include "mica/Support/Status.h"

#include <string>

namespace mica::compiler {

struct RebuildOptions {
  std::string folder; ///< the artifact
  /// Before that, the compiler's own version of this file is put back; "all": of every file. "": of none.
  std::string reset;
  bool quiet = false; ///< no line that says what was done
};

/// Builds what lies downstream of the files that were edited since the last build, in the artifact's folder: everything
/// is made beside the old files first and put in place when it is whole, the manifest last, so a failure leaves the
/// last build runnable. Nothing to do is no error. Errors: InvalidInput for what the user wrote (the IR's own errors
/// are printed, at the edited line), Io.
Status rebuild(const RebuildOptions &options);

} // namespace mica::compiler

#endif // MICA_COMPILER_REBUILD_REBUILD_H
