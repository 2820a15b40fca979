//===- LongestIncreasingSubsequence.h - longest increasing subsequence --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A longest increasing subsequence, in O(n log n) (Fredman, On computing the length of longest increasing subsequences,
// 1975).
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_LONGESTINCREASINGSUBSEQUENCE_H
#define MICA_LIB_IRTOOLS_LONGESTINCREASINGSUBSEQUENCE_H

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mica::irtools {

/// For each element of `sequence` (no two are equal) whether it belongs to a longest increasing subsequence.
inline std::vector<bool> keptInOrder(llvm::ArrayRef<int64_t> sequence) {
  std::vector<size_t> tails, previous(sequence.size(), SIZE_MAX);
  for (size_t i = 0; i < sequence.size(); ++i) {
    auto at = std::lower_bound(tails.begin(), tails.end(), sequence[i],
                               [&](size_t tail, int64_t value) { return sequence[tail] < value; });
    if (at != tails.begin())
      previous[i] = *std::prev(at);
    if (at == tails.end())
      tails.push_back(i);
    else
      *at = i;
  }
  std::vector<bool> kept(sequence.size());
  for (size_t i = tails.empty() ? SIZE_MAX : tails.back(); i != SIZE_MAX; i = previous[i])
    kept[i] = true;
  return kept;
}

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_LONGESTINCREASINGSUBSEQUENCE_H
