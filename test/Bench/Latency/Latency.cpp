//===- Latency.cpp - what one call costs beside the kernel -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Nanoseconds from a call to its readable result, for an addition of 16 floats. Prints JSON: one object per case with the
// mean of all calls (1,000,000 of them by default), and the median and the minimum over batches.
//
//   mica-bench-latency [BATCHES]
//   mica-bench-latency --switches [PAIRS]   what each switch of MICA_DEBUG adds to a launch: pairs of calls with it and
//                                           without, in turns, with a 95 % interval of the mean difference
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/C/mica.h"
#include "mica/Runtime/Context.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace mica::bench {
namespace {

using namespace mica::artifact;

constexpr int kCallsPerBatch = 2000;

/// Ends the program; a benchmark has nobody to report to.
void check(const Status &status) {
  if (status)
    return;
  std::fprintf(stderr, "latency: error: %s\n", status.error().message.c_str());
  std::exit(1);
}
template <typename T> T take(Result<T> result) {
  check(result.status());
  return *std::move(result);
}

void writeArtifact(const std::filesystem::path &folder) {
  const TensorSpec spec{"", DType::F32, {16}};
  Manifest manifest;
  manifest.target = "cpu";
  manifest.entries = {{"one", {spec, spec}, {spec}}, {"ten", {spec, spec}, {spec}}};
  KernelRecord add;
  add.name = "add";
  add.rootKind = "elementwise";
  add.opIds = {"aaaaaaaaaaaa"};
  add.opKinds = {"mica.add"};
  add.bindings = {{spec, Access::Read}, {spec, Access::Read}, {spec, Access::Write}};
  add.flops = 16;
  add.hash = "00";
  manifest.kernels = {add};
  auto parameter = [&](int64_t index) { return BufferRecord{BufferKind::Parameter, index, 0, 64, -1, spec}; };
  TaskList one{"one_0", 3, 0, 0, {parameter(0), parameter(1), parameter(2)}, {{"add", {0, 1, 2}, {}, {}, -1, "cpu:0"}}};
  TaskList ten = one;
  ten.name = "ten_0";
  for (int64_t i = 1; i < 10; ++i)
    ten.tasks.push_back({"add", {2, 1, 2}, {}, {i - 1}, -1, "cpu:0"});
  check(writeFile(folder / kManifestFile, printManifest(manifest)));
  check(writeFile(folder / kTasksFile, printTaskLists({one, ten})));
  std::filesystem::copy_file(MICA_TINY_PROGRAM, folder / kProgramFile);
}

/// Prints the times of `call` as one JSON object.
template <typename Call> void measure(const char *name, int threads, int batches, bool last, Call call) {
  std::vector<double> times;
  for (int i = 0; i < kCallsPerBatch; ++i)
    call();
  for (int batch = 0; batch < batches; ++batch) {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kCallsPerBatch; ++i)
      call();
    std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    times.push_back(elapsed.count() / kCallsPerBatch);
  }
  std::sort(times.begin(), times.end());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / double(times.size());
  std::printf("    {\"case\": \"%s\", \"threads\": %d, \"calls\": %d, \"mean_ns\": %.1f, \"median_ns\": %.1f, "
              "\"min_ns\": %.1f}%s\n",
              name, threads, batches * kCallsPerBatch, mean, times[times.size() / 2], times.front(), last ? "" : ",");
}

