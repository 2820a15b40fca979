//===- BenchTool.h - mica-bench -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Times compiled programs, and compares times. docs/Tools/mica-bench.md describes it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTOOL_BENCHTOOL_H
#define MICA_RUNTOOL_BENCHTOOL_H

namespace mica {

/// main of mica-bench; returns the exit code (docs/Tools).
int benchTool(int argc, char **argv);

} // namespace mica

#endif // MICA_RUNTOOL_BENCHTOOL_H
