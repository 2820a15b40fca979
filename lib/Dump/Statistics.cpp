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
/// Of each vector below: two of AVX-512, so that one instruction need not wait for the one before.
constexpr size_t kVectorBytes = 128;

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

/// How elements of type T are added up: in lanes of the compiler's vectors.
template <typename T> struct Lanes {
  static constexpr bool isShort = std::is_integral_v<T> && sizeof(T) <= 2;
  using Wide = std::conditional_t<isShort, int32_t, T>;
  // Sums of a type as wide as the element's make vectors of full width. Each lane adds at most kBlock / kCount floats
  // before it goes to f64, so the mean has lost no more than a few of 24 bits.
  using Sum = std::conditional_t<isShort, int32_t, std::conditional_t<std::is_same_v<T, float>, float, double>>;
  static constexpr int kCount = int(kVectorBytes / sizeof(Wide));
  typedef T Elements __attribute__((vector_size(kCount * sizeof(T)), aligned(alignof(T))));
  typedef Wide Values __attribute__((vector_size(kCount * sizeof(Wide))));
  typedef Sum Totals __attribute__((vector_size(kCount * sizeof(Sum))));
  typedef double Means __attribute__((vector_size(kCount * sizeof(double))));
  using Counts = decltype(Values{} == Values{}); ///< of integers as wide as the values
};

/// What the lanes have of all blocks so far. Bringing lanes together costs as much as a block, and is done once.
template <typename T> struct LaneSums {
  using L = Lanes<T>;
  typename L::Values least{}, most{};
  typename L::Means total{};
  typename L::Counts zeros{};
  int64_t blocks = 0;
  Sums sums; ///< of all else
};

/// `count` is a multiple of the lanes, at most kBlock.
template <typename T> [[gnu::always_inline]] inline void addBlock(const T *data, int64_t count, LaneSums<T> &into) {
  using L = Lanes<T>;
  auto load = [&](typename L::Values & into, int64_t i) __attribute__((always_inline)) {
    into = __builtin_convertvector(*reinterpret_cast<const typename L::Elements *>(data + i), typename L::Values);
  };
  typename L::Values value, least;
  load(least, 0);
  typename L::Values most = least;
  typename L::Totals total{};
  typename L::Counts zeros{};
  for (int64_t i = 0; i < count; i += L::kCount) {
    load(value, i);
    least = value < least ? value : least;
    most = value > most ? value : most;
    total += __builtin_convertvector(value, typename L::Totals);
    zeros -= value == typename L::Values{}; // true is -1
  }
  // A sum with NaN or an infinity in it is not finite.
  bool isFinite = true;
  for (int lane = 0; lane < L::kCount; ++lane)
    isFinite &= std::isfinite(double(total[lane]));
  if (!isFinite) {
    for (int64_t i = 0; i < count; ++i)
      addElement(data[i], into.sums);
    return;
  }
  const bool isFirst = into.blocks++ == 0;
  into.least = isFirst ? least : least < into.least ? least : into.least;
  into.most = isFirst ? most : most > into.most ? most : into.most;
  into.total += __builtin_convertvector(total, typename L::Means);
  into.zeros += zeros;
}

/// Zeros are counted in as many bits as the elements have.
template <typename T> int64_t zerosOf(const LaneSums<T> &from) {
  std::remove_cvref_t<decltype(from.zeros[0])> zeros[Lanes<T>::kCount];
  std::memcpy(zeros, &from.zeros, sizeof zeros);
  int64_t count = 0;
  for (const auto lane : zeros)
    count += int64_t(lane);
  return count;
}

template <typename T> [[gnu::always_inline]] inline void addAllBody(const T *data, int64_t count, LaneSums<T> &into) {
  constexpr int64_t kMostBlocks = int64_t(1) << 20;
  const int64_t whole = count / Lanes<T>::kCount * Lanes<T>::kCount;
  for (int64_t at = 0; at < whole; at += kBlock) {
    addBlock(data + at, std::min(kBlock, whole - at), into);
    if (into.blocks % kMostBlocks == 0) {
      into.sums.zero += zerosOf(into);
      into.zeros = typename Lanes<T>::Counts{};
    }
  }
  for (int64_t at = whole; at < count; ++at)
    addElement(data[at], into.sums);
}

#if defined(__x86_64__)
/// This library is built for any x86-64; what follows is chosen where the CPU has it.
template <typename T> [[gnu::target("avx2")]] void addAllAvx2(const T *data, int64_t count, LaneSums<T> &into) {
  addAllBody(data, count, into);
}
template <typename T>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] void addAllAvx512(const T *data, int64_t count,
                                                                        LaneSums<T> &into) {
  addAllBody(data, count, into);
}
template <typename T> void addAll(const T *data, int64_t count, LaneSums<T> &into) {
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return addAllAvx512(data, count, into);
  return __builtin_cpu_supports("avx2") ? addAllAvx2(data, count, into) : addAllBody(data, count, into);
}
#else
template <typename T> void addAll(const T *data, int64_t count, LaneSums<T> &into) { addAllBody(data, count, into); }
#endif

