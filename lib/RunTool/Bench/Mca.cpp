//===- Mca.cpp - what a model of the processor says of a kernel ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. A loop is what lies between a label and the last branch back to it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Mca.h"

#include "mica/Support/Files.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>

#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::bench {
namespace {

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The label that a line defines, or "".
std::string_view labelOf(std::string_view line) {
  const size_t colon = line.find(':');
  const bool isLabel = colon != std::string_view::npos && !line.empty() && line[0] != '\t' && line[0] != ' ' &&
                       line[0] != '#' && line.substr(0, colon).find_first_of(" \t\"") == std::string_view::npos;
  return isLabel ? line.substr(0, colon) : std::string_view();
}

/// The name of an instruction; "" for labels, directives and comments.
std::string_view instructionOf(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || text[0] == '.' || text[0] == '#' || !labelOf(line).empty())
    return {};
  return text.substr(0, text.find_first_of(" \t"));
}

/// Whether an instruction computes floats, and whether those of a whole vector.
enum class Work { None, Scalar, Packed };
Work workOf(std::string_view name) {
  if (name.size() < 4)
    return Work::None;
  const std::string_view end = name.substr(name.size() - 2);
  if (end != "ps" && end != "pd" && end != "ss" && end != "sd" && end != "ph" && end != "sh")
    return Work::None;
  const std::string_view stem = name.starts_with("v") ? name.substr(1) : name;
  for (const std::string_view word : {"add", "sub", "mul", "div", "max", "min", "sqrt", "rsqrt", "rcp", "fmadd",
                                      "fmsub", "fnmadd", "fnmsub", "cmp", "round", "rndscale", "scalef"})
    if (stem.starts_with(word))
      return end[0] == 'p' ? Work::Packed : Work::Scalar;
  return Work::None;
}

/// The line of `.loc FILE LINE COLUMN`, 0 for other lines.
int locationOf(std::string_view line) {
  int number = 0;
  std::string_view text = trim(line);
  if (!text.starts_with(".loc"))
    return 0;
  text = trim(text.substr(4));
  text = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

} // namespace

std::vector<AssemblyLoop> innermostLoops(std::string_view assembly) {
  const std::vector<std::string> lines = splitText(std::string(assembly), '\n');
  std::map<std::string, size_t, std::less<>> labels;
  std::map<size_t, size_t> loops; // the first line of each, and its last
  for (size_t i = 0; i < lines.size(); ++i) {
    if (const std::string_view label = labelOf(lines[i]); !label.empty())
      labels[std::string(label)] = i;
    const std::string_view text = trim(lines[i]);
    if (instructionOf(lines[i]).starts_with("j")) {
      const std::string_view target = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
      if (const auto found = labels.find(target.substr(0, target.find_first_of(" \t#"))); found != labels.end())
        loops[found->second] = i;
    }
  }
  std::vector<AssemblyLoop> innermost;
  for (const auto &[first, last] : loops) {
    const auto within = loops.upper_bound(first);
    if (within != loops.end() && within->second <= last)
      continue;
    AssemblyLoop loop;
    loop.first = static_cast<int>(first) + 1;
    loop.last = static_cast<int>(last) + 1;
    std::map<int, int> from;
    int line = 0;
    for (size_t i = first; i <= last; ++i) {
      if (const int location = locationOf(lines[i]); location > 0)
        line = location;
      const std::string_view name = instructionOf(lines[i]);
      if (name.empty())
        continue;
      ++from[line];
      loop.packed += workOf(name) == Work::Packed;
      loop.scalar += workOf(name) == Work::Scalar;
      loop.instructions.push_back(lines[i]);
    }
    for (const auto &[place, count] : from)
      if (place > 0 && (loop.line == 0 || count > from[loop.line]))
        loop.line = place;
    innermost.push_back(std::move(loop));
  }
  std::stable_sort(innermost.begin(), innermost.end(), [](const AssemblyLoop &left, const AssemblyLoop &right) {
    return left.packed + left.scalar > right.packed + right.scalar;
  });
  return innermost;
}

