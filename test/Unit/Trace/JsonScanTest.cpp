//===- JsonScanTest.cpp - JSON at the speed of the log ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What is taken, what is refused and where, what is handed out, and what Python writes beyond the standard.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/JsonScan.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

using namespace mica::trace;

namespace {

TEST(JsonScanTest, TakesWhatTheStandardTakes) {
  for (const char *text :
       {"null", " [1, -0.5e+3, true, {}] ", R"({"a": {"b": []}, "c": "\u00e9\n\ud83d\ude00"})", "0", "\"\""})
    EXPECT_TRUE(scanJson(text).ok) << text;
}

TEST(JsonScanTest, RefusesTheRestAndSaysWhere) {
  const std::pair<const char *, size_t> cases[] = {
      {"", 0},    {"{\"a\":}", 5}, {"[1,]", 3}, {"01", 1},         {"\"a", 2},         {"{\"a\" 1}", 5}, {"[1 2]", 3},
      {"nul", 0}, {"\"\\x\"", 1},  {"1.", 2},   {"{\"a\":1}x", 7}, {"\"\\u12g4\"", 1}, {"\"a\nb\"", 2},  {"-", 1}};
  for (const auto &[text, at] : cases) {
    const JsonScan scan = scanJson(text);
    EXPECT_FALSE(scan.ok) << text;
    EXPECT_EQ(scan.errorAt, at) << text;
    EXPECT_NE(scan.expected, nullptr) << text;
  }
}

TEST(JsonScanTest, DeepNestingIsRefusedNotACrash) {
  EXPECT_TRUE(scanJson(std::string(400, '[') + std::string(400, ']')).ok);
  EXPECT_FALSE(scanJson(std::string(1000000, '[')).ok);
}

TEST(JsonScanTest, HandsOutMembersOfTheOuterObjects) {
  std::vector<JsonMember> members;
  ASSERT_TRUE(scanJson(R"({"a": {"b" : [{"no": 1}], "c": {"deep": 2}}, "d": "x"})", &members, 2).ok);
  ASSERT_EQ(members.size(), 4u);
  EXPECT_EQ(members[0].key, "b");
  EXPECT_EQ(members[0].value, R"([{"no": 1}])");
  EXPECT_EQ(members[0].depth, 2);
  EXPECT_EQ(members[1].value, R"({"deep": 2})");
  EXPECT_EQ(members[2].key, "a");
  EXPECT_EQ(members[2].depth, 1);
  EXPECT_EQ(members[3].value, "\"x\"");
}

TEST(JsonScanTest, NumbersBeyondADoubleAreNotFinite) {
  for (const std::string &number : {std::string("1e999"), std::string("-11111E0001470617780"), std::string(400, '9')}) {
    const std::string text = "{\"x\": [" + number + ", true]}";
    EXPECT_TRUE(scanJson(text).notes.nonFinite) << number;
    EXPECT_EQ(strictJson(text), "{\"x\": [\"" + number + "\", true]}");
    EXPECT_TRUE(nlohmann::json::accept(strictJson(text)));
  }
  for (const char *number : {"1e-999", "-0", "1.5e300", "123456789012345678901234567890", "2E+5"})
    EXPECT_FALSE(scanJson(number).notes.any()) << number;
  EXPECT_EQ(strictJson("[1e-999, -1.5E+3, false, null]"), "[1e-999, -1.5E+3, false, null]");
}

TEST(JsonScanTest, WhatPythonWritesIsTakenNotedAndMadeStrict) {
  const std::string text = "{\"x\": NaN, \"y\": [-Infinity, Infinity], \"z\": \"\\ud800 NaN \\ud83d\\ude00 \xff\"}";
  const JsonScan scan = scanJson(text);
  EXPECT_TRUE(scan.ok);
  EXPECT_TRUE(scan.notes.nonFinite);
  EXPECT_TRUE(scan.notes.surrogate);
  EXPECT_TRUE(scan.notes.invalidUtf8);
  const std::string strict = strictJson(text);
  EXPECT_EQ(
      strict,
      "{\"x\": \"NaN\", \"y\": [\"-Infinity\", \"Infinity\"], \"z\": \"\\ufffd NaN \\ud83d\\ude00 \xef\xbf\xbd\"}");
  EXPECT_TRUE(nlohmann::json::accept(strict));
  EXPECT_FALSE(scanJson(strict).notes.any());
}

TEST(JsonScanTest, ValuesOfPieces) {
  EXPECT_EQ(jsonString(R"("a\u00e9\n\"\ud83d\ude00")"), "a\xc3\xa9\n\"\xf0\x9f\x98\x80");
  EXPECT_EQ(jsonString("1"), std::nullopt);
  EXPECT_EQ(jsonInteger("-12"), -12);
  EXPECT_EQ(jsonInteger("1.5"), std::nullopt);
  EXPECT_EQ(jsonNumber("1.5e2"), 150);
  EXPECT_EQ(jsonNumber("NaN"), std::nullopt);
  EXPECT_EQ(jsonBoolean("true"), true);
  const std::vector<std::string_view> elements = jsonElements(R"([ "a,]" , [1,2], {"x": "}"} ])");
  ASSERT_EQ(elements.size(), 3u);
  EXPECT_EQ(elements[0], R"("a,]")");
  EXPECT_EQ(elements[1], "[1,2]");
  EXPECT_TRUE(jsonElements("[]").empty());
}

TEST(JsonScanTest, QuotedTextIsAsciiAndEndsNoScript) {
  const std::string text = "</script>\xf0\x9f\x98\x80\xff\n\x01\"\\";
  const std::string quoted = quoteJson(text);
  EXPECT_EQ(quoted.find('<'), std::string::npos);
  for (const char c : quoted)
    EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  EXPECT_EQ(jsonString(quoted), "</script>\xf0\x9f\x98\x80\xef\xbf\xbd\n\x01\"\\");
}

} // namespace
