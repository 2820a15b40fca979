//===- Mbarriers.cpp - objects at which threads arrive and wait ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A thread that waits goes on when nothing else in the block does, so that what it should have waited for is late. An
// arrival is a release, a wait that succeeds an acquire (PartialOrder.h).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Exchange.h"
#include "lib/Runtime/Sim/Simulator.h"

#include <bit>

namespace mica::runtime::sim {

namespace {
constexpr int64_t kMbarrierBytes = 8;
constexpr int64_t kMostArrivals = (1 << 20) - 1;
} // namespace

void Mbarrier::advance() {
  if (pending != 0 || bytes != 0)
    return;
  ++phase;
  pending = expected;
  PartialOrder::join(complete, seen);
  seen.clear();
}

/// The object that a thread names, whose memory it updates; nullptr, and a report, where there is none.
Mbarrier *Simulator::mbarrierAt(Warp &warp, int lane, int64_t address, int32_t site) {
  const auto found = mbarriers.find(address);
  if (found == mbarriers.end()) {
    reports.add(isWorkgroup(address) ? MICA_SIM_CHECK_INIT : MICA_SIM_CHECK_BOUNDS, site, -1, [&] {
      return siteText(site) + " by " + who(warp, lane) + " uses an mbarrier " + placeText(address) +
             ", where none was initialized";
    });
    return nullptr;
  }
  if (current->kernel->checks != 0)
    touch(warp, lane, address, kMbarrierBytes, MICA_SIM_ATOMIC, site);
  return &found->second;
}

void Simulator::mbarrier(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  const int32_t action = point.imm[0], site = point.site;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const auto address = operandOf<int64_t>(warp, lane, 0);
    const int64_t count = operandOf<int32_t>(warp, lane, 1), bytes = operandOf<int32_t>(warp, lane, 2);
    setResult<int64_t>(warp, lane, 0);
    if (!(operandOf<uint8_t>(warp, lane, 3) & 1))
      continue;
    const auto fault = [&](mica_sim_check check, const std::string &what) {
      reports.add(check, site, -1, [&] { return siteText(site) + " by " + who(warp, lane) + " " + what; });
    };
    if (action == MICA_SIM_MBARRIER_INIT) {
      if (checks(MICA_SIM_CHECK_ALIGNMENT))
        align(warp, lane, address, kMbarrierBytes, site);
      if (!isWorkgroup(address) || !isWorkgroup(address + kMbarrierBytes - 1)) {
        fault(MICA_SIM_CHECK_BOUNDS, "initializes an mbarrier " + placeText(address));
        continue;
      }
      if (count < 1 || count > kMostArrivals) {
        fault(MICA_SIM_CHECK_BARRIER,
              "initializes an mbarrier for " + std::to_string(count) + " arrivals; 1 to 1048575 are possible");
        continue;
      }
      if (current->kernel->checks != 0)
        touch(warp, lane, address, kMbarrierBytes, MICA_SIM_WRITE, site);
      Mbarrier &made = mbarriers[address];
      made = {};
      made.expected = made.pending = count;
      continue;
    }
    Mbarrier *const barrier = mbarrierAt(warp, lane, address, site);
    if (!barrier)
      continue;
    setResult<int64_t>(warp, lane, barrier->phase);
    if (action == MICA_SIM_MBARRIER_INVALIDATE) {
      if (!barrier->copies.empty() || !barrier->copying.empty())
        fault(MICA_SIM_CHECK_ASYNC, "invalidates the mbarrier of a copy that is in flight");
      mbarriers.erase(address);
      continue;
    }
    if (action == MICA_SIM_MBARRIER_COMPLETE) {
      barrier->bytes -= bytes;
      order.release(threadOf(warp, lane), barrier->seen);
      barrier->advance();
      continue;
    }
    if (action == MICA_SIM_MBARRIER_COPIED) {
      barrier->pending += count;
      barrier->copying.emplace_back(threadOf(warp, lane), Seen());
      order.release(threadOf(warp, lane), barrier->copying.back().second);
      continue;
    }
    barrier->bytes += bytes;
    if (action == MICA_SIM_MBARRIER_DROP)
      barrier->expected -= count;
    if (count > barrier->pending) {
      fault(MICA_SIM_CHECK_BARRIER, "arrives " + std::to_string(count) + " times at the mbarrier " +
                                        placeText(address) + ", whose phase " + std::to_string(barrier->phase) +
                                        " lacks " + std::to_string(barrier->pending));
      continue;
    }
    barrier->pending -= count;
    if (count > 0)
      order.release(threadOf(warp, lane), barrier->seen);
    if (point.imm[1] && barrier->pending == 0)
      fault(MICA_SIM_CHECK_BARRIER, "is the last arrival of phase " + std::to_string(barrier->phase) +
                                        " at the mbarrier " + placeText(address) + ", which it may not be");
    barrier->advance();
  }
}

