//===- Workspaces.cpp - memory of a GPU that its queue's launches share ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Workspaces.h"

#include <algorithm>

namespace mica::runtime {

Result<uint64_t> Workspaces::take(int64_t bytes, bool mayGrow) {
  Block *best = nullptr;
  for (Block &block : blocks)
    if (!block.isTaken && block.bytes >= bytes && (!best || block.bytes < best->bytes))
      best = &block;
  if (best) {
    best->isTaken = true;
    return best->memory;
  }
  if (!mayGrow)
    return Error{ErrorCode::Internal, "launches that are captured want memory that they did not want before", ""};
  MICA_ASSIGN_OR_RETURN(uint64_t memory, allocateBlock(bytes));
  blocks.push_back({memory, bytes, true});
  return memory;
}

void Workspaces::giveBack(uint64_t memory) {
  for (Block &block : blocks)
    if (block.memory == memory)
      block.isTaken = false;
}

void Workspaces::giveAllBack() {
  for (Block &block : blocks)
    block.isTaken = false;
}

bool Workspaces::trim() {
  auto kept = std::stable_partition(blocks.begin(), blocks.end(), [](const Block &block) { return block.isTaken; });
  const bool any = kept != blocks.end();
  for (auto it = kept; it != blocks.end(); ++it)
    releaseBlock(it->memory, it->bytes);
  blocks.erase(kept, blocks.end());
  trims += any;
  return any;
}

} // namespace mica::runtime
