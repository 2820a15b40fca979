//===- LineView.cpp - side-by-side view of two texts ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LineView.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/LineView.h"

#include "lib/IRTools/LongestIncreasingSubsequence.h"
#include "mica/IRTools/Document.h"

#include <algorithm>
#include <deque>
#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// With more differences, two texts are treated as having nothing in common.
static constexpr int64_t kMostEdits = 2000;

namespace {
enum class LineState { NoOp, Paired, Unpaired };

struct Sides {
  std::vector<LineState> before, after; ///< by line, from 1
};
} // namespace

static void markOps(const Document &document, std::vector<LineState> &states) {
  for (auto [op, line] : document.lines)
    if (line > 0 && line < static_cast<int64_t>(states.size()) && states[line] == LineState::NoOp)
      states[line] = LineState::Unpaired;
}

/// Pairs of lines whose order is the same in both texts.
static std::vector<std::pair<int64_t, int64_t>> increasing(const std::map<int64_t, int64_t> &pairs) {
  std::vector<int64_t> after;
  for (auto [before, line] : pairs)
    after.push_back(line);
  std::vector<bool> isKept = keptInOrder(after);
  std::vector<std::pair<int64_t, int64_t>> kept;
  for (auto [index, pair] : llvm::enumerate(pairs))
    if (isKept[index])
      kept.push_back(pair);
  return kept;
}

std::vector<Row> irtools::alignLines(const Document &before, const Document &after, const ModuleDiff &diff) {
  Sides sides{std::vector<LineState>(before.text.size() + 2, LineState::NoOp),
              std::vector<LineState>(after.text.size() + 2, LineState::NoOp)};
  markOps(before, sides.before);
  markOps(after, sides.after);
  std::map<int64_t, int64_t> pairs;
  std::map<int64_t, bool> touched;
  for (const Pairing &pairing : diff.pairs) {
    int64_t a = before.line(pairing.before), b = after.line(pairing.after);
    if (!a || !b)
      continue;
    pairs.try_emplace(a, b);
    touched[a] |= pairing.touched;
    sides.before[a] = LineState::Paired;
    if (sides.after[b] == LineState::Unpaired)
      sides.after[b] = LineState::Paired;
  }
  std::vector<std::pair<int64_t, int64_t>> anchors = increasing(pairs);
  std::vector<Row> rows;
  int64_t a = 1, b = 1;
  // Lines between two anchors: removed ones, added ones, and lines without ops, which follow the preceding line.
  auto fill = [&](int64_t untilA, int64_t untilB) {
    std::deque<int64_t> plain;
    bool isRemoved = false;
    for (; a < untilA; ++a) {
      LineState state = sides.before[a];
      if (state == LineState::NoOp && !isRemoved) {
        plain.push_back(a);
      } else if (state == LineState::Unpaired || (state == LineState::NoOp && isRemoved) ||
                 (state == LineState::Paired && touched[a])) {
        rows.push_back({RowKind::Removed, a, 0});
        isRemoved = state != LineState::Paired;
      } else {
        isRemoved = false;
      }
    }
    bool isAdded = false;
    for (; b < untilB; ++b) {
      LineState state = sides.after[b];
      if (state == LineState::NoOp && !plain.empty()) {
        rows.push_back({RowKind::Same, plain.front(), b});
        plain.pop_front();
        isAdded = false;
      } else if (state == LineState::Unpaired || (state == LineState::NoOp && isAdded)) {
        rows.push_back({RowKind::Added, 0, b});
        isAdded = true;
      } else {
        rows.push_back({RowKind::Same, 0, b});
        isAdded = false;
      }
    }
  };
  for (auto [lineA, lineB] : anchors) {
    fill(lineA, lineB);
    rows.push_back({touched[lineA] ? RowKind::Changed : RowKind::Same, lineA, lineB});
    a = lineA + 1;
    b = lineB + 1;
  }
  fill(static_cast<int64_t>(before.text.size()) + 1, static_cast<int64_t>(after.text.size()) + 1);
  if (before.hidden.empty() && after.hidden.empty())
    return rows;
  auto hide = [](int64_t &line, const Document &document) {
    if (std::binary_search(document.hidden.begin(), document.hidden.end(), line))
      line = 0;
  };
  for (Row &row : rows) {
    hide(row.before, before);
    hide(row.after, after);
  }
  llvm::erase_if(rows, [](const Row &row) { return !row.before && !row.after; });
  return rows;
}

