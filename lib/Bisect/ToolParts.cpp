//===- ToolParts.cpp - what all ways of mica-bisect begin and end with --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/ToolParts.h"

#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

Result<int> bisect::finish(const BisectOptions &options, const Verdict &verdict, const fs::path &folder,
                           const ReportInput &input, const Runner *runner, trace::ToolTrace &trace) {
  llvm::outs() << describe(verdict);
  if (options.report) {
    MICA_RETURN_IF_ERROR(writeReport(folder, verdict, input, runner));
    trace.file("written", folder.string());
    llvm::outs() << "report: " << (folder / "report.md").string() << "\n";
  }
  trace.note("verdict", trace::quoteJson(kindName(verdict.kind)));
  return exitCodeOf(verdict.kind);
}
