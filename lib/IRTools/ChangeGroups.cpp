//===- ChangeGroups.cpp - grouping equal changes ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The layers of a network have equal ops, so most changes occur in all of them. See ChangeGroup.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/ChangeGroups.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mica;
using namespace mica::irtools;

/// `text` without line numbers and ids, which differ between places.
static std::string withoutPlaces(llvm::StringRef text) {
  constexpr size_t kIdLength = 12;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    llvm::StringRef rest = text.drop_front(at);
    if (rest.consume_front("line ") && !rest.empty() && llvm::isDigit(rest.front())) {
      out += "line #";
      at = text.size() - rest.ltrim("0123456789").size();
      continue;
    }
    rest = text.drop_front(at);
    if (rest.front() == '"' && rest.size() > kIdLength + 1 && rest[kIdLength + 1] == '"' &&
        llvm::all_of(rest.substr(1, kIdLength), [](char c) { return llvm::isHexDigit(c) && !llvm::isUpper(c); })) {
      out += "id";
      at += kIdLength + 2;
      continue;
    }
    out += text[at++];
  }
  return out;
}

std::string irtools::changeSignature(const Change &change) {
  std::string text = changeName(change.kind).str() + "\n" + change.op + "\n" + std::to_string(change.nested) + "\n" +
                     std::to_string(change.rewired) + "\n" + withoutPlaces(change.note);
  for (const Detail &detail : change.details)
    text += "\n" + detail.what + "\t" + withoutPlaces(detail.before) + "\t" + withoutPlaces(detail.after);
  return text;
}

void irtools::groupChanges(ModuleDiff &diff) {
  llvm::StringMap<size_t> groupOf;
  for (size_t i = 0; i < diff.changes.size(); ++i) {
    auto [slot, isNew] = groupOf.try_emplace(changeSignature(diff.changes[i]), diff.groups.size());
    if (isNew)
      diff.groups.emplace_back();
    diff.groups[slot->second].changes.push_back(i);
  }
}

std::vector<bool> irtools::findRepeatedHunks(const std::vector<Row> &rows, const std::vector<Hunk> &hunks,
                                             const ShownText &before, const ShownText &after, const ModuleDiff &diff) {
  std::vector<bool> isRepeat(diff.changes.size(), false);
  for (const ChangeGroup &group : diff.groups)
    for (size_t i = 1; i < group.changes.size(); ++i)
      isRepeat[group.changes[i]] = true;
  // The change to which each line belongs; for an added or removed op, all lines inside it.
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> linesBefore(before.text.size() + 2, kNone), linesAfter(after.text.size() + 2, kNone);
  auto mark = [](std::vector<size_t> &lines, LineSpan span, size_t change) {
    for (int64_t line = std::max<int64_t>(span.first, 1);
         line <= span.second && line < static_cast<int64_t>(lines.size()); ++line)
      if (lines[line] == kNone)
        lines[line] = change;
  };
  for (size_t i = 0; i < diff.changes.size(); ++i) {
    const Change &change = diff.changes[i];
    mark(linesBefore, {change.before.line, change.before.line}, i);
    mark(linesAfter, {change.after.line, change.after.line}, i);
    for (LineSpan span : change.lines)
      mark(change.kind == ChangeKind::Removed ? linesBefore : linesAfter, span, i);
  }
  std::vector<bool> repeated;
  for (const Hunk &hunk : hunks) {
    bool isRepeated = true;
    size_t current = kNone;
    for (size_t i = hunk.first; i < hunk.last && isRepeated; ++i) {
      const Row &row = rows[i];
      if (row.kind == RowKind::Same)
        continue;
      // A line without an op belongs to that of the previous line.
      size_t change = row.after ? linesAfter[row.after] : kNone;
      if (change == kNone && row.before)
        change = linesBefore[row.before];
      current = change == kNone ? current : change;
      isRepeated = current != kNone && isRepeat[current];
    }
    repeated.push_back(isRepeated);
  }
  return repeated;
}
