//===- Memory.cpp - aligned memory and its reuse ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Memory.h"

#include "lib/Runtime/KeptBlocks.h"
#include "mica/ABI/Kernel.h"
#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace mica::runtime {

/// Out of the way of what gets memory.
[[gnu::cold, gnu::noinline]] static Error noMemory(int64_t bytes) { return outOfMemory(bytes, ""); }

Result<void *> allocateAligned(int64_t bytes, int64_t &capacity) {
  // Leaves room for the rounding below.
  if (bytes < 0 || bytes > std::numeric_limits<int64_t>::max() - 2 * kHugePage)
    return noMemory(bytes);
  // At least one unit, so that a tensor without elements has an address too.
  int64_t units = (bytes + MICA_BUFFER_ALIGNMENT - 1) / MICA_BUFFER_ALIGNMENT;
  int64_t rounded = (units ? units : 1) * MICA_BUFFER_ALIGNMENT;
  // By the capacity, not by `bytes`: releaseAligned knows the capacity only.
  if (rounded < kHugePage) {
    // Not aligned_alloc, which goes past malloc's cache of small blocks and costs several times as much. What malloc
    // gave is noted in front, where there is always room: its own alignment divides ours.
    if (!takeSmallMemory(rounded))
      return noMemory(bytes);
    void *raw = std::malloc(size_t(rounded + MICA_BUFFER_ALIGNMENT));
    if (!raw) {
      giveSmallMemoryBack(rounded);
      return noMemory(bytes);
    }
    static_assert(alignof(std::max_align_t) >= sizeof(void *));
    const uintptr_t address = (reinterpret_cast<uintptr_t>(raw) / MICA_BUFFER_ALIGNMENT + 1) * MICA_BUFFER_ALIGNMENT;
    auto **memory = reinterpret_cast<void **>(address);
    memory[-1] = raw;
    capacity = rounded;
    return static_cast<void *>(memory);
  }
  int64_t page = sysconf(_SC_PAGESIZE);
  rounded = (bytes + page - 1) / page * page;
  if (!takeMemory(rounded))
    return noMemory(bytes);
  if (keptBlocks().size() > memoryLimit() - memoryTaken())
    keptBlocks().release();
  // One huge page more, then the ends are given back: what remains starts at a huge-page boundary.
  auto map = [&] {
    return mmap(nullptr, size_t(rounded + kHugePage), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  void *raw = map();
  if (raw == MAP_FAILED && keptBlocks().size() > 0) {
    keptBlocks().release();
    raw = map();
  }
  if (raw == MAP_FAILED) {
    giveMemoryBack(rounded);
    return noMemory(bytes);
  }
  auto begin = reinterpret_cast<uintptr_t>(raw);
  uintptr_t aligned = (begin + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned != begin)
    munmap(raw, aligned - begin);
  if (uintptr_t tail = begin + kHugePage - aligned)
    munmap(reinterpret_cast<void *>(aligned + rounded), tail);
  void *memory = reinterpret_cast<void *>(aligned);
  // Advice only: where huge pages are off the memory works all the same.
  madvise(memory, size_t(rounded), MADV_HUGEPAGE);
  capacity = rounded;
  return memory;
}

void releaseAligned(void *memory, int64_t capacity) {
  if (capacity < kHugePage) {
    std::free(static_cast<void **>(memory)[-1]);
    giveSmallMemoryBack(capacity);
    return;
  }
  munmap(memory, size_t(capacity));
  giveMemoryBack(capacity);
}

HostBlocks::~HostBlocks() {
  for (auto [memory, capacity] : blocks)
    releaseAligned(memory, capacity);
}

Result<void *> HostBlocks::allocate(int64_t bytes, bool zeroed) {
  int64_t capacity = 0;
  MICA_ASSIGN_OR_RETURN(void *memory, allocateAligned(bytes, capacity));
  if (zeroed && capacity < kHugePage) // larger blocks come zeroed from the system
    std::memset(memory, 0, size_t(capacity));
  blocks.push_back({memory, capacity});
  return memory;
}

void HostBlocks::release(void *memory) {
  auto it = std::find_if(blocks.begin(), blocks.end(), [&](auto &block) { return block.first == memory; });
  releaseAligned(it->first, it->second);
  blocks.erase(it);
}

MemoryPool::~MemoryPool() {
  reset();
  for (std::vector<Block> &blocks : idle)
    for (const Block &block : blocks)
      releaseAligned(block.memory, block.capacity);
}

/// There is room for its entry.
void *MemoryPool::give(const Block &block) {
  used.push_back(block);
  inUse += block.capacity;
  most = std::max(most, inUse);
  if (filled)
    fillUnwritten(block.memory, block.capacity);
  return block.memory;
}

Result<void *> MemoryPool::allocate(int64_t bytes) {
  if (bytes < 0)
    return Error{ErrorCode::InvalidInput, "a size of " + std::to_string(bytes) + " bytes was asked for", ""};
  // Size class: the next power of two up to 1 MiB (reuse between near sizes), beyond it multiples of a quarter of the
  // power below (little waste).
  uint64_t need = bytes < MICA_BUFFER_ALIGNMENT ? MICA_BUFFER_ALIGNMENT : uint64_t(bytes);
  if (need > uint64_t(std::numeric_limits<int64_t>::max()) / 2)
    return noMemory(bytes);
  uint64_t wanted = std::bit_ceil(need);
  if (need > (uint64_t(1) << 20)) {
    uint64_t step = std::bit_floor(need) / 4;
    wanted = (need + step - 1) / step * step;
  }
  // First, so that no block is lost where there is no memory for its entry.
  if (used.size() == used.capacity())
    used.reserve(2 * used.size() + 8);
  int sizeClass = std::bit_width(wanted) - 1;
  std::vector<Block> &blocks = idle[sizeClass];
  for (size_t i = blocks.size(); i-- > 0;) {
    if (blocks[i].capacity < bytes)
      continue;
    const Block block = blocks[i];
    blocks[i] = blocks.back();
    blocks.pop_back();
    return give(block);
  }
  int64_t capacity = 0;
  Result<void *> memory = allocateAligned(int64_t(wanted), capacity);
  if (!memory) {
    // What is kept for later calls is of no use to this one; nor is the room that makes blocks fit again.
    trim(0);
    memory = allocateAligned(bytes, capacity);
  }
  if (!memory)
    return memory.error();
  return give({*memory, capacity, int(std::bit_width(uint64_t(capacity))) - 1});
}

Result<void *> MemoryPool::allocate(int64_t bytes, int64_t alignment) {
  if (alignment <= MICA_BUFFER_ALIGNMENT || bytes < 0)
    return allocate(bytes);
  const std::optional<int64_t> room = checkedAdd(std::max<int64_t>(bytes, 1), alignment - MICA_BUFFER_ALIGNMENT);
  if (!room)
    return noMemory(bytes);
  MICA_ASSIGN_OR_RETURN(void *memory, allocate(*room));
  const auto mask = static_cast<uintptr_t>(alignment - 1);
  return reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(memory) + mask) & ~mask);
}

