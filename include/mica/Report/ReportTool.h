//===- ReportTool.h - mica-report --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Shows what an artifact says about itself: entries, kernels with the ops fused into them, snapshots, memory, files;
// and everything known about one op. docs/Tools/mica-report.md describes it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_REPORT_REPORTTOOL_H
#define MICA_REPORT_REPORTTOOL_H

namespace mica {

/// main of mica-report; returns the exit code (docs/Tools).
int reportTool(int argc, char **argv);

} // namespace mica

#endif // MICA_REPORT_REPORTTOOL_H
