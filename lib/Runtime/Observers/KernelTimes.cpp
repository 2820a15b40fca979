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
  }

private:
  mutable std::mutex mutex;
  std::map<std::string, Entry> times;
};

} // namespace

std::unique_ptr<KernelTimes> KernelTimes::create() { return std::make_unique<KernelTimesImpl>(); }

} // namespace mica::runtime
