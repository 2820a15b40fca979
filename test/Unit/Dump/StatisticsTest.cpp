//===- StatisticsTest.cpp - statistics and hashes of tensors -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Against the plainest way to compute each.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Dump/Statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>

using namespace mica;
using dump::Statistics;

namespace {

constexpr DType kAll[] = {DType::F64,  DType::F32,  DType::F16,  DType::BF16, DType::F8E4M3FN, DType::F8E5M2,
                          DType::I64,  DType::I32,  DType::I16,  DType::I8,   DType::I4,       DType::I1,
                          DType::UI64, DType::UI32, DType::UI16, DType::UI8,  DType::Index};

/// Element by element, as HostTensor reads them.
Statistics plainly(const HostTensor &tensor) {
  Statistics result;
  result.count = tensor.numElements();
  double total = 0;
  bool any = false;
  for (int64_t i = 0; i < result.count; ++i) {
    const double value = tensor.asDouble(i);
    result.zero += value == 0;
    if (!std::isfinite(value)) {
      ++(std::isnan(value) ? result.nan : result.inf);
      continue;
    }
    result.min = any ? std::min(result.min, value) : value;
    result.max = any ? std::max(result.max, value) : value;
    result.absMax = std::max(result.absMax, std::fabs(value));
    total += value;
    any = true;
  }
  result.mean = any ? total / double(result.finite()) : 0;
  return result;
}

void expectSame(const HostTensor &tensor) {
  const Statistics found = dump::statisticsOf(tensor.dtype, tensor.data.data(), tensor.numElements());
  const Statistics expected = plainly(tensor);
  EXPECT_EQ(found.count, expected.count);
  EXPECT_EQ(found.min, expected.min);
  EXPECT_EQ(found.max, expected.max);
  EXPECT_EQ(found.absMax, expected.absMax);
  EXPECT_EQ(found.nan, expected.nan);
  EXPECT_EQ(found.inf, expected.inf);
  EXPECT_EQ(found.zero, expected.zero);
  EXPECT_NEAR(found.mean, expected.mean, 1e-6 * std::max(1.0, expected.absMax));
}

TEST(Statistics, AreThoseOfEveryTypeAndSize) {
  std::mt19937_64 random(7);
  for (DType type : kAll)
    for (int64_t count : {0, 1, 15, 16, 17, 1023, 1024, 1025, 5000}) {
      SCOPED_TRACE(std::string(dtypeName(type)) + " " + std::to_string(count));
      HostTensor tensor(type, {count});
      for (int64_t i = 0; i < count; ++i)
        tensor.setDouble(i, double(int64_t(random() % 15)) - (isFloat(type) || type == DType::I32 ? 7 : 0));
      if (type == DType::I4 || type == DType::I1)
        for (uint8_t &element : tensor.data)
          element &= 1;
      expectSame(tensor);
    }
}

TEST(Statistics, CountNanAndInfinitiesWhereverTheyAre) {
  for (DType type : {DType::F64, DType::F32, DType::F16, DType::BF16, DType::F8E5M2})
    for (int64_t at : {0, 5, 1023, 1024, 1999}) {
      SCOPED_TRACE(std::string(dtypeName(type)) + " " + std::to_string(at));
      HostTensor tensor(type, {2000});
      for (int64_t i = 0; i < 2000; ++i)
        tensor.setDouble(i, double(i % 8) - 3);
      tensor.setDouble(at, std::numeric_limits<double>::quiet_NaN());
      tensor.setDouble((at + 7) % 2000, -std::numeric_limits<double>::infinity());
      expectSame(tensor);
    }
}

TEST(Statistics, OfNothingFiniteAreZero) {
  HostTensor tensor(DType::F32, {20});
  for (int64_t i = 0; i < 20; ++i)
    tensor.setDouble(i, std::nan(""));
  const Statistics found = dump::statisticsOf(DType::F32, tensor.data.data(), 20);
  EXPECT_EQ(found.nan, 20);
  EXPECT_EQ(found.min, 0);
  EXPECT_EQ(found.mean, 0);
}

TEST(Statistics, SumsOfLargeFloatsDoNotOverflow) {
  HostTensor tensor(DType::F32, {4096});
  for (int64_t i = 0; i < 4096; ++i)
    tensor.setDouble(i, 3e38);
  expectSame(tensor);
}

TEST(ContentHash, IsThatOfEarlierVersions) {
  // Dumps of several versions are compared by their hashes.
  std::vector<uint8_t> bytes(5000);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(i * 7 + i / 256);
  EXPECT_EQ(dump::hashText(dump::contentHash(bytes.data(), 100)), "37cc4e6529ccb3f064f05c0723e3d3b1");
  EXPECT_EQ(dump::hashText(dump::contentHash(bytes.data(), 5000)), "22e65febf45be98a2701fe6682549a3d");
}

TEST(ContentHash, ChangesWithEveryBitAndWithTheSize) {
  for (size_t bytes : {0u, 1u, 63u, 1023u, 1024u, 1025u, 5000u}) {
    std::vector<uint8_t> data(bytes, 0);
    std::set<dump::ContentHash> seen{dump::contentHash(data.data(), int64_t(bytes))};
    for (size_t bit = 0; bit < 8 * bytes; ++bit) {
      data[bit / 8] ^= uint8_t(1u << bit % 8);
      EXPECT_TRUE(seen.insert(dump::contentHash(data.data(), int64_t(bytes))).second) << bytes << " " << bit;
      data[bit / 8] ^= uint8_t(1u << bit % 8);
    }
    data.push_back(0);
    EXPECT_TRUE(seen.insert(dump::contentHash(data.data(), int64_t(bytes) + 1)).second);
  }
}

TEST(ContentHash, ChangesWhereElementsChangePlaces) {
  std::vector<uint64_t> data(4096);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = i * i;
  const int64_t bytes = int64_t(data.size() * 8);
  std::set<dump::ContentHash> seen{dump::contentHash(data.data(), bytes)};
  // Words next to each other, a lane apart, a block apart.
  for (size_t distance : {1u, 8u, 16u, 128u, 1024u})
    for (size_t at = 0; at + distance < data.size(); at += 61) {
      std::swap(data[at], data[at + distance]);
      EXPECT_TRUE(seen.insert(dump::contentHash(data.data(), bytes)).second) << distance << " " << at;
      std::swap(data[at], data[at + distance]);
    }
}

TEST(Sample, IsOfEvenlySpreadBlocks) {
  EXPECT_EQ(dump::sampleBytes(1000, 262144), 1000);
  EXPECT_EQ(dump::sampleBytes(262144, 262144), 262144);
  EXPECT_EQ(dump::sampleBytes(262145, 262144), 262144);
  EXPECT_EQ(dump::sampleBytes(262145, 262145), 262144);
  EXPECT_EQ(dump::sampleBytes(1 << 20, 10000), 8192);
  EXPECT_EQ(dump::sampleBytes(1 << 20, 1), 8192);
  EXPECT_EQ(dump::sampleBytes(8000, 1), 8000);
  for (int64_t count : {66000, 100003, 262147}) {
    SCOPED_TRACE(count);
    HostTensor tensor(DType::F32, {count});
    auto sampleOf = [&] { return dump::fingerprintOfSample(DType::F32, tensor.data.data(), count, 262144); };
    const dump::Fingerprint before = sampleOf();
    EXPECT_EQ(before.statistics.count, 65536);
    EXPECT_EQ(before.statistics.zero, 65536);
    // Each element in the sample is there once, the first and nearly the last ones are, and gaps are as long.
    int64_t found = 0, longestGap = 0, gap = 0;
    for (int64_t i = 0; i < count; i += 16) {
      tensor.setDouble(i, 1);
      const bool isIn = sampleOf().hash != before.hash;
      EXPECT_EQ(sampleOf().statistics.zero, isIn ? 65535 : 65536);
      tensor.setDouble(i, 0);
      found += isIn;
      gap = isIn ? 0 : gap + 16;
      longestGap = std::max(longestGap, gap);
      if (i == 0 || i == (count - 32) / 16 * 16)
        EXPECT_TRUE(isIn) << i;
    }
    EXPECT_EQ(found, 4096);
    EXPECT_LE(longestGap, (count - 65536) / 63 + 32);
  }
  // Tensors of other sizes are others.
  HostTensor small(DType::F32, {100000}), large(DType::F32, {200000});
  EXPECT_NE(dump::fingerprintOfSample(DType::F32, small.data.data(), 100000, 262144).hash,
            dump::fingerprintOfSample(DType::F32, large.data.data(), 200000, 262144).hash);
}

TEST(Fingerprint, IsHashAndStatistics) {
  for (DType type : {DType::F32, DType::BF16, DType::I8, DType::F64})
    for (int64_t count : {0, 1, 1000, 16384, 16385, 50001}) {
      HostTensor tensor(type, {count});
      for (int64_t i = 0; i < count; ++i)
        tensor.setDouble(i, double(i % 11) - 5);
      const dump::Fingerprint found = dump::fingerprintOf(type, tensor.data.data(), count);
      EXPECT_EQ(found.hash, dump::contentHash(tensor.data.data(), int64_t(tensor.data.size())));
      const Statistics expected = dump::statisticsOf(type, tensor.data.data(), count);
      EXPECT_EQ(found.statistics.min, expected.min);
      EXPECT_EQ(found.statistics.zero, expected.zero);
      EXPECT_NEAR(found.statistics.mean, expected.mean, 1e-6);
    }
}

} // namespace
