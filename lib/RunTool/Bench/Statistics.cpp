//===- Statistics.cpp - what samples of a time say -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

namespace mica::bench {
namespace {

/// Of sorted samples, at `share` of the way from the first to the last.
double quantile(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const double part = place - static_cast<double>(below);
  return part == 0 ? sorted[below] : sorted[below] * (1 - part) + sorted[below + 1] * part;
}

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The probability that ranks differ as much by chance. Equal samples share the mean of their ranks.
double rankProbability(const std::vector<double> &first, const std::vector<double> &second) {
  std::vector<std::pair<double, bool>> all;
  for (const double value : first)
    all.emplace_back(value, true);
  for (const double value : second)
    all.emplace_back(value, false);
  std::sort(all.begin(), all.end());
  const double n = static_cast<double>(first.size()), m = static_cast<double>(second.size()), total = n + m;
  double ranks = 0, ties = 0;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    while (end < all.size() && all[end].first == all[begin].first)
      ++end;
    const double equal = static_cast<double>(end - begin);
    const double rank = static_cast<double>(begin + end + 1) / 2;
    for (size_t i = begin; i < end; ++i)
      ranks += all[i].second ? rank : 0;
    ties += equal * equal * equal - equal;
    begin = end;
  }
  const double u = ranks - n * (n + 1) / 2;
  const double variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0)
    return 1;
  const double z = std::max(0.0, std::abs(u - n * m / 2) - 0.5) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

} // namespace

Summary summarize(std::vector<double> samples) {
  Summary summary;
  if (samples.empty())
    return summary;
  std::sort(samples.begin(), samples.end());
  const size_t count = samples.size();
  summary.median = quantile(samples, 0.5);
  summary.firstQuartile = quantile(samples, 0.25);
  summary.thirdQuartile = quantile(samples, 0.75);
  summary.fastest = samples.front();
  summary.slowest = samples.back();
  // The number of samples below the median is binomial; two standard deviations of it, as ranks.
  const double spread = 0.98 * std::sqrt(static_cast<double>(count));
  const double middle = static_cast<double>(count - 1) / 2;
  summary.low = samples[static_cast<size_t>(std::max(0.0, std::floor(middle - spread)))];
  summary.high = samples[static_cast<size_t>(std::min(static_cast<double>(count - 1), std::ceil(middle + spread)))];
  return summary;
}

Comparison compareSamples(const std::vector<double> &first, const std::vector<double> &second) {
  Comparison comparison;
  if (first.empty() || second.empty())
    return comparison;
  const double base = medianOf(first);
  comparison.ratio = base > 0 ? medianOf(second) / base : 1;
  comparison.low = comparison.high = comparison.ratio;
  if (first.size() < 5 || second.size() < 5)
    return comparison;
  std::mt19937_64 draw(1);
  const auto resampled = [&](const std::vector<double> &samples) {
    std::vector<double> values(samples.size());
    for (double &value : values)
      value = samples[draw() % samples.size()];
    return medianOf(std::move(values));
  };
  std::vector<double> ratios;
  for (int i = 0; i < 2000; ++i)
    if (const double below = resampled(first); below > 0)
      ratios.push_back(resampled(second) / below);
  if (ratios.empty())
    return comparison;
  std::sort(ratios.begin(), ratios.end());
  comparison.low = quantile(ratios, 0.025);
  comparison.high = quantile(ratios, 0.975);
  comparison.probability = rankProbability(first, second);
  if (comparison.probability < 0.01 && std::abs(comparison.ratio - 1) > 0.005)
    comparison.verdict = comparison.low > 1 ? 1 : comparison.high < 1 ? -1 : 0;
  return comparison;
}

} // namespace mica::bench
