//===- CheckedTest.cpp - arithmetic of sizes, and the limit of memory ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Switches.h"

#include <gtest/gtest.h>

namespace mica {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
using Sizes = std::vector<int64_t>;

TEST(CheckedTest, GivesNothingWhereTheResultDoesNotFit) {
  EXPECT_EQ(checkedAdd(kMost - 1, 1), kMost);
  EXPECT_EQ(checkedAdd(kMost, 1), std::nullopt);
  EXPECT_EQ(checkedMul(int64_t(1) << 31, int64_t(1) << 31), int64_t(1) << 62);
  EXPECT_EQ(checkedMul(int64_t(1) << 32, int64_t(1) << 31), std::nullopt);
  EXPECT_EQ(checkedAlign(kMost - 62, 64), std::nullopt);
  EXPECT_EQ(checkedAlign(65, 64), 128);
  EXPECT_EQ(saturatingMul(kMost, 2), kMost);
  EXPECT_EQ(saturatingAdd(kMost, 2), kMost);
}

TEST(CheckedTest, CountsBytes) {
  EXPECT_EQ(checkedBytes(Sizes{3, 5}, 4), 60);
  EXPECT_EQ(checkedBytes(Sizes{}, 4), 4);
  EXPECT_EQ(checkedBytes(Sizes{int64_t(1) << 32, int64_t(1) << 32}, 4), std::nullopt);
  EXPECT_EQ(checkedBytes(Sizes{int64_t(1) << 61}, 4), std::nullopt);
  EXPECT_EQ(checkedBytes(Sizes{3, -1}, 4), std::nullopt);
  // No element, whatever the other sizes are, and in whatever order.
  EXPECT_EQ(checkedBytes(Sizes{kMost, kMost, 0}, 4), 0);
  EXPECT_EQ(checkedBytes(Sizes{0, kMost, kMost}, 4), 0);
  EXPECT_EQ(checkedBytes(Sizes{0, -1}, 4), std::nullopt);
}

class MemoryLimitTest : public ::testing::Test {
protected:
  ~MemoryLimitTest() override { setMemoryLimit(-1); }
};

TEST_F(MemoryLimitTest, IsTheMachinesUnlessChosen) {
  EXPECT_GT(memoryLimit(), int64_t(1) << 20);
  EXPECT_LT(memoryLimit(), int64_t(1) << 56);
  setMemoryLimit(1000);
  EXPECT_EQ(memoryLimit(), 1000);
  EXPECT_EQ(memoryLimitSource(), "the switch memory-limit");
}

TEST_F(MemoryLimitTest, CountsWhatIsTaken) {
  setMemoryLimit(memoryTaken() + 1000);
  EXPECT_TRUE(takeMemory(600));
  EXPECT_FALSE(takeMemory(600));
  EXPECT_FALSE(takeMemory(kMost));
  giveMemoryBack(600);
  EXPECT_TRUE(takeMemory(1000));
  giveMemoryBack(1000);
}

TEST_F(MemoryLimitTest, RefusesTensorsWithShapeBytesAndLimit) {
  setMemoryLimit(memoryTaken() + (int64_t(1) << 20));
  EXPECT_TRUE(makeHostTensor(DType::F32, {16, 16}).isOk());
  EXPECT_TRUE(makeHostTensor(DType::F32, {kMost, kMost, 0}).isOk());
  Result<HostTensor> large = makeHostTensor(DType::F32, {1024, 1024});
  ASSERT_FALSE(large.isOk());
  EXPECT_EQ(large.error().code, ErrorCode::Io);
  EXPECT_EQ(large.error().message.substr(0, 52), "out of memory: 4.0 MiB for tensor<1024x1024xf32>, li");
  EXPECT_NE(makeHostTensor(DType::F32, {kMost, 2}).error().message.find("2^63 bytes or more"), std::string::npos);
  EXPECT_EQ(makeHostTensor(DType::F32, {-2}).error().code, ErrorCode::InvalidInput);
}

TEST_F(MemoryLimitTest, SwitchTakesUnits) {
  Switches switches;
  EXPECT_EQ(switches.bytes(Switch::MemoryLimit), -1);
  for (auto [text, bytes] : {std::pair("4096", int64_t(4096)), std::pair("3k", int64_t(3) << 10),
                             std::pair("2G", int64_t(2) << 30), std::pair("8T", int64_t(8) << 40)}) {
    ASSERT_TRUE(switches.set("memory-limit", text, SwitchSource::Flag).isOk()) << text;
    EXPECT_EQ(switches.bytes(Switch::MemoryLimit), bytes);
  }
  for (const char *text : {"", "0", "-1", "G", "2GB", "9223372036854775807K", "1e9"})
    EXPECT_FALSE(switches.set("memory-limit", text, SwitchSource::Flag).isOk()) << text;
}

} // namespace
} // namespace mica
