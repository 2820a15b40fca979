//===- Result.h - the numbers of mica-bench --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What was measured, and its file: JSON with the schema "bench" of version 1.0.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_RESULT_H
#define MICA_LIB_RUNTOOL_BENCH_RESULT_H

#include "lib/RunTool/Bench/MachineProbe.h"
#include "mica/Runtime/Observer.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace mica::bench {

/// One program with one number of threads.
struct Measurement {
  std::string program, entry, target;
  int threads = 1;
  std::vector<double> samples; ///< nanoseconds of one run
  int64_t flops = -1;          ///< of one run, where all kernels state theirs
  int64_t leastBytes = 0;      ///< inputs, results and weights, each once
  /// Means of a run: names and counts.
  std::vector<std::pair<std::string, double>> counters;
  /// Of further runs, with times per kernel; launches and times of one run.
  std::vector<runtime::KernelTimes::Entry> kernels;
  double observedNs = 0; ///< of one of those runs
  double busyNs = 0;     ///< of it, in which at least one kernel ran
};

struct Results {
  std::string machine;
  int64_t cacheBytes = 0;            ///< of the largest cache; 0: unknown
  std::vector<MachineLimits> limits; ///< by number of threads
  std::vector<Measurement> measurements;

  /// The limits with `threads` threads; null if they were not measured.
  const MachineLimits *limitsWith(int threads) const;
};

Status writeResults(const Results &results, const std::filesystem::path &file);
/// InvalidInput, with the file and what is wrong, where it is no such file.
Result<Results> readResults(const std::filesystem::path &file);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_RESULT_H
