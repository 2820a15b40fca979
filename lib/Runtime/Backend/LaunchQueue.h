//===- Backend/LaunchQueue.h - launches whose dependencies are met ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A bounded ring that any thread pushes to and takes shares from, without locks. An entry is a launch; it stays at the
// head until all its shares are taken, so one entry feeds several threads.
//
// Why a late thread does no harm: a launch's `ticket` holds (shares << 32 | next share) in one word, so one fetch-add
// gives a share and the number of shares it is one of, consistent with each other. A thread that looks at a launch
// which has been finished meanwhile gets "all taken"; if it has been launched anew, the thread gets a share of that new
// launch, which is ready and as good as any. Launches live as long as the back end, so the look itself is safe.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_BACKEND_LAUNCHQUEUE_H
#define MICA_LIB_RUNTIME_BACKEND_LAUNCHQUEUE_H

#include "mica/Runtime/Backend.h"

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace mica::runtime {

/// See the head of the file.
class LaunchQueue {
public:
  /// One share of a launch.
  struct Share {
    Launch *launch = nullptr;
    int64_t part = 0;
    int64_t parts = 1;
  };
  enum class Outcome {
    Taken, ///< a share was taken
    Empty, ///< there is nothing to take
    Retry, ///< another thread was in the middle of something: look again
  };

  /// Must be called before the first push, with the most launches that can be waiting at once; not thread safe.
  void reserve(size_t launches) {
    // Twice, for heads may lag behind by entries that are all taken.
    size_t size = std::bit_ceil(2 * launches + 2);
    if (size <= slots.size())
      return;
    slots = std::vector<Slot>(size);
    head.store(0);
    tail.store(0);
  }

  /// Makes the shares of `launch` (1 or more) available.
  void push(Launch &launch, uint32_t shares) {
    launch.ticket.store(uint64_t(shares) << 32, std::memory_order_release);
    uint64_t position = tail.fetch_add(1, std::memory_order_seq_cst);
    // Full only if the head lags over entries that are all taken: help it along.
    while (position - head.load(std::memory_order_acquire) >= slots.size())
      skipTaken();
    Slot &slot = slots[position & (slots.size() - 1)];
    slot.launch.store(&launch, std::memory_order_relaxed);
    slot.sequence.store(position + 1, std::memory_order_seq_cst);
  }

  Outcome take(Share &share) {
    uint64_t position = head.load(std::memory_order_acquire);
    if (position >= tail.load(std::memory_order_acquire))
      return Outcome::Empty;
    Slot &slot = slots[position & (slots.size() - 1)];
    if (slot.sequence.load(std::memory_order_acquire) != position + 1)
      return Outcome::Retry;
    Launch *launch = slot.launch.load(std::memory_order_relaxed);
    if (!allTaken(launch->ticket.load(std::memory_order_relaxed))) {
      uint64_t ticket = launch->ticket.fetch_add(1, std::memory_order_acq_rel);
      if (!allTaken(ticket)) {
        share = {launch, int64_t(uint32_t(ticket)), int64_t(ticket >> 32)};
        if (share.part + 1 == share.parts)
          advance(position);
        return Outcome::Taken;
      }
    }
    advance(position);
    return Outcome::Retry;
  }

  /// True if take() would find nothing; sequentially consistent with push().
  bool empty() const { return head.load(std::memory_order_seq_cst) >= tail.load(std::memory_order_seq_cst); }

private:
  struct Slot {
    std::atomic<uint64_t> sequence{0}; ///< position of the entry + 1
    std::atomic<Launch *> launch{nullptr};
  };

  static bool allTaken(uint64_t ticket) { return uint32_t(ticket) >= uint32_t(ticket >> 32); }
  void advance(uint64_t position) { head.compare_exchange_strong(position, position + 1, std::memory_order_acq_rel); }

  /// Moves the head over one entry if all its shares are taken.
  void skipTaken() {
    uint64_t position = head.load(std::memory_order_acquire);
    Slot &slot = slots[position & (slots.size() - 1)];
    if (slot.sequence.load(std::memory_order_acquire) == position + 1 &&
        allTaken(slot.launch.load(std::memory_order_relaxed)->ticket.load(std::memory_order_acquire)))
      advance(position);
  }

  alignas(kCacheLine) std::atomic<uint64_t> head{0};
  alignas(kCacheLine) std::atomic<uint64_t> tail{0};
  alignas(kCacheLine) std::vector<Slot> slots;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_BACKEND_LAUNCHQUEUE_H
