//===- main.cpp - mica-bisect -------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds the pass that causes a difference; see mica/Bisect/BisectTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Bisect/BisectTool.h"
#include "mica/Support/BugReport.h"
#include "passes/RegisterPasses.h"

#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg(mica::kBugReport);
  mica::registerAllPasses();
  return mica::bisect::runBisectTool(argc, argv);
}
