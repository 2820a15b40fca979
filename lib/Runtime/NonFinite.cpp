//===- NonFinite.cpp - NaN and infinities in a buffer ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// An element is not finite when all bits of its exponent are set; of f8E4M3FN, when all but the sign are.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/NonFinite.h"

#include "mica/Support/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mica::runtime {
namespace {

/// The bits of an element, those of its exponent, and the pattern from which on it is near to its largest.
template <typename T> struct Bits {
  T exponent;
  T nearOverflow; ///< of the magnitude
};

/// Whether any element has all bits of `mask` set. Written so that the compiler makes vectors of it.
template <typename T> bool hasAll(const T *data, int64_t count, T mask) {
  constexpr int64_t kBlock = 4096;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(count, begin + kBlock);
    T found = 0;
    for (int64_t i = begin; i < end; ++i)
      found |= T((data[i] & mask) == mask);
    if (found)
      return true;
  }
  return false;
}

template <typename T> int64_t countFrom(const T *data, int64_t count, T magnitude, T least, T most) {
  int64_t number = 0;
  for (int64_t i = 0; i < count; ++i) {
    const T bits = data[i] & magnitude;
    number += bits >= least && bits < most;
  }
  return number;
}

template <typename T>
NonFinite find(DType type, const void *data, int64_t count, Bits<T> bits, bool negativeCounts, bool overflow) {
  NonFinite result;
  const T *elements = static_cast<const T *>(data);
  constexpr T kMagnitude = T(~(T(1) << (sizeof(T) * 8 - 1)));
  if (overflow)
    result.nearOverflow = countFrom(elements, count, kMagnitude, bits.nearOverflow, bits.exponent);
  if (!hasAll(elements, count, bits.exponent))
    return result;
  for (int64_t i = 0; i < count; ++i) {
    if ((elements[i] & bits.exponent) != bits.exponent)
      continue;
    const double value = elementOf(type, data, i);
    if (std::isfinite(value))
      continue;
    int64_t &kind = std::isnan(value) ? result.nan : value > 0 ? result.positive : result.negative;
    ++kind;
    if (result.first < 0 && (&kind != &result.negative || negativeCounts))
      result.first = i;
  }
  return result;
}

} // namespace

double elementOf(DType type, const void *data, int64_t index) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  HostTensor one(type, {});
  const size_t size = size_t(dtypeBytes(type));
  std::memcpy(one.data.data(), bytes + size_t(index) * size, size);
  return one.asDouble(0);
}

NonFinite findNonFinite(DType type, const void *data, int64_t count, bool negativeCounts, bool overflow) {
  // An exponent four below the largest is a sixteenth of the largest.
  switch (type) {
  case DType::F64:
    return find<uint64_t>(type, data, count, {0x7ff0000000000000u, 0x7fb0000000000000u}, negativeCounts, overflow);
  case DType::F32:
    return find<uint32_t>(type, data, count, {0x7f800000u, 0x7d800000u}, negativeCounts, overflow);
  case DType::F16:
    return find<uint16_t>(type, data, count, {0x7c00u, 0x6c00u}, negativeCounts, overflow);
  case DType::BF16:
    return find<uint16_t>(type, data, count, {0x7f80u, 0x7d80u}, negativeCounts, overflow);
  case DType::F8E4M3FN:
    return find<uint8_t>(type, data, count, {0x7fu, 0x60u}, negativeCounts, overflow);
  case DType::F8E5M2:
    return find<uint8_t>(type, data, count, {0x7cu, 0x6cu}, negativeCounts, overflow);
  default:
    return {};
  }
}

} // namespace mica::runtime
