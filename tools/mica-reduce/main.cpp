//===- main.cpp - mica-reduce -------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reduces IR while a test command succeeds; see mica/Reduce/ReduceTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Reduce/ReduceTool.h"
#include "mica/Support/BugReport.h"

#include "llvm/Support/PrettyStackTrace.h"

int main(int argc, char **argv) {
  llvm::setBugReportMsg(mica::kBugReport);
  return mica::reduce::runReduceTool(argc, argv);
}
