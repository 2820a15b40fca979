//===- Statistics.cpp - a tensor in a hundred bytes ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Loops are written over independent lanes, so that the compiler makes vectors of them. Blocks without NaN and
// infinities, which are nearly all, take the short loop.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Dump/Statistics.h"

#include "mica/Support/Hash.h"
#include "mica/Support/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace mica::dump {
namespace {

/// Elements that are looked at at once: they stay in the first cache.
constexpr int64_t kBlock = 1024;
constexpr int kLanes = 16;

struct Sums {
  double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity(), total = 0;
  int64_t nan = 0, inf = 0, zero = 0;
};

template <typename T> void addElement(T value, Sums &sums) {
  const double number = double(value);
  if (std::isnan(number)) {
    ++sums.nan;
  } else if (std::isinf(number)) {
    ++sums.inf;
  } else {
    sums.min = std::min(sums.min, number);
    sums.max = std::max(sums.max, number);
    sums.total += number;
    sums.zero += number == 0;
  }
}

/// `count` is a multiple of kLanes, at most kBlock.
template <typename T> [[gnu::always_inline]] inline void addBlock(const T *data, int64_t count, Sums &sums) {
  // Sums of a type as wide as the element's make vectors of full width. Each lane adds at most kBlock / kLanes floats
  // before it goes to f64, so the mean has lost no more than a few of 24 bits.
  constexpr bool isShort = std::is_integral_v<T> && sizeof(T) <= 2;
  using Wide = std::conditional_t<isShort, int32_t, T>;
  using Sum = std::conditional_t<isShort, int32_t, std::conditional_t<std::is_same_v<T, float>, float, double>>;
  using Count = std::conditional_t<sizeof(Wide) == 4, int32_t, int64_t>;
  Wide least[kLanes], most[kLanes];
  Sum total[kLanes] = {}, wrong[kLanes] = {};
  Count zeros[kLanes] = {};
  for (int lane = 0; lane < kLanes; ++lane)
    least[lane] = most[lane] = data[lane];
  for (int64_t i = 0; i < count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const Wide value = data[i + lane];
      least[lane] = value < least[lane] ? value : least[lane];
      most[lane] = value > most[lane] ? value : most[lane];
      total[lane] += Sum(value);
      zeros[lane] += value == Wide(0);
      if constexpr (std::is_floating_point_v<T>)
        wrong[lane] += value * T(0); // 0, or NaN where the value is not finite
    }
  }
  bool isFinite = true;
  for (int lane = 0; lane < kLanes; ++lane)
    isFinite &= wrong[lane] == 0 && std::isfinite(double(total[lane]));
  if (!isFinite) {
    for (int64_t i = 0; i < count; ++i)
      addElement(data[i], sums);
    return;
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    sums.min = std::min(sums.min, double(least[lane]));
    sums.max = std::max(sums.max, double(most[lane]));
    sums.total += double(total[lane]);
    sums.zero += zeros[lane];
  }
}

template <typename T> [[gnu::always_inline]] inline void addAllBody(const T *data, int64_t count, Sums &sums) {
  int64_t at = 0;
  for (; at + kLanes <= count; at += kBlock)
    addBlock(data + at, std::min(kBlock, (count - at) / kLanes * kLanes), sums);
  for (at = count / kLanes * kLanes; at < count; ++at)
    addElement(data[at], sums);
}

#if defined(__x86_64__)
/// This library is built for any x86-64; what follows is chosen where the CPU has it.
template <typename T> [[gnu::target("avx2")]] void addAllAvx2(const T *data, int64_t count, Sums &sums) {
  addAllBody(data, count, sums);
}
template <typename T>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] void addAllAvx512(const T *data, int64_t count, Sums &sums) {
  addAllBody(data, count, sums);
}
template <typename T> void addAll(const T *data, int64_t count, Sums &sums) {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return addAllAvx512(data, count, sums);
  return __builtin_cpu_supports("avx2") ? addAllAvx2(data, count, sums) : addAllBody(data, count, sums);
}
#else
template <typename T> void addAll(const T *data, int64_t count, Sums &sums) { addAllBody(data, count, sums); }
#endif

