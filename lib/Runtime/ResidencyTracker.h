//===- ResidencyTracker.h - which copy of a range of memory is the newer one --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// For a device that does not share memory with the host. Whoever runs programs goes by addresses of the host alone; for
// each range the device has memory of its own, got when a launch names it first. Of every byte either copy may be old:
//
//   the host wrote        the device's is old; what a launch reads of it is uploaded before
//   a launch wrote        the host's is old; it is downloaded when somebody asks for it
//
// Bookkeeping alone: what copies and where memory comes from is the owner's. For one thread at a time.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RESIDENCYTRACKER_H
#define MICA_LIB_RUNTIME_RESIDENCYTRACKER_H

#include "mica/Runtime/Backend.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace mica::runtime {

/// Bytes of a range, as intervals from begin to before end, in order, apart from each other.
class ByteSet {
public:
  struct Interval {
    int64_t begin, end;
  };
  bool empty() const { return intervals.empty(); }
  void clear() { intervals.clear(); }
  void add(int64_t begin, int64_t end);
  void remove(int64_t begin, int64_t end);
  /// What of [begin, end) is in it.
  std::vector<Interval> within(int64_t begin, int64_t end) const;
  const std::vector<Interval> &all() const { return intervals; }

private:
  /// For assertions: whether the intervals are what the class says they are.
  bool areApart() const;

  std::vector<Interval> intervals;
};

/// What mirrors ask of their device. Addresses of the device are numbers.
struct MirrorDevice {
  std::function<Result<uint64_t>(int64_t bytes)> allocate;
  std::function<void(uint64_t memory, int64_t bytes)> release;
  /// Queued: later launches see it. `from` may be overwritten when it returns.
  std::function<Status(uint64_t to, const void *from, int64_t bytes)> upload;
  /// Done when it returns.
  std::function<Status(void *to, uint64_t from, int64_t bytes)> download;
};

class ResidencyTracker {
public:
  explicit ResidencyTracker(MirrorDevice device) : device(std::move(device)) {}
  ResidencyTracker(const ResidencyTracker &) = delete;
  ResidencyTracker &operator=(const ResidencyTracker &) = delete;
  ~ResidencyTracker();

  /// As Backend::adopt. `stays`: forget() keeps it.
  Status adopt(void *memory, int64_t bytes, Contents contents, bool stays = false);
  /// Drops the range that begins at `memory`.
  void drop(const void *memory);
  /// As Backend::forget.
  void forget();

  /// The device's address of `memory`, whose `bytes` bytes a launch accesses: uploads what it reads, notes what it
  /// writes.
  Result<uint64_t> prepare(const void *memory, int64_t bytes, artifact::Access access);

  Status toHost(const void *memory, int64_t bytes);
  /// As Backend's; of what stays, constants and arenas, nobody but launches knows.
  Status allToHost();
  void hostWrote(const void *memory, int64_t bytes);
  void hostWroteAll();

private:
  struct Range {
    int64_t bytes = 0;
    uint64_t mirror = 0; ///< 0: none yet
    int64_t number = 0;  ///< of mirrors made before it
    bool stays = false;
    ByteSet deviceOld, hostOld;
  };
  using Ranges = std::map<uintptr_t, Range>;
  /// The range that has the address, or the end.
  Ranges::iterator find(const void *memory);
  Status download(uintptr_t begin, Range &range, int64_t from, int64_t to);
  void release(Range &range);

  MirrorDevice device;
  Ranges ranges; ///< by first byte; none overlaps another
  int64_t numMirrors = 0;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RESIDENCYTRACKER_H
