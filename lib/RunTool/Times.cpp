//===- Times.cpp - printing the times of a run -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Times.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>

namespace mica::runtool {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Four significant digits: 0.01234, 12.34, 1234.
std::string milliseconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text,
                value >= 1000  ? "%.0f"
                : value >= 100 ? "%.1f"
                : value >= 1   ? "%.3f"
                               : "%.4f",
                value);
  return text;
}

std::string row(int depth, const std::string &name, double value, const std::string &rest = "") {
  constexpr int kNameWidth = 44;
  const std::string left = std::string(static_cast<size_t>(2 * depth), ' ') + name;
  char text[512];
  std::snprintf(text, sizeof text, "%-*s %10s ms%s%s\n", kNameWidth, left.c_str(), milliseconds(value).c_str(),
                rest.empty() ? "" : "  ", rest.c_str());
  return text;
}

} // namespace

std::string repeatLine(const Times &times) {
  const auto [low, high] = std::minmax_element(times.runs.begin(), times.runs.end());
  return std::to_string(times.runs.size()) + (times.runs.size() == 1 ? " run" : " runs") + ": median " +
         milliseconds(median(times.runs)) + " ms, fastest " + milliseconds(*low) + " ms, slowest " +
         milliseconds(*high) + " ms (" + std::to_string(times.threads) +
         (times.threads == 1 ? " thread)\n" : " threads)\n");
}

std::string timeTree(const Times &times) {
  std::string text = "time\n";
  auto add = [&](int depth, const std::string &name, double value) {
    if (value >= 0)
      text += row(depth, name, value);
  };
  add(1, "compile (mica-compile, whole process)", times.compile);
  add(1, "load", times.load);
  add(1, "inputs", times.inputs);
  add(1, "first run, with event log", times.firstRun);
  if (!times.runs.empty())
    add(1, "run, median", median(times.runs));
  add(1, "run with times per kernel, mean", times.observed);
  const auto share = [&](double ms) { return times.observed > 0 ? 100 * ms / times.observed : 0; };
  for (const runtime::KernelTimes::Entry &kernel : times.kernels) {
    const double perRun = static_cast<double>(kernel.totalNs) / static_cast<double>(times.observedRuns);
    const int64_t launches = kernel.launches / times.observedRuns;
    char rest[128];
    int length = std::snprintf(rest, sizeof rest, "%5.1f %%  %lld launch%s", share(perRun / 1e6),
                               static_cast<long long>(launches), launches == 1 ? "" : "es");
    if (kernel.flops > 0 && kernel.totalNs > 0)
      std::snprintf(rest + length, sizeof rest - static_cast<size_t>(length), "  %.1f GFLOP/s",
                    static_cast<double>(kernel.flops) * static_cast<double>(kernel.launches) /
                        static_cast<double>(kernel.totalNs));
    text += row(2, kernel.kernel, perRun / 1e6, rest);
  }
  if (times.observed >= 0) {
    const double rest = std::max(0.0, times.observed - times.kernelsBusy);
    char percent[32];
    std::snprintf(percent, sizeof percent, "%5.1f %%", share(rest));
    text += row(2, "no kernel: host function, launches, waits", rest, percent);
  }
  add(1, "outputs", times.outputs);
  if (!times.memory.empty())
    text += "memory, at most\n";
  for (const runtime::MemoryUse &use : times.memory) {
    char line[512];
    std::snprintf(line, sizeof line, "  %-48s %10s%s\n", use.what.c_str(), byteSize(use.most).c_str(),
                  use.reserved > use.most ? (", of " + byteSize(use.reserved) + " that are reserved").c_str() : "");
    text += line;
  }
  return text;
}

} // namespace mica::runtool
