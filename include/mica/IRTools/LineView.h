//===- LineView.h - two texts side by side ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes the rows of a side-by-side view, for terminal and HTML: a line of each text. Lines are paired by the ops that
// begin on them, so lines with renamed values and reordered ops are paired too.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_LINEVIEW_H
#define MICA_IRTOOLS_LINEVIEW_H

#include "mica/IRTools/Diff.h"

namespace mica::irtools {

enum class RowKind { Same, Removed, Added, Changed };

/// A line of each text, from 1; 0 if absent.
struct Row {
  RowKind kind = RowKind::Same;
  int64_t before = 0, after = 0;
};

/// All rows of the two texts. Lines of reordered independent ops are placed as in the second text.
std::vector<Row> alignLines(const Document &before, const Document &after, const ModuleDiff &diff);

/// The same for any text, by equal lines (Myers, An O(ND) Difference Algorithm, 1986; the search is bounded, so texts
/// with little in common get a correct but longer difference).
std::vector<Row> alignText(const std::vector<std::string> &before, const std::vector<std::string> &after);

/// A range of rows with `context` unchanged ones around it: [first, last).
struct Hunk {
  size_t first, last;
};
std::vector<Hunk> findHunks(const std::vector<Row> &rows, size_t context);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_LINEVIEW_H
