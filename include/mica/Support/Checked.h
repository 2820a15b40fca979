//===- Checked.h - overflow-checked arithmetic of sizes --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Element counts, byte counts, strides and offsets are int64_t throughout Mica. These functions return nothing on
// overflow; the caller reports what was too large. Used by both halves.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_CHECKED_H
#define MICA_SUPPORT_CHECKED_H

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace mica {

/// a + b, a * b; nothing on overflow.
constexpr std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional<int64_t>(sum);
}
constexpr std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional<int64_t>(product);
}

/// The next multiple of `alignment` (at least 1) from `value` (at least 0) on.
constexpr std::optional<int64_t> checkedAlign(int64_t value, int64_t alignment) {
  const std::optional<int64_t> above = checkedAdd(value, alignment - 1);
  return above ? std::optional<int64_t>(*above / alignment * alignment) : std::nullopt;
}

/// a + b, a * b of nonnegative numbers, the largest int64_t on overflow: for estimates.
constexpr int64_t saturatingAdd(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(std::numeric_limits<int64_t>::max());
}
constexpr int64_t saturatingMul(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(std::numeric_limits<int64_t>::max());
}

/// Bytes of `shape` with elements of `elementBytes` (at least 0). 0 if a size is 0, however large the others are.
/// Nothing if a size is negative (as dynamic sizes are) or the product overflows.
constexpr std::optional<int64_t> checkedBytes(std::span<const int64_t> shape, int64_t elementBytes) {
  if (std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (elementBytes == 0 || std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size == 0; }))
    return 0;
  std::optional<int64_t> bytes = elementBytes;
  for (int64_t size : shape)
    if (bytes)
      bytes = checkedMul(*bytes, size);
  return bytes;
}

/// The number of elements of `shape`; nothing as for checkedBytes.
constexpr std::optional<int64_t> checkedElements(std::span<const int64_t> shape) { return checkedBytes(shape, 1); }

} // namespace mica

#endif // MICA_SUPPORT_CHECKED_H
