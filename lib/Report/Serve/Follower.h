//===- Follower.h - a report that is made anew as its sources change ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: looks at sizes and times of the log or the artifact, and writes the report again where they differ. Pages
// are never without one: the new report takes the place of the old in one step.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_SERVE_FOLLOWER_H
#define MICA_LIB_REPORT_SERVE_FOLLOWER_H

#include "lib/Report/Log/LogReport.h"
#include "mica/Support/Files.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace mica::report {

class Follower {
public:
  /// `path`: a log, a folder of logs, an artifact, or an earlier report, which is served as it is. Without `output` the
  /// report is in a temporary folder that goes with this object. Makes the first report; fails as writeLogReport does.
  static Result<Follower> create(const std::string &path, LogChoice choice, LogReportOptions options,
                                 const std::optional<std::string> &output);

  /// The folder to serve, and a text that changes with its contents. A report that cannot be made now, of a log that is
  /// just being replaced say, leaves the former one.
  std::pair<std::filesystem::path, std::string> look();

private:
  Follower() = default;
  /// Sizes and times of everything the report is made of.
  std::string stamp() const;
  Status make();

  std::string path;
  LogChoice choice = LogChoice::Only;
  LogReportOptions options;
  std::optional<ScratchFolder> scratch; ///< of a report that nobody asked to keep
  bool fixed = false;                   ///< an earlier report
  bool ofLogs = false;                  ///< also while there is none
  std::string made;                     ///< stamp of the report that is there
  int64_t reports = 0;
  std::chrono::steady_clock::time_point next; ///< not before: making a report takes time itself
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_SERVE_FOLLOWER_H
