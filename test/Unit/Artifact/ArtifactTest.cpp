//===- ArtifactTest.cpp - artifact folders -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What Artifact::open says of a folder that is not whole.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "SampleManifest.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include <gtest/gtest.h>

namespace fs = std::filesystem;
using namespace mica;
using namespace mica::artifact;

namespace {

/// A whole artifact of the sample program in `folder`; its program.so holds no code.
void writeSample(const fs::path &folder) {
  Manifest manifest = sampleManifest();
  manifest.files[0].hash = hashHex("bytecode");
  manifest.files[1].hash = hashHex("code");
  ASSERT_TRUE(writeFile(folder / kManifestFile, printManifest(manifest)).isOk());
  ASSERT_TRUE(writeFile(folder / kTasksFile, printTaskLists(sampleTaskLists())).isOk());
  ASSERT_TRUE(writeFile(folder / kProgramFile, "code").isOk());
  ASSERT_TRUE(writeFile(folder / "input.mlirbc", "bytecode").isOk());
  ASSERT_TRUE(writeFile(folder / kConstantsFile, std::string(192, 'c')).isOk());
}

struct ArtifactTest : testing::Test {
  TemporaryFolder temporary;
  fs::path folder = temporary / "art";

  void SetUp() override { writeSample(folder); }
  std::string openError() {
    Result<Artifact> artifact = Artifact::open(folder);
    return artifact ? "" : artifact.error().message;
  }
};

TEST_F(ArtifactTest, OpensAWholeOne) {
  Result<Artifact> artifact = Artifact::open(folder);
  ASSERT_TRUE(artifact.isOk()) << artifact.error().message;
  EXPECT_EQ(artifact->taskLists().size(), 1u);
  EXPECT_EQ(artifact->path("program.so"), folder / "program.so");
  EXPECT_TRUE(artifact->changes()->empty());
}

TEST_F(ArtifactTest, NamesWhatIsMissing) {
  fs::remove(folder / kConstantsFile);
  EXPECT_EQ(openError(), (folder / "constants.bin").string() + " is missing: the program's 1 constants are in it");
  fs::remove(folder / kProgramFile);
  EXPECT_EQ(openError(), (folder / "program.so").string() + " is missing: the program's code is in it");
  fs::remove(folder / kTasksFile);
  EXPECT_EQ(openError(), (folder / "host/tasks.json").string() + " is missing: the program's task lists are in it");
  fs::remove(folder / kManifestFile);
  EXPECT_EQ(openError(), folder.string() + " is not an artifact: it has no manifest.json");
  fs::remove_all(folder);
  EXPECT_EQ(openError(), folder.string() + " does not exist");
  ASSERT_TRUE(writeFile(folder, "x").isOk());
  EXPECT_EQ(openError(), folder.string() + " is not a folder, an artifact is one");
}

TEST_F(ArtifactTest, NamesATruncatedConstantsFile) {
  fs::resize_file(folder / kConstantsFile, 191);
  EXPECT_EQ(openError(),
            (folder / "constants.bin").string() + ": is 191 bytes, the constants of manifest.json take 192");
}

TEST_F(ArtifactTest, NamesATruncatedManifest) {
  fs::resize_file(folder / kManifestFile, 100);
  EXPECT_NE(openError().find("manifest.json:5:3: the file ends too early"), std::string::npos) << openError();
  fs::resize_file(folder / kManifestFile, 0);
  EXPECT_NE(openError().find("manifest.json:1:1: the file ends too early"), std::string::npos) << openError();
}

TEST_F(ArtifactTest, FindsEditedAndMissingFiles) {
  ASSERT_TRUE(writeFile(folder / "input.mlirbc", "edited").isOk());
  fs::remove(folder / kProgramFile);
  ASSERT_TRUE(writeFile(folder / kProgramFile, "code").isOk());
  Result<Artifact> artifact = Artifact::open(folder);
  ASSERT_TRUE(artifact.isOk());
  EXPECT_EQ(*artifact->state("input.mlirbc"), FileState::Edited);
  EXPECT_EQ(*artifact->state("program.so"), FileState::Same);
  EXPECT_FALSE(artifact->state("other").isOk());
  fs::remove(folder / kProgramFile);
  Result<std::vector<FileChange>> changes = artifact->changes();
  ASSERT_EQ(changes->size(), 2u);
  EXPECT_EQ((*changes)[1].path, "program.so");
  EXPECT_EQ((*changes)[1].state, FileState::Missing);
}

TEST_F(ArtifactTest, FindsEntries) {
  Manifest manifest = sampleManifest();
  EXPECT_EQ(*findEntry(manifest, ""), 0u);
  EXPECT_EQ(*findEntry(manifest, "forward"), 0u);
  Result<size_t> unknown = findEntry(manifest, "foward");
  ASSERT_FALSE(unknown.isOk());
  EXPECT_EQ(unknown.error().code, ErrorCode::NotFound);
  EXPECT_EQ(unknown.error().message, "the program has no entry 'foward'");
  EXPECT_EQ(unknown.error().hint, "did you mean 'forward'? There are: forward");
  manifest.entries.push_back({"backward", {}, {}});
  EXPECT_EQ(findEntry(manifest, "").error().hint, "choose one with --entry=; there are: forward, backward");
  manifest.entries.push_back({"main", {}, {}});
  EXPECT_EQ(*findEntry(manifest, ""), 2u);
}

TEST_F(ArtifactTest, ReplacesOnlyArtifacts) {
  EXPECT_TRUE(checkReplaceable(temporary / "nothing", false).isOk());
  fs::create_directory(temporary / "empty");
  EXPECT_TRUE(checkReplaceable(temporary / "empty", false).isOk());
  EXPECT_FALSE(checkReplaceable(folder, false).isOk());
  EXPECT_TRUE(checkReplaceable(folder, true).isOk());
  EXPECT_FALSE(checkReplaceable(temporary.path(), true).isOk()) << "a folder of other things";
  EXPECT_FALSE(checkReplaceable(folder / "program.so", true).isOk());
}

} // namespace