/// Of types that are the compiler's own. What is added in pieces of whole blocks is added as if at once.
template <typename T> class ElementSums {
public:
  void add(const void *data, int64_t count) { addAll(static_cast<const T *>(data), count, lanes); }
  Sums finish() {
    constexpr int kCount = Lanes<T>::kCount;
    Sums sums = lanes.sums;
    if (lanes.blocks == 0)
      return sums;
    typename Lanes<T>::Wide least[kCount], most[kCount];
    double total[kCount];
    std::memcpy(least, &lanes.least, sizeof least);
    std::memcpy(most, &lanes.most, sizeof most);
    std::memcpy(total, &lanes.total, sizeof total);
    for (int half = kCount / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane) {
        least[lane] = std::min(least[lane], least[lane + half]);
        most[lane] = std::max(most[lane], most[lane + half]);
        total[lane] += total[lane + half];
      }
    sums.min = std::min(sums.min, double(least[0]));
    sums.max = std::max(sums.max, double(most[0]));
    sums.total += total[0];
    sums.zero += zerosOf(lanes);
    return sums;
  }

private:
  LaneSums<T> lanes;
};

/// Of other types: `convert` makes a float of the bits.
template <typename Bits, typename Convert> class ConvertedSums {
public:
  explicit ConvertedSums(Convert convert) : convert(convert) {}
  void add(const void *data, int64_t count) {
    float block[kBlock];
    const auto *bits = static_cast<const Bits *>(data);
    for (int64_t at = 0; at < count; at += kBlock) {
      const int64_t size = std::min(kBlock, count - at);
      for (int64_t i = 0; i < size; ++i)
        block[i] = convert(bits[at + i]);
      floats.add(block, size);
    }
  }
  Sums finish() { return floats.finish(); }

private:
  Convert convert;
  ElementSums<float> floats;
};

