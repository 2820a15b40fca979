//===- DiffTool.cpp - mica-report diff A B ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What is no report becomes one, without colours, in a temporary folder.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Diff/DiffTool.h"

#include "lib/Report/Diff/CompareSides.h"
#include "lib/Report/Diff/Structure.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Support/Files.h"

namespace fs = std::filesystem;

namespace mica::report {

namespace {
Result<Side> sideOf(const std::string &name, LogChoice choice, const fs::path &scratch) {
  if (isReport(name))
    return readReport(name, name);
  LogReportOptions options;
  options.plain = true;
  // Whether they differ is seen in the constants too; what is shown of them is decided where it is shown.
  options.constants = true;
  options.output = scratch;
  std::vector<LogFile> logs;
  if (artifact::isArtifact(name))
    options.artifacts.push_back(name);
  else {
    MICA_ASSIGN_OR_RETURN(logs, findLogs(name, choice));
  }
  if (const Result<LogReportResult> written = writeLogReport(logs, options); !written)
    return written.error();
  return readReport(scratch, name);
}
} // namespace

Result<DiffResult> diffRuns(const std::string &before, const std::string &after, LogChoice choice, bool pages,
                            const LogReportOptions &options) {
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-report"));
  MICA_ASSIGN_OR_RETURN(const Side x, sideOf(before, choice, scratch.path() / "before"));
  MICA_ASSIGN_OR_RETURN(const Side y, sideOf(after, choice, scratch.path() / "after"));
  MICA_ASSIGN_OR_RETURN(SideDifference difference, compareSides(x, y));
  MICA_RETURN_IF_ERROR(compareStructures(x, y, difference, scratch.path()));
  DiffResult result;
  result.same = difference.same == static_cast<int64_t>(difference.units.size());
  result.text = differenceText(x, y, difference);
  if (pages) {
    LogReportOptions written = options;
    written.comparison = [&](TextStore &store) { return differenceData(x, y, difference, store, options.constants); };
    MICA_ASSIGN_OR_RETURN(const LogReportResult report, writeLogReport({}, written));
    result.page = report.page;
  }
  return result;
}

} // namespace mica::report
