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
#include <random>
#include <vector>

namespace mica::runtime::sim {
namespace {

using Kind = Conflict::Kind;

/// One cell of workgroup or global memory in a block that began at stamp 5, of a launch that began at 3.
struct ShadowTest : testing::Test {
  mica_sim_cell_v1 cell{};
  WriteHistories histories;
  Stamps stamps{5, 5, 3};

  Kind touch(mica_sim_access kind, int thread, bool isWorkgroup = true) {
    return access(cell, histories, isWorkgroup, stamps, thread, /*site=*/7, kind).kind;
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
  const Conflict conflict = access(cell, histories, true, stamps, 2, 8, MICA_SIM_WRITE);
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

TEST_F(ShadowTest, AnAtomicUpdateDoesNotHideWhatItsThreadWroteBefore) {
  EXPECT_EQ(touch(MICA_SIM_WRITE, 0), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 0), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 1), Kind::Race) << "thread 0 wrote before its update";
}

TEST_F(ShadowTest, AnAtomicUpdateDoesNotHideThatOfAnotherThread) {
  cell.write = cellHalf(5, 0, 1);
  stamps.present = 6;
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 1), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_ATOMIC, 2), Kind::None);
  EXPECT_EQ(touch(MICA_SIM_READ, 2), Kind::Race) << "thread 1 updates";
}

TEST_F(ShadowTest, AnUpdateOfAnotherBlockStaysARaceAfterABarrier) {
  cell.write = cellHalf(2, 0, 1);
  stamps.present = stamps.blockStart = 4;
  EXPECT_EQ(global(MICA_SIM_ATOMIC, 0), Kind::None);
  stamps.present = stamps.blockStart = 5;
  EXPECT_EQ(global(MICA_SIM_ATOMIC, 0), Kind::None);
  stamps.present = 6;
  EXPECT_EQ(global(MICA_SIM_READ, 0), Kind::OtherBlockRace);
}

/// What happens to one cell, decided pair by pair.
class PairsOfAccesses {
public:
  explicit PairsOfAccesses(bool isWorkgroup) : isWorkgroup(isWorkgroup) {}

  /// Whether an earlier access races with this one.
  bool add(int block, int interval, int thread, mica_sim_access kind) {
    bool races = false;
    for (const Access &other : all) {
      const bool isOrdered = other.block == block ? other.interval < interval || other.thread == thread : isWorkgroup;
      const bool isHarmless = (other.kind == MICA_SIM_READ && kind == MICA_SIM_READ) ||
                              (other.kind == MICA_SIM_ATOMIC && kind == MICA_SIM_ATOMIC);
      races |= !isOrdered && !isHarmless;
    }
    all.push_back({block, interval, thread, kind});
    return races;
  }

private:
  struct Access {
    int block, interval, thread;
    mica_sim_access kind;
  };
  const bool isWorkgroup;
  std::vector<Access> all;
};

TEST(ShadowRaces, AreThoseOfThePairsOfAccesses) {
  std::mt19937 random(7);
  const auto below = [&](int limit) { return int(random() % unsigned(limit)); };
  for (int trial = 0; trial < 20'000; ++trial) {
    const bool isWorkgroup = trial % 2 == 0;
    const int threads = 2 + below(3), atomics = below(3);
    PairsOfAccesses pairs(isWorkgroup);
    mica_sim_cell_v1 cell{};
    WriteHistories histories;
    Stamps stamps{3, 3, 3};
    for (int block = 0; block < 3; ++block) {
      stamps.blockStart = ++stamps.present;
      if (isWorkgroup) { // Initialized, by a thread that a barrier follows.
        access(cell, histories, isWorkgroup, stamps, 0, 1, MICA_SIM_WRITE);
        pairs.add(block, int(stamps.present), 0, MICA_SIM_WRITE);
        ++stamps.present;
      }
      for (int step = below(8); step > 0; --step) {
        if (below(4) == 0)
          ++stamps.present;
        const int thread = below(threads);
        const auto kind = mica_sim_access(below(2 + (atomics > 0)));
        const bool expected = pairs.add(block, int(stamps.present), thread, kind);
        const Kind found = access(cell, histories, isWorkgroup, stamps, thread, 7, kind).kind;
        ASSERT_EQ(found == Kind::Race || found == Kind::OtherBlockRace, expected)
            << "trial " << trial << ", block " << block << ", thread " << thread << ", kind " << kind;
      }
    }
  }
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
  EXPECT_NE(shadows.describe(memory + 64).find("0 bytes past the end of an allocation of 64 bytes"), std::string::npos);
  shadows.release(reinterpret_cast<void *>(memory));
  EXPECT_EQ(stampOf(shadows.cell(memory).write), kFreed);
}

