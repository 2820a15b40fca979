//===- Shadow.cpp - what is known of each granule of memory -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. The code of kernels has the common cases of access() in it (passes/Codegen/Sim/Instrument.cpp); both
// must agree.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Shadow.h"

#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include <sys/mman.h>

namespace mica::runtime::sim {

namespace {

/// Freed allocations are kept up to so many bytes.
static constexpr int64_t kMostFreedBytes = int64_t(64) << 20;
/// Bytes before and behind an allocation in which accesses are known to be outside.
constexpr int64_t kRedZone = 256;

constexpr int64_t kSystemPageBytes = 4096;
/// Farther from all memory, what an address was meant to be cannot be told.
constexpr int64_t kFarthestDescribed = int64_t(16) << 30;

/// Whether the process has memory at `address`, a multiple of kSystemPageBytes.
bool isMapped(int64_t address) {
  unsigned char isResident = 0;
  return mincore(reinterpret_cast<void *>(address), size_t(kSystemPageBytes), &isResident) == 0;
}

/// Whether what `half` says is ordered before the present access of `thread`.
bool isOrdered(uint64_t half, bool isWorkgroup, const Stamps &stamps, int32_t thread) {
  const uint32_t stamp = stampOf(half);
  if (stamp < stamps.launchStart)
    return true;
  if (stamp < stamps.blockStart)
    return isWorkgroup; // Another block's; its workgroup memory was another.
  return stamp < stamps.present || cellThread(half) == thread;
}

Conflict::Kind raceKind(uint64_t half, const Stamps &stamps) {
  return stampOf(half) < stamps.blockStart ? Conflict::Kind::OtherBlockRace : Conflict::Kind::Race;
}

/// What `cell.write` becomes with the plain write `now`. A history is kept only if another write may race with a later
/// access too.
uint64_t notePlainWrite(mica_sim_cell_v1 &cell, WriteHistories &histories, bool isWorkgroup, const Stamps &stamps,
                        uint64_t now) {
  const bool hasHistory = cell.write & kHistoryFlag;
  const bool othersMatter =
      (cell.write & kOtherBlockFlag) || !isOrdered(cell.write, isWorkgroup, stamps, cellThread(now));
  if (!othersMatter && !(hasHistory && stampOf(cell.write) == stamps.present))
    return now;
  WriteHistory &history = histories[&cell];
  if (!hasHistory) {
    history = {};
    history.plain.add(cell.write, stamps);
  }
  history.plain.add(now, stamps);
  return now | kHistoryFlag | (history.hasOtherBlock(stamps) ? kOtherBlockFlag : 0);
}

/// Likewise, of an atomic write. `wasWritten`: `cell.write` is a write that still counts.
uint64_t noteAtomicWrite(mica_sim_cell_v1 &cell, WriteHistories &histories, const Stamps &stamps, bool wasWritten,
                         uint64_t now) {
  WriteHistory &history = histories[&cell];
  if (!wasWritten || !(cell.write & kHistoryFlag))
    history = {};
  if (wasWritten && !(cell.write & kHistoryFlag))
    history.plain.add(cell.write, stamps);
  history.atomic.add(now, stamps);
  return now | kHistoryFlag | (history.hasOtherBlock(stamps) ? kOtherBlockFlag : 0);
}

} // namespace

void Writes::add(uint64_t half, const Stamps &stamps) {
  half &= ~(kHistoryFlag | kOtherBlockFlag);
  if (stampOf(half) < stamps.launchStart)
    return;
  if (stampOf(half) < stamps.blockStart) {
    otherBlock = half;
    return;
  }
  if (last != 0 && stampOf(last) < stamps.blockStart) {
    if (stampOf(last) >= stamps.launchStart)
      otherBlock = last;
    last = other = 0;
  }
  if (last != 0 && cellThread(last) != cellThread(half))
    other = last;
  last = half;
}

bool WriteHistory::hasOtherBlock(const Stamps &stamps) const {
  for (const Writes *writes : {&plain, &atomic})
    for (uint64_t half : {writes->last, writes->otherBlock})
      if (stampOf(half) >= stamps.launchStart && stampOf(half) < stamps.blockStart)
        return true;
  return false;
}

uint64_t Writes::unordered(bool isWorkgroup, const Stamps &stamps, int32_t thread) const {
  for (uint64_t half : {last, other, otherBlock})
    if (half != 0 && !isOrdered(half, isWorkgroup, stamps, thread))
      return half;
  return 0;
}

Conflict access(mica_sim_cell_v1 &cell, WriteHistories &histories, bool isWorkgroup, const Stamps &stamps,
                int32_t thread, int32_t site, mica_sim_access kind) {
  Conflict conflict;
  const uint32_t written = stampOf(cell.write);
  auto found = [&](Conflict::Kind what, uint64_t other, bool wrote) {
    if (conflict.kind == Conflict::Kind::None)
      conflict = {what, other, wrote};
  };
  const bool isSpecial = written > kLastStamp;
  const bool writes = kind != MICA_SIM_READ, isAtomic = kind == MICA_SIM_ATOMIC;
  if (isOutside(written) || written == kFreed) {
    found(written == kFreed ? Conflict::Kind::Freed : Conflict::Kind::Outside, cell.write, false);
    return conflict;
  }
  const bool isUninitialized = written == kUninitialized || (isWorkgroup && written < stamps.blockStart);
  if (written == kInFlight) {
    found(Conflict::Kind::InFlight, cell.write, true);
  } else if (isUninitialized) {
    if (!writes || isAtomic)
      found(Conflict::Kind::Uninitialized, cell.write, false);
  } else {
    uint64_t other = 0;
    if (!(cell.write & kHistoryFlag)) {
      if (!isOrdered(cell.write, isWorkgroup, stamps, thread))
        other = cell.write;
    } else if (const auto history = histories.find(&cell); history != histories.end()) {
      other = history->second.plain.unordered(isWorkgroup, stamps, thread);
      if (other == 0 && !isAtomic)
        other = history->second.atomic.unordered(isWorkgroup, stamps, thread);
    }
    if (other != 0)
      found(raceKind(other, stamps), other, true);
  }
  const uint32_t read = stampOf(cell.read);
  if (writes) { // An atomic operation conflicts with a plain read as well.
    const bool others = read == stamps.present && (cell.read & kSeveralFlag);
    const bool otherBlocks =
        !isWorkgroup && read >= stamps.launchStart && (read < stamps.blockStart || (cell.read & kOtherBlockFlag));
    if (others || otherBlocks || !isOrdered(cell.read, isWorkgroup, stamps, thread)) {
      const bool own = read >= stamps.blockStart && cellThread(cell.read) == thread;
      found(otherBlocks ? Conflict::Kind::OtherBlockRace : raceKind(cell.read, stamps),
            own ? cell.other_read : cell.read, false);
    }
  }
  if (!writes) {
    uint64_t flags = read == stamps.present ? cell.read & (kSeveralFlag | kOtherBlockFlag) : 0;
    if (read == stamps.present && cellThread(cell.read) != thread)
      flags |= kSeveralFlag;
    if (!isWorkgroup && read >= stamps.launchStart && (read < stamps.blockStart || (cell.read & kOtherBlockFlag)))
      flags |= kOtherBlockFlag;
    if (read < stamps.blockStart || cellThread(cell.read) != thread)
      cell.other_read = cell.read;
    cell.read = cellHalf(stamps.present, thread, site, flags);
    return conflict;
  }
  cell.settled = 0;
  if (isSpecial && written != kUninitialized)
    return conflict;
  const uint64_t now = cellHalf(stamps.present, thread, site);
  if (isAtomic)
    cell.write = noteAtomicWrite(cell, histories, stamps, !isUninitialized, now);
  else
    cell.write = isUninitialized ? now : notePlainWrite(cell, histories, isWorkgroup, stamps, now);
  return conflict;
}

//===------------------------------------------------------------------------------------------------------------===//
// Global memory
//===------------------------------------------------------------------------------------------------------------===//

ShadowMap::ShadowMap() : table(MICA_SIM_PAGE_SLOTS, mica_sim_page_v1{~uint64_t(0), nullptr}) {}
ShadowMap::~ShadowMap() = default;

void ShadowMap::setGranule(int32_t bytes) {
  if (bytes == bytesPerCell)
    return;
  const int64_t before = std::exchange(bytesPerCell, bytes);
  const auto old = std::exchange(pages, {});
  table.assign(MICA_SIM_PAGE_SLOTS, mica_sim_page_v1{~uint64_t(0), nullptr});
  for (auto &[begin, allocation] : allocations) {
    mark(begin, allocation);
    if (allocation.isFree || allocation.hostShared)
      continue;
    // What is initialized stays so; of a larger granule, one initialized part is enough.
    for (int64_t at = begin; at < begin + allocation.bytes; at += std::min(before, int64_t(bytes))) {
      const auto page = old.find(uint64_t(at) / MICA_SIM_PAGE_BYTES);
      if (page != old.end() &&
          stampOf(page->second[(uint64_t(at) % MICA_SIM_PAGE_BYTES) / uint64_t(before)].write) != kUninitialized)
        fill(at, 1, 0);
    }
  }
}

mica_sim_cell_v1 *ShadowMap::cellsOf(uint64_t page) {
  std::unique_ptr<mica_sim_cell_v1[]> &cells = pages[page];
  if (cells)
    return cells.get();
  cells = std::make_unique<mica_sim_cell_v1[]>(size_t(MICA_SIM_PAGE_BYTES / bytesPerCell));
  const int64_t begin = int64_t(page) * MICA_SIM_PAGE_BYTES, end = begin + MICA_SIM_PAGE_BYTES;
  for (int64_t at = begin; at < end; at += bytesPerCell)
    cells[size_t((at - begin) / bytesPerCell)].write = uint64_t(kUnknown) << 32;
  const auto allow = [&](int64_t from, int64_t to) {
    from = std::max(from, begin) / bytesPerCell * bytesPerCell;
    for (int64_t at = from; at < std::min(to, end); at += bytesPerCell)
      cells[size_t((at - begin) / bytesPerCell)].write = 0;
  };
  for (auto known = hostMemory.upper_bound(end); known != hostMemory.begin();) {
    --known;
    if (known->second <= begin)
      break;
    allow(known->first, known->second);
  }
  return cells.get();
}

void ShadowMap::allowMapped(mica_sim_cell_v1 *cells, int64_t address) {
  const int64_t begin = address / kSystemPageBytes * kSystemPageBytes;
  if (!isMapped(begin))
    return;
  for (int64_t at = begin; at < begin + kSystemPageBytes; at += bytesPerCell)
    if (mica_sim_cell_v1 &cell = cells[(uint64_t(at) % MICA_SIM_PAGE_BYTES) / uint64_t(bytesPerCell)];
        stampOf(cell.write) == kUnknown)
      cell.write = 0;
}

bool ShadowMap::isKnownPage(uint64_t page) const {
  if (isMappedKnown)
    return true;
  const int64_t begin = int64_t(page) * MICA_SIM_PAGE_BYTES, end = begin + MICA_SIM_PAGE_BYTES;
  const auto after = hostMemory.lower_bound(end);
  return after != hostMemory.begin() && std::prev(after)->second > begin;
}

mica_sim_cell_v1 &ShadowMap::cell(int64_t address) {
  const uint64_t page = uint64_t(address) / MICA_SIM_PAGE_BYTES;
  mica_sim_page_v1 &slot = table[page % MICA_SIM_PAGE_SLOTS];
  if (slot.page != page) {
    // Cells take eight times the memory they stand for, and more: none for wherever a faulty index leads.
    if (const auto made = pages.find(page); made == pages.end() && !isKnownPage(page))
      return nowhere = {uint64_t(kUnknown) << 32, 0, 0, 0};
    slot = {page, cellsOf(page)};
  }
  mica_sim_cell_v1 &cell = slot.cells[(uint64_t(address) % MICA_SIM_PAGE_BYTES) / uint64_t(bytesPerCell)];
  // An earlier launch, which may have made the cells, need not have been allowed this memory.
  if (isMappedKnown && stampOf(cell.write) == kUnknown)
    allowMapped(slot.cells, address);
  return cell;
}

bool ShadowMap::isOfDevice(int64_t address) const {
  const auto after = allocations.upper_bound(address);
  return after != allocations.begin() && address < std::prev(after)->first + std::prev(after)->second.bytes;
}

void ShadowMap::addHostMemory(int64_t begin, int64_t bytes) {
  if (begin <= 0 || bytes <= 0 || isOfDevice(begin))
    return;
  int64_t end = saturatingAdd(begin, bytes);
  auto at = hostMemory.upper_bound(begin);
  if (at != hostMemory.begin() && std::prev(at)->second >= end)
    return;
  const int64_t first = begin, last = end;
  if (at != hostMemory.begin() && std::prev(at)->second > begin)
    --at;
  while (at != hostMemory.end() && at->first < end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = hostMemory.erase(at);
  }
  hostMemory[begin] = end;
  std::erase_if(freedHostMemory, [&](const auto &freed) { return freed.first < last && freed.second > first; });
  markMade(first, last, 0);
}

void ShadowMap::markMade(int64_t begin, int64_t end, uint64_t write) {
  // By the pages that are there, not by those of the range: a size may be absurd.
  for (auto &[page, cells] : pages) {
    const int64_t pageBegin = int64_t(page) * MICA_SIM_PAGE_BYTES;
    const int64_t to = std::min(end, pageBegin + MICA_SIM_PAGE_BYTES);
    for (int64_t at = std::max(begin / bytesPerCell * bytesPerCell, pageBegin); at < to; at += bytesPerCell)
      cells[size_t((at - pageBegin) / bytesPerCell)] = {write, 0, 0, 0};
  }
}

void ShadowMap::removeHostMemory(int64_t begin) {
  const auto found = hostMemory.find(begin);
  if (found == hostMemory.end())
    return;
  const int64_t end = found->second;
  hostMemory.erase(found);
  freedHostMemory[begin] = end;
  markMade(begin, end, uint64_t(kFreed) << 32);
}

void ShadowMap::fill(int64_t address, int64_t bytes, uint64_t write) {
  for (int64_t at = address; at < address + bytes; at += bytesPerCell)
    cellsOf(uint64_t(at) /
            MICA_SIM_PAGE_BYTES)[(uint64_t(at) % MICA_SIM_PAGE_BYTES) / uint64_t(bytesPerCell)] = {write, 0, 0, 0};
}

void ShadowMap::mark(int64_t begin, const Allocation &allocation) {
  const int64_t padded = (allocation.bytes + 15) / 16 * 16;
  fill(begin - kRedZone, kRedZone, uint64_t(kOutside) << 32);
  fill(begin + padded, kRedZone, uint64_t(kOutside) << 32);
  const int64_t whole = allocation.bytes / bytesPerCell * bytesPerCell;
  fill(begin + whole, padded - whole, uint64_t(kOutside) << 32);
  const uint32_t inside = allocation.isFree ? kFreed : allocation.hostShared ? 0 : kUninitialized;
  fill(begin, allocation.bytes, uint64_t(inside) << 32);
}

void *ShadowMap::allocate(int64_t bytes, bool hostShared) {
  constexpr int64_t kAlignment = 256;
  if (bytes < 0 || double(bytes) * (1 + double(sizeof(mica_sim_cell_v1)) / bytesPerCell) > double(memoryLimit()))
    return nullptr;
  Allocation allocation;
  allocation.bytes = bytes;
  allocation.hostShared = hostShared;
  const size_t all = size_t(bytes + 2 * kRedZone + 2 * kAlignment);
  allocation.memory.reset(new (std::nothrow) char[all]);
  if (!allocation.memory)
    return nullptr;
  std::memset(allocation.memory.get(), 0xFF, all);
  int64_t begin = reinterpret_cast<int64_t>(allocation.memory.get()) + kRedZone;
  begin = (begin + kAlignment - 1) / kAlignment * kAlignment;
  mark(begin, allocation);
  allocations[begin] = std::move(allocation);
  return reinterpret_cast<void *>(begin);
}

void ShadowMap::release(void *memory) {
  auto found = allocations.find(reinterpret_cast<int64_t>(memory));
  if (found == allocations.end())
    return;
  if (found->second.isFree)
    return;
  // Its memory is kept, so that nothing else takes its place; of programs that free for ever, the latest.
  found->second.isFree = true;
  mark(found->first, found->second);
  freed.push_back(found->first);
  freedBytes += found->second.bytes;
  while (freedBytes > kMostFreedBytes && freed.size() > 1)
    forgetOldest();
}

/// Lets go of what was freed first; whatever comes to lie there is unknown.
void ShadowMap::forgetOldest() {
  const auto found = allocations.find(freed.front());
  freed.pop_front();
  freedBytes -= found->second.bytes;
  fill(found->first - kRedZone, (found->second.bytes + 15) / 16 * 16 + 2 * kRedZone, 0);
  allocations.erase(found);
}

void ShadowMap::copied(int64_t to, int64_t from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += bytesPerCell) {
    mica_sim_cell_v1 &target = cell(to + at);
    const uint32_t stamp = stampOf(target.write);
    if (isOutside(stamp) || stamp == kFreed)
      continue;
    const bool isUnknown = from != 0 && stampOf(cell(from + at).write) == kUninitialized;
    target = {isUnknown ? uint64_t(kUninitialized) << 32 : 0, 0, 0, 0};
  }
}

