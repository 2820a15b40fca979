//===- ResidencyTrackerTest.cpp - which copy of memory is the newer one -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ResidencyTracker.h"

#include "mica/Support/Status.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

namespace mica::runtime {
namespace {

using artifact::Access;

std::vector<std::pair<int64_t, int64_t>> intervals(const ByteSet &set) {
  std::vector<std::pair<int64_t, int64_t>> found;
  for (ByteSet::Interval interval : set.all())
    found.push_back({interval.begin, interval.end});
  return found;
}
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

TEST(ByteSetTest, JoinsWhatTouches) {
  ByteSet set;
  set.add(10, 20);
  set.add(40, 50);
  set.add(20, 30);
  EXPECT_EQ(intervals(set), (Intervals{{10, 30}, {40, 50}}));
  set.add(0, 60);
  EXPECT_EQ(intervals(set), (Intervals{{0, 60}}));
  set.add(5, 5);
  EXPECT_EQ(intervals(set), (Intervals{{0, 60}}));
}

TEST(ByteSetTest, RemovesFromTheMiddle) {
  ByteSet set;
  set.add(0, 100);
  set.remove(20, 30);
  set.remove(90, 200);
  EXPECT_EQ(intervals(set), (Intervals{{0, 20}, {30, 90}}));
  EXPECT_EQ(set.within(10, 40).size(), 2u);
  EXPECT_EQ(set.within(20, 30).size(), 0u);
}

/// A device whose memory is the host's, at other addresses, and that counts bytes.
struct ResidencyTrackerTest : testing::Test {
  ResidencyTrackerTest()
      : mirrors({[this](int64_t bytes) -> Result<uint64_t> {
                   blocks.push_back(std::make_unique<char[]>(size_t(bytes)));
                   std::memset(blocks.back().get(), 0x7F, size_t(bytes));
                   ++live;
                   return reinterpret_cast<uint64_t>(blocks.back().get());
                 },
                 [this](uint64_t, int64_t) { --live; },
                 [this](uint64_t to, const void *from, int64_t bytes) -> Status {
                   std::memcpy(reinterpret_cast<void *>(to), from, size_t(bytes));
                   up += bytes;
                   return {};
                 },
                 [this](void *to, uint64_t from, int64_t bytes) -> Status {
                   std::memcpy(to, reinterpret_cast<const void *>(from), size_t(bytes));
                   down += bytes;
                   return {};
                 }}) {
    std::iota(host, host + sizeof host, 0);
  }
  /// A launch that adds 1 to what it accesses.
  void increment(char *memory, int64_t bytes, Access access = Access::ReadWrite) {
    Result<uint64_t> address = mirrors.prepare(memory, bytes, access);
    ASSERT_TRUE(address.isOk()) << address.error().message;
    for (int64_t i = 0; i < bytes; ++i)
      ++reinterpret_cast<char *>(*address)[i];
  }

