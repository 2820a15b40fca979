//===- Locate.h - the artifact to run ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: finds it, or has mica-compile make it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_LOCATE_H
#define MICA_LIB_RUNTOOL_LOCATE_H

#include "lib/RunTool/Options.h"
#include "mica/Artifact/CompileCache.h"

namespace mica::runtool {

/// Where the artifact is, and what it took.
struct Located {
  std::filesystem::path folder;
  bool compiled = false; ///< by this call
  double compileSeconds = 0;
  std::optional<artifact::CacheOutcome> cache = {}; ///< of a model: how the look-up went; none with -o
  int childExitCode = 0; ///< nonzero: mica-compile failed and has said why; `folder` is empty
};

/// Where what is made of the artifact `home` goes: DIR/variants, or where that cannot be written to a folder of the
/// cache.
std::filesystem::path variantsOf(const std::filesystem::path &home);

/// The artifact of `options.program`: the folder itself, or the model's from -o, the cache, or a fresh compile.
Result<Located> locateArtifact(const Options &options);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_LOCATE_H