void ShadowMap::forgetTimes() {
  for (auto &[page, cells] : pages)
    for (int64_t i = 0; i < MICA_SIM_PAGE_BYTES / bytesPerCell; ++i)
      cells[size_t(i)] = {stampOf(cells[size_t(i)].write) > kLastStamp ? cells[size_t(i)].write : 0, 0, 0, 0};
}

std::string ShadowMap::describe(int64_t address) const {
  // The memory that the address is in, or else the nearest.
  struct Nearest {
    int64_t begin = 0, end = 0, distance = kFarthestDescribed + 1;
    const char *what = "";
  } nearest;
  const auto consider = [&](int64_t begin, int64_t end, const char *what) {
    const int64_t distance = address < begin ? begin - address : std::max<int64_t>(address - end + 1, 0);
    if (distance < nearest.distance)
      nearest = {begin, end, distance, what};
  };
  const auto considerAround = [&](const auto &map, const auto &consider) {
    auto after = map.upper_bound(address);
    if (after != map.end())
      consider(*after);
    if (after != map.begin())
      consider(*std::prev(after));
  };
  considerAround(allocations, [&](const auto &entry) {
    consider(entry.first, entry.first + entry.second.bytes,
             entry.second.isFree ? "a freed allocation" : "an allocation");
  });
  considerAround(freedHostMemory,
                 [&](const auto &entry) { consider(entry.first, entry.second, "a freed host buffer"); });
  considerAround(hostMemory, [&](const auto &entry) { consider(entry.first, entry.second, "a host buffer"); });
  if (nearest.distance > kFarthestDescribed)
    return "";
  const std::string text = std::string(nearest.what) + " of " + std::to_string(nearest.end - nearest.begin) + " bytes";
  if (address < nearest.begin)
    return std::to_string(nearest.begin - address) + " bytes before " + text;
  if (address >= nearest.end)
    return std::to_string(address - nearest.end) + " bytes past the end of " + text;
  return "byte " + std::to_string(address - nearest.begin) + " of " + text;
}

} // namespace mica::runtime::sim
