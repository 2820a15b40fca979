//===- UnitDims.h - places in a kernel's tensors as places in the source's ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Kernels leave out dimensions of size 1: a tensor<1x2x2xf32> is 2x2 there, and its element [0, 1, 1] is [1, 1].
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef LIB_RUNTIME_UNITDIMS_H
#define LIB_RUNTIME_UNITDIMS_H

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace mica::runtime {

/// `values`, as many for each dimension of a kernel's tensor as `unit` has, with `unit` for each dimension of size 1 of
/// `shape`, the sizes in the source. `values` itself if these are not the dimensions that the kernel left out.
inline std::vector<int64_t> withUnitDims(std::span<const int64_t> values, const std::vector<int64_t> &shape,
                                         std::initializer_list<int64_t> unit) {
  const size_t ones = size_t(std::count(shape.begin(), shape.end(), 1));
  if (shape.empty() || values.size() != (shape.size() - ones) * unit.size())
    return {values.begin(), values.end()};
  std::vector<int64_t> all;
  for (int64_t size : shape) {
    if (size == 1) {
      all.insert(all.end(), unit.begin(), unit.end());
      continue;
    }
    all.insert(all.end(), values.begin(), values.begin() + ptrdiff_t(unit.size()));
    values = values.subspan(unit.size());
  }
  return all;
}

} // namespace mica::runtime

#endif // LIB_RUNTIME_UNITDIMS_H
