//===- PartialOrderTest.cpp - barriers of some of the threads of a block ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/PartialOrder.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <vector>

using namespace mica::runtime::sim;

namespace {

/// What happens in a block, as a graph: an event is after another if a path leads to it.
class Events {
public:
  explicit Events(int threads) : last(size_t(threads), -1) {}

  int add(int thread) {
    const int event = int(before.size());
    before.emplace_back(size_t(event) + 1, false);
    follow(event, last[size_t(thread)]);
    last[size_t(thread)] = event;
    return event;
  }
  /// A barrier that `waiting` leave together, to which `arrived`, earlier events, belong too.
  void meet(const std::vector<int> &waiting, const std::vector<int> &arrived) {
    const int event = int(before.size());
    before.emplace_back(size_t(event) + 1, false);
    for (int thread : waiting)
      follow(event, last[size_t(thread)]);
    for (int other : arrived)
      follow(event, other);
    for (int thread : waiting)
      last[size_t(thread)] = event;
  }
  int lastOf(int thread) const { return last[size_t(thread)]; }
  bool isBefore(int first, int second) const { return before[size_t(second)][size_t(first)]; }

private:
  void follow(int event, int other) {
    if (other < 0)
      return;
    before[size_t(event)][size_t(other)] = true;
    for (size_t i = 0; i < before[size_t(other)].size(); ++i)
      if (before[size_t(other)][i])
        before[size_t(event)][i] = true;
  }
  std::vector<int> last;
  std::vector<std::vector<bool>> before;
};

struct Made {
  int event, thread;
  bool writes, isAtomic;
};

} // namespace

TEST(PartialOrder, RacesAreThePairsOfAccessesThatNoPathOrders) {
  std::mt19937 random(11);
  const auto below = [&](int limit) { return int(random() % unsigned(limit)); };
  int races = 0, ordered = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const int threads = 2 + below(5);
    PartialOrder order;
    order.begin(threads);
    Events events(threads);
    std::vector<Made> accesses;
    std::vector<int> arrived;
    Seen ofArrived;
    for (int step = 3 + below(20); step > 0; --step) {
      const int what = below(8);
      const int thread = below(threads);
      if (what == 0) { // Some meet, perhaps with those that arrived before.
        std::vector<int> waiting;
        for (int other = 0; other < threads; ++other)
          if (other == thread || below(2))
            waiting.push_back(other);
        const bool withArrived = below(2);
        Seen seen = withArrived ? ofArrived : Seen();
        for (int other : waiting)
          order.release(other, seen);
        for (int other : waiting)
          order.acquire(other, seen);
        events.meet(waiting, withArrived ? arrived : std::vector<int>());
        if (withArrived) {
          arrived.clear();
          ofArrived.clear();
        }
      } else if (what == 1) {
        order.release(thread, ofArrived);
        arrived.push_back(events.add(thread));
      } else {
        const Made now{events.add(thread), thread, below(2) == 0, below(4) == 0};
        std::optional<Made> expected;
        for (const Made &other : accesses)
          if (other.thread != thread && (other.writes || now.writes) && !(other.isAtomic && now.isAtomic) &&
              !events.isBefore(other.event, now.event))
            expected = other;
        accesses.push_back(now);
        const PartialOrder::Access *found = order.access(64, {thread, 7, 0, now.writes, now.isAtomic});
        ASSERT_EQ(found != nullptr, expected.has_value()) << "trial " << trial << ", thread " << thread;
        (expected ? races : ordered) += 1;
      }
    }
  }
  EXPECT_GT(races, 1000);
  EXPECT_GT(ordered, 1000);
}

TEST(PartialOrder, AnotherGranuleIsAnother) {
  PartialOrder order;
  order.begin(2);
  EXPECT_EQ(order.access(0, {0, 1, 0, true, false}), nullptr);
  EXPECT_EQ(order.access(4, {1, 1, 0, true, false}), nullptr);
  const PartialOrder::Access *other = order.access(0, {1, 2, 0, false, false});
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->thread, 0);
  EXPECT_TRUE(other->writes);
}
