//===- main.cpp - mica-report ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reports on artifacts: lib/Report.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Report/ReportTool.h"

int main(int argc, char **argv) { return mica::reportTool(argc, argv); }
