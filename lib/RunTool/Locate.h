//===- Locate.h - finding or compiling the artifact to run -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_LOCATE_H
#define MICA_LIB_RUNTOOL_LOCATE_H

#include "lib/RunTool/Options.h"
#include "mica/Artifact/CompileCache.h"
#include "mica/Artifact/Manifest.h"

namespace mica::runtool {

/// The program as golden data knows it: the name of its file, and the hash of its text ("" unknown).
struct ProgramName {
  std::string file, hash;
};

/// The artifact, and how it was obtained.
struct Located {
  std::filesystem::path folder;
  bool compiled = false; ///< by this call
  double compileSeconds = 0;
  std::optional<artifact::CacheOutcome> cache = {}; ///< of a model: the outcome of the cache lookup; none with -o
  int childExitCode = 0; ///< nonzero: mica-compile failed with this code and has printed why; `folder` is empty
  /// Of a variant that was compiled from an artifact: the program of that; the manifest names the file it was made of.
  std::optional<ProgramName> program = {};

  ProgramName programOf(const artifact::Manifest &manifest) const {
    return program.value_or(ProgramName{manifest.inputFile, manifest.inputHash});
  }
  /// What the cache decided, and by what; empty where it was not asked (runtime::ContextOptions::provenance).
  std::vector<std::pair<std::string, std::string>> provenance() const;
};

/// The folder for variants of the artifact `home`: DIR/variants, or a folder of the cache if that is not writable.
std::filesystem::path variantsOf(const std::filesystem::path &home);

/// The artifact of `options.program`: the folder itself, or that of a model from -o, the cache, or a new compile.
Result<Located> locateArtifact(const Options &options);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_LOCATE_H
