//===- PrintDiff.cpp - printing a diff on a terminal ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PrintDiff.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/PrintDiff.h"

#include "lib/IRTools/ChangeGroups.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

using namespace mica;
using namespace mica::irtools;

namespace {
/// Terminal colors, or empty strings.
struct Colors {
  bool on;
  const char *red() const { return on ? "\x1b[31m" : ""; }
  const char *green() const { return on ? "\x1b[32m" : ""; }
  const char *cyan() const { return on ? "\x1b[36m" : ""; }
  const char *bold() const { return on ? "\x1b[1m" : ""; }
  const char *off() const { return on ? "\x1b[0m" : ""; }
};
} // namespace

bool Comparison::same() const {
  if (diff)
    return diff->same();
  const LineCounts count = countLines();
  return count.added == 0 && count.removed == 0;
}

bool DiffResult::same() const {
  return !differs && llvm::all_of(comparisons, [](const Comparison &comparison) { return comparison.same(); });
}

Comparison::LineCounts Comparison::countLines() const {
  if (lines)
    return *lines;
  LineCounts count;
  for (const Row &row : rows) {
    count.added += row.kind == RowKind::Added || row.kind == RowKind::Changed;
    count.removed += row.kind == RowKind::Removed || row.kind == RowKind::Changed;
  }
  return count;
}

std::optional<OwnText> irtools::ownTextOf(const ShownText &document) {
  if (!document.isOwn && document.hidden.empty())
    return std::nullopt;
  int64_t first = 1, last = static_cast<int64_t>(document.text.size());
  auto isHidden = [&](int64_t line) {
    return std::binary_search(document.hidden.begin(), document.hidden.end(), line);
  };
  while (first <= last && isHidden(first))
    ++first;
  while (last >= first && isHidden(last))
    --last;
  OwnText own{first, ""};
  for (int64_t line = first; line <= last; ++line)
    own.text += document.text[line - 1] + "\n";
  return own;
}

Comparison irtools::compareDocuments(std::string title, SharedDocument before, SharedDocument after) {
  Comparison comparison;
  comparison.title = std::move(title);
  const Document &a = *before, &b = *after;
  comparison.before = std::move(before);
  comparison.after = std::move(after);
  if (a.root && b.root) {
    comparison.diff = diffDocuments(a, b);
    comparison.rows = alignLines(a, b, *comparison.diff);
    return comparison;
  }
  comparison.rows = alignText(a.text, b.text);
  const Document &broken = a.root ? b : a;
  comparison.fallback = broken.name + ":" + broken.problem;
  return comparison;
}

std::string irtools::summarize(const Comparison &comparison) {
  if (comparison.same())
    return "same";
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!comparison.diff) {
    os << "+" << comparison.addedLines() << " -" << comparison.removedLines() << " lines";
    return text;
  }
  const char *separator = "";
  for (auto [kind, sign] : {std::pair(ChangeKind::Added, '+'),
                            {ChangeKind::Removed, '-'},
                            {ChangeKind::Changed, '~'},
                            {ChangeKind::Moved, '>'}})
    if (int64_t count = comparison.diff->count(kind)) {
      os << separator << sign << count << " " << changeName(kind);
      separator = ", ";
    }
  return text;
}

static const char *colorOf(ChangeKind kind, const Colors &colors) {
  return kind == ChangeKind::Added ? colors.green() : kind == ChangeKind::Removed ? colors.red() : colors.cyan();
}

/// Maximum number of places of a group that are listed.
static constexpr size_t kMostPlaces = 12;

std::string irtools::describePlaces(const ModuleDiff &diff, const ChangeGroup &group) {
  auto place = [&](size_t i) -> const Place & {
    const Change &change = diff.changes[group.changes[i]];
    return change.after.exists ? change.after : change.before;
  };
  auto lines = [&](size_t i) -> std::string {
    const Change &change = diff.changes[group.changes[i]];
    bool isElsewhere = change.before.line != change.after.line || group.changes.size() == 1;
    if (change.before.line && change.after.line && isElsewhere)
      return std::to_string(change.before.line) + " -> " + std::to_string(change.after.line);
    if (change.before.line && change.after.line)
      return std::to_string(change.after.line);
    int64_t line = change.before.line + change.after.line;
    return line ? std::to_string(line) : "";
  };
  const size_t count = group.changes.size(), shown = std::min(count, kMostPlaces);
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    // The function is printed if it differs from that of the previous place.
    bool isElsewhere = i == 0 || place(i).path != place(i - 1).path;
    if (isElsewhere && !place(i).path.empty())
      text += (i ? "; in " : " in ") + place(i).path;
    if (std::string here = lines(i); !here.empty()) {
      size_t more = i + 1;
      while (more < shown && place(more).path == place(i).path)
        ++more;
      text += !isElsewhere
                  ? ", " + here
                  : (i && place(i).path.empty() ? "; " : ", ") + std::string(more > i + 1 ? "lines " : "line ") + here;
    }
  }
  if (count > shown)
    text += " and " + std::to_string(count - shown) + " more";
  return text;
}

