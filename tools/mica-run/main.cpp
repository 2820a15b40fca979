//===- main.cpp - mica-run ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Runs artifacts and models: lib/RunTool.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/RunTool/RunTool.h"

int main(int argc, char **argv) { return mica::runTool(argc, argv); }
