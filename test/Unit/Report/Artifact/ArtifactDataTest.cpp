//===- ArtifactDataTest.cpp - reading foreign artifacts -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// An artifact is not trusted: what its files are, and where they lead, is looked at first.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/ArtifactData.h"
#include "lib/Report/Artifact/Context.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Support/Files.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;

using namespace mica;
using namespace mica::report;

namespace {
constexpr const char *kManifest = R"({"format": "mica-artifact", "schema": "1.0",
 "tools": {"mica": "0", "llvm": "22"}, "command_line": [], "input_file": "m.mlir",
 "target": {"name": "cpu", "triple": "x", "cpu": "y", "cpu_features": []}, "options": {}, "entries": [], "kernels": [],
 "constants": [], "ops": [], "sites": [],
 "files": [{"path": "host/schedule.mlir", "inputs": [], "command": "", "hash": "00"},
           {"path": "program.so", "inputs": [], "command": "", "hash": "00"}]})";

void writeArtifact(const fs::path &folder) {
  ASSERT_TRUE(makeFolder(folder / "host"));
  ASSERT_TRUE(writeFile(folder / "manifest.json", kManifest));
  ASSERT_TRUE(writeFile(folder / "host/tasks.json", R"({"format": "mica-tasks", "schema": "1.0", "lists": []})"));
}

Result<Json> dataOf(const fs::path &folder, const fs::path &scratch, bool traced) {
  TextStore store(scratch, true);
  ArtifactOptions options;
  options.plain = true;
  options.traced = traced;
  options.scratch = scratch;
  MICA_ASSIGN_OR_RETURN(const ArtifactData data, artifactData(folder, store, options));
  return Json::parse(data.json);
}
} // namespace

TEST(LiesInsideTest, LinksAreFollowed) {
  TemporaryFolder folder;
  ASSERT_TRUE(makeFolder(folder / "a"));
  ASSERT_TRUE(writeFile(folder / "secret", "x"));
  ASSERT_TRUE(writeFile(folder / "a/file", "x"));
  fs::create_symlink(folder / "secret", folder / "a/out");
  fs::create_symlink("file", folder / "a/in");
  EXPECT_TRUE(liesInside(folder / "a", folder / "a/file"));
  EXPECT_TRUE(liesInside(folder / "a", folder / "a/in"));
  EXPECT_FALSE(liesInside(folder / "a", folder / "a/out"));
  EXPECT_FALSE(liesInside(folder / "a", folder / "a/../secret"));
  EXPECT_FALSE(liesInside(folder / "a", folder / "a"));
  EXPECT_FALSE(liesInside(folder / "a", folder / "a/none"));
}

TEST(MembersTest, MembersOfAnotherTypeAreNone) {
  const Json object = Json::parse(R"({"n": "text", "t": 5, "l": {}, "b": 1, "ts": ["a", 3, "b"]})");
  EXPECT_EQ(integerMember(object, "n", 7), 7);
  EXPECT_EQ(textMember(object, "t"), "");
  EXPECT_TRUE(listMember(object, "l").empty());
  EXPECT_FALSE(booleanMember(object, "b"));
  EXPECT_EQ(textsMember(object, "ts"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(textMember(Json::array(), "x"), "");
}

TEST(ArtifactDataTest, WithoutItsCodeAnArtifactIsDamagedButNotInATrace) {
  TemporaryFolder folder;
  writeArtifact(folder / "a");
  const Result<Json> whole = dataOf(folder / "a", folder.path(), false);
  ASSERT_FALSE(whole);
  EXPECT_NE(whole.error().message.find("program.so"), std::string::npos);
  const Result<Json> traced = dataOf(folder / "a", folder.path(), true);
  ASSERT_TRUE(traced) << traced.error().message;
  EXPECT_EQ((*traced)["files"][0][5], "elsewhere");
}

TEST(ArtifactDataTest, AFileThatLeadsOutIsNamedAndNotRead) {
  TemporaryFolder folder;
  writeArtifact(folder / "a");
  ASSERT_TRUE(writeFile(folder / "a/program.so", ""));
  ASSERT_TRUE(writeFile(folder / "secret", "secret"));
  fs::create_symlink(folder / "secret", folder / "a/host/schedule.mlir");
  const Result<Json> data = dataOf(folder / "a", folder.path(), false);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ((*data)["files"][0][5], "outside");
  EXPECT_EQ((*data)["files"][0][1], -1);
}
