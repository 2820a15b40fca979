//===- Measure.cpp - timing programs ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Measure.h"

#include "lib/RunTool/Bench/Counters.h"
#include "mica/Runtime/Context.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace mica::bench {
namespace {

using Clock = std::chrono::steady_clock;

double nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// A subject that is ready to run.
class Bench {
public:
  static Result<std::unique_ptr<Bench>> create(const Subject &subject, int threads,
                                               std::vector<runtime::Observer *> observers) {
    auto bench = std::make_unique<Bench>();
    runtime::ContextOptions options;
    options.threads = threads;
    options.observers = std::move(observers);
    MICA_ASSIGN_OR_RETURN(bench->context, runtime::Context::create(subject.program, std::move(options)));
    bench->entry = subject.entry;
    for (const runtool::Input &input : subject.inputs)
      bench->views.push_back(input.view());
    return bench;
  }

  Status run() { return context->invoke(entry, views, results); }

  /// Nanoseconds of a run, the mean of `count`.
  Result<double> sample(int64_t count) {
    const auto start = Clock::now();
    for (int64_t i = 0; i < count; ++i)
      MICA_RETURN_IF_ERROR(run());
    return nanosecondsSince(start) / static_cast<double>(count);
  }

  /// Runs for `seconds`, at least three times, and returns how many runs make a sample.
  Result<int64_t> warmUp(double seconds) {
    const auto start = Clock::now();
    std::vector<double> times;
    while (times.size() < 3 || nanosecondsSince(start) < seconds * 1e9) {
      MICA_ASSIGN_OR_RETURN(const double time, sample(1));
      times.push_back(time);
    }
    const double fastest = *std::min_element(times.begin(), times.end());
    return static_cast<int64_t>(std::clamp(std::ceil(20e3 / std::max(fastest, 1.0)), 1.0, 1e4));
  }

  /// Bytes of the inputs, the results of the last run, and the weights.
  int64_t leastBytes(const Subject &subject) const {
    int64_t bytes = 0;
    for (const runtool::Input &input : subject.inputs)
      bytes += static_cast<int64_t>(input.bytes().size());
    for (const runtime::Tensor &result : results)
      bytes += result.bytes();
    for (const artifact::ConstantRecord &constant : subject.program->manifest().constants)
      bytes += constant.bytes;
    return bytes;
  }

private:
  std::unique_ptr<runtime::Context> context;
  size_t entry = 0;
  std::vector<runtime::TensorView> views;
  std::vector<runtime::Tensor> results;
};

/// Times per kernel, from further runs: observing takes time of its own.
Status measureKernels(const Subject &subject, int threads, double seconds, Measurement &measurement) {
  const std::unique_ptr<runtime::KernelTimes> times = runtime::KernelTimes::create();
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<Bench> bench, Bench::create(subject, threads, {times.get()}));
  MICA_RETURN_IF_ERROR(bench->warmUp(seconds / 4).status());
  times->reset();
  const auto start = Clock::now();
  int64_t runs = 0;
  while (runs < 3 || nanosecondsSince(start) < seconds * 1e9 / 2) {
    MICA_RETURN_IF_ERROR(bench->run());
    ++runs;
  }
  measurement.observedNs = nanosecondsSince(start) / static_cast<double>(runs);
  measurement.busyNs = static_cast<double>(times->busyNs()) / static_cast<double>(runs);
  measurement.kernels = times->entries();
  bool isKnown = !measurement.kernels.empty();
  int64_t flops = 0;
  for (runtime::KernelTimes::Entry &kernel : measurement.kernels) {
    kernel.launches /= runs;
    kernel.totalNs /= runs;
    isKnown &= kernel.flops >= 0;
    flops += kernel.flops * kernel.launches;
  }
  measurement.flops = isKnown ? flops : -1;
  return {};
}

} // namespace

Result<std::vector<Measurement>> measure(const std::vector<Subject> &subjects, int threads,
                                         const MeasureOptions &options, std::string &problem) {
  std::vector<Measurement> measurements(subjects.size());
  // Threads that are started later are counted too.
  const std::unique_ptr<Counters> counters = options.counters ? std::make_unique<Counters>() : nullptr;
  std::vector<std::unique_ptr<Bench>> benches;
  std::vector<int64_t> counts;
  for (const Subject &subject : subjects) {
    MICA_ASSIGN_OR_RETURN(std::unique_ptr<Bench> bench, Bench::create(subject, threads, {}));
    MICA_ASSIGN_OR_RETURN(const int64_t count, bench->warmUp(options.warmUp));
    benches.push_back(std::move(bench));
    counts.push_back(count);
  }
  std::vector<std::vector<std::pair<std::string, double>>> counted(subjects.size());
  const auto start = Clock::now();
  const auto wantsMore = [&](size_t taken) {
    const double seconds = nanosecondsSince(start) / 1e9 / static_cast<double>(subjects.size());
    return seconds < options.seconds ||
           (taken < static_cast<size_t>(options.least) && seconds < 10 * options.seconds) || taken < 3;
  };
  while (wantsMore(measurements[0].samples.size()))
    for (size_t i = 0; i < subjects.size(); ++i) {
      if (counters)
        counters->take();
      MICA_ASSIGN_OR_RETURN(const double time, benches[i]->sample(counts[i]));
      measurements[i].samples.push_back(time);
      if (!counters)
        continue;
      const std::vector<std::pair<std::string, double>> now = counters->take();
      counted[i].resize(now.size());
      for (size_t k = 0; k < now.size(); ++k)
        counted[i][k] = {now[k].first, counted[i][k].second + now[k].second};
    }
  problem = counters ? counters->problem() : "";
  for (size_t i = 0; i < subjects.size(); ++i) {
    Measurement &measurement = measurements[i];
    measurement.program = subjects[i].name;
    measurement.entry = subjects[i].program->manifest().entries[subjects[i].entry].name;
    measurement.target = subjects[i].program->manifest().target;
    measurement.threads = threads;
    measurement.leastBytes = benches[i]->leastBytes(subjects[i]);
    const double runs = static_cast<double>(measurement.samples.size()) * static_cast<double>(counts[i]);
    for (auto &[name, count] : counted[i])
      measurement.counters.emplace_back(name, count / runs);
    benches[i].reset();
    if (options.kernels)
      MICA_RETURN_IF_ERROR(measureKernels(subjects[i], threads, options.seconds, measurement));
  }
  return measurements;
}

Result<HotLines> sampleRuns(const Subject &subject, int threads, const MeasureOptions &options) {
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<Bench> bench, Bench::create(subject, threads, {}));
  MICA_RETURN_IF_ERROR(bench->warmUp(options.warmUp).status());
  const auto work = [&]() -> Status {
    const auto start = Clock::now();
    do
      MICA_RETURN_IF_ERROR(bench->run());
    while (nanosecondsSince(start) < options.seconds * 1e9);
    return {};
  };
  return sampleWhile(work, subject.folder);
}

} // namespace mica::bench
