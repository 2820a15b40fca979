//===- PartialOrder.cpp - barriers of some of the threads of a block --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PartialOrder.h. A warp's barrier opens as soon as the live threads of its mask wait; one with a number when
// nothing else in the block can go on and as many threads have come as it names.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/PartialOrder.h"

#include "lib/Runtime/Sim/Exchange.h"
#include "lib/Runtime/Sim/Simulator.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace mica::runtime::sim {

void PartialOrder::begin(int64_t numThreads) {
  accesses.clear();
  seenBy.assign(size_t(2 * numThreads), {});
  clocks.assign(size_t(2 * numThreads), 0);
}

void PartialOrder::join(Seen &seen, const Seen &other) {
  seen.resize(std::max(seen.size(), other.size()));
  for (size_t i = 0; i < other.size(); ++i)
    seen[i] = std::max(seen[i], other[i]);
}

void PartialOrder::release(int32_t thread, Seen &seen) {
  seen.resize(clocks.size());
  join(seen, seenBy[size_t(thread)]);
  seen[size_t(thread)] = ++clocks[size_t(thread)];
}

void PartialOrder::acquire(int32_t thread, const Seen &seen) { join(seenBy[size_t(thread)], seen); }

const PartialOrder::Access *PartialOrder::access(int64_t address, Access now) {
  now.clock = clocks[size_t(now.thread)];
  const Seen &seen = seenBy[size_t(now.thread)];
  std::vector<Access> &before = accesses[address];
  Access *same = nullptr;
  bool isRace = false;
  for (Access &one : before) {
    if (one.thread == now.thread) {
      if (one.writes == now.writes && one.isAtomic == now.isAtomic)
        same = &one;
      continue;
    }
    const bool harms = (one.writes || now.writes) && !(one.isAtomic && now.isAtomic);
    if (harms && !isRace && (seen.empty() || seen[size_t(one.thread)] <= one.clock)) {
      isRace = true;
      raced = one;
    }
  }
  if (same)
    *same = now;
  else
    before.push_back(now);
  return isRace ? &raced : nullptr;
}

bool Simulator::openWarpBarrier(Warp &warp) {
  const mica_sim_point_v1 *points = current->kernel->points;
  const auto waits = [&](int lane) {
    return (warp.live >> lane & 1) && points[warp.next[lane]].kind == MICA_SIM_WARP_BARRIER && !(warp.open >> lane & 1);
  };
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
    if (!waits(lane))
      continue;
    const auto mask = uint32_t(operandOf<int32_t>(warp, lane, 0));
    const int32_t site = points[warp.next[lane]].site;
    if (!(mask >> lane & 1) && checks(MICA_SIM_CHECK_BARRIER))
      reports.add(MICA_SIM_CHECK_BARRIER, site, -3, [&] {
        return siteText(site) + " by " + who(warp, lane) + ": lane " + std::to_string(lane) +
               " is not in the mask that it waits with";
      });
    // A thread that is not in its mask waits for nobody's sake but for those in it.
    const uint32_t members = (mask & warp.live) | 1u << lane;
    bool areAll = true;
    for (uint32_t left = members; left != 0; left &= left - 1) {
      const int other = std::countr_zero(left);
      areAll &= waits(other) && (uint32_t(operandOf<int32_t>(warp, other, 0)) == mask);
    }
    if (!areAll)
      continue;
    Seen seen;
    for (uint32_t left = members; left != 0; left &= left - 1)
      order.release(threadOf(warp, std::countr_zero(left)), seen);
    for (uint32_t left = members; left != 0; left &= left - 1)
      order.acquire(threadOf(warp, std::countr_zero(left)), seen);
    warp.open |= members;
    return true;
  }
  return false;
}

void Simulator::arrive(Warp &warp, uint32_t lanes) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    NamedBarrier &barrier = namedBarriers[operandOf<int32_t>(warp, lane, 0)];
    ++barrier.arrived;
    order.release(threadOf(warp, lane), barrier.seen);
  }
}

bool Simulator::openNamedBarrier() {
  const mica_sim_point_v1 *points = current->kernel->points;
  struct Waiting {
    std::vector<std::pair<Warp *, int>> threads;
    int64_t count = 0; ///< of threads that it needs
  };
  std::map<int32_t, Waiting> all;
  int64_t live = 0;
  for (Warp &warp : warps) {
    live += std::popcount(warp.live);
    for (uint32_t left = warp.live; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (points[warp.next[lane]].kind != MICA_SIM_NAMED_BARRIER || (warp.open >> lane & 1))
        continue;
      Waiting &waiting = all[operandOf<int32_t>(warp, lane, 0)];
      waiting.threads.emplace_back(&warp, lane);
      waiting.count = operandOf<int32_t>(warp, lane, 1);
    }
  }
  bool opened = false;
  for (auto &[number, waiting] : all) {
    NamedBarrier &barrier = namedBarriers[number];
    const int64_t needed = waiting.count > 0 ? waiting.count : live;
    if (int64_t(waiting.threads.size()) + barrier.arrived < needed)
      continue;
    for (auto [warp, lane] : waiting.threads)
      order.release(threadOf(*warp, lane), barrier.seen);
    for (auto [warp, lane] : waiting.threads) {
      order.acquire(threadOf(*warp, lane), barrier.seen);
      warp->open |= 1u << lane;
    }
    barrier = {};
    opened = true;
  }
  turn += opened;
  return opened;
}

void Simulator::reportPartialBarriers() {
  if (!checks(MICA_SIM_CHECK_BARRIER))
    return;
  for (Warp &warp : warps)
    for (uint32_t left = warp.live; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const mica_sim_point_v1 &point = current->kernel->points[warp.next[lane]];
      if (point.kind != MICA_SIM_WARP_BARRIER && point.kind != MICA_SIM_NAMED_BARRIER)
        continue;
      reports.add(MICA_SIM_CHECK_BARRIER, point.site, -4, [&] {
        const std::string start = siteText(point.site) + " by " + who(warp, lane) + " waits ";
        char mask[16];
        std::snprintf(mask, sizeof mask, "0x%x", unsigned(operandOf<int32_t>(warp, lane, 0)));
        if (point.kind == MICA_SIM_WARP_BARRIER)
          return start + "with mask " + mask + ", with which the other lanes of it never wait";
        const int32_t threads = operandOf<int32_t>(warp, lane, 1);
        return start + "at barrier " + std::to_string(operandOf<int32_t>(warp, lane, 0)) + " for " +
               (threads > 0 ? std::to_string(threads) : "all") + " threads, which never come";
      });
    }
}

} // namespace mica::runtime::sim
