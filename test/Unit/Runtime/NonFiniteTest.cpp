//===- NonFiniteTest.cpp - NaN and infinities of every float type ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/NonFinite.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace mica::runtime {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr DType kFloats[] = {DType::F64, DType::F32, DType::F16, DType::BF16, DType::F8E4M3FN, DType::F8E5M2};

/// The largest finite number, read off the type by halving from what is infinite or NaN.
double largestOf(DType type) {
  HostTensor one(type, {1});
  double low = 1, high = std::numeric_limits<double>::max();
  one.setDouble(0, high);
  if (std::isfinite(one.asDouble(0)))
    return one.asDouble(0);
  for (int i = 0; i < 3000 && low < high; ++i) {
    const double middle = low / 2 + high / 2;
    one.setDouble(0, middle);
    (std::isfinite(one.asDouble(0)) ? low : high) = middle;
    if (middle == low && middle == high)
      break;
  }
  one.setDouble(0, low);
  return one.asDouble(0);
}

TEST(NonFiniteTest, FiniteNumbersAreFiniteUpToTheLargest) {
  for (DType type : kFloats) {
    HostTensor tensor(type, {5000});
    for (int64_t i = 0; i < 5000; ++i)
      tensor.setDouble(i, i % 3 ? double(i % 7) : largestOf(type) * (i % 2 ? 1 : -1));
    const NonFinite found = findNonFinite(type, tensor.data.data(), 5000, true, true);
    EXPECT_FALSE(found.any()) << dtypeName(type);
    EXPECT_EQ(found.first, -1);
    EXPECT_EQ(found.nearOverflow, 1667) << dtypeName(type);
  }
}

TEST(NonFiniteTest, CountsAndFindsTheFirst) {
  for (DType type : kFloats) {
    HostTensor tensor(type, {9000});
    tensor.setDouble(8100, std::nan(""));
    tensor.setDouble(8999, std::nan(""));
    const bool hasInfinity = type != DType::F8E4M3FN;
    if (hasInfinity) {
      tensor.setDouble(4100, -kInf);
      tensor.setDouble(4200, kInf);
    }
    const NonFinite all = findNonFinite(type, tensor.data.data(), 9000, true, false);
    EXPECT_EQ(all.nan, 2) << dtypeName(type);
    EXPECT_EQ(all.positive, hasInfinity);
    EXPECT_EQ(all.negative, hasInfinity);
    EXPECT_EQ(all.first, hasInfinity ? 4100 : 8100);
    // A mask of -inf is not what one looks for.
    EXPECT_EQ(findNonFinite(type, tensor.data.data(), 9000, false, false).first, hasInfinity ? 4200 : 8100);
  }
}

TEST(NonFiniteTest, OneAnywhereIsSeenAndNothingOutsideOfTheRange) {
  constexpr int64_t kSize = 5000, kBegin = 13, kEnd = 4931;
  for (DType type : kFloats) {
    HostTensor tensor(type, {kSize});
    for (int64_t i = 0; i < kSize; ++i)
      tensor.setDouble(i, i % 2 ? largestOf(type) : -largestOf(type));
    const auto seen = [&] { return hasNonFinite(type, tensor.data.data(), kBegin, kEnd); };
    EXPECT_FALSE(seen()) << dtypeName(type);
    for (int64_t i : {int64_t(0), kBegin - 1, kBegin, kBegin + 1, int64_t(834), int64_t(835), int64_t(4096), kEnd - 1,
                      kEnd, kSize - 1}) {
      const double before = tensor.asDouble(i);
      tensor.setDouble(i, std::nan(""));
      EXPECT_EQ(seen(), i >= kBegin && i < kEnd) << dtypeName(type) << " " << i;
      tensor.setDouble(i, before);
    }
  }
}

TEST(NonFiniteTest, IntegersHaveNone) {
  HostTensor tensor(DType::I32, {4});
  for (int64_t i = 0; i < 4; ++i)
    tensor.setInt(i, -1);
  EXPECT_FALSE(findNonFinite(DType::I32, tensor.data.data(), 4, true, true).any());
  EXPECT_FALSE(hasNonFinite(DType::I32, tensor.data.data(), 0, 4));
}

} // namespace
} // namespace mica::runtime
