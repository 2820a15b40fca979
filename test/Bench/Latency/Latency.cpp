//===- Latency.cpp - what one call costs beside the kernel -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Nanoseconds from a call to its readable result, for an addition of 16 floats. Prints JSON: one object per case with
// the mean of all calls (1,000,000 of them by default), and the median and the minimum over batches.
//
//   mica-bench-latency [BATCHES]
//   mica-bench-latency --switches [PAIRS]   what each switch of MICA_DEBUG adds to a launch: pairs of calls with it and
//                                           without, in turns, with a 95 % interval of the mean difference
//   mica-bench-latency --guards [PAIRS]     the same of the kernels made for sizes (docs/Specialization.md): median,
//   and
//                                           the order statistics that hold it with 95 % confidence
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

//===-----------------------------------------------------------------------------------------------------------===//
// Guards
//===-----------------------------------------------------------------------------------------------------------===//

/// What a call pays to find the kernels made for its sizes: the program of one task, with two dynamic sizes. The
/// compiler is a script that copies the program, so the kernels are the same.
void measureGuards(const std::filesystem::path &folder, int pairs) {
  const std::filesystem::path script = folder / "compile", dynamic = folder / "dynamic";
  std::filesystem::create_directories(dynamic / "host");
  for (std::string_view file : {kTasksFile, kProgramFile})
    std::filesystem::copy_file(folder / file, dynamic / file);
  Manifest manifest = take(parseManifest(take(readFile(folder / kManifestFile)), "manifest.json"));
  for (TensorSpec &argument : manifest.entries[0].args)
    argument.shape = {-1};
  check(writeFile(dynamic / kManifestFile, printManifest(manifest)));
  check(writeFile(dynamic / "input.mlirbc", "none"));
  check(writeFile(script, "#!/bin/sh\ncp -r '" + dynamic.string() + "' \"$3\"\n"));
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ::setenv("MICA_COMPILE", script.c_str(), 1);
  ::setenv("MICA_CACHE_DIR", (folder / "cache").c_str(), 1);
  auto program = take(runtime::Program::load(dynamic));
  HostTensor ones(DType::F32, {16});
  runtime::Tensor a = take(runtime::Tensor::fromHost(ones));
  std::vector<runtime::Tensor> results;
  // The kernel reads 16 numbers, whatever it is called with.
  const std::vector<int64_t> shapes[] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {16}};
  auto call = [&](runtime::Context &context, const std::vector<int64_t> &shape) {
    const runtime::TensorView view{DType::F32, shape, a.view().data};
    const runtime::TensorView views[] = {view, view};
    check(context.invoke(0, views, results));
  };
  struct Case {
    const char *name, *switches;
    size_t firstShape; ///< those from here on have classes; the last is what is called
  };
  const Case cases[] = {{"off", "", 8},
                        {"1 class", "specialize=exact,specialize-wait", 7},
                        {"8 classes, the last fits", "specialize=exact,specialize-wait", 0},
                        {"8 classes, none fits", "specialize=exact,specialize-wait,specialize-limit=7", 0}};
  for (const Case &each : cases) {
    runtime::ContextOptions plain, options;
    plain.threads = options.threads = 1;
    check(options.switches.set(each.switches, SwitchSource::Flag));
    auto off = take(runtime::Context::create(program, std::move(plain)));
    auto on = take(runtime::Context::create(program, std::move(options)));
    for (size_t i = each.firstShape; i < 8; ++i)
      call(*on, shapes[i]);
    auto timeOfCalls = [&](runtime::Context &context) {
      constexpr int kCalls = 2000;
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kCalls; ++i)
        call(context, shapes[7]);
      return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / kCalls;
    };
    std::vector<double> differences, base;
    for (int i = -3; i < pairs; ++i) {
      const double first = timeOfCalls(i % 2 ? *on : *off), second = timeOfCalls(i % 2 ? *off : *on);
      if (i < 0)
        continue;
      differences.push_back(i % 2 ? first - second : second - first);
      base.push_back(i % 2 ? second : first);
    }
    std::sort(differences.begin(), differences.end());
    std::sort(base.begin(), base.end());
    const size_t n = differences.size(), skipped = size_t(std::max(0.0, double(n) / 2 - 0.98 * std::sqrt(double(n))));
    std::printf("    {\"guards\": \"%s\", \"call_ns\": %.1f, \"added_ns\": %.1f, \"interval_ns\": [%.1f, %.1f], "
                "\"pairs\": %d}%s\n",
                each.name, base[n / 2], differences[n / 2], differences[skipped], differences[n - 1 - skipped], pairs,
                &each == &cases[std::size(cases) - 1] ? "" : ",");
  }
}

} // namespace
} // namespace mica::bench

int main(int argc, char **argv) {
  const bool switches = argc > 1 && std::string_view(argv[1]) == "--switches";
  const bool guards = argc > 1 && std::string_view(argv[1]) == "--guards";
  const char *count = switches || guards ? (argc > 2 ? argv[2] : nullptr) : argc > 1 ? argv[1] : nullptr;
  const int batches = count                ? std::max(1, std::atoi(count))
                      : switches || guards ? 40
                                           : 1000000 / mica::bench::kCallsPerBatch;
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
  else if (guards)
    mica::bench::measureGuards(folder, batches);
  else
    mica::bench::runAll(folder, batches);
  std::printf("  ]\n}\n");
  std::filesystem::remove_all(folder);
  return 0;
}
