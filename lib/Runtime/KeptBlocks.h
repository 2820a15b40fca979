//===- KeptBlocks.h - large blocks that results gave back ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The system zeroes new memory when it is touched first, which takes as long as a memory-bound kernel does. A program
// that is run again and again, and whose results are released between the runs, gets the memory of the last ones.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_KEPTBLOCKS_H
#define MICA_LIB_RUNTIME_KEPTBLOCKS_H

#include <array>
#include <atomic>
#include <cstdint>

namespace mica::runtime {

/// Blocks of at least kHugePage bytes, as allocateAligned gives them, for the whole process. They do not count against
/// the memory limit, and are released before it is reached. Lock-free: some ten atomic operations per call.
class KeptBlocks {
public:
  /// Bytes that stay as they are. The pages of further blocks are the system's to take (MADV_FREE), which it soon does
  /// while files are read and written.
  static constexpr int64_t kResidentBytes = int64_t(64) << 20;
  /// Most bytes of one block and of all.
  static constexpr int64_t kMostBytes = int64_t(256) << 20;

  /// A kept block for `bytes` bytes, at most a quarter larger; null if there is none, or none within the memory limit,
  /// against which it counts from now on. Its contents are undefined.
  void *take(int64_t bytes, int64_t &capacity);
  /// Keeps a block of allocateAligned, for which another one may go; releases it if it is too large.
  void give(void *memory, int64_t capacity);
  /// Gives all blocks back to the system.
  void release();
  /// Bytes of all blocks.
  int64_t size() const { return held.load(std::memory_order_relaxed); }

private:
  /// Gives it back to the system, if there is one.
  void drop(uint64_t block);

  std::array<std::atomic<uint64_t>, 8> slots = {}; ///< address and number of pages in one; 0: empty
  std::atomic<int64_t> held = 0;
};

/// The blocks of this process.
KeptBlocks &keptBlocks();

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_KEPTBLOCKS_H
