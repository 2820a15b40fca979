//===- TracedFiles.h - artifacts put together from what a log holds of them -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: records of Mica's traces name the file of the artifact that their payload is ("mica": {"file": ...}). Put
// together in a folder they are an artifact without code and weights, of which pages are made as of any other.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_TRACEDFILES_H
#define MICA_LIB_REPORT_LOG_TRACEDFILES_H

#include "mica/Trace/Record.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// What a log holds of one artifact.
struct TracedArtifact {
  std::filesystem::path folder;
  trace::CompileId compile;                        ///< of the first entry, without attempt
  int64_t pid = 0;                                 ///< of the compiler
  trace::Digest manifest{};                        ///< MD5: equal artifacts are shown once
  std::map<std::string, trace::CompileId> kernels; ///< the compile of the entry that launches each, without attempt
  int64_t packLine = 0;                            ///< of the log, with the snapshots
};

class TracedFiles {
public:
  /// Artifacts kept of one log; of the others only the products are shown.
  static constexpr size_t kMost = 32;

  /// `scratch`: a folder of its own, made when there is something to put into it.
  explicit TracedFiles(std::filesystem::path scratch) : scratch(std::move(scratch)) {}

  /// Keeps the payload where the record names a file. What it names is not trusted: a name that is none of an
  /// artifact's texts, and a payload that is damaged, are passed over.
  void take(const trace::Record &record);

  const std::vector<TracedArtifact> &all() const { return artifacts; }
  size_t left() const { return leftOut; }

private:
  void write(const TracedArtifact &artifact, std::string_view file, std::string_view contents);

  std::filesystem::path scratch;
  std::vector<TracedArtifact> artifacts;
  size_t leftOut = 0;
};

/// Whether `file` is a path of plain names below a folder of an artifact's texts: "kernels/k/kernel.ll",
/// "manifest.json".
bool isTracedFile(std::string_view file);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_TRACEDFILES_H