std::vector<Row> irtools::alignText(const std::vector<std::string> &before, const std::vector<std::string> &after) {
  int64_t n = static_cast<int64_t>(before.size()), m = static_cast<int64_t>(after.size());
  int64_t head = 0, tail = 0;
  while (head < n && head < m && before[head] == after[head])
    ++head;
  while (tail < n - head && tail < m - head && before[n - 1 - tail] == after[m - 1 - tail])
    ++tail;
  int64_t rowsA = n - head - tail, rowsB = m - head - tail;
  // furthest[d][k]: the position in the first text that d edits reach on diagonal k.
  int64_t most = std::min(rowsA + rowsB, kMostEdits);
  std::vector<std::vector<int64_t>> furthest;
  std::vector<int64_t> reach(2 * most + 3, 0);
  bool isFound = false;
  int64_t edits = 0;
  for (; edits <= most && !isFound; ++edits) {
    for (int64_t k = -edits; k <= edits; k += 2) {
      int64_t at = most + 1 + k;
      int64_t x = k == -edits || (k != edits && reach[at - 1] < reach[at + 1]) ? reach[at + 1] : reach[at - 1] + 1;
      while (x < rowsA && x - k < rowsB && before[head + x] == after[head + x - k])
        ++x;
      reach[at] = x;
      isFound |= x >= rowsA && x - k >= rowsB;
    }
    furthest.push_back(reach);
  }
  std::vector<Row> middle; // from the end
  if (isFound) {
    int64_t x = rowsA, y = rowsB;
    for (int64_t d = edits - 1; d > 0; --d) {
      const std::vector<int64_t> &last = furthest[d - 1];
      int64_t k = x - y, at = most + 1 + k;
      bool isAdded = k == -d || (k != d && last[at - 1] < last[at + 1]);
      int64_t fromX = isAdded ? last[at + 1] : last[at - 1];
      int64_t fromY = fromX - (isAdded ? k + 1 : k - 1);
      int64_t startX = isAdded ? fromX : fromX + 1;
      while (x > startX)
        middle.push_back({RowKind::Same, head + x--, head + y--});
      middle.push_back(isAdded ? Row{RowKind::Added, 0, head + y} : Row{RowKind::Removed, head + x, 0});
      x = fromX;
      y = fromY;
    }
    while (x > 0)
      middle.push_back({RowKind::Same, head + x--, head + y--});
  } else {
    for (int64_t y = rowsB; y > 0; --y)
      middle.push_back({RowKind::Added, 0, head + y});
    for (int64_t x = rowsA; x > 0; --x)
      middle.push_back({RowKind::Removed, head + x, 0});
  }
  std::vector<Row> rows;
  for (int64_t i = 1; i <= head; ++i)
    rows.push_back({RowKind::Same, i, i});
  rows.insert(rows.end(), middle.rbegin(), middle.rend());
  for (int64_t i = tail - 1; i >= 0; --i)
    rows.push_back({RowKind::Same, n - i, m - i});
  return rows;
}

std::vector<Hunk> irtools::findHunks(const std::vector<Row> &rows, size_t context) {
  std::vector<Hunk> hunks;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind == RowKind::Same)
      continue;
    size_t first = i > context ? i - context : 0, last = std::min(rows.size(), i + context + 1);
    if (!hunks.empty() && hunks.back().last >= first)
      hunks.back().last = last;
    else
      hunks.push_back({first, last});
  }
  return hunks;
}
