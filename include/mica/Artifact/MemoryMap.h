//===- MemoryMap.h - which tensors an arena holds, where and when -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Of a task list: the tensors of its arena by address and lifetime, in the order of the list; when most bytes are
// in use, and which tensor would lower that if it were not there.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_MEMORYMAP_H
#define MICA_ARTIFACT_MEMORYMAP_H

#include "mica/Artifact/Manifest.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mica::artifact {

/// The part of an arena that holds one tensor; several buffers may be views of it.
struct ArenaTensor {
  int64_t offset = 0, bytes = 0;
  int64_t first = -1, last = -1; ///< tasks
  std::vector<int64_t> buffers;  ///< positions in the list
  std::vector<int64_t> readers;  ///< tasks

  int64_t end() const { return offset + bytes; }
  bool isLiveAt(int64_t task) const { return first <= task && task <= last; }
};

/// The tensors in the arena of `list`, in the order in which they are written.
std::vector<ArenaTensor> arenaTensors(const TaskList &list, const Manifest &manifest);

struct MemoryMap {
  std::vector<ArenaTensor> tensors;
  int64_t withoutSharing = 0; ///< bytes of all tensors
  int64_t peak = 0;           ///< most bytes that are in use at once
  int64_t peakTask = -1;      ///< the first task at which they are; -1: the list uses no arena
  /// A tensor that is in use at the peak, and the peak without it.
  struct Saving {
    size_t tensor = 0;
    int64_t peak = 0;
  };
  std::vector<Saving> savings; ///< those that lower it, the largest saving first
  /// Pairs of tensors of which the second is written into memory of the first before that was read for the last time.
  std::vector<std::pair<size_t, size_t>> overlaps;
};

MemoryMap memoryMapOf(const TaskList &list, const Manifest &manifest);

/// The first task of a list at which the arena has to be larger than `limit` bytes; nothing if it need not.
std::optional<size_t> firstTaskBeyond(const TaskList &list, const Manifest &manifest, int64_t limit);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_MEMORYMAP_H
