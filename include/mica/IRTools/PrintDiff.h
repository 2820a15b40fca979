//===- PrintDiff.h - a difference as text, JSON and page --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Forms of one comparison of two documents, and of a list of them (the snapshots of a record, the kernels of an
// artifact).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_PRINTDIFF_H
#define MICA_IRTOOLS_PRINTDIFF_H

#include "mica/IRTools/Document.h"
#include "mica/IRTools/LineView.h"

#include <optional>

namespace mica::irtools {

/// What was compared where it is not the text of a file: put together of several, or a part of one.
struct OwnText {
  int64_t firstLine = 1; ///< of the text that lines count in
  std::string text;
};
/// Nothing where `document` is a whole file.
std::optional<OwnText> ownTextOf(const ShownText &document);

/// Two documents and what differs.
struct Comparison {
  std::string title;              ///< "0012 mica-form-groups on @k"; "" for two files given by the user
  SharedText before, after;       ///< not null
  std::optional<ModuleDiff> diff; ///< absent where one of them does not parse: compared as text
  std::vector<Row> rows;          ///< both texts; none where only `lines` are kept
  std::string fallback;           ///< why it was compared as text
  double milliseconds = 0;        ///< of the pass, where it is one; 0 unknown
  int64_t position = -1;          ///< of a record: the pass that `after` is the state after
  std::string on;                 ///< and what of the program: a kernel, "" for all of it
  struct LineCounts {
    int64_t added = 0, removed = 0;
  };
  /// Where the rows, and all of `before` and `after` but their names, were dropped; with what is left of the texts.
  std::optional<LineCounts> lines;
  std::optional<OwnText> ownBefore, ownAfter;

  bool isKept = false; ///< read from what is kept beside the record

  bool same() const;
  int64_t addedLines() const { return countLines().added; }
  int64_t removedLines() const { return countLines().removed; }
  LineCounts countLines() const;
};

/// Compares two documents of one context: by structure where both parse, else by text.
Comparison compareDocuments(std::string title, SharedDocument before, SharedDocument after);

/// All that a call of the tool compares; the context the documents were read into must outlive it.
struct DiffResult {
  std::vector<std::string> lines; ///< what is to be said before them: options, kernels that are on one side only
  std::vector<Comparison> comparisons;
  bool differs = false; ///< beyond what the comparisons say
  /// Comparisons with the changes of an earlier one are shown by a reference to it: kernels of two artifacts.
  bool hasRepeats = false;
  double readSeconds = 0, compareSeconds = 0;
  bool same() const;
};

struct PrintOptions {
  bool color = false;
  bool sideBySide = false;
  int64_t width = 160; ///< columns, for side by side
  int64_t context = 3; ///< unchanged lines around a change
  bool all = false;    ///< lines of every place of an equal change, not of the first alone
};

/// For each comparison the position of the first with the same changes: its own where there is none before.
std::vector<size_t> findSameChanges(const DiffResult &result);
/// "in @f, line 4 -> 5"; of several places "in @f, lines 4, 9 -> 10 and 3 more".
std::string describePlaces(const ModuleDiff &diff, const ChangeGroup &group);

/// "~2 changed, +1 added"; "same" if so.
std::string summarize(const Comparison &comparison);
/// The changes in words, then the lines.
std::string printComparison(const Comparison &comparison, const PrintOptions &options);
/// One line a comparison: what it did in numbers.
std::string printStatistics(const std::vector<Comparison> &comparisons, bool color);
/// Schema in docs/Tools/mica-diff.md. `withTexts`: also what was compared where it is not the text of a file.
std::string printDiffJson(const DiffResult &result, bool withTexts);
/// One page without references to other files.
std::string printDiffHtml(const DiffResult &result, llvm::StringRef title);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_PRINTDIFF_H
