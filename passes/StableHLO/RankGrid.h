//===- RankGrid.h - grids of ranks --------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A collective of StableHLO lists the processes of each group; those of shard are along axes of a grid. Here is which
// axes groups and permutations of processes are on a grid, and which grids there are.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_RANKGRID_H
#define MICA_PASSES_STABLEHLO_RANKGRID_H

#include "dialects/MicaSched/IR/ShardValues.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <numeric>
#include <optional>

namespace mica::hlotypes {

/// Of a grid that is looked for; more would take long to try.
inline constexpr int64_t kMostRanks = 65536;

using Axes = llvm::SmallVector<int16_t>;
/// How one tensor is split.
using Split = mica::SplitAxes;

struct Grid {
  llvm::SmallVector<int64_t> sizes;
  int64_t count() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>()); }

  int64_t position(int64_t rank, int16_t axis) const;
  /// The position of a rank along `axes`, the first of them outermost.
  int64_t position(int64_t rank, llvm::ArrayRef<int16_t> axes) const;

  /// Axes of `count` ranks in all, in some order, that `fits` accepts.
  std::optional<Axes> findAxes(int64_t count, llvm::function_ref<bool(llvm::ArrayRef<int16_t>)> fits,
                               Axes taken = {}) const;
};

/// Groups of ranks: of each rank, the group that it is in, and its place there.
struct Groups {
  llvm::SmallVector<int64_t> group, member;
  int64_t size = 0; ///< of each group

  /// Null where a rank is in no group or in two, or groups are of different sizes.
  static std::optional<Groups> of(mlir::DenseIntElementsAttr ids, int64_t count);

  std::optional<Axes> axesOn(const Grid &grid) const;
};

/// What collective_permute is on a grid.
struct Shift {
  int16_t axis;
  int64_t offset; ///< of the rank that one receives from
  bool rotates;

  static std::optional<Shift> of(mlir::DenseIntElementsAttr pairs, const Grid &grid);
};

/// Grids of `count` ranks, those with fewer axes first.
llvm::SmallVector<Grid> gridsOf(int64_t count);

} // namespace mica::hlotypes

#endif // MICA_PASSES_STABLEHLO_RANKGRID_H
