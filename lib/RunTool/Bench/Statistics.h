//===- Statistics.h - what samples of a time say ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Times of a program have a long tail to one side, so that all here is by order: medians, ranks, resampling.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_STATISTICS_H
#define MICA_LIB_RUNTOOL_BENCH_STATISTICS_H

#include <vector>

namespace mica::bench {

/// Of samples in any unit. All 0 of none.
struct Summary {
  double median = 0, fastest = 0, slowest = 0;
  double low = 0, high = 0; ///< the 95 % confidence interval of the median, by the ranks of the samples
  double firstQuartile = 0, thirdQuartile = 0;
};

Summary summarize(std::vector<double> samples);

/// How much longer the second of two programs takes.
struct Comparison {
  double ratio = 1;         ///< of the medians, second by first
  double low = 1, high = 1; ///< the 95 % confidence interval of the ratio, by 2,000 resamples with a fixed seed
  double probability = 1;   ///< of ranks that differ as much by chance (Mann and Whitney's test, two-sided)
  /// -1 faster, 1 slower, 0 no difference shown: the interval excludes 1, the probability is below 0.01, and the ratio
  /// is more than 0.5 % from 1, which code that is laid out otherwise explains.
  int verdict = 0;
};

/// Nothing is shown with fewer than 5 samples on a side.
Comparison compareSamples(const std::vector<double> &first, const std::vector<double> &second);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_STATISTICS_H
