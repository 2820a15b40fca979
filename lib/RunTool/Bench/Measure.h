//===- Measure.h - timing programs -----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs of a program in a context of its own, timed after a warm-up; of two programs in turns.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_MEASURE_H
#define MICA_LIB_RUNTOOL_BENCH_MEASURE_H

#include "lib/RunTool/Bench/Result.h"
#include "lib/RunTool/Bench/Sampler.h"
#include "lib/RunTool/Inputs.h"
#include "mica/Runtime/Program.h"

#include <memory>
#include <string>
#include <vector>

namespace mica::bench {

/// A program with its inputs.
struct Subject {
  std::string name;             ///< as given
  std::filesystem::path folder; ///< of the artifact
  std::shared_ptr<const runtime::Program> program;
  size_t entry = 0;
  std::vector<runtool::Input> inputs;
};

struct MeasureOptions {
  double seconds = 1;  ///< of samples
  double warmUp = 0.2; ///< seconds
  int least = 20;      ///< samples, even if they take longer, up to ten times `seconds`
  bool counters = true;
  bool kernels = true;
};

/// One measurement for each subject; with several, their samples are taken in turns. A sample is one run, or the mean
/// of as many as take 20 us. `problem` receives why counters are missing.
Result<std::vector<Measurement>> measure(const std::vector<Subject> &subjects, int threads,
                                         const MeasureOptions &options, std::string &problem);

/// Where the time of runs goes, for `options.seconds`.
Result<HotLines> sampleRuns(const Subject &subject, int threads, const MeasureOptions &options);

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_MEASURE_H
