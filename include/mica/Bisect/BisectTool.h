//===- BisectTool.h - mica-bisect ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Finds why a program computes something else after a pipeline. docs/Tools/mica-bisect.md describes it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_BISECT_BISECTTOOL_H
#define MICA_BISECT_BISECTTOOL_H

namespace mica::bisect {

/// main of mica-bisect; returns the exit code: 0 verdict same or rounding, 1 inconclusive or wrong use, 3 else.
int runBisectTool(int argc, char **argv);

} // namespace mica::bisect

#endif // MICA_BISECT_BISECTTOOL_H
