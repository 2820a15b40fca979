//===- RunTool.h - mica-run --------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Runs an artifact, or a model by compiling it first: inputs from flags, results to files or the screen, comparison
// with the reference or with stored values. docs/Tools/mica-run.md describes it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTOOL_RUNTOOL_H
#define MICA_RUNTOOL_RUNTOOL_H

namespace mica {

/// main of mica-run; returns the exit code (docs/Tools).
int runTool(int argc, char **argv);

} // namespace mica

#endif // MICA_RUNTOOL_RUNTOOL_H
