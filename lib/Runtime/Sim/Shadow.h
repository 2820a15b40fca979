//===- Shadow.h - what is known of each granule of memory -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Time is counted in stamps: one more with every block that begins and every barrier that opens. Blocks run one after
// the other, so a stamp says it all: below the launch's first, the access is of an earlier launch and ordered; below
// the block's first, it is of another block of this launch, and nothing orders it; below the present one, a barrier
// lies between; equal, nothing does, and only a thread's own accesses are ordered. This sees every race between two
// accesses of the same barrier interval, in whatever order the threads run.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_SHADOW_H
#define MICA_RUNTIME_SIM_SHADOW_H

#include "mica/ABI/Sim.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace mica::runtime::sim {

struct Stamps {
  uint32_t present = 0, blockStart = 0, launchStart = 0;
};

/// Stamps of `write` that stand for more than a time.
inline constexpr uint32_t kLastStamp = 0xFFFFFF00u, kUninitialized = 0xFFFFFFFFu, kOutside = 0xFFFFFFFEu,
                          kFreed = 0xFFFFFFFDu, kInFlight = 0xFFFFFFFCu;

/// Of a half of a cell: an atomic write; in `read`, other threads read too in this interval.
inline constexpr uint64_t kAtomicFlag = 1u << 20, kSeveralFlag = 1u << 20;
/// In `read`: an earlier block of this launch read too.
inline constexpr uint64_t kOtherBlockFlag = 1u << 21;
inline constexpr uint32_t kSiteMask = (1u << 20) - 1;

inline uint64_t cellHalf(uint32_t stamp, int32_t thread, int32_t site, uint64_t flags = 0) {
  return uint64_t(stamp) << 32 | uint64_t(thread & 1023) << 22 | flags | (uint32_t(site) & kSiteMask);
}
inline uint32_t stampOf(uint64_t half) { return uint32_t(half >> 32); }
inline int32_t cellThread(uint64_t half) { return int32_t(half >> 22) & 1023; }
inline int32_t cellSite(uint64_t half) { return int32_t(half & kSiteMask); }

/// What is wrong with an access to a granule.
struct Conflict {
  enum class Kind : uint8_t { None, Race, OtherBlockRace, Uninitialized, Outside, Freed, InFlight };
  Kind kind = Kind::None;
  uint64_t other = 0;      ///< the half that it conflicts with
  bool otherWrote = false; ///< of a race
};

/// What an access of `thread` at `site` to `cell` means, and the cell after it. `isWorkgroup`: what was written by
/// earlier blocks is gone.
Conflict access(mica_sim_cell_v1 &cell, bool isWorkgroup, const Stamps &stamps, int32_t thread, int32_t site,
                mica_sim_access kind);

/// The shadows of global memory, and the memory of the device.
class ShadowMap {
public:
  ShadowMap();
  ~ShadowMap();

  /// Bytes per cell; where it changes, what is known is forgotten but for allocations.
  void setGranule(int32_t bytes);
  int32_t granule() const { return bytesPerCell; }
  /// The table that generated code looks into.
  mica_sim_page_v1 *slots() { return table.data(); }
  /// The cell of `address`, made where there is none.
  mica_sim_cell_v1 &cell(int64_t address);

  /// nullptr where this machine has not as much, with the cells that so much takes.
  void *allocate(int64_t bytes, bool hostShared);
  void release(void *memory);
  /// The host copied, or set.
  void copied(int64_t to, int64_t from, int64_t bytes);
  /// Takes every access so far for one of earlier launches.
  void forgetTimes();
  /// The allocation that `address` is in or close to, as text: "an allocation of 64 bytes, 4 bytes behind its end"; ""
  /// where none is.
  std::string describe(int64_t address) const;

private:
  struct Allocation {
    int64_t bytes = 0;
    std::unique_ptr<char[]> memory;
    bool isFree = false, hostShared = false;
  };
  void fill(int64_t address, int64_t bytes, uint64_t write);
  void mark(int64_t begin, const Allocation &allocation);
  void forgetOldest();

  int32_t bytesPerCell = 4;
  std::vector<mica_sim_page_v1> table;
  std::unordered_map<uint64_t, std::unique_ptr<mica_sim_cell_v1[]>> pages;
  std::map<int64_t, Allocation> allocations; ///< by the address of their first byte
  std::deque<int64_t> freed;                 ///< of them, the oldest first
  int64_t freedBytes = 0;
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_SHADOW_H
