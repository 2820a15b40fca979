//===- BulkCopies.h - mbarriers and what the device copies for a block ------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// A thread issues a bulk copy, and the device makes it at some later time: here as late as it can be, when no thread of
// the block goes on without it. A load counts its bytes for an mbarrier, a store is in a group that its thread waits
// for. PTX ISA: cp.async.bulk, cp.async.bulk.tensor, mbarrier, tensor-map.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_BULKCOPIES_H
#define MICA_RUNTIME_SIM_BULKCOPIES_H

#include "lib/Runtime/Sim/PartialOrder.h"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace mica::runtime::sim {

/// Offset `offset` of workgroup memory, where rows of `bytes` bytes are swizzled (32, 64 or 128; 0: not).
int64_t swizzled(int64_t offset, int64_t bytes);

struct BulkCopy {
  /// 16 bytes of workgroup memory. Those from `begin` to `end` have a counterpart in global memory, where the piece
  /// would begin at `global`; the others are outside of the tensor.
  struct Piece {
    int64_t global = 0, workgroup = 0;
    int32_t begin = 0, end = 0;
  };
  static constexpr int64_t kPieceBytes = 16;

  int32_t thread = 0, site = 0;
  bool isStore = false;
  bool isSourceRead = false; ///< of a store that its thread has waited for so far
  std::vector<Piece> pieces;
  std::vector<char> data; ///< of the source when the copy was issued, piece after piece

  int64_t bytes() const { return int64_t(pieces.size()) * kPieceBytes; }
};

/// What cuTensorMapEncodeTiled makes. Dimensions are as there: the innermost first.
struct TensorMap {
  static constexpr int64_t kMostRank = 5;

  std::string wrong; ///< why the driver would refuse it; "": it would not
  int64_t base = 0, rank = 0, elementBytes = 0, swizzleBytes = 0;
  bool isFilledWithNan = false;                             ///< what is outside of the tensor; else with 0
  std::array<int64_t, kMostRank> sizes{}, strides{}, box{}; ///< strides in bytes

  /// `memref`: the descriptor of a buffer, the outermost dimension first, like `box`. The others are the driver's
  /// constants (CUDA Driver API, cuTensorMapEncodeTiled).
  static TensorMap describe(int64_t rank, const void *memref, int64_t element, int64_t interleave, int64_t swizzle,
                            int64_t fill, const int64_t *box);
  int64_t boxBytes() const;
  /// From the first element of the tensor to the end of the last.
  int64_t extentBytes() const;
  /// The pieces of the box at `coordinates` (as many as dimensions), at `workgroup` in the workgroup memory that begins
  /// at `workgroupBegin`.
  std::vector<BulkCopy::Piece> pieces(const int32_t *coordinates, int64_t workgroup, int64_t workgroupBegin) const;
};

/// The stores of a thread.
struct BulkQueue {
  std::vector<BulkCopy> ungrouped;
  std::deque<std::vector<BulkCopy>> groups;
};

/// An object in workgroup memory at which threads arrive and wait.
struct Mbarrier {
  int64_t expected = 0; ///< arrivals in each phase
  int64_t pending = 0;  ///< of them, those that the current phase lacks
  int64_t bytes = 0;    ///< that the current phase lacks; below 0: that came before they were expected
  int64_t phase = 0;
  Seen seen;                    ///< what was before the arrivals of the current phase
  Seen complete;                ///< of the phases before it
  std::vector<BulkCopy> copies; ///< loads that count for it and are not made yet
  /// Threads that arrive once their asynchronous copies (Async.h) are made, with what they had seen.
  std::vector<std::pair<int32_t, Seen>> copying;

  /// Goes on to the next phase if this one lacks nothing.
  void advance();
  bool isComplete(int64_t phaseOrParity, bool isParity) const {
    return isParity ? (phase & 1) != (phaseOrParity & 1) : phase > phaseOrParity;
  }
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_BULKCOPIES_H
