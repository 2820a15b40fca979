//===- ArenaPlan.cpp - allocating buffers in an arena -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ArenaPlan.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/ArenaPlan.h"

#include "mica/Support/Checked.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace mica;

std::optional<ArenaPlan> mica::planArena(llvm::ArrayRef<BufferLifetime> buffers, int64_t alignment) {
  struct Live {
    int64_t offset, end, last;
  };
  llvm::SmallVector<Live> live; // sorted by offset
  ArenaPlan plan;
  assert(llvm::is_sorted(buffers, [](auto &a, auto &b) { return a.first < b.first; }) &&
         "what is live is known by the order in which buffers begin");
  for (const BufferLifetime &buffer : buffers) {
    llvm::erase_if(live, [&](const Live &other) { return other.last < buffer.first; });
    const std::optional<int64_t> size = checkedAlign(std::max<int64_t>(buffer.bytes, 1), alignment);
    if (!size)
      return std::nullopt;
    int64_t offset = 0;
    auto *place = live.begin();
    for (; place != live.end() && place->offset - offset < *size; ++place)
      offset = std::max(offset, place->end);
    const std::optional<int64_t> end = checkedAdd(offset, *size);
    if (!end)
      return std::nullopt;
    live.insert(place, {offset, *end, buffer.last});
    plan.offsets.push_back(offset);
    plan.bytes = std::max(plan.bytes, *end);
  }
  return plan;
}
