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

// An exponent four below the largest is a sixteenth of the largest.
constexpr Bits<uint64_t> kF64{0x7ff0000000000000u, 0x7fb0000000000000u};
constexpr Bits<uint32_t> kF32{0x7f800000u, 0x7d800000u};
constexpr Bits<uint16_t> kF16{0x7c00u, 0x6c00u}, kBF16{0x7f80u, 0x7d80u};
constexpr Bits<uint8_t> kF8E4M3FN{0x7fu, 0x60u}, kF8E5M2{0x7cu, 0x6cu};

/// Whether any element has all bits of `mask` set. Written so that the compiler makes vectors of it, of the size that
/// the function it becomes part of may use.
template <typename T> [[gnu::always_inline]] inline bool hasAllBody(const T *data, int64_t count, T mask) {
  constexpr int64_t kBlock = 4096;
  const T lowest = T(mask & (~mask + 1)), sign = T(mask + lowest);
  // From the end: what the kernel wrote last is still near.
  for (int64_t end = count; end > 0; end -= kBlock) {
    const int64_t begin = std::max<int64_t>(0, end - kBlock);
    // All bits of the mask, which reach to the sign's, and one more of the lowest carry into the sign's.
    T found = 0;
    for (int64_t i = begin; i < end; ++i)
      found |= T((data[i] & mask) + lowest);
    if (found & sign)
      return true;
  }
  return false;
}

#if defined(__x86_64__)
/// This library is built for any x86-64; what follows is chosen where the CPU has it.
template <typename T> [[gnu::target("avx2")]] bool hasAllAvx2(const T *data, int64_t count, T mask) {
  return hasAllBody(data, count, mask);
}
template <typename T>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] bool hasAllAvx512(const T *data, int64_t count, T mask) {
  return hasAllBody(data, count, mask);
}

template <typename T> bool hasAll(const T *data, int64_t count, T mask) {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return hasAllAvx512(data, count, mask);
  return __builtin_cpu_supports("avx2") ? hasAllAvx2(data, count, mask) : hasAllBody(data, count, mask);
}
#else
template <typename T> bool hasAll(const T *data, int64_t count, T mask) { return hasAllBody(data, count, mask); }
#endif

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

bool hasNonFinite(DType type, const void *data, int64_t begin, int64_t end) {
  auto look = [&](auto mask) { return hasAll(static_cast<const decltype(mask) *>(data) + begin, end - begin, mask); };
  switch (type) {
  case DType::F64:
    return look(kF64.exponent);
  case DType::F32:
    return look(kF32.exponent);
  case DType::F16:
    return look(kF16.exponent);
  case DType::BF16:
    return look(kBF16.exponent);
  case DType::F8E4M3FN:
    return look(kF8E4M3FN.exponent);
  case DType::F8E5M2:
    return look(kF8E5M2.exponent);
  default:
    return false;
  }
}

NonFinite findNonFinite(DType type, const void *data, int64_t count, bool negativeCounts, bool overflow) {
  switch (type) {
  case DType::F64:
    return find<uint64_t>(type, data, count, kF64, negativeCounts, overflow);
  case DType::F32:
    return find<uint32_t>(type, data, count, kF32, negativeCounts, overflow);
  case DType::F16:
    return find<uint16_t>(type, data, count, kF16, negativeCounts, overflow);
  case DType::BF16:
    return find<uint16_t>(type, data, count, kBF16, negativeCounts, overflow);
  case DType::F8E4M3FN:
    return find<uint8_t>(type, data, count, kF8E4M3FN, negativeCounts, overflow);
  case DType::F8E5M2:
    return find<uint8_t>(type, data, count, kF8E5M2, negativeCounts, overflow);
  default:
    return {};
  }
}

} // namespace mica::runtime
