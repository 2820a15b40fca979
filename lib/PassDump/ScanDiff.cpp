//===- ScanDiff.cpp - what changed between two scanned programs -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Siblings are aligned in rounds, each between the pairs of the one before: ops that are equal with all they depend on,
// then ops of equal text, then of equal name and symbol, then of equal symbol where both have regions (func.func @f,
// llvm.func @f), then of equal name. The regions of a pair are aligned in turn.
// What is left on both sides with equal text was moved; what is left and computes as many results from the same
// operands at the same place was replaced, which is a change.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/ScanDiff.h"

#include "lib/PassDump/Cursor.h"

#include <algorithm>

namespace mica::passdump {
namespace {

constexpr size_t kLongestDetail = 600;
constexpr int kRounds = 5;

class Comparer {
public:
  Comparer(const Part &before, const Part &after)
      : a(*before.scan), b(*after.scan), textA(before.text), textB(after.text), toB(a.ops.size(), -1),
        toA(b.ops.size(), -1), partA(before), partB(after) {}

  ScanDifference run() {
    pairs.push_back({partA.root, partB.root});
    if (partA.root >= 0 && partB.root >= 0)
      join(partA.root, partB.root);
    while (!pairs.empty()) {
      const auto [x, y] = pairs.back();
      pairs.pop_back();
      if (x >= 0 && y >= 0 && op(a, x).deep == op(b, y).deep) {
        joinAll(x, y);
        continue;
      }
      align(children(a, x), children(b, y), 0);
    }
    pairMoved();
    pairReplaced();
    report();
    return std::move(result);
  }

private:
  using Ops = std::vector<int32_t>;

  static const ScannedOp &op(const Scan &scan, int32_t number) { return scan.ops[static_cast<size_t>(number)]; }

  static Ops children(const Scan &scan, int32_t parent) {
    Ops list;
    const int32_t end = parent < 0 ? static_cast<int32_t>(scan.ops.size()) : op(scan, parent).next;
    for (int32_t i = parent + 1; i < end; i = std::max(op(scan, i).next, i + 1))
      list.push_back(i);
    return list;
  }

  void join(int32_t x, int32_t y) {
    toB[static_cast<size_t>(x)] = y;
    toA[static_cast<size_t>(y)] = x;
  }
  /// Of two equal ops all inside is equal, one to one.
  void joinAll(int32_t x, int32_t y) {
    const int32_t count = std::min(op(a, x).next - x, op(b, y).next - y);
    for (int32_t i = 0; i < count; ++i)
      join(x + i, y + i);
  }

  static uint64_t key(const ScannedOp &op, int round) {
    switch (round) {
    case 0:
      return op.deep;
    case 1:
      return op.own;
    case 2:
      return mixText(mixText(0, op.name), op.symbol);
    case 3:
      // The address of an op is that of no other one.
      return op.regions && !op.symbol.empty() ? mixText(3, op.symbol) : reinterpret_cast<uintptr_t>(&op);
    default:
      return mixText(0, op.name);
    }
  }

  void align(Ops before, Ops after, int round) {
    struct Gap {
      size_t a0, a1, b0, b1;
      int round;
    };
    std::vector<Gap> gaps = {{0, before.size(), 0, after.size(), round}};
    auto take = [&](size_t i, size_t j) {
      join(before[i], after[j]);
      pairs.push_back({before[i], after[j]});
    };
    while (!gaps.empty()) {
      Gap gap = gaps.back();
      gaps.pop_back();
      auto equal = [&](size_t i, size_t j) {
        return key(op(a, before[i]), gap.round) == key(op(b, after[j]), gap.round);
      };
      while (gap.a0 < gap.a1 && gap.b0 < gap.b1 && equal(gap.a0, gap.b0))
        take(gap.a0++, gap.b0++);
      while (gap.a0 < gap.a1 && gap.b0 < gap.b1 && equal(gap.a1 - 1, gap.b1 - 1))
        take(--gap.a1, --gap.b1);
      if (gap.a0 == gap.a1 || gap.b0 == gap.b1)
        continue;
      const std::vector<std::pair<size_t, size_t>> anchors =
          anchorsOf(before, after, gap.a0, gap.a1, gap.b0, gap.b1, gap.round);
      for (const auto &[i, j] : anchors)
        take(i, j);
      if (gap.round + 1 >= kRounds)
        continue;
      size_t i0 = gap.a0, j0 = gap.b0;
      for (size_t k = 0; k <= anchors.size(); ++k) {
        const size_t i = k < anchors.size() ? anchors[k].first : gap.a1,
                     j = k < anchors.size() ? anchors[k].second : gap.b1;
        if (i > i0 && j > j0)
          gaps.push_back({i0, i, j0, j, gap.round + 1});
        i0 = i + 1;
        j0 = j + 1;
      }
    }
  }

