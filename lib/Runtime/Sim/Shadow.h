//===- Shadow.h - what is known of each granule of memory -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Time is counted in stamps: one more with every block that begins and every barrier that opens. Blocks run one after
// the other, so the stamp of an earlier access decides whether it is ordered before the present one:
//   below the launch's first stamp    an earlier launch: ordered
//   below the block's first stamp     another block of this launch: not ordered
//   below the present stamp           a barrier lies between: ordered
//   equal to the present stamp        ordered only if the same thread made it
// Two accesses race if they are not ordered, one of them writes, and not both are atomic. A cell keeps what decides
// this for every pair of accesses: of reads, of plain writes and of atomic writes the last one, the last one of another
// thread, and one of another block. So the order in which the simulator runs the threads does not matter.
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
/// Memory that the simulator was not told of: outside, except in a launch that may access all memory of the process.
inline constexpr uint32_t kUnknown = 0xFFFFFFFBu;
/// Whether an access to a cell with this stamp is outside of all memory.
inline bool isOutside(uint32_t stamp) { return stamp == kOutside || stamp == kUnknown; }

/// In `write`: the write was atomic, or others than its thread wrote too: WriteHistory has them. In `read`: other
/// threads read too in this interval.
inline constexpr uint64_t kHistoryFlag = 1u << 20, kSeveralFlag = 1u << 20;
/// In `read` and `write`: an earlier block of this launch read, or wrote, too.
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

/// Writes of one kind to a granule, as halves of cells; 0: none.
struct Writes {
  uint64_t last = 0;
  uint64_t other = 0;      ///< the last one by another thread of the block than `last`
  uint64_t otherBlock = 0; ///< one of another block of the launch

  void add(uint64_t half, const Stamps &stamps);
  /// One that is not ordered before the present access of `thread`; 0 if there is none.
  uint64_t unordered(bool isWorkgroup, const Stamps &stamps, int32_t thread) const;
};

/// Of a granule whose cell has the kHistoryFlag: all writes that may race with a later access.
struct WriteHistory {
  Writes plain, atomic;

  bool hasOtherBlock(const Stamps &stamps) const;
};
/// By cell; those of earlier launches may be dropped.
using WriteHistories = std::unordered_map<const mica_sim_cell_v1 *, WriteHistory>;

/// What an access of `thread` at `site` to `cell` means, and the cell after it. `isWorkgroup`: what was written by
/// earlier blocks is gone.
Conflict access(mica_sim_cell_v1 &cell, WriteHistories &histories, bool isWorkgroup, const Stamps &stamps,
                int32_t thread, int32_t site, mica_sim_access kind);

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
  /// The cell of `address`. Where no memory is known of, one that says so (kUnknown), until the next call.
  mica_sim_cell_v1 &cell(int64_t address);
  /// Memory of the host that kernels may access.
  void addHostMemory(int64_t begin, int64_t bytes);
  /// It begins at `begin`, and may not be accessed any more.
  void removeHostMemory(int64_t begin);
  /// Whether, in the present launch, all memory of the process counts as known: its kernel computes addresses.
  void allowMappedMemory(bool allow) { isMappedKnown = allow; }

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
  /// The cells of a page, made where there are none.
  mica_sim_cell_v1 *cellsOf(uint64_t page);
  bool isOfDevice(int64_t address) const;
  /// Allows accesses to the unknown cells of the system's page at `address`, if the process has memory there.
  void allowMapped(mica_sim_cell_v1 *cells, int64_t address);
  /// Whether any memory of `page` may be accessed.
  bool isKnownPage(uint64_t page) const;
  void fill(int64_t address, int64_t bytes, uint64_t write);
  /// The cells from `begin` to `end` of the pages that have cells.
  void markMade(int64_t begin, int64_t end, uint64_t write);
  void mark(int64_t begin, const Allocation &allocation);
  void forgetOldest();

  int32_t bytesPerCell = 4;
  std::vector<mica_sim_page_v1> table;
  std::unordered_map<uint64_t, std::unique_ptr<mica_sim_cell_v1[]>> pages;
  std::map<int64_t, Allocation> allocations; ///< by the address of their first byte
  std::map<int64_t, int64_t> hostMemory;     ///< first byte -> end; no two overlap
  std::map<int64_t, int64_t> freedHostMemory;
  mica_sim_cell_v1 nowhere{};
  bool isMappedKnown = false;
  std::deque<int64_t> freed; ///< of them, the oldest first
  int64_t freedBytes = 0;
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_SHADOW_H
