//===- BuildRecord.h - when, where and by which command an artifact was made ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// build.json holds what differs between two compiles of the same program. All other files of an artifact are identical,
// byte for byte, independent of time, place and number of threads. The manifest neither lists nor hashes build.json;
// without it an artifact runs as before.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_BUILDRECORD_H
#define MICA_ARTIFACT_BUILDRECORD_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {

inline constexpr std::string_view kBuildFile = "build.json";

/// One run of a pass; `op` is named as in the record's index.
struct PassTime {
  int64_t position = 0;
  std::string op;
  double milliseconds = 0;
};

struct BuildRecord {
  std::vector<std::string> commandLine;
  std::string workingFolder;
  /// The program's file: absolute, and relative to the artifact's folder. "<stdin>" for the standard input; "" unknown.
  std::string program, programFromHere;
  std::string started;             ///< UTC, "2026-11-23T02:35:32Z"
  double seconds = 0;              ///< duration of the compile
  std::vector<PassTime> passTimes; ///< as read: by position and op

  /// Milliseconds of a run; `otherwise` if unknown.
  double timeOf(int64_t position, std::string_view op, double otherwise = 0) const;
};

std::string printBuildRecord(const BuildRecord &record);
/// Reads build.json of the artifact in `folder`; empty if it does not exist or cannot be read, since nothing depends on
/// it.
BuildRecord readBuildRecord(const std::filesystem::path &folder);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_BUILDRECORD_H
