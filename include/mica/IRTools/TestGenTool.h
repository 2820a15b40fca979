//===- TestGenTool.h - mica-test-gen -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Writes lit tests from records and files. docs/Tools/mica-test-gen.md describes it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_TESTGENTOOL_H
#define MICA_IRTOOLS_TESTGENTOOL_H

namespace mica::irtools {

/// main of mica-test-gen; returns the exit code: 0 a test was written, 1 wrong use, unreadable files or nothing to
/// test. The passes are those registered before.
int runTestGenTool(int argc, char **argv);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_TESTGENTOOL_H
