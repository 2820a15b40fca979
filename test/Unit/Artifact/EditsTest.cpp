//===- EditsTest.cpp - files of an artifact that were edited by hand --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Which edits are seen, what they lead to, and which are refused. Building is tested in
// test/Integration/edit-and-run.test.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "SampleManifest.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Artifact/Edits.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace mica;
using namespace mica::artifact;

namespace {

/// The sample program with the texts of one kernel, each made from the one before.
struct EditsTest : testing::Test {
  TemporaryFolder temporary;
  fs::path folder = temporary / "art";
  Manifest manifest = sampleManifest();
  std::string base = "kernels/" + manifest.kernels[0].name + "/";

  void SetUp() override {
    ASSERT_TRUE(writeFile(folder / kTasksFile, printTaskLists(sampleTaskLists())).isOk());
    ASSERT_TRUE(writeFile(folder / kConstantsFile, std::string(192, 'c')).isOk());
    manifest.files.clear();
    add("input.mlirbc", {});
    add("passes_dump/0004_cse.mlir", {"input.mlirbc"});
    add("passes_dump/0007_tile@" + manifest.kernels[0].name + ".mlir", {"passes_dump/0004_cse.mlir"});
    add(base + "kernel.mlir", {"passes_dump/0007_tile@" + manifest.kernels[0].name + ".mlir"});
    add(base + "kernel.ll", {base + "kernel.mlir"});
    add(base + "kernel.s", {base + "kernel.ll"});
    add(base + "launch.json", {base + "kernel.mlir"});
    add("program.so", {base + "kernel.s"});
    writeManifest();
  }
  void add(const std::string &path, std::vector<std::string> inputs) {
    ASSERT_TRUE(writeFile(folder / path, "text of " + path).isOk());
    manifest.files.push_back({path, std::move(inputs), "test", hashHex("text of " + path)});
  }
  void writeManifest() { ASSERT_TRUE(writeFile(folder / kManifestFile, printManifest(manifest)).isOk()); }
  void edit(const std::string &path) { ASSERT_TRUE(writeFile(folder / path, "edited").isOk()); }
  /// The edits of the artifact as it is, or the message that refuses them.
  std::string plan(std::vector<Edit> *edits = nullptr) {
    Result<Artifact> artifact = Artifact::open(folder);
    if (!artifact)
      return artifact.error().message;
    Result<std::vector<std::string>> changed = changedSinceBuild(*artifact);
    if (!changed)
      return changed.error().message;
    Result<std::vector<Edit>> planned = planEdits(*artifact, *changed);
    if (!planned)
      return planned.error().message + " | " + planned.error().hint;
    if (edits)
      *edits = *planned;
    return std::to_string(planned->size()) + " edits";
  }
};

TEST_F(EditsTest, AnUntouchedArtifactHasNone) { EXPECT_EQ(plan(), "0 edits"); }

TEST_F(EditsTest, EachKindOfFileHasItsRoute) {
  const std::string kernel = manifest.kernels[0].name;
  const std::vector<std::pair<std::string, EditRoute>> routes{
      {"passes_dump/0004_cse.mlir", EditRoute::ProgramSnapshot},
      {"passes_dump/0007_tile@" + kernel + ".mlir", EditRoute::KernelSnapshot},
      {base + "kernel.mlir", EditRoute::KernelIR},
      {base + "kernel.ll", EditRoute::LlvmIR},
      {base + "kernel.s", EditRoute::Assembly}};
  for (const auto &[path, route] : routes) {
    edit(path);
    std::vector<Edit> edits;
    EXPECT_EQ(plan(&edits), "1 edits") << path;
    ASSERT_EQ(edits.size(), 1u);
    EXPECT_EQ(edits[0].path, path);
    EXPECT_EQ(edits[0].route, route) << path;
    EXPECT_EQ(edits[0].kernel, route == EditRoute::ProgramSnapshot ? "" : kernel);
    ASSERT_TRUE(writeFile(folder / path, "text of " + path).isOk());
  }
}

TEST_F(EditsTest, OfTwoFilesOnOneChainBothAreNamed) {
  edit("passes_dump/0004_cse.mlir");
  edit(base + "kernel.s");
  EXPECT_NE(plan().find("passes_dump/0004_cse.mlir and " + base + "kernel.s were both edited"), std::string::npos)
      << plan();
}

TEST_F(EditsTest, AnEditThatIsBuiltStandsInTheWayOfOneFurtherDown) {
  manifest.files[4].original = "0123";
  writeManifest();
  EXPECT_EQ(plan(), "0 edits");
  edit(base + "kernel.s");
  EXPECT_NE(plan().find("kernel.ll and " + base + "kernel.s were both edited"), std::string::npos) << plan();
}

TEST_F(EditsTest, WhatNothingIsBuiltFromIsRefusedWithTheWayBack) {
  edit(base + "launch.json");
  EXPECT_NE(plan().find("--reset=" + base + "launch.json"), std::string::npos) << plan();
}

TEST_F(EditsTest, ARemovedFileIsRefused) {
  fs::remove(folder / base / "kernel.ll");
  EXPECT_NE(plan().find("was removed"), std::string::npos) << plan();
}

TEST_F(EditsTest, ABuildThatIsDoneIsPutInPlace) {
  ASSERT_TRUE(writeFile(folder / kBuildingFolder / base / "kernel.s", "new").isOk());
  ASSERT_TRUE(writeFile(folder / kBuildingFolder / "new/file", "new").isOk());
  const std::string journal = "{\"files\": [\"" + base +
                              "kernel.s\", \"new/file\", \"moved/before\"], \"removed\": [\"" + base +
                              "launch.json\"]}";
  ASSERT_TRUE(writeFile(folder / kJournalFile, journal).isOk());
  ASSERT_TRUE(placeBuiltFiles(folder).isOk());
  EXPECT_EQ(*readFile(folder / base / "kernel.s"), "new");
  EXPECT_EQ(*readFile(folder / "new/file"), "new");
  EXPECT_FALSE(fs::exists(folder / base / "launch.json"));
  EXPECT_FALSE(fs::exists(folder / kJournalFile));
  EXPECT_FALSE(fs::exists(folder / kBuildingFolder));
}

TEST_F(EditsTest, AJournalWritesNothingOutside) {
  for (const char *name : {"../outside", "/outside", "a/../../outside"}) {
    ASSERT_TRUE(
        writeFile(folder / kJournalFile, "{\"files\": [\"" + std::string(name) + "\"], \"removed\": []}").isOk());
    Status status = placeBuiltFiles(folder);
    ASSERT_FALSE(status.isOk()) << name;
    EXPECT_NE(status.error().message.find("outside the artifact"), std::string::npos) << status.error().message;
  }
}

TEST_F(EditsTest, ADamagedJournalIsAnError) {
  for (const char *text : {"", "[]", "{\"files\": 3}", "{\"files\": [3], \"removed\": []}"}) {
    ASSERT_TRUE(writeFile(folder / kJournalFile, text).isOk());
    EXPECT_FALSE(placeBuiltFiles(folder).isOk()) << text;
  }
}

TEST(SnapshotName, IsTakenApart) {
  const SnapshotName name = parseSnapshotName("passes_dump/0038_mica-cpu-plan@k.body.mlir");
  EXPECT_EQ(name.position, 38);
  EXPECT_EQ(name.pass, "mica-cpu-plan");
  EXPECT_EQ(name.anchor, "k.body");
  EXPECT_EQ(parseSnapshotName("passes_dump/0004_cse.mlir").anchor, "");
  for (const char *other :
       {"passes_dump/index.json", "passes_dump/x_cse.mlir", "kernels/k/kernel.mlir", "passes_dump/.mlir"})
    EXPECT_EQ(parseSnapshotName(other).position, -1) << other;
}

} // namespace
