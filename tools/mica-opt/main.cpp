//===- main.cpp - mica-opt --------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs passes over IR files; see mica/Compiler/Tools/OptTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Tools/OptTool.h"

int main(int argc, char **argv) { return mica::compiler::runOptTool(argc, argv); }
