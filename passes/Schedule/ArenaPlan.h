//===- ArenaPlan.h - where buffers of a task list lie -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// First-fit placement by lifetime. A plain function on plain data.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_ARENAPLAN_H
#define MICA_PASSES_SCHEDULE_ARENAPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mica {

/// A buffer to be placed: its size in bytes, and the positions of the first and last task that touch it.
struct BufferLifetime {
  int64_t bytes;
  int64_t first;
  int64_t last;
};

/// Where each buffer lies, in bytes from the start of the arena, and how large the arena is; all multiples of the
/// alignment.
struct ArenaPlan {
  llvm::SmallVector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Places `buffers` so that two whose lifetimes overlap never share a byte. They must be sorted by `first`; each goes
/// to the lowest place that is free then. A buffer of no bytes gets a place of its own too. Nothing where an offset or
/// the arena's size does not fit.
std::optional<ArenaPlan> planArena(llvm::ArrayRef<BufferLifetime> buffers, int64_t alignment);

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_ARENAPLAN_H
