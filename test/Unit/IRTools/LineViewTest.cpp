//===- LineViewTest.cpp - rows of two texts ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Every line of both texts is in the rows once and in order, and the rows between equal ones are few.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/IRTools/LineView.h"

#include "gtest/gtest.h"

#include <random>

using namespace mica::irtools;

static std::string show(const std::vector<Row> &rows) {
  std::string text;
  for (const Row &row : rows)
    text += row.kind == RowKind::Same      ? '='
            : row.kind == RowKind::Added   ? '+'
            : row.kind == RowKind::Removed ? '-'
                                           : '~';
  return text;
}

TEST(AlignText, FindsTheFewestEdits) {
  EXPECT_EQ(show(alignText({"a", "b", "c"}, {"a", "c"})), "=-=");
  EXPECT_EQ(show(alignText({"a", "c"}, {"a", "b", "c"})), "=+=");
  EXPECT_EQ(show(alignText({}, {"a"})), "+");
  EXPECT_EQ(show(alignText({"a"}, {})), "-");
  EXPECT_EQ(show(alignText({}, {})), "");
}

TEST(AlignText, HoldsEveryLineOnceAndInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    auto lines = [&] {
      std::vector<std::string> text(random() % 30);
      for (std::string &line : text)
        line = std::string(1, static_cast<char>('a' + random() % 4));
      return text;
    };
    std::vector<std::string> before = lines(), after = lines();
    int64_t a = 0, b = 0;
    for (const Row &row : alignText(before, after)) {
      if (row.before) {
        EXPECT_EQ(row.before, ++a);
      }
      if (row.after) {
        EXPECT_EQ(row.after, ++b);
      }
      if (row.kind == RowKind::Same) {
        EXPECT_EQ(before[row.before - 1], after[row.after - 1]);
      }
    }
    EXPECT_EQ(a, static_cast<int64_t>(before.size()));
    EXPECT_EQ(b, static_cast<int64_t>(after.size()));
  }
}

TEST(AlignText, TextsWithNothingInCommonAreStillComplete) {
  std::vector<std::string> before(5000, "x"), after(5000, "y");
  std::vector<Row> rows = alignText(before, after);
  EXPECT_EQ(rows.size(), 10000u);
}

TEST(FindHunks, NeighboursShareOne) {
  std::vector<Row> rows(20);
  rows[3].kind = rows[8].kind = rows[18].kind = RowKind::Added;
  std::vector<Hunk> hunks = findHunks(rows, 2);
  ASSERT_EQ(hunks.size(), 2u);
  EXPECT_EQ(hunks[0].first, 1u);
  EXPECT_EQ(hunks[0].last, 11u);
  EXPECT_EQ(hunks[1].last, 20u);
}
