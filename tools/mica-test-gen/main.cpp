//===- main.cpp - mica-test-gen ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes lit tests from records and files; see mica/IRTools/TestGenTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/TestGenTool.h"
#include "mica/Support/BugReport.h"
#include "passes/RegisterPasses.h"

#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg(mica::kBugReport);
  mica::registerAllPasses();
  return mica::irtools::runTestGenTool(argc, argv);
}