static void printGroup(const ModuleDiff &diff, const ChangeGroup &group, const Colors &colors, llvm::raw_ostream &os) {
  const Change &change = diff.changes[group.changes.front()];
  if (group.changes.size() > 1)
    os << "same change in " << group.changes.size() << " places: ";
  os << colorOf(change.kind, colors) << changeName(change.kind) << colors.off() << " " << colors.bold() << change.op
     << colors.off() << describePlaces(diff, group);
  if (change.nested)
    os << ", with " << change.nested << (change.nested == 1 ? " op" : " ops") << " inside";
  if (change.rewired)
    os << "; " << change.rewired << (change.rewired == 1 ? " use goes " : " uses go ")
       << (change.kind == ChangeKind::Added ? "through it" : "past it");
  os << "\n";
  for (const Detail &detail : change.details) {
    os << "    " << detail.what << ": ";
    if (detail.before.empty())
      os << colors.green() << "added " << detail.after << colors.off();
    else if (detail.after.empty())
      os << colors.red() << "removed " << detail.before << colors.off();
    else
      os << colors.red() << detail.before << colors.off() << " -> " << colors.green() << detail.after << colors.off();
    os << "\n";
  }
  if (!change.note.empty())
    os << "    " << change.note << "\n";
  std::vector<std::string> reasons;
  for (size_t member : group.changes)
    for (const std::string &reason : diff.changes[member].reasons)
      if (!llvm::is_contained(reasons, reason)) {
        reasons.push_back(reason);
        os << "    why: " << reason << "\n";
      }
}

std::vector<size_t> irtools::findSameChanges(const DiffResult &result) {
  std::vector<size_t> same;
  std::map<std::string, size_t> firsts;
  for (auto [i, comparison] : llvm::enumerate(result.comparisons)) {
    same.push_back(i);
    if (!result.hasRepeats || !comparison.diff || comparison.same())
      continue;
    std::string signature;
    for (const Change &change : comparison.diff->changes)
      signature += changeSignature(change) + "\n\n";
    same.back() = firsts.try_emplace(std::move(signature), i).first->second;
  }
  return same;
}

static std::string lineOf(const ShownText &document, int64_t line) {
  return line > 0 && line <= static_cast<int64_t>(document.text.size()) ? document.text[line - 1] : "";
}

/// The hunks that are shown, and the number of those omitted because they repeat others.
static std::vector<Hunk> shownHunks(const Comparison &comparison, const PrintOptions &options, size_t &left) {
  std::vector<Hunk> hunks = findHunks(comparison.rows, options.context);
  left = 0;
  if (options.all || !comparison.diff || comparison.diff->groups.size() == comparison.diff->changes.size())
    return hunks;
  std::vector<bool> repeated =
      findRepeatedHunks(comparison.rows, hunks, *comparison.before, *comparison.after, *comparison.diff);
  std::vector<Hunk> shown;
  for (auto [hunk, isRepeated] : llvm::zip(hunks, repeated))
    if (!isRepeated)
      shown.push_back(hunk);
  left = hunks.size() - shown.size();
  return shown;
}

static void printLeft(size_t left, const Colors &colors, llvm::raw_ostream &os) {
  if (left)
    os << colors.cyan() << "... " << left << (left == 1 ? " more place has" : " more places have")
       << " the same changes; --all shows " << (left == 1 ? "it" : "them") << colors.off() << "\n";
}

static void printUnified(const Comparison &comparison, const PrintOptions &options, const Colors &colors,
                         llvm::raw_ostream &os) {
  const std::vector<Row> &rows = comparison.rows;
  size_t left = 0;
  for (const Hunk &hunk : shownHunks(comparison, options, left)) {
    int64_t before = 0, after = 0;
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      before = before ? before : rows[i].before;
      after = after ? after : rows[i].after;
    }
    os << colors.cyan() << "@@ line " << before << " -> " << after << " @@" << colors.off() << "\n";
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      const Row &row = rows[i];
      if (row.kind == RowKind::Removed || row.kind == RowKind::Changed)
        os << colors.red() << "-" << lineOf(*comparison.before, row.before) << colors.off() << "\n";
      if (row.kind == RowKind::Added || row.kind == RowKind::Changed)
        os << colors.green() << "+" << lineOf(*comparison.after, row.after) << colors.off() << "\n";
      if (row.kind == RowKind::Same)
        os << " " << (row.after ? lineOf(*comparison.after, row.after) : lineOf(*comparison.before, row.before))
           << "\n";
    }
  }
  printLeft(left, colors, os);
}

