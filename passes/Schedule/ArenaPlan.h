//===- ArenaPlan.h - allocating buffers in an arena -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// First-fit allocation by lifetime, independent of the IR.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_ARENAPLAN_H
#define MICA_PASSES_SCHEDULE_ARENAPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mica {

/// A buffer to allocate: its size in bytes, and the positions of the first and last task that use it.
struct BufferLifetime {
  int64_t bytes;
  int64_t first;
  int64_t last;
};

/// The offset of each buffer in the arena, in bytes, and the size of the arena; all multiples of the alignment.
struct ArenaPlan {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Allocates `buffers` such that two with overlapping lifetimes never share a byte. They must be sorted by `first`;
/// each gets the lowest free offset. An empty buffer gets a separate offset too. Nothing on overflow of an offset or
/// the arena's size.
std::optional<ArenaPlan> planArena(llvm::ArrayRef<BufferLifetime> buffers, int64_t alignment);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_ARENAPLAN_H
