//===- PrintDiff.cpp - a difference on a terminal ---------------------------------------------------------------===//
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

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mica;
using namespace mica::irtools;

namespace {
/// Colours of a terminal, or nothing.
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
  return diff ? diff->same() : llvm::all_of(rows, [](const Row &row) { return row.kind == RowKind::Same; });
}

bool DiffResult::same() const {
  return !differs && llvm::all_of(comparisons, [](const Comparison &comparison) { return comparison.same(); });
}

int64_t Comparison::addedLines() const {
  return llvm::count_if(rows,
                        [](const Row &row) { return row.kind == RowKind::Added || row.kind == RowKind::Changed; });
}

int64_t Comparison::removedLines() const {
  return llvm::count_if(rows,
                        [](const Row &row) { return row.kind == RowKind::Removed || row.kind == RowKind::Changed; });
}

Comparison irtools::compareDocuments(std::string title, Document before, Document after) {
  Comparison comparison;
  comparison.title = std::move(title);
  comparison.before = std::move(before);
  comparison.after = std::move(after);
  const Document &a = comparison.before, &b = comparison.after;
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

static void printChange(const Change &change, const Colors &colors, llvm::raw_ostream &os) {
  os << colorOf(change.kind, colors) << changeName(change.kind) << colors.off() << " " << colors.bold() << change.op
     << colors.off();
  const Place &place = change.after.op ? change.after : change.before;
  if (!place.path.empty())
    os << " in " << place.path;
  if (change.before.line && change.after.line)
    os << ", line " << change.before.line << " -> " << change.after.line;
  else if (int64_t line = change.before.line + change.after.line)
    os << ", line " << line;
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
  for (const std::string &reason : change.reasons)
    os << "    why: " << reason << "\n";
}

static std::string lineOf(const Document &document, int64_t line) {
  return line > 0 && line <= static_cast<int64_t>(document.text.size()) ? document.text[line - 1] : "";
}

static void printUnified(const Comparison &comparison, const PrintOptions &options, const Colors &colors,
                         llvm::raw_ostream &os) {
  const std::vector<Row> &rows = comparison.rows;
  for (const Hunk &hunk : findHunks(rows, options.context)) {
    int64_t before = 0, after = 0;
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      before = before ? before : rows[i].before;
      after = after ? after : rows[i].after;
    }
    os << colors.cyan() << "@@ line " << before << " -> " << after << " @@" << colors.off() << "\n";
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      const Row &row = rows[i];
      if (row.kind == RowKind::Removed || row.kind == RowKind::Changed)
        os << colors.red() << "-" << lineOf(comparison.before, row.before) << colors.off() << "\n";
      if (row.kind == RowKind::Added || row.kind == RowKind::Changed)
        os << colors.green() << "+" << lineOf(comparison.after, row.after) << colors.off() << "\n";
      if (row.kind == RowKind::Same)
        os << " " << (row.after ? lineOf(comparison.after, row.after) : lineOf(comparison.before, row.before)) << "\n";
    }
  }
}

static std::string fit(std::string text, size_t width) {
  if (text.size() > width)
    text = text.substr(0, width - 1) + ">";
  text.resize(width, ' ');
  return text;
}

static void printSideBySide(const Comparison &comparison, const PrintOptions &options, const Colors &colors,
                            llvm::raw_ostream &os) {
  // Two line numbers of five digits, two signs and a bar between.
  size_t half = std::max<int64_t>(20, (options.width - 19) / 2);
  const std::vector<Row> &rows = comparison.rows;
  for (const Hunk &hunk : findHunks(rows, options.context)) {
    os << colors.cyan() << std::string(2 * half + 19, '-') << colors.off() << "\n";
    for (size_t i = hunk.first; i < hunk.last; ++i) {
      const Row &row = rows[i];
      bool isLeft = row.kind == RowKind::Removed || row.kind == RowKind::Changed;
      bool isRight = row.kind == RowKind::Added || row.kind == RowKind::Changed;
      auto cell = [&](const Document &document, int64_t line, char sign, const char *color) {
        std::string number = line ? std::to_string(line) : "";
        os << llvm::right_justify(number, 5) << " " << color << sign << " " << fit(lineOf(document, line), half)
           << (*color ? colors.off() : "");
      };
      cell(comparison.before, row.before, isLeft ? '-' : ' ', isLeft ? colors.red() : "");
      os << " | ";
      cell(comparison.after, row.after, isRight ? '+' : ' ', isRight ? colors.green() : "");
      os << "\n";
    }
  }
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
  os << colors.bold() << "--- " << comparison.before.name << colors.off() << "\n"
     << colors.bold() << "+++ " << comparison.after.name << colors.off() << "\n";
  if (comparison.diff) {
    for (const Change &change : comparison.diff->changes)
      printChange(change, colors, os);
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
        comparison.title.empty() ? comparison.before.name + " -> " + comparison.after.name : comparison.title;
    if (!comparison.diff) {
      os << llvm::format("%7lld %7lld lines, as text", (long long)comparison.addedLines(),
                         (long long)comparison.removedLines())
         << std::string(27, ' ') << title << "\n";
      continue;
    }
    const ModuleDiff &diff = *comparison.diff;
    for (ChangeKind kind : {ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved}) {
      // Ops that came or went with the op around them count too.
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
