//===- RankGrid.cpp - grids of ranks ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RankGrid.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/RankGrid.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;

static constexpr unsigned kMostAxes = 4;

int64_t Grid::position(int64_t rank, int16_t axis) const {
  for (size_t inner = sizes.size(); --inner > size_t(axis);)
    rank /= sizes[inner];
  return rank % sizes[axis];
}

int64_t Grid::position(int64_t rank, ArrayRef<int16_t> axes) const {
  int64_t place = 0;
  for (int16_t axis : axes)
    place = place * sizes[axis] + position(rank, axis);
  return place;
}

std::optional<Axes> Grid::findAxes(int64_t count, llvm::function_ref<bool(ArrayRef<int16_t>)> fits, Axes taken) const {
  if (count == 1)
    return fits(taken) ? std::optional(taken) : std::nullopt;
  for (int16_t axis = 0; axis < int16_t(sizes.size()); ++axis) {
    if (sizes[axis] == 1 || count % sizes[axis] != 0 || llvm::is_contained(taken, axis))
      continue;
    Axes more = taken;
    more.push_back(axis);
    if (std::optional<Axes> found = findAxes(count / sizes[axis], fits, more))
      return found;
  }
  return std::nullopt;
}

std::optional<Groups> Groups::of(DenseIntElementsAttr ids, int64_t count) {
  auto type = cast<ShapedType>(ids.getType());
  Groups groups{SmallVector<int64_t>(count, -1), SmallVector<int64_t>(count, -1), 0};
  if (type.getNumElements() == 0) {
    groups.group.assign(count, 0);
    std::iota(groups.member.begin(), groups.member.end(), 0);
    groups.size = count;
    return groups;
  }
  groups.size = type.getRank() == 2 ? type.getDimSize(1) : 0;
  for (auto [i, id] : llvm::enumerate(ids.getValues<APInt>())) {
    const int64_t rank = id.getSExtValue();
    if (rank < 0 || rank >= count || groups.group[rank] >= 0)
      return std::nullopt;
    groups.group[rank] = int64_t(i) / groups.size;
    groups.member[rank] = int64_t(i) % groups.size;
  }
  return llvm::is_contained(groups.group, -1) ? std::nullopt : std::optional(groups);
}

std::optional<Axes> Groups::axesOn(const Grid &grid) const {
  return grid.findAxes(size, [&](ArrayRef<int16_t> axes) {
    SmallVector<int64_t> others(group.size(), -1); // of each group, the position along the other axes
    for (int64_t rank = 0; rank < int64_t(group.size()); ++rank) {
      if (grid.position(rank, axes) != member[rank])
        return false;
      int64_t other = 0;
      for (int16_t axis = 0; axis < int16_t(grid.sizes.size()); ++axis)
        if (!llvm::is_contained(axes, axis))
          other = other * grid.sizes[axis] + grid.position(rank, axis);
      int64_t &known = others[group[rank]];
      if (known >= 0 && known != other)
        return false;
      known = other;
    }
    return true;
  });
}

std::optional<Shift> Shift::of(DenseIntElementsAttr pairs, const Grid &grid) {
  const int64_t count = grid.count();
  SmallVector<int64_t> from(count, -1), ids;
  for (const APInt &id : pairs.getValues<APInt>())
    ids.push_back(id.getSExtValue());
  for (size_t i = 0; i + 1 < ids.size(); i += 2) {
    if (ids[i] < 0 || ids[i] >= count || ids[i + 1] < 0 || ids[i + 1] >= count || from[ids[i + 1]] >= 0)
      return std::nullopt;
    from[ids[i + 1]] = ids[i];
  }
  for (int16_t axis = 0; axis < int16_t(grid.sizes.size()); ++axis) {
    const int64_t size = grid.sizes[axis];
    int64_t stride = 1;
    for (size_t inner = axis + 1; inner < grid.sizes.size(); ++inner)
      stride *= grid.sizes[inner];
    for (int64_t offset = 1 - size; offset < size; ++offset)
      for (bool rotates : {true, false}) {
        if (offset == 0)
          continue;
        auto sourceOf = [&](int64_t rank) -> int64_t {
          const int64_t place = grid.position(rank, axis), other = place + offset;
          if (!rotates && (other < 0 || other >= size))
            return -1;
          return rank + ((other + size) % size - place) * stride;
        };
        bool fits = true;
        for (int64_t rank = 0; fits && rank < count; ++rank)
          fits = from[rank] == sourceOf(rank);
        if (fits)
          return Shift{axis, offset, rotates};
      }
  }
  return std::nullopt;
}

SmallVector<Grid> hlotypes::gridsOf(int64_t count) {
  SmallVector<Grid> grids;
  SmallVector<int64_t> sizes;
  for (unsigned axes = 1; axes <= kMostAxes; ++axes) {
    auto divide = [&](auto &self, int64_t rest, unsigned left) -> void {
      if (left == 1) {
        if (rest == 1 && axes > 1)
          return;
        sizes.push_back(rest);
        grids.push_back({sizes});
        sizes.pop_back();
        return;
      }
      for (int64_t size = 2; size < rest; ++size)
        if (rest % size == 0) {
          sizes.push_back(size);
          self(self, rest / size, left - 1);
          sizes.pop_back();
        }
    };
    divide(divide, count, axes);
  }
  return grids;
}
