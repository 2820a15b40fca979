//===- Watchdog.h - notices that nothing moves -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switch hang-timeout. What counts is time in which a kernel could have moved and did not: the CPU time of the
// threads that run kernels, or, when none runs, time in which every thread of the process sleeps. On a loaded machine,
// in a stopped process or under a debugger neither grows.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_WATCHDOG_H
#define MICA_LIB_RUNTIME_WATCHDOG_H

#include "mica/Runtime/Ledger.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace mica::runtime {

/// What is under way outside of kernels that the ledger knows: an entry's own code, and what that has the simulator
/// run.
struct HostWork {
  int32_t thread = 0;    ///< of the invocation; 0: there is none
  uint64_t progress = 0; ///< changes where something got on
  /// A device runs kernels by itself: the time of the thread that launched them says nothing, nor do threads of the
  /// device's driver that are busy.
  bool hasRemotes = false;
};

class Watchdog {
public:
  /// Calls `onHang` once, on its own thread, when an invocation is under way and neither `ledger` nor `hostWork`
  /// (called on that thread too) has seen progress for `seconds`; the argument is that time.
  /// The same when a launch that `isLong` holds for has run for `longestSeconds`. 0: that is no question.
  Watchdog(double seconds, const Ledger &ledger, std::function<HostWork()> hostWork, std::function<void(double)> onHang,
           double longestSeconds, std::function<bool(const LedgerEntry &)> isLong,
           std::function<void(const LedgerEntry &, double)> onLong);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;

private:
  void watch();
  bool findLong(int64_t now);
  /// Nanoseconds of the `elapsed` since the last call in which something could have moved and did not; `host` has
  /// the thread of the invocation.
  int64_t stalledNs(int64_t elapsed, const HostWork &host);
  bool othersSleep() const;

  const double seconds;
  const Ledger &ledger;
  std::function<HostWork()> hostWork;
  std::function<void(double)> onHang;
  const double longestSeconds;
  std::function<bool(const LedgerEntry &)> isLong;
  std::function<void(const LedgerEntry &, double)> onLong;
  std::map<int32_t, int64_t> cpuNs; ///< of threads that run kernels, at the last look
  int32_t ownThread = 0;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopping = false;
  std::thread thread;
};

/// What runs, what waits for whom, what was completed last: the text of the message. `waiting`: lines on tasks that
/// were not handed over yet. `describe`: a kernel at a site in words.
std::string hangReport(const LedgerContents &contents, double stalledSeconds, int64_t nowNs, const std::string &waiting,
                       const std::function<std::string(const LedgerEntry &)> &describe);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_WATCHDOG_H