  /// Pairs of equal keys in rising order on both sides: the nth of a key with the nth, then the longest rising
  /// sequence.
  std::vector<std::pair<size_t, size_t>> anchorsOf(const Ops &before, const Ops &after, size_t a0, size_t a1, size_t b0,
                                                   size_t b1, int round) const {
    std::unordered_map<uint64_t, std::pair<size_t, std::vector<size_t>>> places;
    for (size_t i = a0; i < a1; ++i)
      places[key(op(a, before[i]), round)].second.push_back(i);
    std::vector<std::pair<size_t, size_t>> candidates;
    for (size_t j = b0; j < b1; ++j)
      if (const auto found = places.find(key(op(b, after[j]), round));
          found != places.end() && found->second.first < found->second.second.size())
        candidates.push_back({found->second.second[found->second.first++], j});
    std::vector<size_t> tails, previous(candidates.size());
    for (size_t k = 0; k < candidates.size(); ++k) {
      const auto at = std::lower_bound(tails.begin(), tails.end(), candidates[k].first,
                                       [&](size_t tail, size_t value) { return candidates[tail].first < value; });
      previous[k] = at == tails.begin() ? k : *(at - 1);
      if (at == tails.end())
        tails.push_back(k);
      else
        *at = k;
    }
    std::vector<std::pair<size_t, size_t>> chain;
    if (!tails.empty())
      for (size_t k = tails.back();; k = previous[k]) {
        chain.push_back(candidates[k]);
        if (previous[k] == k)
          break;
      }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  static std::pair<int32_t, int32_t> range(const Part &part) {
    if (part.root < 0)
      return {0, static_cast<int32_t>(part.scan->ops.size())};
    return {part.root, op(*part.scan, part.root).next};
  }

  /// Ops that no pair has, with equal text: deep first.
  void pairMoved() {
    const auto [a0, a1] = range(partA);
    const auto [b0, b1] = range(partB);
    for (int round = 0; round < 2; ++round) {
      std::unordered_map<uint64_t, std::pair<size_t, Ops>> left;
      for (int32_t i = a0; i < a1; ++i)
        if (toB[static_cast<size_t>(i)] < 0)
          left[key(op(a, i), round)].second.push_back(i);
      for (int32_t j = b0; j < b1; ++j) {
        if (toA[static_cast<size_t>(j)] >= 0)
          continue;
        const auto found = left.find(key(op(b, j), round));
        if (found == left.end() || found->second.first >= found->second.second.size())
          continue;
        const int32_t i = found->second.second[found->second.first++];
        if (toB[static_cast<size_t>(i)] >= 0 || op(a, i).name.empty())
          continue;
        join(i, j);
        moved.push_back(j);
      }
    }
    std::sort(moved.begin(), moved.end());
  }

  /// Ops without regions that no pair has, in regions that are a pair: those with the same operands, in their order.
  /// A replaced op may be the operand of another one, which therefore comes behind it.
  void pairReplaced() {
    const auto [a0, a1] = range(partA);
    const auto [b0, b1] = range(partB);
    // The operands in terms of the second program; 0 where one of them is not there, or there is none.
    auto keyOf = [&](const Scan &scan, int32_t number, bool isFirst) -> uint64_t {
      const ScannedOp &found = op(scan, number);
      auto inSecond = [&](int32_t other) { return isFirst && other >= 0 ? toB[static_cast<size_t>(other)] : other; };
      const int32_t parent = inSecond(found.parent);
      if (found.regions || !found.useCount || found.name.empty() || (found.parent >= 0 && parent < 0))
        return 0;
      uint64_t hash = mix(static_cast<uint64_t>(parent), static_cast<uint64_t>(found.results));
      for (uint32_t k = 0; k < found.useCount; ++k) {
        const ValueUse &use = scan.uses[found.firstUse + k];
        const int32_t by = inSecond(use.op);
        if (by < 0)
          return 0;
        hash = mix(hash, mix(static_cast<uint64_t>(by), static_cast<uint64_t>(use.number) * 2 + use.argument));
      }
      return hash | 1;
    };
    constexpr int kMostSteps = 16; ///< replaced ops one of which uses the other
    for (int step = 0; step < kMostSteps; ++step) {
      std::unordered_map<uint64_t, std::pair<size_t, Ops>> left;
      for (int32_t i = a0; i < a1; ++i)
        if (toB[static_cast<size_t>(i)] < 0)
          if (const uint64_t key = keyOf(a, i, true))
            left[key].second.push_back(i);
      bool isFound = false;
      for (int32_t j = b0; j < b1 && !left.empty(); ++j) {
        if (toA[static_cast<size_t>(j)] >= 0)
          continue;
        const auto found = left.find(keyOf(b, j, false));
        if (found == left.end() || found->second.first >= found->second.second.size())
          continue;
        join(found->second.second[found->second.first++], j);
        isFound = true;
      }
      if (!isFound)
        return;
    }
  }

  bool sameUse(const ValueUse &x, const ValueUse &y) const {
    if (x.op < 0 || y.op < 0)
      return x.op < 0 && y.op < 0;
    return x.argument == y.argument && x.number == y.number && toB[static_cast<size_t>(x.op)] == y.op;
  }
  /// Outside of the part that is compared there are no pairs.
  bool isInside(const Part &part, int32_t number) const {
    const auto [first, last] = range(part);
    return number >= first && number < last;
  }

  static std::string shown(const Scan &scan, const ValueUse &use) {
    std::string text(use.name);
    if (use.op >= 0)
      text += use.argument ? " (argument)" : " (" + std::string(op(scan, use.op).name) + ")";
    return text;
  }

  std::vector<ChangeDetail> details(int32_t x, int32_t y) const {
    std::vector<ChangeDetail> found;
    const ScannedOp &p = op(a, x), &q = op(b, y);
    if (p.own != q.own)
      found.push_back(textDetail(head(textA, p), head(textB, q)));
    if (p.useCount != q.useCount) {
      if (found.empty())
        found.push_back({"operands", std::to_string(p.useCount), std::to_string(q.useCount)});
      return found;
    }
    for (uint32_t k = 0; k < p.useCount && found.size() < 32; ++k) {
      const ValueUse &u = a.uses[p.firstUse + k], &v = b.uses[q.firstUse + k];
      const bool isOutside = u.op >= 0 && v.op >= 0 && !isInside(partA, u.op) && !isInside(partB, v.op);
      if (!isOutside && !sameUse(u, v))
        found.push_back({"operand " + std::to_string(k), shown(a, u), shown(b, v)});
    }
    return found;
  }

  static std::string_view ownText(std::string_view text, const ScannedOp &op) {
    return text.substr(op.begin, op.headEnd - op.begin);
  }

  /// The text of an op without its regions, on one line.
  static std::string head(std::string_view text, const ScannedOp &op) {
    std::string line;
    for (const char c : ownText(text, op))
      if (c != '\n' && c != '\r')
        line += c;
      else if (!line.empty() && line.back() != ' ')
        line += ' ';
    return line;
  }

  /// The differing middle of two texts, from word to word.
  static ChangeDetail textDetail(const std::string &x, const std::string &y) {
    size_t front = 0, back = 0;
    while (front < x.size() && front < y.size() && x[front] == y[front])
      ++front;
    while (front > 0 && !isSpace(x[front - 1]))
      --front;
    while (back < x.size() - front && back < y.size() - front && x[x.size() - 1 - back] == y[y.size() - 1 - back])
      ++back;
    while (back > 0 && !isSpace(x[x.size() - back]))
      --back;
    auto middle = [&](const std::string &text) {
      std::string part = text.substr(front, text.size() - back - front);
      if (part.size() > kLongestDetail)
        part = part.substr(0, kLongestDetail) + "...";
      return part;
    };
    return {"text", middle(x), middle(y)};
  }

  void add(ScanChange change) {
    ++result.counts[static_cast<size_t>(change.kind)];
    result.changes.push_back(std::move(change));
  }

  void report() {
    const auto [a0, a1] = range(partA);
    const auto [b0, b1] = range(partB);
    std::vector<ScanChange> gone;
    for (int32_t i = a0; i < a1; ++i)
      if (toB[static_cast<size_t>(i)] < 0 && !isWithin(partA, toB, i))
        gone.push_back(
            {ChangeKind::Removed, op(a, i).name, ownText(textA, op(a, i)), op(a, i).line, 0, lonely(a, toB, i), {}});
    size_t next = 0;
    // A removed op comes before the op whose counterpart stood behind it.
    auto flush = [&](int64_t line) {
      while (next < gone.size() && gone[next].before <= line)
        add(std::move(gone[next++]));
    };
    for (int32_t j = b0; j < b1; ++j) {
      const int32_t i = toA[static_cast<size_t>(j)];
      const bool isMoved = std::binary_search(moved.begin(), moved.end(), j);
      if (i >= 0 && !isMoved)
        flush(op(a, i).line);
      if (i < 0) {
        if (!isWithin(partB, toA, j))
          add({ChangeKind::Added, op(b, j).name, ownText(textB, op(b, j)), 0, op(b, j).line, lonely(b, toA, j), {}});
      } else if (isMoved) {
        add({ChangeKind::Moved, op(b, j).name, ownText(textB, op(b, j)), op(a, i).line, op(b, j).line, 0,
             details(i, j)});
      } else if (op(a, i).deep != op(b, j).deep) {
        if (std::vector<ChangeDetail> found = details(i, j); !found.empty())
          add({ChangeKind::Changed, op(b, j).name, ownText(textB, op(b, j)), op(a, i).line, op(b, j).line, 0,
               std::move(found)});
      }
    }
    while (next < gone.size())
      add(std::move(gone[next++]));
  }

  /// Whether the op around is on one side only, too.
  static bool isWithin(const Part &part, const Ops &others, int32_t number) {
    const int32_t parent = op(*part.scan, number).parent;
    return parent >= 0 && number != part.root && others[static_cast<size_t>(parent)] < 0;
  }
  /// The ops inside that are on one side only.
  static int64_t lonely(const Scan &scan, const Ops &others, int32_t number) {
    int64_t count = 0;
    for (int32_t i = number + 1; i < op(scan, number).next; ++i)
      count += others[static_cast<size_t>(i)] < 0;
    return count;
  }

  const Scan &a, &b;
  std::string_view textA, textB;
  Ops toB, toA; ///< the counterpart of each op; -1: none
  const Part &partA, &partB;
  std::vector<std::pair<int32_t, int32_t>> pairs; ///< whose regions are to be aligned
  Ops moved;                                      ///< of the text after
  ScanDifference result;
};

} // namespace

ScanDifference compare(const Part &before, const Part &after) {
  if (before.deep() == after.deep())
    return {};
  return Comparer(before, after).run();
}

} // namespace mica::passdump
