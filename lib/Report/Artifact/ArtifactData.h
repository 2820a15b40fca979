//===- ArtifactData.h - an artifact as the pages read it ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: JSON for Page/artifact.js, which is the only reader; texts go into the store.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ARTIFACT_ARTIFACTDATA_H
#define MICA_LIB_REPORT_ARTIFACT_ARTIFACTDATA_H

#include "lib/Report/Log/TextStore.h"

#include <filesystem>
#include <string>
#include <vector>

namespace mica::report {

struct ArtifactOptions {
  bool plain = false; ///< texts to files; passes are not compared
  bool redact = false;
  bool constants = false;                     ///< texts keep the elements of constants
  bool tensors = false;                       ///< elements of dumps are taken, too
  bool traced = false;                        ///< put together from a trace: without code, weights and input
  std::string name;                           ///< as pages call it; "": that of its folder
  std::string folder;                         ///< of the artifact's own files below the report's, with plain
  std::filesystem::path scratch;              ///< a folder for files of child processes
  std::vector<std::filesystem::path> sources; ///< texts of the program as its author wrote it
};

struct ArtifactData {
  std::string name;         ///< of its folder; a number where redacted
  std::string json;         ///< for the pages
  std::string summary;      ///< lines for the terminal
  bool holdsValues = false; ///< texts have elements of constants, small ones or the source's: not "no weights"
  bool elided = false;      ///< texts had some, which were left out
};

/// Everything a report shows of the artifact in `folder`. Errors: those of Artifact::open, a damaged
/// passes_dump/index.json, Io.
Result<ArtifactData> artifactData(const std::filesystem::path &folder, TextStore &store,
                                  const ArtifactOptions &options);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ARTIFACT_ARTIFACTDATA_H
