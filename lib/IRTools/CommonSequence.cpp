//===- CommonSequence.cpp - longest common subsequence ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CommonSequence.h. Of each number of edits d only the diagonals -d to d are kept.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/CommonSequence.h"

#include <algorithm>

using namespace mica;

std::vector<std::pair<size_t, size_t>> irtools::commonSequence(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b,
                                                               int64_t mostEdits) {
  std::vector<std::pair<size_t, size_t>> pairs;
  size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head])
    ++head;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  for (size_t i = 0; i < head; ++i)
    pairs.push_back({i, i});
  llvm::ArrayRef<uint64_t> x = a.slice(head, a.size() - head - tail), y = b.slice(head, b.size() - head - tail);
  const int64_t n = static_cast<int64_t>(x.size()), m = static_cast<int64_t>(y.size());
  const int64_t most = n == 0 || m == 0 ? -1 : std::min(n + m, mostEdits);
  // reach[k + d + 1]: the furthest x that d edits reach on diagonal k, x - y = k.
  std::vector<std::vector<int64_t>> steps;
  bool isFound = false;
  for (int64_t d = 0; d <= most && !isFound; ++d) {
    std::vector<int64_t> reach(2 * d + 3, -1);
    auto last = [&](int64_t k) { return d && k >= -(d - 1) && k <= d - 1 ? steps.back()[k + d] : -1; };
    for (int64_t k = -d; k <= d && !isFound; k += 2) {
      int64_t at = d == 0 ? 0 : k == -d || (k != d && last(k - 1) < last(k + 1)) ? last(k + 1) : last(k - 1) + 1;
      while (at < n && at - k < m && at - k >= 0 && x[at] == y[at - k])
        ++at;
      reach[k + d + 1] = at;
      isFound = k == n - m && at >= n;
    }
    steps.push_back(std::move(reach));
  }
  if (isFound) {
    std::vector<std::pair<size_t, size_t>> middle;
    int64_t i = n, j = m;
    for (int64_t d = static_cast<int64_t>(steps.size()) - 1; d >= 0; --d) {
      auto last = [&](int64_t k) { return d && k >= -(d - 1) && k <= d - 1 ? steps[d - 1][k + d] : -1; };
      const int64_t k = i - j;
      const bool isDown = d && (k == -d || (k != d && last(k - 1) < last(k + 1)));
      const int64_t fromX = d == 0 ? 0 : isDown ? last(k + 1) : last(k - 1);
      const int64_t startX = d == 0 || isDown ? fromX : fromX + 1;
      while (i > startX)
        middle.push_back({head + static_cast<size_t>(--i), head + static_cast<size_t>(--j)});
      i = fromX;
      j = d == 0 ? 0 : fromX - (isDown ? k + 1 : k - 1);
    }
    pairs.insert(pairs.end(), middle.rbegin(), middle.rend());
  }
  for (size_t i = tail; i > 0; --i)
    pairs.push_back({a.size() - i, b.size() - i});
  return pairs;
}
