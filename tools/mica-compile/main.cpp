//===- main.cpp - mica-compile ----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Compiles programs to artifacts; see mica/Compiler/Tools/CompileTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Tools/CompileTool.h"

int main(int argc, char **argv) { return mica::compiler::runCompileTool(argc, argv); }
