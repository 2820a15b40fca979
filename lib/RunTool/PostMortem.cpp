//===- PostMortem.cpp - examining a run that crashed or hung -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/PostMortem.h"

#include "lib/RunTool/CrashNames.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Runtime/Ledger.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <execinfo.h>
#include <map>
#include <optional>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

using runtime::LedgerContents;
using runtime::LedgerEntry;
using Stage = LedgerEntry::Stage;

/// "kernel 'k' [id=7] (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, ...)".
std::string describe(const LedgerEntry &entry, const artifact::Manifest *manifest) {
  std::string text = "kernel '" + entry.kernel + "' [id=" + std::to_string(entry.id) + "]";
  if (!manifest || entry.site < 0 || size_t(entry.site) >= manifest->sites.size())
    return text;
  std::string ops;
  for (const std::string &id : manifest->sites[size_t(entry.site)].opIds)
    for (const artifact::OpRecord &op : manifest->ops) {
      if (op.id != id)
        continue;
      ops += (ops.empty() ? "" : ", ") + op.kind + " [" + id + "]";
      if (!op.positions.empty())
        ops += " at " + op.positions.back().file + ":" + std::to_string(op.positions.back().line) + ":" +
               std::to_string(op.positions.back().column);
    }
  return ops.empty() ? text : text + " (" + ops + ")";
}

std::string milliseconds(int64_t ns) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f ms", double(ns) / 1e6);
  return text;
}

std::string endText(const LedgerContents &contents) {
  switch (contents.end) {
  case LedgerContents::End::Closed:
    return "ended normally";
  case LedgerContents::End::Hang:
    return "was ended by hang-timeout: no kernel made progress";
  case LedgerContents::End::Crash:
    return "was killed by signal " + std::to_string(contents.signal) + " (" + ::strsignal(contents.signal) + ")";
  case LedgerContents::End::Open:
    break;
  }
  return "left no end record (killed, or still running)";
}

constexpr std::array<int, 5> kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

void put(const char *text) { [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text)); }

/// The thread that reports the crash; 0: none yet.
std::atomic<pid_t> reporter{0};

/// Restores the signal's default action and raises it.
void letDie(int number) {
  ::signal(number, SIG_DFL);
  ::raise(number);
}

/// Async-signal-safe.
void onCrash(int number) {
  // Partitions of one kernel often fail on several threads at once: one reports, the others wait for the process to
  // end.
  pid_t none = 0;
  const pid_t self = ::gettid();
  if (!reporter.compare_exchange_strong(none, self)) {
    if (none == self)
      return letDie(number);
    for (;;)
      ::pause();
  }
  runtime::Ledger::markCrash(number);
  put("\nmica-run: crashed: ");
  put(number == SIGSEGV  ? "invalid access to memory"
      : number == SIGBUS ? "access to unmapped memory"
      : number == SIGFPE ? "an arithmetic fault, such as an integer division by zero"
      : number == SIGILL ? "an instruction this CPU does not have"
                         : "abort");
  put("\nstack, innermost first:\n");
  void *frames[48];
  const int count = ::backtrace(frames, 48);
  for (int i = 0; i < count; ++i)
    if (!writeFrame(frames[i]))
      ::backtrace_symbols_fd(frames + i, 1, STDERR_FILENO);
  if (const char *file = runtime::Ledger::latestFile(); *file) {
    put("what ran: mica-run --post-mortem '");
    put(file);
    put("'\n");
  }
  letDie(number);
}

} // namespace

Result<int> showPostMortem(const fs::path &file) {
  MICA_ASSIGN_OR_RETURN(const LedgerContents contents, runtime::readLedger(file));
  std::optional<artifact::Artifact> artifact;
  if (Result<artifact::Artifact> opened = artifact::Artifact::open(contents.artifact))
    artifact.emplace(*std::move(opened));
  const artifact::Manifest *manifest = artifact ? &artifact->manifest() : nullptr;
  const std::time_t began = contents.unixNs / 1000000000;
  char date[32];
  std::tm utc{};
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&began, &utc));
  std::printf("process %d, from %s on, artifact %s%s: it %s\n", contents.pid, date, contents.artifact.c_str(),
              manifest ? "" : " (no longer there)", endText(contents).c_str());
  auto list = [&](const char *title, Stage stage) {
    bool any = false;
    for (const LedgerEntry &entry : contents.entries) {
      if (entry.stage != stage)
        continue;
      if (!any)
        std::printf("%s\n", title);
      any = true;
      std::printf("  %s on thread %d, begun %s after the first note\n", describe(entry, manifest).c_str(), entry.thread,
                  milliseconds((entry.startNs ? entry.startNs : entry.handedNs) - contents.steadyNs).c_str());
    }
    return any;
  };
  const bool running = list("running:", Stage::Running), handed = list("queued:", Stage::Handed);
  if (!running && !handed)
    std::printf("no kernel was running\n");
  std::vector<LedgerEntry> done;
  std::copy_if(contents.entries.begin(), contents.entries.end(), std::back_inserter(done),
               [](const LedgerEntry &entry) { return entry.stage == Stage::Done; });
  std::sort(done.begin(), done.end(), [](const LedgerEntry &a, const LedgerEntry &b) { return a.endNs > b.endNs; });
  if (!done.empty())
    std::printf("completed last:\n");
  for (size_t i = 0; i < std::min<size_t>(done.size(), 10); ++i)
    std::printf("  %s on thread %d, in %s%s\n", describe(done[i], manifest).c_str(), done[i].thread,
                milliseconds(done[i].endNs - done[i].startNs).c_str(),
                done[i].status ? (", with status " + std::to_string(done[i].status)).c_str() : "");
  return 0;
}

void installCrashHandler() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // backtrace() loads a library at its first call, which a handler must not do.
  void *frame = nullptr;
  ::backtrace(&frame, 1);
  for (int number : kSignals) {
    struct sigaction action {};
    action.sa_handler = onCrash;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    ::sigaction(number, &action, nullptr);
  }
#endif // else the sanitizer's own handler tells more
}

} // namespace mica::runtool
