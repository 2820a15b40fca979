//===- ToolParts.h - what all ways of mica-bisect begin and end with ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reading the program, and printing the verdict with its report.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_TOOLPARTS_H
#define MICA_LIB_BISECT_TOOLPARTS_H

#include "lib/Bisect/BisectOptions.h"
#include "lib/Bisect/Report.h"
#include "lib/IRTools/TestGenProbe.h"
#include "mica/Trace/ToolTrace.h"

namespace mica::bisect {

/// Prints the verdict and writes the report; returns the exit code.
Result<int> finish(const BisectOptions &options, const Verdict &verdict, const std::filesystem::path &folder,
                   const ReportInput &input, const Runner *runner, trace::ToolTrace &trace);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_TOOLPARTS_H
