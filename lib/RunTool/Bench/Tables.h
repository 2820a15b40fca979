//===- Tables.h - the numbers of mica-bench as text ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the terminal shows.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_TABLES_H
#define MICA_LIB_RUNTOOL_BENCH_TABLES_H

#include "lib/RunTool/Bench/Mca.h"
#include "lib/RunTool/Bench/Result.h"
#include "lib/RunTool/Bench/Sampler.h"

#include <filesystem>
#include <string>

namespace mica::bench {

/// "with 1 thread: 152.3 GFLOP/s of f32, 12.1 GB/s".
std::string limitsText(const MachineLimits &limits);

/// Times, what they are of the machine's limits, where these are known, counters, and a line for each kernel.
std::string measurementText(const Measurement &measurement, const Results &results);

/// A line for each program that both have with as many threads, and the geometric mean of the ratios. `slower`
/// receives how many are slower.
std::string comparisonText(const Results &first, const Results &second, int &slower);

/// The lines with 1 % of the samples and more, 20 at most, with their text from the artifact in `folder`.
std::string hotLinesText(const HotLines &hot, const std::filesystem::path &folder);

/// Two lines.
std::string analysisText(const std::string &kernel, const LoopAnalysis &analysis);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_TABLES_H