/// Of types that are not the compiler's own: `convert` makes a float of the bits.
template <typename Bits, typename Convert>
void addConverted(const void *data, int64_t count, Sums &sums, Convert convert) {
  float block[kBlock];
  const auto *bits = static_cast<const Bits *>(data);
  for (int64_t at = 0; at < count; at += kBlock) {
    const int64_t size = std::min(kBlock, count - at);
    for (int64_t i = 0; i < size; ++i)
      block[i] = convert(bits[at + i]);
    addAll(block, size, sums);
  }
}

/// The values of all patterns of a type of 8 or 16 bits.
template <typename Bits, double (*Convert)(Bits)> const float *valuesOf() {
  static const auto values = [] {
    std::array<float, size_t(std::numeric_limits<Bits>::max()) + 1> made;
    for (size_t pattern = 0; pattern < made.size(); ++pattern)
      made[pattern] = float(Convert(Bits(pattern)));
    return made;
  }();
  return values.data();
}

template <typename Bits, double (*Convert)(Bits)> void addSmallFloats(const void *data, int64_t count, Sums &sums) {
  addConverted<Bits>(data, count, sums, [values = valuesOf<Bits, Convert>()](Bits bits) { return values[bits]; });
}

//===-----------------------------------------------------------------------------------------------------------===//
// The hash: products of 32 bits in eight lanes, which is what vectors of any CPU have, as in the XXH3 of
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md; the rest of less than a block, and the lanes, by
// mica::Hasher
//===-----------------------------------------------------------------------------------------------------------===//

constexpr size_t kHashLanes = 8, kStripes = 16;
constexpr int64_t kBlockBytes = int64_t(kHashLanes * kStripes * sizeof(uint64_t));
constexpr uint64_t kPrime = 0x9e3779b1u;

/// One per lane and stripe, so that the hash depends on the place; steps of a Weyl sequence, mixed.
constexpr std::array<uint64_t, kHashLanes + kStripes> kKeys = [] {
  std::array<uint64_t, kHashLanes + kStripes> keys{};
  for (size_t i = 0; i < keys.size(); ++i) {
    uint64_t word = (i + 1) * 0x9e3779b97f4a7c15u;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    keys[i] = word ^ (word >> 31);
  }
  return keys;
}();

struct Stripes {
  std::array<uint64_t, kHashLanes> sums{kKeys[0],  kKeys[3],  kKeys[6],  kKeys[9],
                                        kKeys[12], kKeys[15], kKeys[18], kKeys[21]};
};

[[gnu::always_inline]] inline void addBlocksBody(const uint8_t *data, int64_t bytes, Stripes &stripes) {
  uint64_t sums[kHashLanes];
  std::copy(stripes.sums.begin(), stripes.sums.end(), sums);
  for (const uint8_t *end = data + bytes; data != end; data += kBlockBytes) {
    for (size_t stripe = 0; stripe < kStripes; ++stripe) {
      uint64_t words[kHashLanes];
      std::memcpy(words, data + stripe * sizeof words, sizeof words);
      for (size_t lane = 0; lane < kHashLanes; ++lane) {
        const uint64_t mixed = words[lane] ^ kKeys[lane + stripe];
        sums[lane] += (mixed & 0xffffffffu) * (mixed >> 32);
        sums[lane] += (words[lane] << 32) | (words[lane] >> 32); // whatever the product loses
      }
    }
    for (size_t lane = 0; lane < kHashLanes; ++lane) {
      const uint64_t mixed = sums[lane] ^ (sums[lane] >> 47) ^ kKeys[lane + kStripes];
      sums[lane] = (mixed & 0xffffffffu) * kPrime + (((mixed >> 32) * kPrime) << 32);
    }
  }
  std::copy(sums, sums + kHashLanes, stripes.sums.begin());
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void addBlocksAvx2(const uint8_t *data, int64_t bytes, Stripes &stripes) {
  addBlocksBody(data, bytes, stripes);
}
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] void addBlocksAvx512(const uint8_t *data, int64_t bytes,
                                                                           Stripes &stripes) {
  addBlocksBody(data, bytes, stripes);
}
void addBlocks(const uint8_t *data, int64_t bytes, Stripes &stripes) {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return addBlocksAvx512(data, bytes, stripes);
  return __builtin_cpu_supports("avx2") ? addBlocksAvx2(data, bytes, stripes) : addBlocksBody(data, bytes, stripes);
}
#else
void addBlocks(const uint8_t *data, int64_t bytes, Stripes &stripes) { addBlocksBody(data, bytes, stripes); }
#endif

} // namespace

