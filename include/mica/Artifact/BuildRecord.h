//===- BuildRecord.h - when, where and by which command an artifact was made ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// build.json: what differs between two compiles of the same program. Everything else in an artifact is the same, byte
// for byte, whenever, wherever and by however many threads it was made. The manifest neither lists nor hashes it;
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

/// One run of a pass; `op` as the record's index names it.
struct PassTime {
  int64_t position = 0;
  std::string op;
  double milliseconds = 0;
};

struct BuildRecord {
  std::vector<std::string> commandLine;
  std::string workingFolder;
  /// The program's file: absolute, and as seen from the artifact's folder. "<stdin>" where it came by the standard
  /// input; "" unknown.
  std::string program, programFromHere;
  std::string started;             ///< UTC, "2026-11-23T02:35:32Z"
  double seconds = 0;              ///< that the compile took
  std::vector<PassTime> passTimes; ///< as read: by position and op

  /// Milliseconds of a run; `otherwise` where it is not known.
  double timeOf(int64_t position, std::string_view op, double otherwise = 0) const;
};

std::string printBuildRecord(const BuildRecord &record);
/// That of the artifact in `folder`; empty where there is none, or it cannot be read: nothing depends on it.
BuildRecord readBuildRecord(const std::filesystem::path &folder);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_BUILDRECORD_H
