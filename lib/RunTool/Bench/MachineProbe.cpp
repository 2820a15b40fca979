//===- MachineProbe.cpp - what the machine can do at most ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Twelve independent chains keep two units with a latency of four cycles busy, and fit in sixteen registers. The code
// is compiled for each vector width and chosen by what the processor has.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/MachineProbe.h"

#include "mica/Runtime/Devices.h"
#include "mica/Support/CommandLine.h"
#include "mica/Support/Files.h"
#include "mica/Support/Machine.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <unistd.h>

namespace mica::bench {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr int kChains = 12;

template <size_t Bytes> struct VectorOf { typedef float Type __attribute__((vector_size(Bytes))); };

/// One loop for each set of instructions: a function's target is not that of the template it calls.
#define MICA_PROBE_LOOP(name, bytes, attribute)                                                                        \
  attribute float name(int64_t iterations, float factor, float term) {                                                 \
    typedef VectorOf<bytes>::Type Vector;                                                                              \
    Vector sums[kChains];                                                                                              \
    for (int i = 0; i < kChains; ++i)                                                                                  \
      sums[i] = Vector{} + static_cast<float>(i);                                                                      \
    const Vector x = Vector{} + factor, y = Vector{} + term;                                                           \
    for (int64_t n = 0; n < iterations; ++n)                                                                           \
      for (int i = 0; i < kChains; ++i)                                                                                \
        sums[i] = sums[i] * x + y;                                                                                     \
    Vector total = sums[0];                                                                                            \
    for (int i = 1; i < kChains; ++i)                                                                                  \
      total += sums[i];                                                                                                \
    return total[0];                                                                                                   \
  }

MICA_PROBE_LOOP(loopOf16, 16, )
#if defined(__x86_64__)
MICA_PROBE_LOOP(loopOf32, 32, __attribute__((target("avx2,fma"))))
MICA_PROBE_LOOP(loopOf64, 64, __attribute__((target("avx512f"))))
#endif

struct Loop {
  float (*run)(int64_t, float, float);
  int lanes;
};

Loop bestLoop() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {loopOf64, 16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {loopOf32, 8};
#endif
  return {loopOf16, 4};
}

/// Keeps results that nothing uses.
volatile float sink;

/// Runs `work(i)` on `threads` threads at once, and returns the seconds until all are done.
template <typename Work> double together(int threads, const Work &work) {
  const auto start = Clock::now();
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i)
    others.emplace_back([&work, i] { work(i); });
  work(0);
  others.clear();
  return secondsSince(start);
}

double probeFlops(int threads) {
  const Loop loop = bestLoop();
  const volatile float factor = 0.999F, term = 0.001F;
  const auto run = [&](int64_t iterations) {
    return together(threads, [&](int) { sink = loop.run(iterations, factor, term); });
  };
  int64_t iterations = 1 << 14;
  while (run(iterations) < 0.01)
    iterations *= 2;
  double best = 0;
  for (int i = 0; i < 8; ++i)
    best = std::max(best, 2.0 * loop.lanes * kChains * static_cast<double>(iterations) * threads / run(iterations));
  return best;
}

double probeBytes(int threads) {
  const int64_t free = static_cast<int64_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  const size_t count = static_cast<size_t>(std::clamp<int64_t>(free / 4 / 24, 1 << 16, 32 << 20));
  std::vector<double> a(count), b(count, 1.0), c(count, 2.0);
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const double seconds = together(threads, [&](int part) {
      const size_t from = count * static_cast<size_t>(part) / static_cast<size_t>(threads);
      const size_t to = count * static_cast<size_t>(part + 1) / static_cast<size_t>(threads);
      double *const out = a.data();
      const double *const left = b.data(), *const right = c.data();
      for (size_t k = from; k < to; ++k)
        out[k] = left[k] + 3.0 * right[k];
    });
    best = std::max(best, 24.0 * static_cast<double>(count) / seconds);
  }
  sink = static_cast<float>(a[count / 2]);
  return best;
}

} // namespace

MachineLimits probeMachine(int threads) { return {threads, probeFlops(threads), probeBytes(threads)}; }

int64_t largestCacheBytes() {
  int64_t largest = std::max<int64_t>(dataCacheSizes().second, 0);
  for (int index = 0; index < 8; ++index) {
    const Result<std::string> size =
        readFile("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    if (!size)
      continue;
    const std::string digits = size->substr(0, size->find_last_not_of(" \n") + 1); // "36608K"
    largest = std::max(largest, parseByteCount(digits).value_or(0));
  }
  return largest;
}

std::string machineName() {
  std::string name = cpuinfoLine("model name");
  if (name.empty())
    name = "unknown processor";
  const int lanes = bestLoop().lanes;
  const int cpus = runtime::availableCpus();
  return name + ", " + std::to_string(cpus) + (cpus == 1 ? " CPU, " : " CPUs, ") +
         (lanes == 16  ? "vectors of 64 bytes"
          : lanes == 8 ? "vectors of 32 bytes"
                       : "vectors of 16 bytes");
}

} // namespace mica::bench
