//===- Memory.h - aligned memory and its reuse -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_MEMORY_H
#define MICA_LIB_RUNTIME_MEMORY_H

#include "mica/Support/Status.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace mica::runtime {

/// From this size on memory comes straight from the system, aligned for huge pages and advised to use them: touching
/// 64 MiB for the first time costs an eighth with huge pages.
inline constexpr int64_t kHugePage = int64_t(2) << 20;

/// MICA_BUFFER_ALIGNMENT aligned memory of at least `bytes` bytes; never null. `capacity` is set to what is usable.
/// Fails with Io where that is beyond the limit (mica/Support/MemoryLimit.h), against which it counts, or the system
/// has none.
Result<void *> allocateAligned(int64_t bytes, int64_t &capacity);
/// Takes the address and capacity that allocateAligned gave.
void releaseAligned(void *memory, int64_t capacity);

/// Sets every bit, so that whoever reads before a write gets NaN or -1, not what an earlier tensor left there: that may
/// be the very value that is missing.
inline void fillUnwritten(void *memory, int64_t bytes) { std::memset(memory, 0xff, size_t(bytes)); }

/// What a device that computes in the host's memory allocates; for one thread at a time.
class HostBlocks {
public:
  HostBlocks() = default;
  HostBlocks(const HostBlocks &) = delete;
  HostBlocks &operator=(const HostBlocks &) = delete;
  ~HostBlocks();

  /// As allocateAligned. `zeroed`: every byte is 0.
  Result<void *> allocate(int64_t bytes, bool zeroed = false);
  /// Takes back what allocate() gave.
  void release(void *memory);

private:
  std::vector<std::pair<void *, int64_t>> blocks; ///< with their capacities
};

/// Memory for one invocation: inputs copied for alignment, what the host function asks for, dynamic buffers. Blocks are
/// kept between invocations, by size class, so that a repeated call allocates nothing. For one thread at a time.
class MemoryPool {
public:
  MemoryPool() = default;
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;
  ~MemoryPool();

  /// Memory that lives until reset(). Fails with Io when the system has none, InvalidInput when `bytes` is negative.
  Result<void *> allocate(int64_t bytes);
  /// The same at a multiple of `alignment`, a power of two.
  Result<void *> allocate(int64_t bytes, int64_t alignment);
  /// Takes back one of the blocks given out; the others keep their places in the order.
  void release(void *memory);
  /// Takes back everything given out since `mark` (what marker() said then).
  void reset(size_t mark = 0);
  /// The same, except blocks that one of `kept` points into, sorted addresses. `released` is called with the memory and
  /// the capacity of each block that is taken back. Linear in the number of blocks.
  template <typename Released> void resetExcept(size_t mark, std::span<void *const> kept, Released released) {
    size_t last = mark;
    for (size_t i = mark; i < used.size(); ++i) {
      const Block block = used[i];
      const auto inside = std::lower_bound(kept.begin(), kept.end(), block.memory, std::less<const void *>());
      if (inside != kept.end() &&
          std::less<const void *>()(*inside, static_cast<const char *>(block.memory) + block.capacity)) {
        used[last++] = block;
        continue;
      }
      inUse -= block.capacity;
      released(block.memory, block.capacity);
      keepIdle(block);
    }
    used.erase(used.begin() + std::ptrdiff_t(std::min(last, used.size())), used.end());
  }
  /// Frees what was taken back, but for about `keep` bytes.
  void trim(int64_t keep);
  size_t marker() const { return used.size(); }
  /// The most bytes that were given out at one time, in whole blocks.
  int64_t mostInUse() const { return most; }
  /// What it has of the system now: given out, and kept for later.
  int64_t reserved() const {
    int64_t bytes = inUse;
    for (const std::vector<Block> &blocks : idle)
      for (const Block &block : blocks)
        bytes += block.capacity;
    return bytes;
  }
  /// From now on every block that is given out holds what fillUnwritten() leaves.
  void setFilled() { filled = true; }

private:
  struct Block {
    void *memory;
    int64_t capacity;
    int sizeClass;
  };
  void keepIdle(const Block &block) noexcept;

  void *give(const Block &block);

  bool filled = false;
  int64_t inUse = 0, most = 0;
  std::vector<Block> used;
  std::array<std::vector<Block>, 64> idle; ///< class c: capacity at least 2^c
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_MEMORY_H