TEST(ShadowMapTest, KnowsNoMemoryButTheDevicesAndWhatItWasToldOf) {
  ShadowMap shadows;
  std::vector<char> buffer(4096);
  const auto begin = int64_t(reinterpret_cast<intptr_t>(buffer.data()) + 63) / 64 * 64;
  EXPECT_EQ(stampOf(shadows.cell(begin).write), kUnknown);
  shadows.addHostMemory(begin, 1024);
  EXPECT_EQ(stampOf(shadows.cell(begin).write), 0u);
  EXPECT_EQ(stampOf(shadows.cell(begin + 1020).write), 0u);
  EXPECT_EQ(stampOf(shadows.cell(begin + 1024).write), kUnknown);
  EXPECT_EQ(stampOf(shadows.cell(begin - 4).write), kUnknown);
  EXPECT_EQ(stampOf(shadows.cell(begin + (int64_t(1) << 40)).write), kUnknown);
  EXPECT_EQ(shadows.describe(begin + 1028), "4 bytes past the end of a host buffer of 1024 bytes");
  shadows.addHostMemory(begin + 512, 1024);
  EXPECT_EQ(stampOf(shadows.cell(begin + 1024).write), 0u);
  shadows.removeHostMemory(begin);
  EXPECT_EQ(stampOf(shadows.cell(begin + 4).write), kFreed);
  shadows.addHostMemory(begin, INT64_MAX);
  shadows.removeHostMemory(begin);
  shadows.addHostMemory(begin, 64);
  EXPECT_EQ(stampOf(shadows.cell(begin + 4).write), 0u);
  EXPECT_EQ(stampOf(shadows.cell(begin + 64).write), kFreed);
}

TEST(ShadowMapTest, ALaunchOfRawAddressesMayAccessAllMemoryOfTheProcess) {
  ShadowMap shadows;
  std::vector<char> buffer(1 << 16);
  const auto begin = int64_t(reinterpret_cast<intptr_t>(buffer.data()) + 63) / 64 * 64;
  const int64_t memory = reinterpret_cast<int64_t>(shadows.allocate(64, false));
  // An earlier launch without raw addresses made the page's cells.
  shadows.addHostMemory(begin, 64);
  EXPECT_EQ(stampOf(shadows.cell(begin + 4096).write), kUnknown);
  shadows.allowMappedMemory(true);
  EXPECT_EQ(stampOf(shadows.cell(begin + 4096).write), 0u);
  EXPECT_EQ(stampOf(shadows.cell(memory + 64).write), kOutside);
  shadows.removeHostMemory(begin);
  EXPECT_EQ(stampOf(shadows.cell(begin).write), kFreed);
}

TEST(ShadowMapTest, AChangeOfTheGranuleKeepsWhatIsInitialized) {
  ShadowMap shadows;
  const int64_t memory = reinterpret_cast<int64_t>(shadows.allocate(64, false));
  shadows.copied(memory, 0, 32);
  shadows.setGranule(2);
  EXPECT_EQ(stampOf(shadows.cell(memory + 30).write), 0u);
  EXPECT_EQ(stampOf(shadows.cell(memory + 32).write), kUninitialized);
  shadows.setGranule(4);
  EXPECT_EQ(stampOf(shadows.cell(memory + 28).write), 0u);
  EXPECT_EQ(stampOf(shadows.cell(memory + 32).write), kUninitialized);
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
