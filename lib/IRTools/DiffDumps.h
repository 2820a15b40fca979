//===- DiffDumps.h - mica-diff on dumps of other compilers -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: dumps are scanned, not parsed (docs/PassDumps.md), so their dialects need not be known.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_DIFFDUMPS_H
#define MICA_LIB_IRTOOLS_DIFFDUMPS_H

#include "mica/Support/Status.h"

#include <string>
#include <vector>

namespace mica::irtools {

/// Whether the arguments of mica-diff are a dump with at most two of its passes, or two dumps.
bool areDumps(const std::vector<std::string> &words);

struct DumpDiffOptions {
  bool statistics = false;
  bool json = false;
};

struct DumpDiff {
  std::string text;
  bool same = true;
};

/// Errors: those of readDump; NotFound, InvalidInput where a pass is not in the dump or not the only one.
Result<DumpDiff> diffDumps(const std::vector<std::string> &words, const DumpDiffOptions &options);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_DIFFDUMPS_H
