//===- Workspaces.h - memory of a GPU that its queue's launches share --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Temporaries whose sizes wrappers work out (mica/ABI/Gpu.h). Launches of a queue run one after the other, so what one
// has given back the next one gets, with nobody waiting. Blocks stay until trim(): a wrapper that is called again gets
// the same addresses, and a captured graph uses blocks that are there as long as `generation()` is the same.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_WORKSPACES_H
#define MICA_LIB_RUNTIME_WORKSPACES_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mica::runtime {

/// For one thread at a time, with what the device needs current.
class Workspaces {
public:
  using Allocate = std::function<Result<uint64_t>(int64_t bytes)>;
  using Release = std::function<void(uint64_t memory, int64_t bytes)>;
  /// Where blocks come from, and go to.
  Workspaces(Allocate allocate, Release release)
      : allocateBlock(std::move(allocate)), releaseBlock(std::move(release)) {}

  /// The smallest free block of at least `bytes` bytes, else a new one. `mayGrow`: whether there may be a new one.
  Result<uint64_t> take(int64_t bytes, bool mayGrow);
  void giveBack(uint64_t memory);
  void giveAllBack();
  /// Lets go of the blocks that are free; nothing that was queued may use them any more. Whether there were any.
  bool trim();

  /// Another one whenever blocks have gone: who kept addresses of some must not use them any more.
  uint64_t generation() const { return trims; }

private:
  struct Block {
    uint64_t memory;
    int64_t bytes;
    bool isTaken;
  };
  Allocate allocateBlock;
  Release releaseBlock;
  std::vector<Block> blocks; ///< few
  uint64_t trims = 0;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_WORKSPACES_H
