//===- KeptBlocks.cpp - large blocks that results gave back ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See KeptBlocks.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/KeptBlocks.h"

#include "lib/Runtime/Memory.h"
#include "mica/Support/MemoryLimit.h"

#include <sys/mman.h>

namespace mica::runtime {

/// The granularity of capacities, at least that of the system's pages.
static constexpr int64_t kPage = 4096;
/// Blocks start at multiples of kHugePage, so the low bits of an address have room for a number of pages.
static constexpr uint64_t kPagesMask = kHugePage - 1;
static_assert(KeptBlocks::kMostBytes / kPage <= int64_t(kPagesMask));

static void *addressOf(uint64_t block) { return reinterpret_cast<void *>(block & ~kPagesMask); }
static int64_t bytesOf(uint64_t block) { return int64_t(block & kPagesMask) * kPage; }

void *KeptBlocks::take(int64_t bytes, int64_t &capacity) {
  if (bytes < kHugePage)
    return nullptr;
  for (std::atomic<uint64_t> &slot : slots) {
    uint64_t block = slot.load(std::memory_order_relaxed);
    const int64_t size = bytesOf(block);
    if (size < bytes || size - size / 5 > bytes)
      continue;
    if (!takeMemory(size))
      return nullptr;
    if (slot.compare_exchange_strong(block, 0, std::memory_order_acquire)) {
      held.fetch_sub(size, std::memory_order_relaxed);
      capacity = size;
      return addressOf(block);
    }
    giveMemoryBack(size);
  }
  return nullptr;
}

void KeptBlocks::drop(uint64_t block) {
  if (block == 0)
    return;
  held.fetch_sub(bytesOf(block), std::memory_order_relaxed);
  munmap(addressOf(block), size_t(bytesOf(block)));
}

void KeptBlocks::give(void *memory, int64_t capacity) {
  const bool isResident = size() + capacity <= kResidentBytes;
  if (capacity > kMostBytes || capacity % kPage != 0 ||
      (!isResident && madvise(memory, size_t(capacity), MADV_FREE) != 0))
    return releaseAligned(memory, capacity);
  giveMemoryBack(capacity);
  held.fetch_add(capacity, std::memory_order_relaxed);
  // The latest in front; the others move on to the first empty slot.
  uint64_t moved = reinterpret_cast<uint64_t>(memory) | uint64_t(capacity / kPage);
  for (size_t i = 0; i < slots.size() && moved != 0; ++i)
    moved = slots[i].exchange(moved, std::memory_order_acq_rel);
  drop(moved);
  for (size_t i = slots.size(); i-- > 1 && size() > kMostBytes;)
    drop(slots[i].exchange(0, std::memory_order_acquire));
}

void KeptBlocks::release() {
  for (std::atomic<uint64_t> &slot : slots)
    drop(slot.exchange(0, std::memory_order_acquire));
}

KeptBlocks &keptBlocks() {
  static KeptBlocks blocks;
  return blocks;
}

} // namespace mica::runtime