std::string hashText(const ContentHash &hash) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = kDigits[hash[i / 16] >> (60 - 4 * (i % 16)) & 15];
  return text;
}

/// Adds `count` elements of `type`.
static void addElements(DType type, const void *data, int64_t count, Sums &sums) {
  switch (type) {
  case DType::F64:
    addAll(static_cast<const double *>(data), count, sums);
    break;
  case DType::F32:
    addAll(static_cast<const float *>(data), count, sums);
    break;
  case DType::F16:
    addSmallFloats<uint16_t, fromF16>(data, count, sums);
    break;
  case DType::BF16:
    addConverted<uint16_t>(data, count, sums, [](uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); });
    break;
  case DType::F8E4M3FN:
    addSmallFloats<uint8_t, fromF8E4M3FN>(data, count, sums);
    break;
  case DType::F8E5M2:
    addSmallFloats<uint8_t, fromF8E5M2>(data, count, sums);
    break;
  case DType::I64:
  case DType::Index:
    addAll(static_cast<const int64_t *>(data), count, sums);
    break;
  case DType::I32:
    addAll(static_cast<const int32_t *>(data), count, sums);
    break;
  case DType::I16:
    addAll(static_cast<const int16_t *>(data), count, sums);
    break;
  case DType::I8:
  case DType::I4:
    addAll(static_cast<const int8_t *>(data), count, sums);
    break;
  case DType::UI64:
    addAll(static_cast<const uint64_t *>(data), count, sums);
    break;
  case DType::UI32:
    addAll(static_cast<const uint32_t *>(data), count, sums);
    break;
  case DType::UI16:
    addAll(static_cast<const uint16_t *>(data), count, sums);
    break;
  case DType::I1:
    addConverted<uint8_t>(data, count, sums, [](uint8_t bits) { return float(bits != 0); });
    break;
  case DType::UI8:
    addAll(static_cast<const uint8_t *>(data), count, sums);
    break;
  }
}

static Statistics finish(const Sums &sums, int64_t count) {
  Statistics result;
  result.count = count;
  result.nan = sums.nan;
  result.inf = sums.inf;
  result.zero = sums.zero;
  if (result.finite() > 0) {
    result.min = sums.min;
    result.max = sums.max;
    result.mean = sums.total / double(result.finite());
    result.absMax = std::max(std::fabs(sums.min), std::fabs(sums.max));
  }
  return result;
}

static ContentHash finish(const Stripes &stripes, const uint8_t *rest, int64_t restBytes, bool anyBlock) {
  Hasher last;
  if (anyBlock)
    last.update(stripes.sums.data(), sizeof stripes.sums);
  last.update(rest, size_t(restBytes));
  return last.finish();
}

Statistics statisticsOf(DType type, const void *data, int64_t count) {
  Sums sums;
  addElements(type, data, count, sums);
  return finish(sums, count);
}

ContentHash contentHash(const void *data, int64_t bytes) {
  const auto *at = static_cast<const uint8_t *>(data);
  Stripes stripes;
  const int64_t whole = bytes / kBlockBytes * kBlockBytes;
  addBlocks(at, whole, stripes);
  return finish(stripes, at + whole, bytes - whole, whole > 0);
}

Fingerprint fingerprintOf(DType type, const void *data, int64_t count) {
  // Both look at a piece while it is in the first cache.
  constexpr int64_t kPieceBytes = 16 * kBlockBytes;
  const auto *at = static_cast<const uint8_t *>(data);
  const int64_t size = dtypeBytes(type), bytes = count * size, whole = bytes / kBlockBytes * kBlockBytes;
  Stripes stripes;
  Sums sums;
  for (int64_t done = 0; done < bytes; done += kPieceBytes) {
    const int64_t piece = std::min(kPieceBytes, bytes - done);
    addElements(type, at + done, piece / size, sums);
    addBlocks(at + done, std::max<int64_t>(0, std::min(piece, whole - done)), stripes);
  }
  return {finish(stripes, at + whole, bytes - whole, whole > 0), finish(sums, count)};
}

} // namespace mica::dump