  char host[100];
  std::vector<std::unique_ptr<char[]>> blocks;
  int64_t up = 0, down = 0;
  int live = 0;
  ResidencyTracker mirrors;
};

TEST_F(ResidencyTrackerTest, WhatALaunchReadsIsUploadedOnce) {
  ASSERT_TRUE(mirrors.adopt(host, 100, Contents::Given).isOk());
  increment(host + 10, 20);
  EXPECT_EQ(up, 20);
  increment(host + 10, 20);
  EXPECT_EQ(up, 20);
  ASSERT_TRUE(mirrors.toHost(host, 100).isOk());
  EXPECT_EQ(down, 20);
  EXPECT_EQ(host[9], 9);
  EXPECT_EQ(host[10], 12);
  EXPECT_EQ(host[29], 31);
  EXPECT_EQ(host[30], 30);
}

TEST_F(ResidencyTrackerTest, WhatTheHostWroteIsUploadedAgain) {
  ASSERT_TRUE(mirrors.adopt(host, 100, Contents::Given).isOk());
  increment(host, 100);
  ASSERT_TRUE(mirrors.allToHost().isOk());
  host[50] = 0;
  mirrors.hostWrote(host + 50, 1);
  increment(host, 100);
  EXPECT_EQ(up, 101);
  ASSERT_TRUE(mirrors.allToHost().isOk());
  EXPECT_EQ(host[50], 1);
  EXPECT_EQ(host[51], 53);
}

TEST_F(ResidencyTrackerTest, WhatIsWrittenWholeIsNotUploaded) {
  ASSERT_TRUE(mirrors.adopt(host, 100, Contents::Given).isOk());
  increment(host, 100, Access::Write);
  EXPECT_EQ(up, 0);
  increment(host, 100, Access::Read);
  EXPECT_EQ(up, 0) << "the device has the newer copy";
}

TEST_F(ResidencyTrackerTest, NothingIsUploadedOfUndefinedMemoryAndConstantsOnce) {
  ASSERT_TRUE(mirrors.adopt(host, 50, Contents::Undefined).isOk());
  increment(host, 50);
  EXPECT_EQ(up, 0);
  ASSERT_TRUE(mirrors.adopt(host + 50, 50, Contents::Constant, /*stays=*/true).isOk());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(mirrors.prepare(host + 60, 10, Access::Read).isOk());
    mirrors.hostWroteAll();
    mirrors.forget();
    ASSERT_TRUE(mirrors.adopt(host, 50, Contents::Undefined).isOk());
  }
  EXPECT_EQ(up, 10);
}

TEST_F(ResidencyTrackerTest, OverlappingInputsAreOneRange) {
  ASSERT_TRUE(mirrors.adopt(host, 40, Contents::Given).isOk());
  increment(host, 40);
  ASSERT_TRUE(mirrors.adopt(host + 20, 60, Contents::Given).isOk());
  Result<uint64_t> first = mirrors.prepare(host, 40, Access::Read),
                   second = mirrors.prepare(host + 20, 60, Access::Read);
  ASSERT_TRUE(first.isOk() && second.isOk());
  EXPECT_EQ(*second, *first + 20);
  EXPECT_EQ(reinterpret_cast<char *>(*first)[5], 6) << "what the device had came back first";
  EXPECT_EQ(live, 1);
}

TEST_F(ResidencyTrackerTest, MemoryGivenOutAnewHasNoPast) {
  ASSERT_TRUE(mirrors.adopt(host + 10, 20, Contents::Undefined).isOk());
  increment(host + 10, 20);
  ASSERT_TRUE(mirrors.adopt(host, 100, Contents::Undefined).isOk());
  EXPECT_EQ(down, 0);
  EXPECT_EQ(live, 0);
  increment(host, 100);
  EXPECT_EQ(up, 0);
}

TEST_F(ResidencyTrackerTest, ForgetGivesMemoryBackInTheOrderItIsTakenAgain) {
  ASSERT_TRUE(mirrors.adopt(host + 50, 10, Contents::Given).isOk());
  ASSERT_TRUE(mirrors.adopt(host, 10, Contents::Given).isOk());
  increment(host + 50, 10);
  increment(host, 10);
  EXPECT_EQ(live, 2);
  mirrors.forget();
  EXPECT_EQ(live, 0);
  EXPECT_FALSE(mirrors.prepare(host, 10, Access::Read).isOk());
}

TEST_F(ResidencyTrackerTest, RefusesMemoryItWasNotToldOf) {
  ASSERT_TRUE(mirrors.adopt(host, 50, Contents::Given).isOk());
  EXPECT_FALSE(mirrors.prepare(host + 50, 1, Access::Read).isOk());
  EXPECT_FALSE(mirrors.prepare(host + 40, 11, Access::Read).isOk());
  EXPECT_TRUE(mirrors.prepare(host + 40, 10, Access::Read).isOk());
}

} // namespace
} // namespace mica::runtime
