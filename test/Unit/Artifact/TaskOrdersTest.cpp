//===- TaskOrdersTest.cpp - orders in which the tasks of a list may run -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every order is one that the dependencies allow, and so is every order on the way to it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/TaskOrders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace mica;
using namespace mica::artifact;

namespace {

TaskList listOf(const std::vector<std::vector<int64_t>> &deps) {
  TaskList list;
  list.name = "main_0";
  for (size_t i = 0; i < deps.size(); ++i) {
    TaskRecord task;
    task.kernel = "k" + std::to_string(i);
    task.deps = deps[i];
    list.tasks.push_back(std::move(task));
  }
  return list;
}

TaskOrder order(const TaskList &list, const std::string &text) {
  const Result<Schedule> schedule = parseSchedule(text);
  EXPECT_TRUE(schedule) << text;
  const Result<TaskOrder> result = orderOf(*schedule, list, 0, Manifest());
  EXPECT_TRUE(result) << text;
  return result ? *result : TaskOrder();
}

TEST(TaskOrdersTest, KnownOrders) {
  const TaskList list = listOf({{}, {0}, {}, {1, 2}, {}});
  EXPECT_EQ(order(list, "in-order"), TaskOrder({0, 1, 2, 3, 4}));
  EXPECT_EQ(order(list, "reverse"), TaskOrder({4, 2, 0, 1, 3}));
  EXPECT_EQ(order(list, "delay:k0"), TaskOrder({2, 4, 0, 1, 3}));
  EXPECT_EQ(order(list, "delay:k2"), TaskOrder({0, 1, 4, 2, 3}));
}

TEST(TaskOrdersTest, AllOrdersAreLegal) {
  std::mt19937 numbers(1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<std::vector<int64_t>> deps(12);
    for (size_t i = 1; i < deps.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (numbers() % 6 == 0)
          deps[i].push_back(static_cast<int64_t>(j));
    const TaskList list = listOf(deps);
    const std::string seed = std::to_string(trial);
    for (const std::string &text : {std::string("reverse"), "random:" + seed, "pct:" + seed, std::string("delay:k3")}) {
      const TaskOrder last = order(list, text);
      ASSERT_TRUE(isLegal(last, list)) << text;
      const OrderPath path(last);
      EXPECT_EQ(path.at(path.steps()), last);
      for (int64_t step = 0; step < path.steps(); ++step) {
        TaskOrder next = path.at(step);
        EXPECT_TRUE(isLegal(next, list));
        const auto [first, second] = path.swapAt(step);
        const auto place = std::find(next.begin(), next.end(), first);
        ASSERT_EQ(*(place + 1), second);
        std::iter_swap(place, place + 1);
        EXPECT_EQ(next, path.at(step + 1));
      }
    }
  }
}

TEST(TaskOrdersTest, SeedsDiffer) {
  const TaskList list = listOf(std::vector<std::vector<int64_t>>(16));
  EXPECT_NE(order(list, "random:1"), order(list, "random:2"));
  EXPECT_NE(order(list, "pct:1"), order(list, "pct:2"));
  EXPECT_EQ(order(list, "random:1"), order(list, "random:1"));
}

TEST(TaskOrdersTest, KeptOrdersReadAsTheyArePrinted) {
  const std::string text = printOrders({{"main_0", 0, {0, 2, 1}}, {"main_1", 7, {}}});
  const Result<std::vector<KeptOrder>> orders = parseOrders(text, "f");
  ASSERT_TRUE(orders);
  EXPECT_EQ(printOrders(*orders), text);
  for (const char *damaged : {"", "mica-schedule 2\n", "mica-schedule 1\nmain_0\n", "mica-schedule 1\nmain_0 0: x\n",
                              "mica-schedule 1\nmain_0 0: -1\n", "mica-schedule 1\n 0: 1\n"}) {
    const Result<std::vector<KeptOrder>> refused = parseOrders(damaged, "f");
    ASSERT_FALSE(refused) << damaged;
    EXPECT_EQ(refused.error().code, ErrorCode::Damaged);
  }
  Schedule schedule;
  schedule.kind = Schedule::Kind::Kept;
  schedule.kept = {{"main_0", 0, {1, 0}}};
  EXPECT_TRUE(orderOf(schedule, listOf({{}, {}}), 0, Manifest()));
  EXPECT_FALSE(orderOf(schedule, listOf({{}, {0}}), 0, Manifest()));
}

TEST(TaskOrdersTest, OtherSchedulesAreRefused) {
  for (const char *text : {"", "revers", "random", "random:x", "pct:-1", "delay:", "in-order:1", "@"})
    EXPECT_FALSE(parseSchedule(text)) << text;
}

} // namespace
