//===- Watchdog.cpp - notices that nothing moves ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Watchdog.h"

#include "lib/Runtime/Clock.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace mica::runtime {
namespace {

using Stage = LedgerEntry::Stage;

/// CPU time of a thread of this process; -1 where it is gone.
int64_t cpuTimeOf(int32_t thread) {
  // How Linux numbers the CPU clock of a thread.
  const auto clock = clockid_t((~static_cast<unsigned>(thread) << 3) | 6u);
  timespec time{};
  if (::clock_gettime(clock, &time) != 0)
    return -1;
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

std::string secondsText(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", double(ns) / 1e9);
  return text;
}

} // namespace

Watchdog::Watchdog(double seconds, const Ledger &ledger, std::function<HostWork()> hostWork,
                   std::function<void(double)> onHang, double longestSeconds,
                   std::function<bool(const LedgerEntry &)> isLong,
                   std::function<void(const LedgerEntry &, double)> onLong)
    : seconds(seconds), ledger(ledger), hostWork(std::move(hostWork)), onHang(std::move(onHang)),
      longestSeconds(longestSeconds), isLong(std::move(isLong)), onLong(std::move(onLong)),
      thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_one();
  thread.join();
}

bool Watchdog::othersSleep() const {
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (entry.path().filename() == std::to_string(ownThread))
      continue;
    std::ifstream stream(entry.path() / "stat");
    std::string text;
    std::getline(stream, text);
    // The state follows the name, which may hold anything.
    const size_t name = text.rfind(')');
    if (name != text.npos && name + 2 < text.size() && text[name + 2] == 'R')
      return false;
  }
  return !error;
}

int64_t Watchdog::stalledNs(int64_t elapsed, const HostWork &host) {
  int64_t used = -1;
  std::map<int32_t, int64_t> now;
  auto look = [&](int32_t thread) {
    const int64_t cpu = cpuTimeOf(thread);
    now[thread] = cpu;
    auto before = cpuNs.find(thread);
    used = std::max(used, before == cpuNs.end() || cpu < 0 ? 0 : cpu - before->second);
  };
  for (const LedgerEntry &entry : ledger.contents().entries)
    if (entry.stage == Stage::Running)
      look(entry.thread);
  if (!now.empty() && host.hasRemotes)
    return elapsed;
  if (now.empty())
    look(host.thread);
  cpuNs = std::move(now);
  if (used * 10 > elapsed)
    return std::min(used, elapsed);
  // Nothing runs, or what runs waits, or it gets no CPU. Only in the first cases do all sleep.
  return othersSleep() ? elapsed : std::max<int64_t>(used, 0);
}

/// Whether a loop inside of a kernel has run for too long, which was said then.
bool Watchdog::findLong(int64_t now) {
  for (const LedgerEntry &entry : ledger.contents().entries) {
    const double elapsed = double(now - entry.startNs) / 1e9;
    if (entry.stage != Stage::Running || elapsed < longestSeconds || !isLong(entry))
      continue;
    onLong(entry, elapsed);
    return true;
  }
  return false;
}

void Watchdog::watch() {
  ownThread = int32_t(::gettid());
  const double shortest =
      seconds > 0 && longestSeconds > 0 ? std::min(seconds, longestSeconds) : std::max(seconds, longestSeconds);
  const auto tick = std::chrono::nanoseconds(int64_t(std::clamp(shortest / 20, 0.005, 0.5) * 1e9));
  uint64_t seen = 0;
  int64_t stalled = 0, last = steadyNs();
  std::unique_lock<std::mutex> lock(mutex);
  while (!changed.wait_for(lock, tick, [this] { return stopping; })) {
    const int64_t now = steadyNs();
    // A process that was stopped for an hour did not hang for an hour.
    const int64_t elapsed = std::min<int64_t>(now - last, 2 * tick.count());
    last = now;
    if (longestSeconds > 0 && findLong(now))
      return;
    if (seconds <= 0)
      continue;
    const HostWork host = hostWork();
    const uint64_t progress = ledger.progress() + host.progress;
    if (host.thread == 0 || progress != seen) {
      seen = progress;
      stalled = 0;
      cpuNs.clear();
      continue;
    }
    stalled += stalledNs(elapsed, host);
    if (double(stalled) < seconds * 1e9)
      continue;
    onHang(double(stalled) / 1e9);
    return;
  }
}

std::string hangReport(const LedgerContents &contents, double stalledSeconds, int64_t nowNs, const std::string &waiting,
                       const std::function<std::string(const LedgerEntry &)> &describe) {
  std::string running, handed;
  std::map<int32_t, const LedgerEntry *> lastOfThread;
  for (const LedgerEntry &entry : contents.entries) {
    const std::string id = " [id=" + std::to_string(entry.id) + "]";
    if (entry.stage == Stage::Running)
      running += "\n    " + describe(entry) + id + " on thread " + std::to_string(entry.thread) + " for " +
                 secondsText(nowNs - entry.startNs);
    else if (entry.stage == Stage::Handed)
      handed += "\n    " + describe(entry) + id + ", submitted " + secondsText(nowNs - entry.handedNs) + " ago";
    else if (entry.stage == Stage::Done) {
      const LedgerEntry *&latest = lastOfThread[entry.thread];
      if (!latest || latest->endNs <= entry.endNs)
        latest = &entry;
    }
  }
  std::string text = "no kernel has made progress for " + secondsText(int64_t(stalledSeconds * 1e9));
  text += running.empty() ? "\n  no kernel is running" : "\n  running:" + running;
  if (!handed.empty())
    text += "\n  queued:" + handed;
  if (!waiting.empty())
    text += "\n  waiting (for earlier tasks only, so there is no cycle):" + waiting;
  for (const auto &[thread, entry] : lastOfThread)
    text += (entry == lastOfThread.begin()->second ? "\n  last completed, per thread:\n    thread " : "\n    thread ") +
            std::to_string(thread) + ": " + describe(*entry) + " [id=" + std::to_string(entry->id) + "], " +
            secondsText(nowNs - entry->endNs) + " ago";
  return text;
}

} // namespace mica::runtime