void runAll(const std::filesystem::path &folder, int batches) {
  auto program = take(runtime::Program::load(folder));
  HostTensor ones(DType::F32, {16});
  for (int64_t i = 0; i < 16; ++i)
    ones.setDouble(i, 1);
  runtime::Tensor a = take(runtime::Tensor::fromHost(ones));
  const runtime::TensorView views[] = {a.view(), a.view()};
  std::vector<runtime::Tensor> results;

  for (int threads : {1, 2}) {
    runtime::ContextOptions options;
    options.threads = threads;
    auto context = take(runtime::Context::create(program, std::move(options)));
    for (size_t entry : {size_t(0), size_t(1)}) {
      measure(entry ? "ten tasks" : "one task", threads, batches, false,
              [&] { check(context->invoke(entry, views, results)); });
      if (results[0].as<float>()[15] != (entry ? 11.0f : 2.0f))
        check(Error{ErrorCode::Internal, "a wrong result", ""});
    }
  }
  {
    auto times = runtime::KernelTimes::create();
    runtime::ContextOptions options;
    options.threads = 1;
    options.observers = {times.get()};
    auto context = take(runtime::Context::create(program, std::move(options)));
    measure("one task, observed", 1, batches, false, [&] { check(context->invoke(0, views, results)); });
  }
  mica_program *loaded = nullptr;
  int64_t shape[] = {16};
  DLTensor tensor = {a.buffer.data(), {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
  const DLTensor *inputs[] = {&tensor, &tensor};
  if (mica_program_load(folder.c_str(), &loaded, nullptr) != MICA_OK)
    check(Error{ErrorCode::Internal, "the C API cannot load the program", ""});
  for (int32_t threads : {1, 2}) {
    mica_context *context = nullptr;
    mica_context_options options = {sizeof(options), threads};
    if (mica_context_create(loaded, &options, &context, nullptr) != MICA_OK)
      check(Error{ErrorCode::Internal, "the C API cannot make a context", ""});
    measure("one task, C API", threads, batches, threads == 2, [&] {
      DLManagedTensorVersioned *result = nullptr;
      if (mica_invoke(context, 0, inputs, 2, &result, 1, nullptr) != MICA_OK)
        check(Error{ErrorCode::Internal, "mica_invoke failed", ""});
      result->deleter(result);
    });
    mica_context_release(context);
  }
  mica_program_release(loaded);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Switches
//===-----------------------------------------------------------------------------------------------------------===//

/// Nanoseconds per launch of calls of ten tasks.
double timeOf(runtime::Context &context, std::span<const runtime::TensorView> views,
              std::vector<runtime::Tensor> &results) {
  constexpr int kCalls = 200, kTasks = 10;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i)
    check(context.invoke(1, views, results));
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
  // The writer of the op log catches up: what counts here is the thread that launches.
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return elapsed.count() / (kCalls * kTasks);
}

void measureSwitches(const std::filesystem::path &folder, int pairs) {
  auto program = take(runtime::Program::load(folder));
  HostTensor ones(DType::F32, {16});
  runtime::Tensor a = take(runtime::Tensor::fromHost(ones));
  const runtime::TensorView views[] = {a.view(), a.view()};
  std::vector<runtime::Tensor> results;
  auto contextWith = [&](const std::string &switches) {
    runtime::ContextOptions options;
    options.threads = 1;
    check(options.switches.set(switches, SwitchSource::Flag));
    return take(runtime::Context::create(program, std::move(options)));
  };
  const std::string file = (folder / "ops").string();
  const std::string cases[] = {"",
                               "op-log-level=trace,op-log-kernel=none",
                               "op-log-level=trace,op-log-file=" + file + ".jsonl",
                               "op-log-level=trace,op-log-file=" + file + ".txt",
                               "op-log-level=info,op-log-file=" + file + ".json",
                               "launch-ledger=" + file + ".ledger",
                               "hang-timeout=30",
                               "device-sync-mode"};
  for (const std::string &switches : cases) {
    auto off = contextWith(""), on = contextWith(switches);
    double sum = 0, squares = 0, base = 0;
    for (int i = -3; i < pairs; ++i) {
      // Which goes first changes from pair to pair.
      const double first = timeOf(i % 2 ? *on : *off, views, results),
                   second = timeOf(i % 2 ? *off : *on, views, results);
      if (i < 0)
        continue;
      const double difference = i % 2 ? first - second : second - first;
      sum += difference;
      squares += difference * difference;
      base += i % 2 ? second : first;
    }
    const double mean = sum / pairs, deviation = std::sqrt(std::max(0.0, squares / pairs - mean * mean));
    std::string shown = switches;
    for (size_t at; (at = shown.find(file)) != shown.npos;)
      shown.replace(at, file.size(), "F");
    std::printf(
        "    {\"switches\": \"%s\", \"launch_ns\": %.1f, \"added_ns\": %.1f, \"interval_ns\": %.1f, \"pairs\": %d}%s\n",
        shown.c_str(), base / pairs, mean, 1.96 * deviation / std::sqrt(double(pairs)), pairs,
        &switches == &cases[std::size(cases) - 1] ? "" : ",");
  }
}

} // namespace
} // namespace mica::bench

int main(int argc, char **argv) {
  const bool switches = argc > 1 && std::string_view(argv[1]) == "--switches";
  const char *count = switches ? (argc > 2 ? argv[2] : nullptr) : argc > 1 ? argv[1] : nullptr;
  const int batches = count ? std::max(1, std::atoi(count)) : switches ? 40 : 1000000 / mica::bench::kCallsPerBatch;
  std::string folder = (std::filesystem::temp_directory_path() / "mica-latency-XXXXXX").string();
  if (!mkdtemp(folder.data())) {
    std::fprintf(stderr, "latency: error: cannot make a temporary folder\n");
    return 1;
  }
  mica::bench::writeArtifact(folder);
  std::printf("{\n  \"benchmark\": \"latency\",\n  \"unit\": \"ns per call\",\n  \"cpus\": %d,\n  \"cases\": [\n",
              mica::runtime::availableCpus());
  if (switches)
    mica::bench::measureSwitches(folder, batches);
  else
    mica::bench::runAll(folder, batches);
  std::printf("  ]\n}\n");
  std::filesystem::remove_all(folder);
  return 0;
}
