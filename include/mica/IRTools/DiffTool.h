//===- DiffTool.h - mica-diff -----------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Compares IR by structure: files, passes of a record, records, artifacts. docs/Tools/mica-diff.md describes it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_DIFFTOOL_H
#define MICA_IRTOOLS_DIFFTOOL_H

namespace mica::irtools {

/// main of mica-diff; returns the exit code: 0 same, 3 different, 1 wrong use or unreadable files.
int runDiffTool(int argc, char **argv);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_DIFFTOOL_H
