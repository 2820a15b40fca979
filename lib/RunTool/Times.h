//===- Times.h - printing the times of a run ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the output of --repeat and --time.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_TIMES_H
#define MICA_LIB_RUNTOOL_TIMES_H

#include "mica/Runtime/Context.h"
#include "mica/Runtime/Observer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::runtool {

/// Durations in milliseconds; negative if a step did not run.
struct Times {
  double compile = -1;
  double load = -1;
  double inputs = -1;
  double firstRun = -1;
  double outputs = -1;
  std::vector<double> runs; ///< of --repeat, without observers
  /// Per kernel, from `observedRuns` further runs.
  std::vector<runtime::KernelTimes::Entry> kernels;
  int64_t observedRuns = 0;
  double observed = -1;    ///< of one of these runs, on average
  double kernelsBusy = -1; ///< in which at least one kernel ran
  int threads = 1;
  std::vector<runtime::MemoryUse> memory; ///< of the context of these runs
};

/// "20 runs: median 0.123 ms, fastest 0.118 ms, slowest 0.140 ms (2 threads)".
std::string repeatLine(const Times &times);

/// The tree of --time.
std::string timeTree(const Times &times);

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_TIMES_H
