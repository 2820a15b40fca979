//===- DiffTool.h - mica-report diff A B --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: brings both sides into one form, compares them, and writes what a user asked for.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_DIFF_DIFFTOOL_H
#define MICA_LIB_REPORT_DIFF_DIFFTOOL_H

#include "lib/Report/Log/LogReport.h"

#include <string>

namespace mica::report {

struct DiffResult {
  bool same = false;
  std::string text;           ///< for the terminal
  std::filesystem::path page; ///< what to open; empty where no pages were wanted
};

/// `before`, `after`: a log, a folder of logs, an artifact, or a report's folder. `choice`: of a folder of logs.
/// `pages`: whether to write them, as `options` say. Errors: those of reading either side.
Result<DiffResult> diffRuns(const std::string &before, const std::string &after, LogChoice choice, bool pages,
                            const LogReportOptions &options);

} // namespace mica::report

#endif // MICA_LIB_REPORT_DIFF_DIFFTOOL_H
