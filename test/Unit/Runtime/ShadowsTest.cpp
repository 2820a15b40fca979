//===- ShadowsTest.cpp - which elements of memory were written -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Shadows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mica::runtime {
namespace {

struct ShadowRegionTest : testing::Test {
  float memory[16] = {};
  ShadowRegion region;
  int64_t first = 0, allocation = 0;

  int64_t unwritten() { return region.countUnwritten(memory, 4, 16, first, allocation); }
};

TEST_F(ShadowRegionTest, MemoryFromOutsideIsWritten) {
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/true).isOk());
  EXPECT_TRUE(region.isWhole());
  EXPECT_TRUE(region.isWritten(memory, 4, 16));
  EXPECT_EQ(unwritten(), 0);
  EXPECT_EQ(region.shadowAt(memory, 4)[15], 0);
}

TEST_F(ShadowRegionTest, NewMemoryIsNot) {
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/false).isOk());
  EXPECT_FALSE(region.isWritten(memory, 4, 16));
  EXPECT_EQ(unwritten(), 16);
  EXPECT_EQ(first, 0);
  EXPECT_EQ(allocation, 7);
}

TEST_F(ShadowRegionTest, APartThatIsWrittenLeavesTheRest) {
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/false).isOk());
  region.fill(memory, 4, 5);
  EXPECT_EQ(unwritten(), 11);
  EXPECT_EQ(first, 5);
  EXPECT_TRUE(region.isWritten(memory, 4, 5));
  EXPECT_FALSE(region.isWhole());
  region.fill(memory + 5, 4, 11);
  EXPECT_TRUE(region.isWritten(memory, 4, 16));
  EXPECT_TRUE(region.isWhole());
}

TEST_F(ShadowRegionTest, NothingIsLeftOfWhatItWasBefore) {
  // All of it is marked, then a part is used as another tensor, then all of it again.
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/false).isOk());
  EXPECT_EQ(unwritten(), 16);
  ASSERT_TRUE(region.assign(memory, 4 * sizeof(float), 8, /*written=*/true).isOk());
  EXPECT_EQ(region.shadowAt(memory, 4)[3], 0);
  ASSERT_TRUE(region.assign(memory, sizeof memory, 9, /*written=*/true).isOk());
  EXPECT_EQ(std::count(region.shadowAt(memory, 4), region.shadowAt(memory, 4) + 16, 0), 16);
}

TEST_F(ShadowRegionTest, MarksThatAKernelMovedHereAreForgottenOnceAllIsWritten) {
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/true).isOk());
  int16_t *shadow = region.shadowAt(memory, 4);
  region.expectWrites();
  shadow[5] = 3;
  EXPECT_EQ(unwritten(), 1);
  region.fill(memory, 4, 16);
  EXPECT_EQ(region.shadowAt(memory, 4)[5], 0);
}

TEST_F(ShadowRegionTest, WhatWasWrittenWholeIsPoisonedAgain) {
  ASSERT_TRUE(region.assign(memory, sizeof memory, 40000, /*written=*/false).isOk());
  region.fill(memory, 4, 16);
  EXPECT_TRUE(region.isWhole());
  region.poison(memory, 4, 16);
  EXPECT_EQ(unwritten(), 16);
  EXPECT_EQ(allocation, 40000);
  // A kernel writes all but one, without a word.
  int16_t *shadow = region.shadowAt(memory, 4);
  std::fill_n(shadow, 15, int16_t(0));
  EXPECT_EQ(unwritten(), 1);
  EXPECT_EQ(first, 15);
}

TEST_F(ShadowRegionTest, OldShadowsSayNothingOfNewTensors) {
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/false).isOk());
  region.poison(memory, 4, 16);
  ASSERT_TRUE(region.assign(memory, sizeof memory, 7, /*written=*/true).isOk());
  EXPECT_EQ(unwritten(), 0);
  EXPECT_EQ(region.shadowAt(memory, 4)[3], 0);
  // Elements of another size.
  ASSERT_TRUE(region.assign(memory, sizeof memory, 9, /*written=*/false).isOk());
  EXPECT_EQ(region.countUnwritten(memory, 1, 64, first, allocation), 64);
}

} // namespace
} // namespace mica::runtime
