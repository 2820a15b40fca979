//===- Report.h - the folder that a bisection leaves --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: report.md for a tracker, test.mlir, a lit test that fails now, and verdict.json.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_REPORT_H
#define MICA_LIB_BISECT_REPORT_H

#include "lib/Bisect/Foreign.h"
#include "lib/Bisect/Verdict.h"

#include <filesystem>

namespace mica::bisect {

struct ReportInput {
  std::string program;            ///< the name of the file, without folders
  std::string pipeline;           ///< as recorded
  std::vector<std::string> flags; ///< of mica-opt, such as plugins
  const Entry &entry;
  std::optional<ForeignCommands> commands; ///< in place of mlir-opt and Mica's own judges
  /// The command that compiled the program, of one that Mica compiled; "" else.
  std::string compile = {};
};

/// InvalidInput where something else than a report of an earlier bisection is at `folder`: writeReport replaces it
/// whole.
Status checkReportFolder(const std::filesystem::path &folder);

/// Writes the folder, replacing what an earlier bisection left there. Errors: those of checkReportFolder, Io.
/// `runner` shows the fault with stock tools; null where it was found by commands.
Status writeReport(const std::filesystem::path &folder, const Verdict &verdict, const ReportInput &input,
                   const Runner *runner);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_REPORT_H