/// Lets those go on whose phase is complete; false where there are none.
bool Simulator::openCompletePhases(const std::vector<std::pair<Warp *, int>> &waiting) {
  bool opened = false;
  for (auto [warp, lane] : waiting) {
    const mica_sim_point_v1 &point = current->kernel->points[warp->next[lane]];
    Mbarrier *const barrier = mbarrierAt(*warp, lane, operandOf<int64_t>(*warp, lane, 0), point.site);
    if (barrier && !barrier->isComplete(operandOf<int64_t>(*warp, lane, 1), point.imm[0] != 0))
      continue;
    if (barrier)
      order.acquire(threadOf(*warp, lane), barrier->complete);
    setResult<uint8_t>(*warp, lane, 1);
    warp->open |= 1u << lane;
    opened = true;
  }
  return opened;
}

bool Simulator::openMbarriers() {
  std::vector<std::pair<Warp *, int>> waiting;
  for (Warp &warp : warps)
    for (uint32_t left = warp.live; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (current->kernel->points[warp.next[lane]].kind == MICA_SIM_MBARRIER_WAIT && !(warp.open >> lane & 1))
        waiting.emplace_back(&warp, lane);
    }
  if (waiting.empty())
    return false;
  ++turn;
  bool opened = openCompletePhases(waiting);
  // The device makes the copies that are waited for.
  if (!opened) {
    for (auto [warp, lane] : waiting)
      if (const auto found = mbarriers.find(operandOf<int64_t>(*warp, lane, 0)); found != mbarriers.end())
        finishLoads(found->second);
    opened = openCompletePhases(waiting);
  }
  if (opened) {
    failedTests = 0;
    return true;
  }
  // Tests fail, and their threads go on with something else; often enough without effect, they are in a loop.
  constexpr int64_t kMostFailedTests = 1000;
  if (++failedTests <= kMostFailedTests)
    for (auto [warp, lane] : waiting)
      if (!current->kernel->points[warp->next[lane]].imm[1]) {
        setResult<uint8_t>(*warp, lane, 0);
        warp->open |= 1u << lane;
        opened = true;
      }
  if (opened || hasSpinningThreads())
    return opened;
  for (auto [warp, lane] : waiting) {
    const int32_t site = current->kernel->points[warp->next[lane]].site;
    const auto address = operandOf<int64_t>(*warp, lane, 0);
    const Mbarrier &barrier = mbarriers.at(address);
    reports.add(MICA_SIM_CHECK_HANG, site, -1, [&, who = who(*warp, lane)] {
      std::string text = siteText(site) + " by " + who + " waits forever for phase " + std::to_string(barrier.phase) +
                         " of the mbarrier " + placeText(address) + ": " + std::to_string(barrier.pending) +
                         " of its " + std::to_string(barrier.expected) + " arrivals are missing";
      if (barrier.bytes > 0)
        text += ", and " + std::to_string(barrier.bytes) + " bytes of copies that are expected";
      if (barrier.bytes < 0)
        text += ", and " + std::to_string(-barrier.bytes) + " bytes more came than are expected";
      return text + "; every other thread of the block waits too, or has returned";
    });
  }
  for (Warp &warp : warps)
    warp.live = 0;
  return true;
}

} // namespace mica::runtime::sim
