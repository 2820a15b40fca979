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

#include "mica/Support/MemoryLimit.h"

#include <cstring>
#include <new>
#include <string>

namespace mica::runtime::sim {

namespace {

/// Freed allocations are kept up to so many bytes.
static constexpr int64_t kMostFreedBytes = int64_t(64) << 20;
/// Bytes before and behind an allocation in which accesses are known to be outside.
constexpr int64_t kRedZone = 256;

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

} // namespace

Conflict access(mica_sim_cell_v1 &cell, bool isWorkgroup, const Stamps &stamps, int32_t thread, int32_t site,
                mica_sim_access kind) {
  Conflict conflict;
  const uint32_t written = stampOf(cell.write);
  auto found = [&](Conflict::Kind what, uint64_t other, bool wrote) {
    if (conflict.kind == Conflict::Kind::None)
      conflict = {what, other, wrote};
  };
  const bool isSpecial = written > kLastStamp;
  const bool writes = kind != MICA_SIM_READ, isAtomic = kind == MICA_SIM_ATOMIC;
  if (written == kOutside || written == kFreed) {
    found(written == kFreed ? Conflict::Kind::Freed : Conflict::Kind::Outside, cell.write, false);
    return conflict;
  }
  if (written == kInFlight) {
    found(Conflict::Kind::InFlight, cell.write, true);
  } else if (written == kUninitialized || (isWorkgroup && written < stamps.blockStart)) {
    if (!writes || isAtomic)
      found(Conflict::Kind::Uninitialized, cell.write, false);
  } else if (!isOrdered(cell.write, isWorkgroup, stamps, thread) && !(isAtomic && (cell.write & kAtomicFlag))) {
    found(raceKind(cell.write, stamps), cell.write, true);
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
  if (!isSpecial || written == kUninitialized)
    cell.write = cellHalf(stamps.present, thread, site, isAtomic ? kAtomicFlag : 0);
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
  bytesPerCell = bytes;
  pages.clear();
  table.assign(MICA_SIM_PAGE_SLOTS, mica_sim_page_v1{~uint64_t(0), nullptr});
  // What kernels and the host wrote since is not known any more: it counts as written.
  for (auto &[begin, allocation] : allocations)
    if (allocation.isFree)
      mark(begin, allocation);
}

mica_sim_cell_v1 &ShadowMap::cell(int64_t address) {
  const uint64_t page = uint64_t(address) / MICA_SIM_PAGE_BYTES;
  mica_sim_page_v1 &slot = table[page % MICA_SIM_PAGE_SLOTS];
  if (slot.page != page) {
    std::unique_ptr<mica_sim_cell_v1[]> &cells = pages[page];
    if (!cells)
      cells = std::make_unique<mica_sim_cell_v1[]>(size_t(MICA_SIM_PAGE_BYTES / bytesPerCell));
    slot = {page, cells.get()};
  }
  return slot.cells[(uint64_t(address) % MICA_SIM_PAGE_BYTES) / uint64_t(bytesPerCell)];
}

void ShadowMap::fill(int64_t address, int64_t bytes, uint64_t write) {
  for (int64_t at = address; at < address + bytes; at += bytesPerCell)
    cell(at) = {write, 0, 0, 0};
}

void ShadowMap::mark(int64_t begin, const Allocation &allocation) {
  const int64_t padded = (allocation.bytes + 15) / 16 * 16;
  fill(begin - kRedZone, kRedZone, uint64_t(kOutside) << 32);
  fill(begin + padded, kRedZone, uint64_t(kOutside) << 32);
  const int64_t whole = allocation.bytes / bytesPerCell * bytesPerCell;
  fill(begin + whole, padded - whole, uint64_t(kOutside) << 32);
  if (allocation.isFree || !allocation.hostShared)
    fill(begin, allocation.bytes, uint64_t(allocation.isFree ? kFreed : kUninitialized) << 32);
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
    if (stamp == kOutside || stamp == kFreed)
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
  auto after = allocations.upper_bound(address + kRedZone);
  while (after != allocations.begin()) {
    --after;
    const auto &[begin, allocation] = *after;
    if (address < begin - kRedZone || address >= begin + allocation.bytes + kRedZone + 16)
      continue;
    std::string text = (allocation.isFree ? "a freed allocation of " : "an allocation of ") +
                       std::to_string(allocation.bytes) + " bytes";
    if (address < begin)
      return text + ", " + std::to_string(begin - address) + " bytes before its beginning";
    if (address >= begin + allocation.bytes)
      return text + ", " + std::to_string(address - begin - allocation.bytes) + " bytes behind its end";
    return "byte " + std::to_string(address - begin) + " of " + text;
  }
  return "";
}

} // namespace mica::runtime::sim
