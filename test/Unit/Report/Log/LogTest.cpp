//===- LogTest.cpp - times, stacks, spans and ranks of a log --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a reader of a report is told about times, stacks and ranks.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/BuildModel.h"
#include "lib/Report/Log/CompareRanks.h"
#include "lib/Report/Log/LogTime.h"
#include "lib/Report/Log/Redact.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace mica;
using namespace mica::report;

namespace {
trace::Event event(const char *name, const char *phase, double at, int64_t tid = 0) {
  trace::Event event;
  event.name = name;
  event.phase = phase;
  event.microseconds = at;
  event.tid = tid;
  return event;
}

LogModel rankWith(int64_t rank, std::vector<int64_t> frames, const std::string &schedule = "s") {
  LogModel model;
  model.rank = rank;
  for (const int64_t frame : frames) {
    Compile &compile = model.compiles.emplace_back();
    compile.id = {-1, frame, 0, -1};
    compile.schedules = {schedule};
    compile.metrics.emplace_back();
  }
  return model;
}
} // namespace

TEST(SpansTest, InnerTimeIsTheOuterSpansNoMore) {
  Spans spans;
  spans.add(event("outer", "B", 100), 0);
  spans.add(event("inner", "B", 110), 0);
  spans.add(event("inner", "E", 140), 0);
  spans.add(event("outer", "E", 200), 0);
  spans.finish();
  ASSERT_EQ(spans.names.size(), 2u);
  EXPECT_EQ(spans.names[0].total, 100);
  EXPECT_EQ(spans.names[0].self, 70);
  EXPECT_EQ(spans.all[1].depth, 1);
}

TEST(SpansTest, ThreadsAreApartAndWhatNeverEndsIsCounted) {
  Spans spans;
  spans.add(event("a", "B", 0, 1), -1);
  spans.add(event("b", "B", 1, 2), -1);
  spans.add(event("a", "E", 5, 1), -1);
  spans.finish();
  ASSERT_EQ(spans.all.size(), 1u);
  EXPECT_EQ(spans.all[0].microseconds, 5);
  EXPECT_EQ(spans.unmatched, 1);
}

TEST(StacksTest, StacksThatBeginAlikeShareTheirBeginning) {
  Stacks stacks;
  trace::StringTable strings;
  std::string problem;
  const int a = stacks.add(R"([{"line":1,"name":"f","filename":"a.py"},{"line":2,"name":"g","filename":"a.py"}])",
                           strings, problem);
  const int b =
      stacks.add(R"([{"line":1,"name":"f","filename":"a.py"},{"line":3,"name":"h","filename":-1}])", strings, problem);
  EXPECT_NE(a, b);
  EXPECT_EQ(stacks.nodes().size(), 3u);
  EXPECT_EQ(stacks.frames()[2].file, "(unknown)");
  EXPECT_EQ(problem, "");
  EXPECT_EQ(stacks.add("[]", strings, problem), -1);
  stacks.add(R"([{"line":1,"name":"f","filename":7}])", strings, problem);
  EXPECT_EQ(problem, "a frame names the file by string 7, which no record defined");
}

TEST(LogTimeTest, YearAndZoneFollowFromAnEvent) {
  TemporaryFolder folder;
  // 2024-12-06 23:18:15 UTC, written eight hours to the west.
  const std::string payload =
      R"({"name": "x", "ph": "B", "ts": 1733527095000000.0, "args": {}, "cat": "c", "tid": 0, "pid": 0})";
  const std::string text = "V1206 15:18:15.925000 1 x.py:1] {\"chromium_event\": {}, \"has_payload\": \"" +
                           trace::hexDigits(trace::md5(payload)) + "\"}\n\t" + payload + "\n";
  ASSERT_TRUE(writeFile(folder / "log", text));
  LogTime time(folder / "log");
  EXPECT_TRUE(time.isUtc());
  trace::readLogText(text, [&](trace::Record &record) { EXPECT_EQ(time.text(record), "2024-12-06T23:18:15.925000Z"); });
  ASSERT_TRUE(writeFile(folder / "none", "V1206 15:18:15.925000 1 x.py:1] {\"str\": [\"a\", 0]}\n"));
  EXPECT_FALSE(LogTime(folder / "none").isUtc());
}

TEST(LogTimeTest, WithoutEventsTheyFollowFromTheStartOfACompile) {
  TemporaryFolder folder;
  const std::string text = "V1206 15:18:15.925000 1 x.py:1] {\"compilation_metrics\": {\"start_time\": 1733527092.25}, "
                           "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0}\n";
  ASSERT_TRUE(writeFile(folder / "log", text));
  LogTime time(folder / "log");
  EXPECT_TRUE(time.isUtc());
  trace::readLogText(text, [&](trace::Record &record) { EXPECT_EQ(time.text(record), "2024-12-06T23:18:15.925000Z"); });
}

TEST(CompareRanksTest, OrdersOfExecutionAreComparedStepByStep) {
  std::vector<LogModel> ranks = {rankWith(0, {0}), rankWith(1, {0}), rankWith(2, {0})};
  for (LogModel &rank : ranks)
    rank.executions = {"\"0/0\"", "\"1/0\""};
  EXPECT_TRUE(compareRanks(ranks).empty());
  ranks[1].executions[1] = "\"2/0\"";
  ranks[2].executions.pop_back();
  const std::vector<Desync> found = compareRanks(ranks);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what, "execution order");
  ASSERT_EQ(found[0].groups.size(), 3u);
  std::vector<std::string> said;
  for (const RankGroup &group : found[0].groups)
    said.push_back(group.says);
  std::sort(said.begin(), said.end());
  EXPECT_EQ(said, (std::vector<std::string>{"step 2: \"1/0\"", "step 2: \"2/0\"", "step 2: no more"}));
}

TEST(CompareRanksTest, RanksThatAgreeAreNoDesync) {
  EXPECT_TRUE(compareRanks({rankWith(0, {0, 1}), rankWith(1, {0, 1})}).empty());
  EXPECT_TRUE(compareRanks({rankWith(0, {0})}).empty());
}

TEST(CompareRanksTest, TheOddRankOutAndTheFirstCompileAreNamed) {
  const std::vector<Desync> ids = compareRanks({rankWith(0, {0, 1}), rankWith(1, {0}), rankWith(2, {0, 1})});
  ASSERT_EQ(ids.size(), 1u);
  EXPECT_EQ(ids[0].what, "compile ids");
  EXPECT_EQ(ids[0].first, "1/0");
  EXPECT_EQ(ids[0].groups[0].ranks, (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(ids[0].groups[1].ranks, (std::vector<int64_t>{1}));
  const std::vector<Desync> schedules = compareRanks({rankWith(0, {0}), rankWith(1, {0}, "other")});
  ASSERT_EQ(schedules.size(), 1u);
  EXPECT_EQ(schedules[0].what, "schedules");
}

TEST(SafeFileNameTest, NamesOfALogStayInTheirFolder) {
  EXPECT_EQ(safeFileName("../../etc/passwd"), "etc_passwd");
  EXPECT_EQ(safeFileName("a b\nc"), "a_b_c");
  EXPECT_EQ(safeFileName("..."), "unnamed");
  EXPECT_EQ(safeFileName("-rf"), "rf");
  EXPECT_LE(safeFileName(std::string(5000, 'x')).size(), 100u);
}

TEST(RedactTest, LayoutStaysAndLettersGo) {
  EXPECT_EQ(maskText("def f(x1):\n  # gr\xc3\xbc\xc3\x9f"), "xxx x(x0):\n  # xxxxxx");
}
