//===- Observers/KernelTimes.cpp - adds up times per kernel ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Observer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace mica::runtime {
namespace {

class KernelTimesImpl final : public KernelTimes {
public:
  void onLaunch(const LaunchEvent &) override {}

  void onComplete(const LaunchEvent &event) override {
    int64_t elapsed = event.endNs - event.startNs;
    std::lock_guard<std::mutex> lock(mutex);
    Entry &entry = times[event.kernel->name];
    if (entry.launches == 0)
      entry = {event.kernel->name, 0, 0, elapsed, elapsed, event.kernel->flops};
    ++entry.launches;
    entry.totalNs += elapsed;
    entry.minNs = std::min(entry.minNs, elapsed);
    entry.maxNs = std::max(entry.maxNs, elapsed);
    addBusy(event.startNs, event.endNs);
  }

  int64_t busyNs() const override {
    std::lock_guard<std::mutex> lock(mutex);
    return busy;
  }

  std::vector<Entry> entries() const override {
    std::vector<Entry> sorted;
    {
      std::lock_guard<std::mutex> lock(mutex);
      for (const auto &[name, entry] : times)
        sorted.push_back(entry);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Entry &a, const Entry &b) { return a.totalNs > b.totalNs; });
    return sorted;
  }

  void reset() override {
    std::lock_guard<std::mutex> lock(mutex);
    times.clear();
    latest.clear();
    busy = 0;
  }

private:
  /// Counts what of [begin, end) was not counted before.
  void addBusy(int64_t begin, int64_t end) {
    while (!latest.empty() && latest.back().second >= begin) {
      begin = std::min(begin, latest.back().first);
      end = std::max(end, latest.back().second);
      busy -= latest.back().second - latest.back().first;
      latest.pop_back();
    }
    // Launches complete in about the order in which they end: what is older meets no later one.
    constexpr size_t kMost = 64;
    if (latest.size() == kMost)
      latest.erase(latest.begin());
    latest.push_back({begin, end});
    busy += end - begin;
  }

  mutable std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> latest; ///< spans in which kernels ran, apart, in order
  int64_t busy = 0;
  std::map<std::string, Entry> times;
};

} // namespace

std::unique_ptr<KernelTimes> KernelTimes::create() { return std::make_unique<KernelTimesImpl>(); }

} // namespace mica::runtime
