//===- PrintDiff.h - printing a diff as text, JSON and HTML -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Prints one comparison of two documents, or a list of them (the snapshots of a record, the kernels of an artifact).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_PRINTDIFF_H
#define MICA_IRTOOLS_PRINTDIFF_H

#include "mica/IRTools/Document.h"
#include "mica/IRTools/LineView.h"

#include <optional>

namespace mica::irtools {

/// A compared text that is not the text of a file: assembled from several files, or a part of one.
struct OwnText {
  int64_t firstLine = 1; ///< line number of its first line
  std::string text;
};
/// Nothing if `document` is a whole file.
std::optional<OwnText> ownTextOf(const ShownText &document);

/// Two documents and their difference.
struct Comparison {
  std::string title;              ///< "0012 mica-form-groups on @k"; "" for two files given by the user
  SharedText before, after;       ///< not null
  std::optional<ModuleDiff> diff; ///< absent if one of them does not parse: compared as text
  std::vector<Row> rows;          ///< both texts; none if only `lines` are kept
  std::string fallback;           ///< why they were compared as text
  double milliseconds = 0;        ///< duration of the pass, if it is one; 0 unknown
  int64_t position = -1;          ///< of a record: the pass that `after` is the state after
  std::string on;                 ///< the part of the program: a kernel, "" for all of it
  struct LineCounts {
    int64_t added = 0, removed = 0;
  };
  /// Set if the rows, and `before` and `after` except their names, were dropped; counts of the dropped lines.
  std::optional<LineCounts> lines;
  std::optional<OwnText> ownBefore, ownAfter;

  bool isKept = false; ///< read from the changes that are stored with the record

  bool same() const;
  int64_t addedLines() const { return countLines().added; }
  int64_t removedLines() const { return countLines().removed; }
  LineCounts countLines() const;
};

/// Compares two documents of one context: structurally if both parse, else as text.
Comparison compareDocuments(std::string title, SharedDocument before, SharedDocument after);

/// All that a call of the tool compares; the context the documents were read into must outlive it.
struct DiffResult {
  std::vector<std::string> lines; ///< printed in front of the comparisons: options, kernels that exist on one side only
  std::vector<Comparison> comparisons;
  bool differs = false; ///< besides the differences in the comparisons
  /// A comparison with the changes of an earlier one is printed as a reference to it: kernels of two artifacts.
  bool hasRepeats = false;
  double readSeconds = 0, compareSeconds = 0;
  bool same() const;
};

struct PrintOptions {
  bool color = false;
  bool sideBySide = false;
  int64_t width = 160; ///< columns, for side by side
  int64_t context = 3; ///< unchanged lines around a change
  bool all = false;    ///< the lines of all places of an equal change, not only of the first
};

/// For each comparison the position of the first one with the same changes: its own if there is none before.
std::vector<size_t> findSameChanges(const DiffResult &result);
/// "in @f, line 4 -> 5"; of several places "in @f, lines 4, 9 -> 10 and 3 more".
std::string describePlaces(const ModuleDiff &diff, const ChangeGroup &group);

/// "~2 changed, +1 added"; "same" if there are no changes.
std::string summarize(const Comparison &comparison);
/// The list of changes, then the lines.
std::string printComparison(const Comparison &comparison, const PrintOptions &options);
/// One line per comparison with the number of changes.
std::string printStatistics(const std::vector<Comparison> &comparisons, bool color);
/// Schema in docs/Tools/mica-diff.md. `withTexts`: includes compared texts that are not the text of a file.
std::string printDiffJson(const DiffResult &result, bool withTexts);
/// A self-contained HTML page.
std::string printDiffHtml(const DiffResult &result, llvm::StringRef title);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_PRINTDIFF_H
