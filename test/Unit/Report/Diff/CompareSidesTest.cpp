//===- CompareSidesTest.cpp - what two runs do not share ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Facts, products and units that differ; what differs between any two runs and is no difference.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Diff/CompareSides.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::report;

namespace {
SideProduct product(const std::string &text) {
  return {static_cast<int64_t>(text.size()), text, [text]() -> Result<std::string> { return text; }};
}
Side side(const std::string &name, const std::map<std::string, std::string> &products,
          std::map<std::string, std::string> facts = {}) {
  Side side{name, {}};
  Unit &unit = side.units["[0/0]"];
  unit.facts = std::move(facts);
  for (const auto &[product_, text] : products)
    unit.products[product_] = product(text);
  return side;
}
std::string difference(const Side &a, const Side &b) {
  const Result<SideDifference> found = compareSides(a, b);
  EXPECT_TRUE(found);
  return differenceText(a, b, *found);
}
} // namespace

TEST(CompareSidesTest, TimesAndProcessesAreNoDifference) {
  EXPECT_EQ(difference(side("a", {{"m.json", R"({"ops": 3, "duration_us": 5, "pid": 1})"}}, {{"start_time_us", "1"}}),
                       side("b", {{"m.json", R"({"ops": 3, "duration_us": 9, "pid": 2})"}}, {{"start_time_us", "2"}})),
            "0 of 1 units differ\n");
}

TEST(CompareSidesTest, FactsLinesAndProductsThatDifferAreSaid) {
  EXPECT_EQ(
      difference(side("a", {{"x.ll", "one\ntwo\n"}, {"gone.s", "x"}}, {{"guard_count", "8"}}),
                 side("b", {{"x.ll", "one\nthree\nfour\n"}}, {{"guard_count", "9"}})),
      "[0/0]\n  guard_count: 8 -> 9\n  gone.s: only in a\n  x.ll: 1 lines removed, 2 added\n1 of 1 units differ\n");
}

TEST(CompareSidesTest, AUnitOfOneSide) {
  Side b = side("b", {});
  b.units["[1/0]"];
  EXPECT_EQ(difference(side("a", {}), b), "[1/0] only in b\n1 of 2 units differ\n");
}

TEST(CompareSidesTest, WhatHoldsPathsAndHashesOfOtherProductsIsNoDifference) {
  EXPECT_EQ(difference(side("a", {{"manifest.json", "1"},
                                  {"reproducer.sh", "1"},
                                  {"snapshots_archive.txt", "1"},
                                  {"launch_events.txt", "1"}}),
                       side("b", {{"manifest.json", "2"},
                                  {"reproducer.sh", "2"},
                                  {"snapshots_archive.txt", "2"},
                                  {"launch_events.txt", "2"}})),
            "0 of 1 units differ\n");
}
