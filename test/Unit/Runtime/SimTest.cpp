//===- SimTest.cpp - shadows, schedules and counts of the simulator ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Counts.h"
#include "lib/Runtime/Sim/Schedule.h"
#include "lib/Runtime/Sim/Shadow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace mica::runtime::sim {
namespace {

using Kind = Conflict::Kind;

/// One cell of workgroup or global memory in a block that began at stamp 5, of a launch that began at 3.
struct ShadowTest : testing::Test {
  mica_sim_cell_v1 cell{};
  Stamps stamps{5, 5, 3};

  Kind touch(mica_sim_access kind, int thread, bool isWorkgroup = true) {
    return access(cell, isWorkgroup, stamps, thread, /*site=*/7, kind).kind;
  }
  Kind global(mica_sim_access kind, int thread) { return touch(kind, thread, false); }
};

TEST_F(ShadowTest, WorkgroupMemoryBeginsUninitialized) {
  EXPECT_EQ(touch(MICA_SIM_READ, 0), Kind::Uninitialized);
  EXPECT_EQ(touch(MICA_SIM_WRITE, 0), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_READ, 0), Kind::None);
}

TEST_F(ShadowTest, WhatAnEarlierBlockWroteIsGone) {
  cell.write = cellHalf(4, 0, 1);
  EXPECT_EQ(touch(MICA_SIM_READ, 0), Kind::Uninitialized);
}

TEST_F(ShadowTest, ABarrierOrdersThreads) {
  EXPECT_EQ(touch(MICA_SIM_WRITE, 0), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_READ, 1), Kind::Race);
  stamps.present = 6;
  EXPECT_EQ(touch(MICA_SIM_READ, 2), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_WRITE, 3), Kind::Race) << "thread 2 read in this interval";
}

TEST_F(ShadowTest, AWriteByOneOfSeveralReadersNamesAnotherReader) {
  cell.write = cellHalf(5, 9, 1);
  stamps.present = 6;
  EXPECT_EQ(touch(MICA_SIM_READ, 1), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_READ, 2), Kind::None);
  const Conflict conflict = access(cell, true, stamps, 2, 8, MICA_SIM_WRITE);
  EXPECT_EQ(conflict.kind, Kind::Race);
  EXPECT_EQ(cellThread(conflict.other), 1);
}

TEST_F(ShadowTest, AtomicsDoNotRaceWithEachOtherButWithOthers) {
  cell.write = cellHalf(5, 0, 1);
  stamps.present = 6;
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 1), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 2), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_READ, 3), Kind::Race);
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 4), Kind::Race) << "thread 3 read";
}

TEST_F(ShadowTest, NothingOrdersBlocksOfALaunch) {
  cell.write = cellHalf(4, 0, 1);
  EXPECT_EQ(global(MICA_SIM_READ, 0), Kind::OtherBlockRace);
  cell = {};
  cell.write = cellHalf(2, 0, 1);
  EXPECT_EQ(global(MICA_SIM_READ, 0), Kind::None) << "an earlier launch wrote it";
}

TEST_F(ShadowTest, AReadByAnotherBlockIsRememberedBehindReadsOfThisOne) {
  cell.read = cellHalf(4, 0, 1);
  EXPECT_EQ(global(MICA_SIM_READ, 0), Kind::None);
  EXPECT_EQ(global(MICA_SIM_WRITE, 0), Kind::OtherBlockRace);
}

TEST(ShadowMapTest, KnowsAllocationsAndTheirEdges) {
  ShadowMap shadows;
  const int64_t memory = reinterpret_cast<int64_t>(shadows.allocate(64, false));
  EXPECT_EQ(stampOf(shadows.cell(memory).write), kUninitialized);
  EXPECT_EQ(stampOf(shadows.cell(memory - 4).write), kOutside);
  EXPECT_EQ(stampOf(shadows.cell(memory + 64).write), kOutside);
  shadows.copied(memory, 0, 64);
  EXPECT_EQ(stampOf(shadows.cell(memory).write), 0u);
  EXPECT_NE(shadows.describe(memory + 64).find("0 bytes behind its end"), std::string::npos);
  shadows.release(reinterpret_cast<void *>(memory));
  EXPECT_EQ(stampOf(shadows.cell(memory).write), kFreed);
}

TEST(ShadowMapTest, CopiesOfWhatNobodyWroteStayUnknown) {
  ShadowMap shadows;
  const int64_t a = reinterpret_cast<int64_t>(shadows.allocate(64, false));
  const int64_t b = reinterpret_cast<int64_t>(shadows.allocate(64, true));
  shadows.copied(b, a, 64);
  EXPECT_EQ(stampOf(shadows.cell(b).write), kUninitialized);
}

TEST(ScheduleTest, EveryOrderIsAPermutationAndComesAgain) {
  for (const char *text : {"in-order", "reversed", "random:42", "adversarial"}) {
    std::vector<std::vector<int64_t>> orders;
    for (int again = 0; again < 2; ++again) {
      Result<Schedule> schedule = Schedule::parse(text);
      ASSERT_TRUE(schedule) << text;
      schedule->beginLaunch(3);
      std::vector<int64_t> items(50);
      schedule->order(items, 1);
      orders.push_back(items);
      std::sort(items.begin(), items.end());
      for (int64_t i = 0; i < 50; ++i)
        EXPECT_EQ(items[size_t(i)], i);
    }
    EXPECT_EQ(orders[0], orders[1]) << text;
  }
}

TEST(ScheduleTest, WrongTextsAreErrorsWithTheNearest) {
  EXPECT_NE(Schedule::parse("revers").status().error().hint.find("reversed"), std::string::npos);
  EXPECT_FALSE(Schedule::parse("random:x"));
  EXPECT_FALSE(Schedule::parse("reversed:3"));
}

TEST(AccessCountsTest, AColumnOfARowOf32WordsIsOneBank) {
  AccessCounts counts;
  for (int32_t lane = 0; lane < MICA_SIM_LANES; ++lane)
    counts.add(lane, lane * 128, 4, true, 0);
  counts.endOfRegion();
  std::vector<std::string> hints;
  counts.hints([](int32_t) { return std::string("load"); }, hints);
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_NE(hints[0].find("take 32 passes"), std::string::npos) << hints[0];
}

TEST(AccessCountsTest, NeighboursAreNoHint) {
  AccessCounts counts;
  for (int32_t lane = 0; lane < MICA_SIM_LANES; ++lane) {
    counts.add(lane, lane * 4, 4, true, 0);
    counts.add(lane, 4096 + lane * 4, 4, false, 1);
    counts.add(lane, 64, 4, true, 2);
  }
  counts.endOfRegion();
  std::vector<std::string> hints;
  counts.hints([](int32_t) { return std::string("load"); }, hints);
  EXPECT_TRUE(hints.empty()) << hints[0];
}

TEST(BarrierUseTest, ABarrierBetweenTwoAccessesIsNeededAndTheOtherIsNot) {
  BarrierUse use;
  use.beginBlock(10);
  use.access(0, /*thread=*/1, /*writes=*/true, 10);
  use.opened(/*site=*/100, 10);
  use.access(0, 2, false, 11);
  use.opened(101, 11);
  EXPECT_EQ(use.unneeded(), std::vector<int32_t>{101});
}

} // namespace
} // namespace mica::runtime::sim