static std::string fit(std::string text, size_t width) {
  if (text.size() > width)
    text = text.substr(0, width - 1) + ">";
  text.resize(width, ' ');
  return text;
}

static void printSideBySide(const Comparison &comparison, const PrintOptions &options, const Colors &colors,
                            llvm::raw_ostream &os) {
  // Two line numbers of five digits, two signs and a bar in between.
  size_t half = std::max<int64_t>(20, (options.width - 19) / 2);
  const std::vector<Row> &rows = comparison.rows;
  size_t left = 0;
  for (const Hunk &hunk : shownHunks(comparison, options, left)) {
    os << colors.cyan() << std::string(2 * half + 19, '-') << colors.off() << "\n";
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      const Row &row = rows[i];
      bool isLeft = row.kind == RowKind::Removed || row.kind == RowKind::Changed;
      bool isRight = row.kind == RowKind::Added || row.kind == RowKind::Changed;
      auto cell = [&](const ShownText &document, int64_t line, char sign, const char *color) {
        std::string number = line ? std::to_string(line) : "";
        os << llvm::right_justify(number, 5) << " " << color << sign << " " << fit(lineOf(document, line), half)
           << (*color ? colors.off() : "");
      };
      cell(*comparison.before, row.before, isLeft ? '-' : ' ', isLeft ? colors.red() : "");
      os << " | ";
      cell(*comparison.after, row.after, isRight ? '+' : ' ', isRight ? colors.green() : "");
      os << "\n";
    }
  }
  printLeft(left, colors, os);
}

std::string irtools::printComparison(const Comparison &comparison, const PrintOptions &options) {
  Colors colors{options.color};
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!comparison.title.empty())
    os << colors.bold() << "==== " << comparison.title << ": " << summarize(comparison) << colors.off() << "\n";
  if (!comparison.fallback.empty())
    os << "compared as text: " << comparison.fallback << "\n";
  if (comparison.same()) {
    if (comparison.diff && comparison.title.empty())
      os << "same: " << comparison.diff->opsAfter << (comparison.diff->opsAfter == 1 ? " op" : " ops")
         << ", whatever their names and order\n";
    return text;
  }
  os << colors.bold() << "--- " << comparison.before->name << colors.off() << "\n"
     << colors.bold() << "+++ " << comparison.after->name << colors.off() << "\n";
  if (comparison.diff) {
    for (const ChangeGroup &group : comparison.diff->groups)
      printGroup(*comparison.diff, group, colors, os);
    if (comparison.title.empty())
      os << summarize(comparison) << "\n";
  }
  options.sideBySide ? printSideBySide(comparison, options, colors, os) : printUnified(comparison, options, colors, os);
  return text;
}

std::string irtools::printStatistics(const std::vector<Comparison> &comparisons, bool color) {
  Colors colors{color};
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!comparisons.empty())
    os << "  added removed changed  moved       ops            ms\n";
  for (const Comparison &comparison : comparisons) {
    std::string title =
        comparison.title.empty() ? comparison.before->name + " -> " + comparison.after->name : comparison.title;
    if (!comparison.diff) {
      os << llvm::format("%7lld %7lld lines, as text", (long long)comparison.addedLines(),
                         (long long)comparison.removedLines())
         << std::string(27, ' ') << title << "\n";
      continue;
    }
    const ModuleDiff &diff = *comparison.diff;
    for (ChangeKind kind : {ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved}) {
      // Includes ops that were added or removed with their parent.
      int64_t count = 0;
      for (const Change &change : diff.changes)
        if (change.kind == kind)
          count += 1 + change.nested;
      os << (count ? colorOf(kind, colors) : "") << llvm::format("%7lld ", (long long)count)
         << (count ? colors.off() : "");
    }
    os << llvm::format("%6lld -> %-6lld", (long long)diff.opsBefore, (long long)diff.opsAfter);
    if (comparison.milliseconds > 0)
      os << llvm::format(" %9.2f", comparison.milliseconds);
    else
      os << std::string(10, ' ');
    os << "  " << title << "\n";
  }
  return text;
}
