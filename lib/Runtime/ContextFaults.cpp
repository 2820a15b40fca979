//===- ContextFaults.cpp - runs that do not end, or fail, looked into -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// The part of a context that is not on the way of an invocation that works: what is told of one that hangs, and the
// second run that finds the operation at fault in a kernel that overwrites what it reads.
//
//===--------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/ContextImpl.h"
#include "mica/Runtime/Ledger.h"
#include "mica/Support/Status.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace mica::runtime {

bool holdsLoops(const artifact::KernelRecord &kernel) {
  return kernel.checks && std::any_of(kernel.checks->sites.begin(), kernel.checks->sites.end(),
                                      [](const artifact::CheckRecord &site) { return site.isLoop(); });
}

void ContextImpl::watch(double seconds, double longest, const std::function<void(const std::string &)> &onHang) {
  watchdog = std::make_unique<Watchdog>(
      seconds, *ledger,
      [this] {
        // Where there is an invocation, there is all it needs.
        const int32_t thread = hostThread.load(std::memory_order_acquire);
        return thread == 0
                   ? HostWork()
                   : HostWork{thread,
                              (simulator ? simulator->blocksBegun() : 0) + (loopWatch ? loopWatch->progress() : 0),
                              !remotes.empty()};
      },
      [this, onHang](double stalled) { reportHang(stalled, onHang); }, longest,
      [this](const LedgerEntry &entry) {
        const int64_t kernel = program->findKernel(entry.kernel);
        return kernel >= 0 && holdsLoops(program->manifest().kernels[size_t(kernel)]);
      },
      [this, onHang](const LedgerEntry &entry, double elapsed) {
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.3g", elapsed);
        endHung(program->describeLaunch(entry.kernel, entry.site) + " has run for " + seconds +
                    " s, longer than loop-timeout" + insideText(),
                onHang);
      });
}

void ContextImpl::reportHang(double seconds, const std::function<void(const std::string &)> &onHang) const {
  const TaskListExecutor *list = runningList.load(std::memory_order_acquire);
  std::string report =
      hangReport(ledger->contents(), seconds, steadyNs(), list ? list->describeWaiting() : "",
                 [this](const LedgerEntry &entry) { return program->describeLaunch(entry.kernel, entry.site); });
  if (const std::string at = simulator ? simulator->whereabouts() : ""; !at.empty())
    report += "\n  the simulator runs " + at;
  else if (!list)
    report += "\n  entry '" + hostEntry.load(std::memory_order_relaxed)->name + "' has no task in flight";
  if (const std::string loop = !list && loopWatch ? loopWatch->lastLoop() : ""; !loop.empty())
    report += "\n  it is in " + loop;
  report += insideText();
  if (session) {
    // One rank tells it for all. The others end after it has: the end of one may end all.
    if (!session->claimsVerdict() && !onHang) {
      session->waitForVerdict();
      ::_exit(exitCode(ErrorCode::Hang));
    }
    report += session->verdict();
  }
  endHung(std::move(report), onHang, /*isVerdict=*/session != nullptr);
}

/// Of loops inside of the kernels that run.
std::string ContextImpl::insideText() const {
  const TaskListExecutor *list = runningList.load(std::memory_order_acquire);
  std::string text;
  for (const std::string &loop : list ? list->loopsInside() : std::vector<std::string>())
    text += "\n  it is in " + loop;
  return text;
}

void ContextImpl::endHung(std::string report, const std::function<void(const std::string &)> &onHang,
                          bool isVerdict) const {
  report += "\n  ledger: " + ledger->file().string() + " (mica-run --post-mortem FILE shows it)";
  ledger->markHang();
  if (onHang)
    return onHang(report);
  report = "mica: hang: " + report + "\n";
  // Written at once: the process ends on the next line.
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, report.data(), report.size());
  if (isVerdict)
    session->removeLedgers();
  ::_exit(exitCode(ErrorCode::Hang));
}

/// Whether a second run does what the first did, and nothing that is seen outside.
bool ContextImpl::canRunAgain(const Entry &entry) const {
  const std::vector<artifact::TensorSpec> &specs = entry.record->results;
  return remotes.empty() && !program->hasSideEffects() &&
         std::none_of(specs.begin(), specs.end(), [](const artifact::TensorSpec &spec) { return spec.updates >= 0; });
}

/// A kernel that updates its inputs failed: the entry runs again, and what that kernel reads is kept, so that its
/// replay can say which operation it was.
[[gnu::cold, gnu::noinline]] void ContextImpl::findFaultAgain(Entry &entry, std::span<const TensorView> inputs) {
  const Incomplete what = std::exchange(incomplete, {});
  if (!canRunAgain(entry))
    return;
  const Error first = *failure;
  const FaultInfo firstAt = failedAt;
  failure.reset();
  resultGiven.assign(resultGiven.size(), false);
  pool.reset();
  if (loopWatch)
    loopWatch->begin();
  what.runner->keepOperands(what.task);
  if (Status read = readInputs(entry, inputs))
    callEntry(entry);
  what.runner->keepOperands(-1);
  incomplete = {};
  if (failure && !broken) {
    failure->message += "; found by running the entry again, with a copy of what the kernel overwrites";
    return;
  }
  failure = first;
  failedAt = firstAt;
}

} // namespace mica::runtime
