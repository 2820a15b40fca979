//===- Doctor/Costs.cpp - measuring the cost of detectors ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Doctor/Costs.h"

#include "mica/Runtime/Context.h"

#include <cmath>
#include <cstdio>
#include <ctime>

namespace mica::runtool::doctor {
namespace {

constexpr int kPairs = 20;
/// Elements of a large run, and number of calls of a run that consists of small launches.
constexpr int64_t kElements = int64_t(1) << 18, kSimElements = int64_t(1) << 14;
constexpr int kSmallCalls = 300;

/// An entry with its inputs, and a context to run it.
class Bench {
public:
  static Result<Bench> make(const std::shared_ptr<const runtime::Program> &program, std::string_view entry,
                            const std::vector<Argument> &arguments, std::string_view switches) {
    Bench bench;
    for (const Argument &argument : arguments) {
      MICA_ASSIGN_OR_RETURN(runtime::Tensor tensor, runtime::Tensor::fromHost(argument.tensor()));
      bench.tensors.push_back(std::move(tensor));
    }
    MICA_ASSIGN_OR_RETURN(bench.entry, program->findEntry(entry));
    runtime::ContextOptions options;
    options.threads = 1; // else the cost of waking threads would dominate
    if (!switches.empty())
      MICA_RETURN_IF_ERROR(options.switches.set(switches, SwitchSource::Default));
    MICA_ASSIGN_OR_RETURN(bench.context, runtime::Context::create(program, std::move(options)));
    return bench;
  }

  /// CPU seconds of `calls` calls: independent of other processes and of logging threads.
  Result<double> time(int calls) {
    std::vector<runtime::TensorView> views;
    for (const runtime::Tensor &tensor : tensors)
      views.push_back(tensor.view());
    const double begin = threadSeconds();
    for (int i = 0; i < calls; ++i)
      MICA_RETURN_IF_ERROR(context->invoke(entry, views, results));
    return threadSeconds() - begin;
  }

private:
  static double threadSeconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
  }

  std::vector<runtime::Tensor> tensors, results;
  std::unique_ptr<runtime::Context> context;
  size_t entry = 0;
};

/// The inputs for measuring the cost: those of the clean twin, with `elements` elements where a size is free.
std::vector<Argument> largeArguments(const Case &which, int64_t elements) {
  std::vector<Argument> arguments = which.clean;
  for (Argument &argument : arguments)
    if (argument.shape.size() == 1) {
      argument.shape[0] = elements;
      argument.at = -1;
    }
  return arguments;
}

} // namespace

std::string Cost::text() const {
  char text[80];
  if (perLaunch)
    std::snprintf(text, sizeof text, "%.0f ns a launch (%.0f to %.0f)", mean, low, high);
  else
    std::snprintf(text, sizeof text, "%.2fx (%.2f to %.2f)", mean, low, high);
  return text;
}

Result<Cost> costOf(const TestEnvironment &environment, const Detector &detector) {
  const bool launches = detector.costEntry.empty(), code = !launches && detector.switches.empty();
  const bool simulated = detector.method == Method::Simulated;
  const std::vector<Detector> all = detectors();
  // The chain of small launches is the program of nan-propagated.
  const Case *which = nullptr;
  for (const Detector &other : all)
    for (const Case &each : other.cases)
      if (!which && each.entry == (launches ? "chain" : detector.costEntry))
        which = &each;
  const std::vector<Argument> arguments =
      launches ? which->clean : largeArguments(*which, simulated ? kSimElements : kElements);
  std::string on(launches ? detector.switches : code ? "" : detector.switches);
  if (detector.method == Method::OpLog)
    on = "op-log-level=trace,op-log-file=" + (environment.folder / "cost.jsonl").string();
  if (detector.method == Method::Crash)
    on = "launch-ledger=" + (environment.folder / "cost.ledger").string();
  if (detector.method == Method::Hang)
    on = "hang-timeout=30";
  const auto &program = simulated          ? environment.simulated
                        : detector.shadows ? environment.shadowed
                        : code             ? environment.checked
                                           : environment.unchecked;
  const auto &plain = simulated ? environment.simulatedUnchecked : environment.unchecked;
  MICA_ASSIGN_OR_RETURN(Bench with, Bench::make(program, which->entry, arguments, on));
  MICA_ASSIGN_OR_RETURN(Bench without, Bench::make(plain, which->entry, arguments, ""));
  const int calls = launches ? kSmallCalls : 1;
  double sum = 0, squares = 0;
  for (int pair = -2; pair < kPairs; ++pair) {
    // Alternate the order from pair to pair.
    MICA_ASSIGN_OR_RETURN(const double first, (pair % 2 ? with : without).time(calls));
    MICA_ASSIGN_OR_RETURN(const double second, (pair % 2 ? without : with).time(calls));
    const double slow = pair % 2 ? first : second, fast = pair % 2 ? second : first;
    constexpr int kLaunches = 3;
    const double value = launches ? (slow - fast) * 1e9 / (calls * kLaunches) : std::log(slow / fast);
    if (pair < 0)
      continue;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kPairs, variance = std::max(0.0, squares / kPairs - mean * mean) * kPairs / (kPairs - 1);
  constexpr double kStudent = 2.093; // 19 degrees of freedom
  const double half = kStudent * std::sqrt(variance / kPairs);
  if (launches)
    return Cost{true, mean, mean - half, mean + half, kPairs};
  return Cost{false, std::exp(mean), std::exp(mean - half), std::exp(mean + half), kPairs};
}

} // namespace mica::runtool::doctor
