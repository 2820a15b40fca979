//===- RankScale.h - a model of many ranks ---------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// mica-bench --ranks: expected times with more ranks than there are here, from times of kernels that were measured and
// a model of links (a latency, and a time for each byte).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_RANKSCALE_H
#define MICA_LIB_RUNTOOL_BENCH_RANKSCALE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica::bench {

/// Between any two ranks of a level.
struct Link {
  int64_t ranks = 0; ///< that it connects; 0: all of the levels below
  double latencyNs = 0, nsPerByte = 0;
};

/// "8:1us:300GB/s,5us:25GB/s": eight ranks at 1 us and 300 GB/s, and such groups at 5 us and 25 GB/s.
Result<std::vector<Link>> parseLinks(std::string_view text);
/// "8..4096" (powers of two), "8,12,16".
Result<std::vector<int64_t>> parseRankCounts(std::string_view text);

/// Nanoseconds that `kind` takes among `ranks` ranks, by the better of the known algorithms. `bytes`: of the larger of
/// its source and its target on one rank.
double exchangeNs(std::string_view kind, double bytes, int64_t ranks, const std::vector<Link> &links);

/// A kernel or an exchange of one rank, in the order of the program.
struct Step {
  std::string name, op;
  std::string exchange; ///< "all_reduce"; "" it computes
  double ns = 0;        ///< of a kernel, as measured
  double bytes = 0;     ///< of an exchange
  bool isSplit = false; ///< ranks compute different parts; else all of them the same
};

/// A program as it was measured.
struct Profile {
  int64_t ranks = 1; ///< that share its tensors
  int64_t rows = 1;  ///< of its first argument: among how many ranks copies of the program can share a batch, at most
  double callNs = 0; ///< a call, as measured
  std::vector<Step> steps;
};

/// The steps up to and including an exchange, or to the end.
struct Layer {
  std::string name;
  double kernelNs = 0, exchangeNs = 0;
};

struct Forecast {
  int64_t ranks = 1, tensor = 1, data = 1; ///< ranks = tensor * data
  double kernelNs = 0, exchangeNs = 0;
  std::vector<Layer> layers;
  std::string dominating;  ///< the exchange that takes the most time; "" none
  double dominatingNs = 0; ///< all its uses
  double totalNs() const { return kernelNs + exchangeNs; }
};

/// Tensors are split among `tensor` ranks, of which `data` copies share the rows of the batch.
Forecast forecast(const Profile &profile, int64_t tensor, int64_t data, const std::vector<Link> &links);
/// The best of the ways in which `ranks` is a product.
Forecast bestForecast(const Profile &profile, int64_t ranks, const std::vector<Link> &links);

/// Latency and time for a byte that fit measured exchanges best: (kind, bytes, ranks, ns).
struct MeasuredExchange {
  std::string kind;
  double bytes = 0, ns = 0;
  int64_t ranks = 1;
};
Link fitLink(const std::vector<MeasuredExchange> &measured);

/// The tables.
std::string forecastText(const Profile &profile, const std::vector<int64_t> &counts, const std::vector<Link> &links);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_RANKSCALE_H
