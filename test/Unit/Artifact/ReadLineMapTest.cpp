//===- ReadLineMapTest.cpp - the sets and rows of a line map ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the compiler writes, what was edited, and what is no line map.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/ReadLineMap.h"

#include <gtest/gtest.h>

using namespace mica::artifact;

namespace {

TEST(ReadLineMap, ReadsSetsAndRows) {
  const auto map = readLineMapSets(R"({"schema":2,"file":"a.mlir","sets":[{"ids":["0a","0\u0062"],"sources":["a:1:2"],
    "more":["c"]},{"ids":[],"sources":[]}],"kernels":["kernels/k/kernel.mlir"],"lines":[[1,2,0],
    [5,5,1,0,17],[7,9,4]],"hashes":"0011"})");
  ASSERT_TRUE(map);
  ASSERT_EQ(map->sets.size(), 2u);
  EXPECT_EQ(map->sets[0].ids, (std::vector<std::string>{"0a", "0b"}));
  EXPECT_EQ(map->sets[0].sources, (std::vector<std::string>{"a:1:2"}));
  EXPECT_TRUE(map->sets[1].ids.empty());
  std::vector<std::pair<int64_t, size_t>> lines;
  map->forEachLine(5, [&](int64_t line, size_t set) { lines.push_back({line, set}); });
  EXPECT_EQ(lines, (std::vector<std::pair<int64_t, size_t>>{{1, 0}, {2, 0}, {5, 1}}));
}

TEST(ReadLineMap, LeavesOutMalformedRows) {
  const auto map = readLineMapSets(
      R"({"lines":[[1,2],[0,1,0],["a",1,0],[1,-2,0],[1.5,2,0],[1,2,null],{"a":[3,4,0]},[[3,4,0]],null,[8,8,0]],
    "sets":["text",[{"ids":["00"]}],{"ids":["01",2,{"ids":["02"]}],"other":{"ids":["03"]},"sources":"04"}]})");
  ASSERT_TRUE(map);
  ASSERT_EQ(map->rows.size(), 1u);
  EXPECT_EQ(map->rows[0].first, 8);
  ASSERT_EQ(map->sets.size(), 1u);
  EXPECT_EQ(map->sets[0].ids, (std::vector<std::string>{"01"}));
  EXPECT_TRUE(map->sets[0].sources.empty());
}

TEST(ReadLineMap, WhatIsNoLineMapHasNoSets) {
  for (const char *text : {"", "{", "[]", "{\"lines\":[[1,2,0]]}", "{\"sets\":1}", "{\"sets\":[]", "[{\"sets\":[]}]"})
    EXPECT_FALSE(readLineMapSets(text)) << text;
}

} // namespace
