//===- PartialOrder.h - barriers of some of the threads of a block --------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Stamps (Shadow.h) know barriers of the whole block. Where a kernel has barriers of a warp or of some warps, accesses
// that stamps leave unordered are looked at again, with a vector clock per thread: what a thread has seen of each other
// one. So every pair of accesses between two barriers of the block is decided exactly.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_PARTIALORDER_H
#define MICA_RUNTIME_SIM_PARTIALORDER_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace mica::runtime::sim {

/// How far a thread has seen each thread of its block; empty: not at all.
using Seen = std::vector<uint32_t>;

/// The threads of one block between two barriers of the block.
class PartialOrder {
public:
  /// Of `numThreads` threads, and as many agents that make the copies each of them issues, none has seen another.
  void begin(int64_t numThreads);
  /// Adds what is in `other` to `seen`.
  static void join(Seen &seen, const Seen &other);

  /// What `thread` did so far becomes part of `seen`; what it does next is later.
  void release(int32_t thread, Seen &seen);
  /// All that is in `seen` was before what `thread` does next.
  void acquire(int32_t thread, const Seen &seen);

  /// An access, in the order in which the simulator runs them.
  struct Access {
    int32_t thread = 0, site = 0;
    uint32_t clock = 0;
    bool writes = false, isAtomic = false;
  };
  /// Records an access to the granule at `address`; gives one before it that races with it, or nullptr. It stays valid
  /// until the next call.
  const Access *access(int64_t address, Access now);

private:
  /// One access for each thread and kind: the last, since of two by one thread the last is the one that may be seen
  /// last.
  std::unordered_map<int64_t, std::vector<Access>> accesses;
  std::vector<Seen> seenBy;
  std::vector<uint32_t> clocks;
  Access raced;
};

/// bar.sync and bar.arrive of one number.
struct NamedBarrier {
  int64_t arrived = 0; ///< threads that went on
  Seen seen;           ///< of these
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_PARTIALORDER_H
