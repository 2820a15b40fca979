//===- PassIndex.h - passes_dump/index.json ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the reader of the compiler's record of passes, as far as reports use it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_PASSINDEX_H
#define MICA_LIB_REPORT_PASSINDEX_H

#include "mica/Artifact/BuildRecord.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// One run of one pass on one op.
struct PassRun {
  int64_t position = 0;
  std::string pass;
  std::string phase; ///< "" where the pipeline has none
  std::string op;    ///< "" for the whole program, else the kernel
  double milliseconds = 0;
  bool changed = false, failed = false;
  int64_t opsBefore = -1, opsAfter = -1; ///< -1: not said
  std::string file;                      ///< the snapshot, relative to the folder; "" where nothing changed
};

/// One pass of the pipeline.
struct PassEntry {
  int64_t position = 0;
  std::string name, options, phase;
  std::string anchor; ///< "builtin.module(func.func)"; "" where it is not said
};

struct PassIndex {
  std::string tool;   ///< that wrote it; "" where it does not say
  std::string input;  ///< the snapshot before the first pass, relative to the folder; "" where there is none
  int64_t passes = 0; ///< of the pipeline
  std::vector<PassEntry> pipeline;
  std::vector<PassRun> runs;
  std::string failure; ///< how a pass did not come to its end, and which; "" where all did
};

/// Reads `file`. Damaged and NotFound as the manifest's reader.
Result<PassIndex> readPassIndex(const std::filesystem::path &file);

/// The same for contents in memory; `file` is used in messages.
Result<PassIndex> parsePassIndex(std::string_view text, std::string_view file, const artifact::BuildRecord &build = {});

} // namespace mica::report

#endif // MICA_LIB_REPORT_PASSINDEX_H
