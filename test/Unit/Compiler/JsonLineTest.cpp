//===- JsonLineTest.cpp - objects as texts ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Program/JsonLine.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <limits>

#include <unistd.h>

using namespace mica::compiler;

namespace {

void addAll(TextSink &sink) {
  JsonLine json(sink);
  json.add("least", std::numeric_limits<int64_t>::min());
  json.add("none", std::vector<std::string>());
  json.add("two", {"a", "b"});
  JsonLine inner(json.key("inner"));
  inner.add("quote \"", "back \\ slash");
  inner.addRaw("raw", "[1]");
}

TEST(JsonLineTest, MembersAreSeparated) {
  std::string text;
  StringSink sink(text);
  addAll(sink);
  EXPECT_EQ(text, R"({"least":-9223372036854775808,"none":[],"two":["a","b"],)"
                  R"("inner":{"quote \u0022":"back \u005c slash","raw":[1]}})");
}

TEST(JsonLineTest, EveryByteComesBackOrIsReplaced) {
  for (int byte = 0; byte < 256; ++byte) {
    std::string text, value = "x" + std::string(1, static_cast<char>(byte)) + "\u00e9";
    StringSink sink(text);
    appendQuoted(sink, value);
    llvm::Expected<llvm::json::Value> read = llvm::json::parse(text);
    ASSERT_TRUE(bool(read)) << text;
    if (byte < 128)
      EXPECT_EQ(read->getAsString()->str(), value);
    else
      EXPECT_EQ(read->getAsString()->str(), "x\ufffd\ufffd\ufffd");
  }
}

TEST(JsonLineTest, FilesHoldWhatTextsDo) {
  std::string text;
  StringSink sink(text);
  char name[] = "/tmp/mica-json-line-XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  unlink(name);
  {
    FileSink written(file);
    for (int i = 0; i < 300; ++i) {
      addAll(sink);
      addAll(written);
    }
  }
  std::string read(text.size() + 1, '\0');
  EXPECT_EQ(pread(file, read.data(), read.size(), 0), static_cast<ssize_t>(text.size()));
  read.pop_back();
  EXPECT_EQ(read, text);
  close(file);
}

} // namespace
