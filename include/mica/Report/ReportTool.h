//===- ReportTool.h - mica-report --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Prints the contents of an artifact: entries, kernels with their fused ops, snapshots, memory, files; and everything
// known about one op. docs/Tools/mica-report.md describes it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_REPORT_REPORTTOOL_H
#define MICA_REPORT_REPORTTOOL_H

namespace mica {

/// main of mica-report; returns the exit code (docs/Tools).
int reportTool(int argc, char **argv);

} // namespace mica

#endif // MICA_REPORT_REPORTTOOL_H