/// Whoever is out of memory comes by here too: a block that cannot be kept is given back.
void MemoryPool::keepIdle(const Block &block) noexcept {
  try {
    idle[block.sizeClass].push_back(block);
  } catch (const std::bad_alloc &) {
    releaseAligned(block.memory, block.capacity);
  }
}

void MemoryPool::release(void *memory) {
  // The latest are the first to go. An alignment of its own begins inside a block.
  const auto block = std::find_if(used.rbegin(), used.rend(), [&](const Block &candidate) {
    return memory >= candidate.memory && memory < static_cast<char *>(candidate.memory) + candidate.capacity;
  });
  if (block == used.rend())
    return;
  inUse -= block->capacity;
  keepIdle(*block);
  used.erase(std::next(block).base());
}

void MemoryPool::trim(int64_t keep) {
  for (std::vector<Block> &blocks : idle)
    std::erase_if(blocks, [&](const Block &block) {
      keep -= block.capacity;
      if (keep >= 0)
        return false;
      releaseAligned(block.memory, block.capacity);
      return true;
    });
}

void MemoryPool::reset(size_t mark) {
  for (; used.size() > mark; used.pop_back()) {
    inUse -= used.back().capacity;
    keepIdle(used.back());
  }
}

} // namespace mica::runtime
