//===- OpLog/EventRing.h - events on their way to the writer ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Any thread puts fixed-size events in, one thread takes them out in order. Nothing allocates or locks. A thread that
// finds the ring full waits for the writer: a log with holes would be worse than a slow one.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPLOG_EVENTRING_H
#define MICA_LIB_RUNTIME_OPLOG_EVENTRING_H

#include "mica/Runtime/Backend.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

namespace mica::runtime {

/// What is kept of a launch; names are looked up by the writer.
struct OpEvent {
  static constexpr int kMostScalars = 8;

  uint64_t id;
  int64_t handedNs, startNs, endNs;
  int32_t kernel; ///< position in the manifest
  int32_t site;   ///< position in the manifest, -1 where unknown
  int32_t thread; ///< the system's number of the thread that told it
  int32_t parts;
  int32_t status;
  uint16_t scalarCount; ///< of the launch, may be more than are kept
  uint8_t device;       ///< position in the log's devices
  bool isComplete;      ///< else it was handed over
  bool skipped;         ///< cancelled before it began
  int64_t scalars[kMostScalars];
};

class EventRing {
public:
  EventRing() : slots(std::make_unique<Slot[]>(kCapacity)) {
    for (uint64_t i = 0; i < kCapacity; ++i)
      slots[i].turn.store(i, std::memory_order_relaxed);
  }

  void push(const OpEvent &event) {
    const uint64_t position = tail.fetch_add(1, std::memory_order_relaxed);
    Slot &slot = slots[position % kCapacity];
    while (slot.turn.load(std::memory_order_acquire) != position)
      std::this_thread::yield();
    slot.event = event;
    slot.turn.store(position + 1, std::memory_order_release);
  }

  /// The next event; false where there is none. One thread.
  bool pop(OpEvent &event) {
    Slot &slot = slots[head % kCapacity];
    if (slot.turn.load(std::memory_order_acquire) != head + 1)
      return false;
    event = slot.event;
    slot.turn.store(head + kCapacity, std::memory_order_release);
    ++head;
    return true;
  }

private:
  /// 20,000 launches: what the writer misses while the system runs something else for some milliseconds.
  static constexpr uint64_t kCapacity = 1 << 15;

  struct Slot {
    std::atomic<uint64_t> turn{0}; ///< who may use it: `position` to write, `position + 1` to read
    OpEvent event;
  };
  std::unique_ptr<Slot[]> slots;
  alignas(kCacheLine) std::atomic<uint64_t> tail{0};
  alignas(kCacheLine) uint64_t head = 0;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_OPLOG_EVENTRING_H
