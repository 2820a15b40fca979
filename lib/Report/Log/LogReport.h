//===- LogReport.h - a report of trace logs --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: which logs, where to, in which form; and the writing of all files.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_LOGREPORT_H
#define MICA_LIB_REPORT_LOG_LOGREPORT_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace mica::report {

class TextStore;

struct LogReportOptions {
  std::filesystem::path output = "mica_out"; ///< the report's folder, or its file with singleFile or zip
  bool plain = false;                        ///< texts as files only: no highlighting, no search in texts
  bool singleFile = false;                   ///< one .html that holds everything
  bool zip = false;                          ///< one .zip of the folder, with about.json
  bool redact = false;
  bool tensors = false;                         ///< elements of dumps are in the report
  bool constants = false;                       ///< texts keep the elements of constants of more than one
  bool served = false;                          ///< pages ask the server that gives them whether there is something new
  bool force = false;                           ///< replace an earlier report
  std::vector<std::filesystem::path> artifacts; ///< folders of artifacts
  std::vector<std::filesystem::path> sources;   ///< texts of their programs as their authors wrote them
  std::filesystem::path dump;                   ///< a dump of another compiler; "-": the standard input; "": none
  std::filesystem::path otherDump;              ///< that `dump` is compared with; "": none
  /// A comparison instead of logs and artifacts: gives the data of its pages.
  std::function<Result<std::string>(TextStore &)> comparison;
  std::vector<std::string> commandLine;
};

/// How a rank's log is to be read.
struct LogFile {
  std::filesystem::path path;
  int64_t rank = -1; ///< of the file's name
};

/// The logs to report on for `path`, a file or a folder; see docs/Tools/mica-report.md.
enum class LogChoice { Only, Latest, AllRanks };
Result<std::vector<LogFile>> findLogs(const std::filesystem::path &path, LogChoice choice);

/// A file, or a folder that holds a log and no manifest.
bool isLog(const std::filesystem::path &path);

struct LogReportResult {
  std::filesystem::path page; ///< what to open
  std::string summary;        ///< lines for the terminal
  int64_t damage = 0;         ///< defects that are damage
};

/// Writes the report of `logs` and options.artifacts, of which either may be empty. Nothing is left behind where it
/// fails.
Result<LogReportResult> writeLogReport(const std::vector<LogFile> &logs, const LogReportOptions &options);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_LOGREPORT_H
