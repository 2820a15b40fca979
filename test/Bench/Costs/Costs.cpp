//===- Costs.cpp - what switches and checks cost on a whole model ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
//   mica-bench-costs [--pairs=N] [--threads=N] BASE NAME[,SWITCHES]=ARTIFACT ...
//   mica-bench-costs --new-inputs [--calls=N] [--threads=N] BASE NAME[,SWITCHES]=ARTIFACT ...
//
// Runs the first entry of each artifact with its switches (separated by +, names of op-log-kernel by %) and that of
// BASE without any, in turns, on the same random inputs, N pairs each (25). Prints a JSON object per case: time with it
// over time without, the mean of the pairs' logarithms with its 95 % interval (Student's t). Times are processor time
// of the thread that calls; with more threads than one they are the clock's, which asks for an idle machine.
// With --new-inputs, N single calls (8) each have inputs of their own, and are not repeated: for what writes something
// for data that it has not seen. The object then has the seconds that were added, and those of all calls with it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Context.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>

namespace mica::bench {
namespace {

/// A sample lasts at least so long.
constexpr double kSampleSeconds = 0.004;

/// Ends the program; a benchmark has nobody to report to.
void check(const Status &status) {
  if (status)
    return;
  std::fprintf(stderr, "costs: error: %s\n", status.error().message.c_str());
  std::exit(1);
}
template <typename T> T take(Result<T> result) {
  check(result.status());
  return *std::move(result);
}

int threads = 1;

double now() {
  if (threads > 1)
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// An artifact and a context with switches.
struct Contender {
  std::shared_ptr<const runtime::Program> program;
  std::unique_ptr<runtime::Context> context;
  std::vector<runtime::Tensor> results;

  Contender(const std::string &folder, const std::string &switches) : program(take(runtime::Program::load(folder))) {
    runtime::ContextOptions options;
    options.threads = threads;
    if (!switches.empty())
      check(options.switches.set(switches, SwitchSource::Flag));
    context = take(runtime::Context::create(program, std::move(options)));
  }
  double seconds(const std::vector<runtime::TensorView> &views, int calls) {
    const double begin = now();
    for (int i = 0; i < calls; ++i)
      check(context->invoke(0, views, results));
    return now() - begin;
  }
};

/// Numbers between -1 and 1; whole ones are 0 or 1; 8 where a size is free.
std::vector<runtime::Tensor> randomInputs(const artifact::EntryRecord &entry, uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<runtime::Tensor> tensors;
  for (const artifact::TensorSpec &spec : entry.args) {
    std::vector<int64_t> shape = spec.shape;
    std::replace(shape.begin(), shape.end(), int64_t(-1), int64_t(8));
    HostTensor host(spec.dtype, shape);
    std::uniform_real_distribution<double> numbers(-1, 1);
    for (int64_t i = 0; i < host.numElements(); ++i)
      host.setDouble(i, isFloat(spec.dtype) ? numbers(random) : double(random() % 2));
    tensors.push_back(take(runtime::Tensor::fromHost(host)));
  }
  return tensors;
}

/// Of Student's distribution: 97.5 % lie below, for `n` - 1 degrees of freedom from 19 on.
double studentFactor(int n) { return 1.96 + 2.4 / (n - 1) + 2.7 / ((n - 1.0) * (n - 1.0)); }

/// NAME[,SWITCHES]=ARTIFACT
struct Measured {
  explicit Measured(std::string_view given) {
    const size_t equals = given.rfind('='), comma = given.find(',');
    folder = given.substr(equals + 1);
    name = given.substr(0, std::min(comma, equals));
    switches = comma < equals ? given.substr(comma + 1, equals - comma - 1) : "";
    std::replace(switches.begin(), switches.end(), '+', ',');
    std::replace(switches.begin(), switches.end(), '%', '+');
  }
  std::string name, folder, switches;
};

size_t launchesOf(const runtime::Program &program) {
  size_t launches = 0;
  for (const artifact::TaskList &list : program.taskLists())
    launches += list.tasks.size();
  return launches;
}

void measureNew(const std::string &baseFolder, const Measured &measured, int calls) {
  Contender base(baseFolder, ""), other(measured.folder, measured.switches);
  const artifact::EntryRecord &entry = base.program->manifest().entries[0];
  double baseSeconds = 0, otherSeconds = 0;
  for (int call = -2; call < calls; ++call) {
    const std::vector<runtime::Tensor> inputs = randomInputs(entry, uint32_t(call + 3));
    std::vector<runtime::TensorView> views;
    for (const runtime::Tensor &input : inputs)
      views.push_back(input.view());
    if (call < 0) {
      base.seconds(views, 1);
      continue;
    }
    otherSeconds += other.seconds(views, 1);
    baseSeconds += base.seconds(views, 1);
  }
  std::printf("{\"case\": \"%s\", \"calls\": %d, \"launches_run\": %zu, \"base_s\": %.6f, \"added_s\": %.6f, "
              "\"total_s\": %.6f}\n",
              measured.name.c_str(), calls, launchesOf(*base.program) * size_t(calls), baseSeconds,
              otherSeconds - baseSeconds, otherSeconds);
}

void measure(const std::string &baseFolder, const Measured &measured, int pairs) {
  Contender base(baseFolder, ""), other(measured.folder, measured.switches);
  const std::vector<runtime::Tensor> inputs = randomInputs(base.program->manifest().entries[0]);
  std::vector<runtime::TensorView> views;
  for (const runtime::Tensor &input : inputs)
    views.push_back(input.view());
  int calls = 1;
  while (base.seconds(views, calls) < kSampleSeconds)
    calls *= 2;
  double sum = 0, squares = 0, baseSeconds = 0;
  for (int pair = -3; pair < pairs; ++pair) {
    // Which goes first changes from pair to pair.
    const double first = (pair % 2 ? other : base).seconds(views, calls),
                 second = (pair % 2 ? base : other).seconds(views, calls);
    if (pair < 0)
      continue;
    const double value = pair % 2 ? std::log(first / second) : std::log(second / first);
    sum += value;
    squares += value * value;
    baseSeconds += pair % 2 ? second : first;
  }
  const double mean = sum / pairs, variance = std::max(0.0, squares / pairs - mean * mean) * pairs / (pairs - 1),
               half = studentFactor(pairs) * std::sqrt(variance / pairs);
  std::printf("{\"case\": \"%s\", \"pairs\": %d, \"calls\": %d, \"launches\": %zu, \"base_us\": %.2f, \"ratio\": %.4f, "
              "\"low\": %.4f, \"high\": %.4f}\n",
              measured.name.c_str(), pairs, calls, launchesOf(*base.program), baseSeconds / pairs / calls * 1e6,
              std::exp(mean), std::exp(mean - half), std::exp(mean + half));
  std::fflush(stdout);
}

} // namespace
} // namespace mica::bench

int main(int argc, char **argv) {
  int pairs = 25, calls = 8, first = 1;
  bool hasNewInputs = false;
  for (; first < argc && std::string_view(argv[first]).starts_with("--"); ++first) {
    const std::string_view flag = argv[first];
    if (flag.starts_with("--threads="))
      mica::bench::threads = std::max(1, std::atoi(argv[first] + 10));
    else if (flag.starts_with("--pairs="))
      pairs = std::max(20, std::atoi(argv[first] + 8));
    else if (flag.starts_with("--calls="))
      calls = std::max(1, std::atoi(argv[first] + 8));
    else if (flag == "--new-inputs")
      hasNewInputs = true;
  }
  if (argc - first < 2) {
    std::fprintf(stderr, "usage: mica-bench-costs [--pairs=N] [--new-inputs [--calls=N]] [--threads=N] BASE "
                         "NAME[,SWITCHES]=ARTIFACT ...\n");
    return 1;
  }
  for (int i = first + 1; i < argc; ++i) {
    const mica::bench::Measured measured(argv[i]);
    hasNewInputs ? mica::bench::measureNew(argv[first], measured, calls)
                 : mica::bench::measure(argv[first], measured, pairs);
  }
  return 0;
}
