//===- CompileTool.h - mica-compile -------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The command line of mica-compile; docs/Tools/mica-compile.md describes it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_TOOLS_COMPILETOOL_H
#define MICA_COMPILER_TOOLS_COMPILETOOL_H

namespace mica::compiler {

/// main of mica-compile; returns the exit code.
int runCompileTool(int argc, char **argv);

} // namespace mica::compiler

#endif // MICA_COMPILER_TOOLS_COMPILETOOL_H