template <typename Bits, typename Convert> ConvertedSums<Bits, Convert> converted(Convert convert) {
  return ConvertedSums<Bits, Convert>(convert);
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

template <typename Bits, double (*Convert)(Bits)> auto smallFloats() {
  return converted<Bits>([values = valuesOf<Bits, Convert>()](Bits bits) { return values[bits]; });
}

//===-----------------------------------------------------------------------------------------------------------===//
// The hash: products of 32 bits in eight lanes, which is what vectors of any CPU have, as in the XXH3 of
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md; the rest of less than a block, and the lanes, by
// mica::Hasher
//===-----------------------------------------------------------------------------------------------------------===//

constexpr size_t kHashLanes = 8, kStripes = 16;
constexpr int64_t kBlockBytes = int64_t(kHashLanes * kStripes * sizeof(uint64_t));
/// What both passes of a fingerprint look at, one after the other, while it is in the first cache.
constexpr int64_t kPieceBytes = 16 * kBlockBytes;
constexpr uint64_t kPrime = 0x9e3779b1u;

/// Lanes are those of one vector: spelled out, for compilers rather gather the words of one lane from many stripes.
typedef uint64_t Words __attribute__((vector_size(kHashLanes * sizeof(uint64_t)), aligned(alignof(uint64_t))));

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

[[gnu::always_inline]] inline void load(Words &into, const void *at) { std::memcpy(&into, at, sizeof into); }

[[gnu::always_inline]] inline void addBlocksBody(const uint8_t *data, int64_t bytes, Stripes &stripes) {
  Words sums, words, key;
  load(sums, stripes.sums.data());
  for (const uint8_t *end = data + bytes; data != end; data += kBlockBytes) {
    for (size_t stripe = 0; stripe < kStripes; ++stripe) {
      __builtin_prefetch(data + kPieceBytes + stripe * sizeof(Words)); // which the statistics read next
      load(words, data + stripe * sizeof words);
      load(key, &kKeys[stripe]);
      const Words mixed = words ^ key;
      // The words themselves, too, for whatever the product loses.
      sums += (mixed & 0xffffffffu) * (mixed >> 32) + ((words << 32) | (words >> 32));
    }
    load(key, &kKeys[kStripes]);
    const Words mixed = sums ^ (sums >> 47) ^ key;
    sums = (mixed & 0xffffffffu) * kPrime + (((mixed >> 32) * kPrime) << 32);
  }
  std::memcpy(stripes.sums.data(), &sums, sizeof sums);
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

/// Calls `body` with the sums for `type`, and returns what they come to.
template <typename Body> static Sums withSumsOf(DType type, Body body) {
  auto of = [&](auto sums) {
    body(sums);
    return sums.finish();
  };
  switch (type) {
  case DType::F64:
  case DType::C128:
    return of(ElementSums<double>());
  case DType::F32:
  case DType::C64: // of the parts, see statisticsOf
    return of(ElementSums<float>());
  case DType::F16:
    return of(smallFloats<uint16_t, fromF16>());
  case DType::BF16:
    return of(converted<uint16_t>([](uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }));
  case DType::F8E4M3FN:
    return of(smallFloats<uint8_t, fromF8E4M3FN>());
  case DType::F8E5M2:
    return of(smallFloats<uint8_t, fromF8E5M2>());
  case DType::I64:
  case DType::Index:
    return of(ElementSums<int64_t>());
  case DType::I32:
    return of(ElementSums<int32_t>());
  case DType::I16:
    return of(ElementSums<int16_t>());
  case DType::I8:
  case DType::I4:
    return of(ElementSums<int8_t>());
  case DType::UI64:
    return of(ElementSums<uint64_t>());
  case DType::UI32:
    return of(ElementSums<uint32_t>());
  case DType::UI16:
    return of(ElementSums<uint16_t>());
  case DType::I1:
    return of(converted<uint8_t>([](uint8_t bits) { return float(bits != 0); }));
  case DType::UI8:
    return of(ElementSums<uint8_t>());
  }
  return {};
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

/// Those of complex elements are of the numbers that both parts are.
Statistics statisticsOf(DType type, const void *data, int64_t count) {
  if (isComplex(type))
    return statisticsOf(partOf(type), data, 2 * count);
  return finish(withSumsOf(type, [&](auto &sums) { sums.add(data, count); }), count);
}

ContentHash contentHash(const void *data, int64_t bytes) {
  const auto *at = static_cast<const uint8_t *>(data);
  Stripes stripes;
  const int64_t whole = bytes / kBlockBytes * kBlockBytes;
  addBlocks(at, whole, stripes);
  return finish(stripes, at + whole, bytes - whole, whole > 0);
}

Fingerprint fingerprintOf(DType type, const void *data, int64_t count) {
  if (isComplex(type))
    return fingerprintOf(partOf(type), data, 2 * count);
  const auto *at = static_cast<const uint8_t *>(data);
  const int64_t size = dtypeBytes(type), bytes = count * size, whole = bytes / kBlockBytes * kBlockBytes;
  Stripes stripes;
  const Sums all = withSumsOf(type, [&](auto &sums) {
    for (int64_t done = 0; done < bytes; done += kPieceBytes) {
      const int64_t piece = std::min(kPieceBytes, bytes - done);
      sums.add(at + done, piece / size);
      addBlocks(at + done, std::max<int64_t>(0, std::min(piece, whole - done)), stripes);
    }
  });
  return {finish(stripes, at + whole, bytes - whole, whole > 0), finish(all, count)};
}

int64_t sampleBytes(int64_t bytes, int64_t limit) {
  return std::min(bytes, std::max(limit, 2 * kSampleBlock) / kSampleBlock * kSampleBlock);
}

Fingerprint fingerprintOfSample(DType type, const void *data, int64_t count, int64_t sampled) {
  static_assert(kSampleBlock % kBlockBytes == 0);
  if (isComplex(type))
    return fingerprintOfSample(partOf(type), data, 2 * count, sampled);
  const int64_t size = dtypeBytes(type), bytes = count * size;
  if (sampled >= bytes)
    return fingerprintOf(type, data, count);
  const auto *first = static_cast<const uint8_t *>(data);
  const int64_t blocks = sampled / kSampleBlock;
  // At multiples of 64 bytes, so at whole elements. The steps are at least a block long.
  auto blockAt = [&](int64_t i) { return first + (bytes - kSampleBlock) / (blocks - 1) * i / 64 * 64; };
  Stripes stripes;
  const Sums all = withSumsOf(type, [&](auto &sums) {
    for (int64_t i = 0; i < blocks; ++i) {
      const uint8_t *const at = i + 1 < blocks ? blockAt(i) : first + (bytes - kSampleBlock) / 64 * 64;
      const uint8_t *const next = blockAt(std::min(i + 1, blocks - 1));
      for (int64_t line = 0; line < kSampleBlock; line += 64)
        __builtin_prefetch(next + line);
      sums.add(at, kSampleBlock / size);
      addBlocks(at, kSampleBlock, stripes);
    }
  });
  return {finish(stripes, reinterpret_cast<const uint8_t *>(&bytes), sizeof bytes, true),
          finish(all, blocks * (kSampleBlock / size))};
}

} // namespace mica::dump
