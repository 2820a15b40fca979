//===- Side.h - one side of a comparison --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: what a log, an artifact or an earlier report says, in a form in which two can be compared: units (compiles,
// the program, kernels) with facts, times and products under names that are the same in every report.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_DIFF_SIDE_H
#define MICA_LIB_REPORT_DIFF_SIDE_H

#include "mica/Support/Status.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace mica::report {

struct SideProduct {
  int64_t bytes = 0;
  std::string digest; ///< MD5 of its text
  std::function<Result<std::string>()> text;
  int64_t order = kNoPass; ///< of a snapshot: its pass
  static constexpr int64_t kNoPass = INT64_MAX;
};

struct Unit {
  std::map<std::string, std::string> facts; ///< a difference counts
  std::map<std::string, double> times;      ///< microseconds; shown, and no difference
  std::map<std::string, SideProduct> products;
};

struct Side {
  std::string name; ///< as the user gave it
  std::map<std::string, Unit> units;
};

/// Whether `folder` is a report that mica-report wrote.
bool isReport(const std::filesystem::path &folder);

/// Reads the report in `folder`, which lies there as long as texts are asked for. Errors: Damaged, Io, Unsupported (a
/// report in one file, or redacted).
Result<Side> readReport(const std::filesystem::path &folder, const std::string &name);

} // namespace mica::report

#endif // MICA_LIB_REPORT_DIFF_SIDE_H
