//===- main.cpp - mica-diff -------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Compares IR by structure; see mica/IRTools/DiffTool.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/DiffTool.h"

int main(int argc, char **argv) { return mica::irtools::runDiffTool(argc, argv); }
