//===- SnapshotFileTest.cpp - plain and packed snapshots ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/SnapshotFile.h"

#include "mica/Support/Compress.h"
#include "mica/Support/Files.h"
#include "test/Unit/Support/TemporaryFolder.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::artifact;

namespace {

class SnapshotFileTest : public ::testing::Test {
protected:
  void store(const std::string &text, const std::string &map) {
    for (const StoredFile &file : storeSnapshot("0001_cse.mlir", text, map))
      ASSERT_TRUE(writeFile(folder.path() / file.name, file.contents).isOk());
  }
  bool has(const std::string &name) { return std::filesystem::exists(folder.path() / name); }

  TemporaryFolder folder;
  const std::string longText = std::string(kPlainSnapshotBytes, 'a') + "\n";
};

TEST_F(SnapshotFileTest, ShortSnapshotsArePlain) {
  store("short\n", "{}");
  EXPECT_TRUE(has("0001_cse.mlir") && has("0001_cse.mlir.map.json") && !has("0001_cse.mlir.zst"));
  EXPECT_EQ(*readText(folder.path() / "0001_cse.mlir"), "short\n");
  EXPECT_EQ(readLineMap(folder.path() / "0001_cse.mlir")->json, "{}");
}

TEST_F(SnapshotFileTest, LongSnapshotsArePackedAndReadUnderBothNames) {
  store(longText, "{\"schema\": 2}");
  EXPECT_FALSE(has("0001_cse.mlir") || has("0001_cse.mlir.map.json"));
  EXPECT_TRUE(textExists(folder.path() / "0001_cse.mlir"));
  for (const char *name : {"0001_cse.mlir", "0001_cse.mlir.zst"}) {
    EXPECT_EQ(*readText(folder.path() / name), longText);
    EXPECT_EQ(readLineMap(folder.path() / name)->json, "{\"schema\": 2}");
    EXPECT_EQ(readLineMap(folder.path() / name)->original, "");
  }
}

TEST_F(SnapshotFileTest, APlainTextBesideAPackedOneCounts) {
  store(longText, "{}");
  ASSERT_TRUE(writeFile(folder.path() / "0001_cse.mlir", "edited\n").isOk());
  EXPECT_EQ(*readText(folder.path() / "0001_cse.mlir"), "edited\n");
  EXPECT_EQ(readLineMap(folder.path() / "0001_cse.mlir")->original, longText);
}

TEST_F(SnapshotFileTest, WhatIsMissingIsNamedAsAsked) {
  const Result<std::string> text = readText(folder.path() / "0002_none.mlir");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::NotFound);
  EXPECT_NE(text.error().message.find("0002_none.mlir"), std::string::npos);
  EXPECT_EQ(text.error().message.find(".zst"), std::string::npos);
}

TEST(CompressTest, EveryCutAndEveryChangedByteIsSeen) {
  const std::string text = "a snapshot, a snapshot, a snapshot of mica\n";
  const std::string data = compress(text) + skippableFrame(compress("map"));
  EXPECT_EQ(*decompress(data, "x"), text);
  for (size_t size = 1; size < compress(text).size(); ++size)
    EXPECT_FALSE(decompress(std::string_view(data).substr(0, size), "x")) << size;
  for (size_t at = 0; at < compress(text).size(); ++at) {
    std::string changed = data;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    const Result<std::string> read = decompress(changed, "x");
    EXPECT_TRUE(!read || *read != text || at < 6) << at; // unused bits of the frame's head
    const Result<std::string_view> frame = findSkippable(changed, "x");
    EXPECT_TRUE(!frame || frame->size() <= changed.size());
  }
}

TEST(CompressTest, PartsAreOneText) {
  std::string text;
  Compressor frame;
  for (size_t size : {0, 1, 70, 300'000, 5}) {
    std::string part(size, '\0');
    for (size_t at = 0; at < size; ++at)
      part[at] = static_cast<char>(at * at >> 3);
    frame.add(part);
    text += part;
  }
  const std::string packed = frame.finish();
  EXPECT_EQ(*decompress(packed, "x"), text);
  EXPECT_FALSE(decompress(std::string_view(packed).substr(0, packed.size() - 1), "x"));
}

TEST(CompressTest, AnEmptyTextComesBack) { EXPECT_EQ(*decompress(compress(""), "x"), ""); }

} // namespace
