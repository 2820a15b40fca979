//===- main.cpp - mica-dump --------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Shows and compares the tensors of runs: lib/DumpTool.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/DumpTool/DumpTool.h"

int main(int argc, char **argv) { return mica::dumpTool(argc, argv); }
