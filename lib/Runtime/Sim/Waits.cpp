//===- Waits.cpp - loops in which a thread waits for another ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The compiler puts a point into loops whose end depends on memory alone (passes/Codegen/Sim/SpinWaits.cpp). Their
// threads look again when all others have gone as far as they can, so on a device whose threads go on independently of
// each other they do as here.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Simulator.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace mica::runtime::sim {

/// Whether a thread is in a loop from which it may yet come to what the others of its warp exchange.
bool Simulator::waitsInLoop(const Warp &warp) const {
  for (uint32_t left = warp.live; left != 0; left &= left - 1)
    if (current->kernel->points[warp.next[std::countr_zero(left)]].kind == MICA_SIM_WAIT)
      return true;
  return false;
}

bool Simulator::hasSpinningThreads() const {
  return hasWaits && std::any_of(warps.begin(), warps.end(), [&](const Warp &warp) { return waitsInLoop(warp); });
}

/// Nothing goes on by itself; threads in loops that wait for others may look again. False where there are none. The
/// block ends where that has changed nothing for so long that it never will.
bool Simulator::letWaitersGoOn() {
  const mica_sim_point_v1 *points = current->kernel->points;
  if (!hasSpinningThreads())
    return false;
  constexpr uint32_t kNowhere = MICA_SIM_DONE + 1;
  if (rests.size() < size_t(numThreads))
    rests.resize(size_t(numThreads), Rest{kNowhere, {}});
  bool moved = false;
  for (Warp &warp : warps)
    for (uint32_t left = warp.live; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      Rest &rest = rests[size_t(threadOf(warp, lane))];
      const mica_sim_point_v1 &point = points[warp.next[lane]];
      const char *observed = warp.inputs + lane * MICA_SIM_EXCHANGE_BYTES;
      const size_t bytes = point.kind == MICA_SIM_WAIT ? size_t(point.imm[0]) * 32 : 0;
      moved |= rest.point != warp.next[lane] || std::memcmp(rest.observed.data(), observed, bytes) != 0;
      rest.point = warp.next[lane];
      std::memcpy(rest.observed.data(), observed, bytes);
      if (point.kind == MICA_SIM_WAIT)
        warp.open |= 1u << lane;
    }
  idleTurns = moved ? 0 : idleTurns + 1;
  constexpr int64_t kMostIdleTurns = 1000; // several, as what a thread reads need not be all that its loop does
  if (idleTurns > kMostIdleTurns)
    endBlock();
  ++turn;
  return true;
}

/// No thread of the block will ever go on.
void Simulator::endBlock() {
  const mica_sim_kernel_v1 &kernel = *current->kernel;
  for (Warp &warp : warps) {
    for (uint32_t left = warp.live; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const mica_sim_point_v1 &point = kernel.points[warp.next[lane]];
      if (point.kind != MICA_SIM_WAIT)
        continue;
      reports.add(MICA_SIM_CHECK_HANG, point.site, -1, [&] {
        std::string text = siteText(point.site) + " by " + who(warp, lane) + " is in an infinite loop";
        if (point.imm[0] > 0) {
          int64_t address, value;
          std::memcpy(&address, warp.inputs + lane * MICA_SIM_EXCHANGE_BYTES, sizeof(address));
          std::memcpy(&value, warp.inputs + lane * MICA_SIM_EXCHANGE_BYTES + 16, sizeof(value));
          const std::string known = shadows.describe(address);
          char bits[24];
          std::snprintf(bits, sizeof bits, "0x%llx", (unsigned long long)(value));
          text += ": it waits for the " + std::to_string(point.imm[1]) + " bytes at " +
                  (isWorkgroup(address) ? "byte " + std::to_string(address - workgroupBegin) + " of workgroup memory"
                   : known.empty()      ? "an address of global memory"
                                        : known) +
                  " to change from " + bits;
        }
        return text + "; every other thread of the block waits too, or has returned";
      });
    }
    warp.live = 0;
  }
}

} // namespace mica::runtime::sim
