//===- Tables.cpp - the numbers of mica-bench as text ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Tables.h"

#include "lib/RunTool/Bench/Statistics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace mica::bench {
namespace {

__attribute__((format(printf, 1, 2))) std::string print(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

/// "412 ns", "12.3 us", "1.234 ms", "2.50 s".
std::string duration(double nanoseconds) {
  if (nanoseconds < 1e3)
    return print("%.0f ns", nanoseconds);
  if (nanoseconds < 1e6)
    return print("%.4g us", nanoseconds / 1e3);
  return nanoseconds < 1e9 ? print("%.4g ms", nanoseconds / 1e6) : print("%.4g s", nanoseconds / 1e9);
}

/// "412", "12.3 k", "1.24 M", "3.50 G".
std::string count(double value) {
  if (value < 1e4)
    return print(value < 10 && value != std::floor(value) ? "%.2f" : "%.0f", value);
  return value < 1e6   ? print("%.3g k", value / 1e3)
         : value < 1e9 ? print("%.3g M", value / 1e6)
                       : print("%.3g G", value / 1e9);
}

std::string threadsText(int threads) { return std::to_string(threads) + (threads == 1 ? " thread" : " threads"); }

/// What the time is of the machine's limits, and which of them is nearer. Data that the caches hold does not come from
/// memory in each run.
std::string rooflineText(const Measurement &measurement, double nanoseconds, const Results &results) {
  const MachineLimits *limits = results.limitsWith(measurement.threads);
  const bool isCached = measurement.leastBytes <= results.cacheBytes;
  const double bytes = static_cast<double>(measurement.leastBytes), flops = static_cast<double>(measurement.flops);
  std::string text;
  if (measurement.flops > 0)
    text += print("  %.4g GFLOP/s", flops / nanoseconds) +
            (limits ? print(", %.0f %% of the peak", 1e11 * flops / nanoseconds / limits->flops) : "");
  if (measurement.leastBytes > 0)
    text +=
        (text.empty() ? "  " : "; ") + print("%.4g GB/s", bytes / nanoseconds) +
        (limits && !isCached ? print(", %.0f %% of the bandwidth", 1e11 * bytes / nanoseconds / limits->bytes) : "") +
        " (inputs, results and weights once: " + byteSize(measurement.leastBytes) +
        (isCached ? ", which the caches hold)" : ")");
  if (!text.empty())
    text += "\n";
  if (!limits || measurement.flops <= 0)
    return text;
  const double computing = 1e9 * flops / limits->flops, moving = isCached ? 0 : 1e9 * bytes / limits->bytes;
  const double least = std::max(computing, moving);
  return text + "  at least " + duration(least) + " on this machine, bound by " +
         (computing > moving ? "computation" : "memory") + print(": %.1f times that\n", nanoseconds / least);
}

std::string countersText(const Measurement &measurement) {
  std::string text;
  double cycles = 0, instructions = 0;
  for (const auto &[name, value] : measurement.counters) {
    cycles = name == "cycles" ? value : cycles;
    instructions = name == "instructions" ? value : instructions;
    text += (text.empty() ? "  a run: " : ", ") + count(value) + " " + name;
  }
  if (cycles > 0 && instructions > 0)
    text += print(" (%.2f instructions in a cycle)", instructions / cycles);
  return text.empty() ? "" : text + "\n";
}

std::string kernelsText(const Measurement &measurement, const MachineLimits *limits) {
  if (measurement.kernels.empty())
    return "";
  size_t width = 42;
  for (const runtime::KernelTimes::Entry &kernel : measurement.kernels)
    width = std::min<size_t>(64, std::max(width, kernel.kernel.size()));
  std::string text = print("  %-*s %10s %7s %9s %9s%s\n", static_cast<int>(width), "kernel", "a run", "share",
                           "launches", "GFLOP/s", limits ? "  of peak" : "");
  const auto row = [&](const std::string &name, double time, const std::string &rest) {
    text += print("  %-*.*s %10s %5.1f %%", static_cast<int>(width), static_cast<int>(width), name.c_str(),
                  duration(time).c_str(), measurement.observedNs > 0 ? 100 * time / measurement.observedNs : 0) +
            rest + "\n";
  };
  for (const runtime::KernelTimes::Entry &kernel : measurement.kernels) {
    std::string rest = print(" %9lld", static_cast<long long>(kernel.launches));
    const double flops = kernel.flops > 0 && kernel.totalNs > 0
                             ? static_cast<double>(kernel.flops) * static_cast<double>(kernel.launches) /
                                   static_cast<double>(kernel.totalNs) * 1e9
                             : 0;
    if (flops > 0)
      rest += print(" %9.4g", flops / 1e9) + (limits ? print("   %5.1f %%", 100 * flops / limits->flops) : "");
    row(kernel.kernel, static_cast<double>(kernel.totalNs), rest);
  }
  row("no kernel: host function, launches, waits", std::max(0.0, measurement.observedNs - measurement.busyNs), "");
  return text;
}

/// What a comparison calls a program.
std::string nameOf(const Measurement &measurement) {
  return measurement.program + ", " + measurement.entry + ", " + threadsText(measurement.threads);
}

} // namespace

std::string limitsText(const MachineLimits &limits) {
  return "with " + threadsText(limits.threads) +
         print(": %.4g GFLOP/s of f32, %.4g GB/s", limits.flops / 1e9, limits.bytes / 1e9);
}

std::string measurementText(const Measurement &measurement, const Results &results) {
  const Summary times = summarize(measurement.samples);
  std::string text = nameOf(measurement) + " (" + measurement.target + ")\n";
  text += "  median " + duration(times.median) + ", within " + duration(times.low) + " to " + duration(times.high) +
          " by 95 %; fastest " + duration(times.fastest) + ", quartiles " + duration(times.firstQuartile) + " and " +
          duration(times.thirdQuartile) + ", slowest " + duration(times.slowest) + ", " +
          groupDigits(static_cast<int64_t>(measurement.samples.size())) + " samples\n";
  text += rooflineText(measurement, times.median, results);
  text += countersText(measurement);
  return text + kernelsText(measurement, results.limitsWith(measurement.threads));
}

std::string comparisonText(const Results &first, const Results &second, int &slower) {
  std::string text;
  double logarithms = 0;
  int pairs = 0;
  slower = 0;
  if (first.machine != second.machine)
    text += "the machines differ: " + first.machine + "; " + second.machine + "\n";
  for (const Measurement &after : second.measurements) {
    const auto before = std::find_if(first.measurements.begin(), first.measurements.end(),
                                     [&](const Measurement &candidate) { return nameOf(candidate) == nameOf(after); });
    if (before == first.measurements.end()) {
      text += nameOf(after) + ": only in the second\n";
      continue;
    }
    const Comparison comparison = compareSamples(before->samples, after.samples);
    text += nameOf(after) + ": " + duration(summarize(before->samples).median) + " -> " +
            duration(summarize(after.samples).median) +
            print(", ratio %.3f, within %.3f to %.3f by 95 %%", comparison.ratio, comparison.low, comparison.high) +
            (comparison.probability < 1e-4 ? ", p < 0.0001" : print(", p = %.4f", comparison.probability)) + ": " +
            (comparison.verdict < 0   ? "faster"
             : comparison.verdict > 0 ? "SLOWER"
                                      : "no difference shown") +
            "\n";
    slower += comparison.verdict > 0;
    logarithms += std::log(comparison.ratio);
    ++pairs;
  }
  for (const Measurement &before : first.measurements)
    if (std::none_of(second.measurements.begin(), second.measurements.end(),
                     [&](const Measurement &after) { return nameOf(after) == nameOf(before); }))
      text += nameOf(before) + ": only in the first\n";
  if (pairs > 1)
    text += print("geometric mean of %d ratios: %.3f\n", pairs, std::exp(logarithms / pairs));
  return text;
}

/// The text of a line of a kernel's code, without its indentation; "" for other code.
static std::string lineOfKernel(const HotLine &line, const std::filesystem::path &folder) {
  std::string name = line.function;
  for (const std::string_view prefix : {"mica_body_", "mica_kernel_"})
    if (name.starts_with(prefix))
      name = name.substr(prefix.size());
  const Result<std::string> text = readFile(folder / "kernels" / name / line.file);
  if (!text || line.file != "kernel.mlir" || line.line <= 0)
    return "";
  const std::vector<std::string> lines = splitText(*text, '\n');
  if (static_cast<size_t>(line.line) > lines.size())
    return "";
  const std::string &found = lines[static_cast<size_t>(line.line) - 1];
  return found.substr(std::min(found.find_first_not_of(' '), found.size()), 96);
}

std::string hotLinesText(const HotLines &hot, const std::filesystem::path &folder) {
  std::string text = "  where the time is, of " + groupDigits(hot.samples) + " samples\n";
  constexpr int kMostLines = 20;
  int shown = 0;
  for (const HotLine &line : hot.lines) {
    if (shown++ == kMostLines)
      break;
    const double share =
        100 * static_cast<double>(line.samples) / static_cast<double>(std::max<int64_t>(hot.samples, 1));
    if (share < 1)
      break;
    text += print("  %5.1f %%  ", share) + (line.function.empty() ? line.file : line.function) +
            (line.line > 0                                ? ", " + line.file + ":" + std::to_string(line.line)
             : line.file.empty() || line.function.empty() ? ""
                                                          : " in " + line.file) +
            "\n";
    if (const std::string source = lineOfKernel(line, folder); !source.empty())
      text += "           " + source + "\n";
  }
  return text;
}

std::string analysisText(const std::string &kernel, const LoopAnalysis &analysis) {
  const AssemblyLoop &loop = analysis.loop;
  return "  " + kernel + ": innermost loop, lines " + std::to_string(loop.first) + " to " + std::to_string(loop.last) +
         " of kernel.s" + (loop.line > 0 ? ", of kernel.mlir:" + std::to_string(loop.line) : "") +
         print("\n    %zu instructions (%d on vectors of floats, %d on single floats), %.4g cycles an iteration, "
               "%.2f instructions in a cycle",
               loop.instructions.size(), loop.packed, loop.scalar, analysis.cycles, analysis.perCycle) +
         (analysis.bottleneck.empty() ? "" : "; limited by " + analysis.bottleneck) + "\n";
}

} // namespace mica::bench