namespace {

/// llvm-mca of LLVM 22, or what PATH has.
std::string mcaTool() {
  const char *const packaged = "/usr/lib/llvm-22/bin/llvm-mca";
  std::error_code none;
  return fs::exists(packaged, none) ? packaged : "llvm-mca";
}

/// The number after `key` in the text of llvm-mca.
double numberAfter(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos)
    return 0;
  const std::string rest(trim(text.substr(at + key.size(), 40)));
  return std::strtod(rest.c_str(), nullptr);
}

/// From "Cycles with backend pressure increase": the largest share, and the ports behind it.
std::string bottleneckOf(std::string_view text) {
  struct Kind {
    std::string_view key, name;
  };
  std::string best;
  double share = 0;
  for (const Kind &kind : {Kind{"Resource Pressure", "ports"}, Kind{"Register Dependencies:", "data dependencies"},
                           Kind{"Memory Dependencies:", "dependencies through memory"}}) {
    // "  Resource Pressure       [ 98.50% ]"
    const size_t at = text.find(kind.key);
    const size_t bracket = at == std::string_view::npos ? at : text.find('[', at);
    if (bracket == std::string_view::npos)
      continue;
    const double found = std::strtod(std::string(text.substr(bracket + 1, 12)).c_str(), nullptr);
    if (found > share) {
      share = found;
      best = kind.name;
    }
  }
  if (best == "ports") {
    std::string ports;
    size_t at = text.find("Resource Pressure");
    for (at = text.find('\n', at); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      const std::string_view line = trim(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
      if (!line.starts_with("- "))
        break;
      ports += (ports.empty() ? "" : ", ") + std::string(trim(line.substr(2, line.find('[') - 2)));
    }
    best += ports.empty() ? "" : " " + ports;
  }
  if (best.empty())
    return "";
  char percent[32];
  std::snprintf(percent, sizeof percent, " (%.0f %% of the cycles)", share);
  return best + percent;
}

} // namespace

Result<LoopAnalysis> analyzeKernel(const fs::path &folder, const std::string &cpu) {
  const std::string tool = mcaTool();
  MICA_ASSIGN_OR_RETURN(const std::string assembly, readFile(folder / "kernel.s"));
  const std::vector<AssemblyLoop> loops = innermostLoops(assembly);
  if (loops.empty())
    return Error{ErrorCode::NotFound, "no loop in " + (folder / "kernel.s").string(), ""};
  LoopAnalysis analysis;
  analysis.loop = loops.front();
  std::string text;
  for (const std::string &line : analysis.loop.instructions)
    text += line + "\n";
  std::error_code error;
  const fs::path scratch = fs::temp_directory_path(error) / ("mica-bench-" + std::to_string(::getpid()));
  const fs::path input = scratch.string() + ".s", output = scratch.string() + ".txt";
  MICA_RETURN_IF_ERROR(writeFile(input, text));
  ProcessOptions options;
  options.standardOutput = output;
  options.standardError = "/dev/null";
  options.secondsLimit = 30;
  std::vector<std::string> command = {
      tool,          "-bottleneck-analysis", "-instruction-info=false", "-resource-pressure=false", "-iterations=100",
      input.string()};
  if (!cpu.empty())
    command.insert(command.begin() + 1, "-mcpu=" + cpu);
  Result<int> code = runProcess(command, options);
  const Result<std::string> said = readFile(output);
  fs::remove(input, error);
  fs::remove(output, error);
  if (!code)
    return Error{ErrorCode::NotFound, "llvm-mca does not start: " + code.error().message, "apt install llvm-22"};
  if (*code != 0 || !said)
    return Error{ErrorCode::Unsupported,
                 "llvm-mca does not take the loop at line " + std::to_string(analysis.loop.first) + " of " +
                     (folder / "kernel.s").string(),
                 "run it there by hand: " + tool + " -mcpu=" + cpu};
  analysis.cycles = numberAfter(*said, "Total Cycles:") / 100;
  analysis.perCycle = numberAfter(*said, "IPC:");
  analysis.bottleneck = bottleneckOf(*said);
  return analysis;
}

} // namespace mica::bench
