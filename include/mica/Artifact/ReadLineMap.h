//===- ReadLineMap.h - the sets and rows of a line map ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A comparison of all passes reads the line map of every snapshot. No tree of JSON is made for it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_READLINEMAP_H
#define MICA_ARTIFACT_READLINEMAP_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {

struct LineMapSets {
  struct Set {
    std::vector<std::string> ids, sources;
  };
  struct Row {
    int64_t first = 0, last = 0, set = 0; ///< lines from 1; the position of a set
  };
  std::vector<Set> sets;
  std::vector<Row> rows; ///< malformed ones are left out

  /// Calls `take` with each line, from 1 to `last`, and its set.
  template <typename Take> void forEachLine(int64_t last, Take take) const {
    for (const Row &row : rows)
      if (row.set < static_cast<int64_t>(sets.size()))
        for (int64_t line = row.first; line <= std::min(row.last, last); ++line)
          take(line, static_cast<size_t>(row.set));
  }
};

/// Reads the JSON of a line map (docs/Artifact.md). Nothing if it is no JSON or has no sets.
std::optional<LineMapSets> readLineMapSets(std::string_view json);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_READLINEMAP_H
