//===- main.cpp - mica-bench -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Times compiled programs: lib/RunTool/Bench.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/RunTool/BenchTool.h"

int main(int argc, char **argv) { return mica::benchTool(argc, argv); }
