//===- Text.cpp - string helpers ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Edit distance and the forms of lists and numbers that messages use.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace mica {
namespace {

/// Edit distance in half steps: insertion, deletion, replacement and transposition cost 2, a change of case 1.
int editDistance(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = static_cast<int>(2 * (i + j));
        continue;
      }
      const char x = a[i - 1], y = b[j - 1];
      const int change = x == y ? 0 : lower(x) == lower(y) ? 1 : 2;
      cost[i][j] = std::min({cost[i - 1][j] + 2, cost[i][j - 1] + 2, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && x == b[j - 2] && a[i - 2] == y)
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 2);
    }
  }
  return cost[a.size()][b.size()];
}

} // namespace

std::string nearestName(std::string_view name, const std::vector<std::string> &candidates) {
  // A very long name is not a misspelling, and the table would be too large.
  constexpr size_t kLongest = 256;
  if (name.size() > kLongest)
    return "";
  std::string best;
  // At most half of the letters may differ, in half steps.
  int bestCost = static_cast<int>(std::max<size_t>(name.size(), 2)) + 1;
  for (const std::string &candidate : candidates) {
    if (candidate.size() > kLongest)
      continue;
    const int cost = editDistance(name, candidate);
    if (cost < bestCost) {
      bestCost = cost;
      best = candidate;
    }
  }
  return best;
}

std::string joinNames(const std::vector<std::string> &names, size_t limit) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < limit; ++i)
    text += (i ? ", " : "") + names[i];
  if (names.size() > limit)
    text += ", ... (" + std::to_string(names.size()) + " in all)";
  return text;
}

std::string unknownNameHint(std::string_view name, const std::vector<std::string> &candidates) {
  if (candidates.empty())
    return "there are none";
  const std::string nearest = nearestName(name, candidates);
  return (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "There are: " + joinNames(candidates);
}

std::vector<std::string> splitText(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const size_t end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return pieces;
    text.remove_prefix(end + 1);
  }
}

static bool matchesPattern(std::string_view pattern, std::string_view name) {
  // The position of the last *, and how much of the name it has matched.
  size_t star = pattern.npos, taken = 0, p = 0, n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool matchesNames(std::string_view patterns, std::string_view name) {
  if (patterns.empty())
    return true;
  for (const std::string &pattern : splitText(patterns, ','))
    if (matchesPattern(pattern, name))
      return true;
  return false;
}

std::string groupDigits(int64_t value) {
  const std::string digits = std::to_string(value);
  const size_t first = value < 0 ? 1 : 0;
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0)
      text += ',';
    text += digits[i];
  }
  return text;
}

std::string byteSize(int64_t bytes) {
  constexpr std::array<const char *, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

} // namespace mica
