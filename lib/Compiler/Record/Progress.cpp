//===- Progress.cpp - progress of a long compile ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Progress.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/Progress.h"

#include "llvm/Support/Format.h"

#include <cstdlib>
#include <map>
#include <unistd.h>

using namespace mica::compiler;

static constexpr std::chrono::milliseconds kQuietTime{400}; ///< shorter compiles show nothing
static constexpr std::chrono::milliseconds kRefresh{80};
static constexpr int kBarWidth = 24;
static constexpr size_t kTextWidth = 44;

Progress::Progress() : started(std::chrono::steady_clock::now()), last(started) {
  const char *terminal = std::getenv("TERM");
  isTerminal = isatty(STDERR_FILENO) && !(terminal && llvm::StringRef(terminal) == "dumb");
}

Progress::~Progress() { clear(); }

void Progress::clear() {
  std::lock_guard lock(mutex);
  if (isShown)
    llvm::errs() << "\r\033[K";
  isShown = false;
}

void Progress::step(int64_t done, int64_t total, llvm::StringRef what) {
  if (!isTerminal)
    return;
  std::lock_guard lock(mutex);
  auto now = std::chrono::steady_clock::now();
  if (now - started < kQuietTime || now - last < kRefresh)
    return;
  last = now;
  isShown = true;
  int filled = total > 0 ? static_cast<int>(kBarWidth * done / total) : 0;
  llvm::errs() << "\r\033[K[" << std::string(filled, '=') << std::string(kBarWidth - filled, ' ') << "] "
               << llvm::format("%3d%% ", total > 0 ? static_cast<int>(100 * done / total) : 0)
               << what.take_front(kTextWidth);
  llvm::errs().flush();
}

//===------------------------------------------------------------------------------------------------------------===//
// Times
//===------------------------------------------------------------------------------------------------------------===//

namespace {
struct PassTime {
  std::string name;
  int position = 0;
  double ms = 0;
  std::map<std::string, double> kernels;
};
struct PhaseTime {
  double ms = 0;
  std::map<int, PassTime> passes;
};
} // namespace

static void printLine(llvm::raw_ostream &os, int depth, const std::string &name, double ms, double total) {
  std::string label = std::string(2 * depth, ' ') + name;
  os << llvm::format("%10.2f ms %5.1f%%  ", ms, total > 0 ? 100 * ms / total : 0.0) << label << "\n";
}

void mica::compiler::printTimes(llvm::raw_ostream &os, const PassRecorder &recorder, const NamedTimes &before,
                                const NamedTimes &object, double total) {
  std::vector<std::string> order;
  std::map<std::string, PhaseTime> phases;
  for (const RecordedPass &pass : recorder.passes()) {
    std::string phase = pass.phase.empty() ? "passes" : pass.phase;
    if (!phases.count(phase))
      order.push_back(phase);
    PassTime &time = phases[phase].passes[pass.position];
    time.name = pass.name;
    time.position = pass.position;
  }
  for (const PassRecord &record : recorder.records()) {
    const RecordedPass &pass = recorder.passes()[record.position - 1];
    PhaseTime &phase = phases[pass.phase.empty() ? "passes" : pass.phase];
    phase.ms += record.milliseconds;
    PassTime &time = phase.passes[record.position];
    time.ms += record.milliseconds;
    if (!record.anchor.empty())
      time.kernels[record.anchor] += record.milliseconds;
  }
  os << "    time       of all  what (passes of kernels run side by side, so parts can add up to more than the "
        "whole)\n";
  printLine(os, 0, "total", total, total);
  for (auto &[name, ms] : before)
    printLine(os, 1, name, ms, total);
  for (const std::string &name : order) {
    PhaseTime &phase = phases[name];
    printLine(os, 1, "phase " + name, phase.ms, total);
    for (auto &[position, pass] : phase.passes) {
      if (pass.ms < 0.01)
        continue;
      std::string number = std::to_string(position);
      printLine(os, 2, std::string(4 - std::min<size_t>(4, number.size()), '0') + number + " " + pass.name, pass.ms,
                total);
      if (pass.kernels.size() > 1 || !pass.kernels.empty())
        for (auto &[kernel, ms] : pass.kernels)
          if (ms >= 0.05)
            printLine(os, 3, "@" + kernel, ms, total);
    }
  }
  double objectTotal = 0;
  for (auto &[name, ms] : object)
    objectTotal += ms;
  if (object.empty())
    return;
  printLine(os, 1, "phase object", objectTotal, total);
  for (auto &[name, ms] : object)
    printLine(os, 2, name, ms, total);
}
