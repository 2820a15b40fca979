//===- CompileCacheTest.cpp - the cache of compiled artifacts ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/CompileCache.h"

#include "SampleManifest.h"
#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace mica;
using namespace mica::artifact;

namespace {

using Kind = CacheOutcome::Kind;

/// What a compiler would do: a whole artifact, in one rename. `bytes`: of its program.
Result<int> compileTo(const fs::path &folder, size_t bytes = 100) {
  MICA_ASSIGN_OR_RETURN(StagedFolder staged, StagedFolder::create(folder));
  const fs::path at = staged.path();
  const std::string tasks = printTaskLists(sampleTaskLists()), program(bytes, 'c');
  Manifest manifest = sampleManifest();
  for (FileRecord &record : manifest.files)
    record.hash = record.path == kTasksFile ? hashHex(tasks) : record.path == kProgramFile ? hashHex(program) : "";
  MICA_RETURN_IF_ERROR(writeFile(at / kManifestFile, printManifest(manifest)));
  MICA_RETURN_IF_ERROR(writeFile(at / kTasksFile, tasks));
  MICA_RETURN_IF_ERROR(writeFile(at / kProgramFile, program));
  MICA_RETURN_IF_ERROR(writeFile(at / "input.mlirbc", "bytecode"));
  MICA_RETURN_IF_ERROR(writeFile(at / kConstantsFile, std::string(192, 'c')));
  MICA_RETURN_IF_ERROR(staged.commit(true));
  return 0;
}

CacheKey keyOf(const std::string &contents, const std::string &flag = "") {
  CacheKey key{{"program", "/m.mlir"}, {"contents", contents}};
  if (!flag.empty())
    key.emplace_back("flag", flag);
  return key;
}

struct CompileCacheTest : testing::Test {
  TemporaryFolder temporary;

  void SetUp() override {
    ::setenv("MICA_CACHE_DIR", temporary.path().c_str(), 1);
    ::unsetenv("MICA_CACHE_SIZE");
  }
  void TearDown() override {
    ::unsetenv("MICA_CACHE_DIR");
    ::unsetenv("MICA_CACHE_SIZE");
  }
  CacheOutcome get(const CacheKey &key, size_t bytes = 100, const std::string &bypass = "") {
    Result<CompileCache> cache = CompileCache::open();
    EXPECT_TRUE(cache.isOk());
    Result<CacheOutcome> outcome =
        cache->get("m", key, bypass, [&](const fs::path &folder, int) { return compileTo(folder, bytes); });
    EXPECT_TRUE(outcome.isOk()) << outcome.error().message;
    return *outcome;
  }
};

/// Starts a process that runs `body` and ends with what it gives.
template <typename Body> pid_t inChild(Body body) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(body());
  return child;
}

int waitFor(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

size_t linesOf(const fs::path &file) {
  std::ifstream stream(file);
  size_t lines = 0;
  for (std::string line; std::getline(stream, line);)
    ++lines;
  return lines;
}

TEST_F(CompileCacheTest, CompilesOnceAndSaysWhatChanged) {
  EXPECT_EQ(get(keyOf("a")).kind, Kind::Miss);
  const CacheOutcome hit = get(keyOf("a"));
  EXPECT_EQ(hit.kind, Kind::Hit);
  EXPECT_TRUE(isArtifact(hit.folder));

  const CacheOutcome other = get(keyOf("b", "-O1"));
  EXPECT_EQ(other.kind, Kind::Miss);
  EXPECT_EQ(other.changed, (std::vector<std::string>{"contents was a, is b", "flag was not set, is -O1"}));
  EXPECT_EQ(get(keyOf("b")).changed, (std::vector<std::string>{"flag was -O1, is not set"}));
  EXPECT_EQ(get(keyOf("b"), 100, "--no-cache").kind, Kind::Bypass);

  const CacheStatistics now = CompileCache::open()->statistics();
  EXPECT_EQ(now.artifacts, 3);
  EXPECT_EQ(now.hits, 1);
  EXPECT_EQ(now.misses, 3);
  EXPECT_EQ(now.bypasses, 1);
}

TEST_F(CompileCacheTest, ExplainsAMissByTheSameProgramOnly) {
  get({{"program", "/a/m.mlir"}, {"contents", "1"}});
  EXPECT_TRUE(get({{"program", "/b/m.mlir"}, {"contents", "2"}}).changed.empty());
}

TEST_F(CompileCacheTest, AFailedCompileLeavesNoArtifact) {
  Result<CacheOutcome> outcome =
      CompileCache::open()->get("m", keyOf("a"), "", [](const fs::path &, int) -> Result<int> { return 7; });
  ASSERT_TRUE(outcome.isOk());
  EXPECT_EQ(outcome->compileResult, 7);
  EXPECT_TRUE(outcome->folder.empty());
  EXPECT_EQ(get(keyOf("a")).kind, Kind::Miss);
}

TEST_F(CompileCacheTest, ADamagedArtifactIsMadeAgain) {
  const fs::path folder = get(keyOf("a")).folder;
  ASSERT_TRUE(writeFile(folder / kManifestFile, "{").isOk());
  const CacheOutcome again = get(keyOf("a"));
  EXPECT_EQ(again.kind, Kind::Miss);
  EXPECT_EQ(again.why, "damaged");
  EXPECT_EQ(get(keyOf("a")).kind, Kind::Hit);
  // One byte of what runs.
  ASSERT_TRUE(writeFile(folder / kProgramFile, std::string(99, 'c') + "d").isOk());
  EXPECT_EQ(get(keyOf("a")).why, "damaged");
  EXPECT_EQ(get(keyOf("a")).kind, Kind::Hit);
}

TEST_F(CompileCacheTest, OfSeveralProcessesOneCompiles) {
  const fs::path log = temporary / "compiles";
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i)
    children.push_back(inChild([&] {
      Result<CacheOutcome> outcome =
          CompileCache::open()->get("m", keyOf("a"), "", [&](const fs::path &folder, int) -> Result<int> {
            std::ofstream(log, std::ios::app) << "one" << std::endl;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            return compileTo(folder);
          });
      return outcome.isOk() && Artifact::open(outcome->folder).isOk() ? 0 : 1;
    }));
  for (pid_t child : children)
    EXPECT_EQ(waitFor(child), 0);
  EXPECT_EQ(linesOf(log), 1u);
}

TEST_F(CompileCacheTest, AKilledCompileKeepsNobodyWaiting) {
  const fs::path log = temporary / "compiles";
  auto compile = [&](bool forever) {
    return [&log, forever](const fs::path &folder, int) -> Result<int> {
      Result<StagedFolder> half = StagedFolder::create(folder);
      std::ofstream(log, std::ios::app) << "one" << std::endl;
      if (forever)
        ::pause();
      return compileTo(folder);
    };
  };
  const pid_t victim = inChild([&] {
    (void)CompileCache::open()->get("m", keyOf("a"), "", compile(true));
    return 0;
  });
  while (linesOf(log) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::vector<pid_t> waiting;
  for (int i = 0; i < 3; ++i)
    waiting.push_back(inChild([&] {
      Result<CacheOutcome> outcome = CompileCache::open()->get("m", keyOf("a"), "", compile(false));
      return outcome.isOk() && Artifact::open(outcome->folder).isOk() ? 0 : 1;
    }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(victim, SIGKILL);
  EXPECT_EQ(waitFor(victim), -SIGKILL);
  for (pid_t child : waiting)
    EXPECT_EQ(waitFor(child), 0);
  EXPECT_EQ(linesOf(log), 2u);
}

TEST_F(CompileCacheTest, WhatWasNotUsedForLongestGoesAndNothingInUse) {
  constexpr size_t kBytes = 1 << 20;
  const fs::path first = get(keyOf("1"), kBytes).folder, second = get(keyOf("2"), kBytes).folder;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(get(keyOf("1")).kind, Kind::Hit);
  ::setenv("MICA_CACHE_SIZE", "2500K", 1);
  const CacheOutcome third = get(keyOf("3"), kBytes);
  EXPECT_TRUE(fs::exists(first));
  EXPECT_FALSE(fs::exists(second));
  EXPECT_TRUE(fs::exists(third.folder));

  const CacheOutcome used = get(keyOf("1"));
  ::setenv("MICA_CACHE_SIZE", "1", 1);
  const CacheOutcome fourth = get(keyOf("4"), kBytes);
  EXPECT_TRUE(fs::exists(used.folder)) << "in use";
  EXPECT_TRUE(fs::exists(third.folder)) << "in use";
  EXPECT_TRUE(fs::exists(fourth.folder)) << "just made";
  EXPECT_EQ(CompileCache::open()->statistics().evicted, 1);
}

TEST_F(CompileCacheTest, CleanLeavesWhatIsInUse) {
  CacheOutcome used = get(keyOf("1"));
  const fs::path unused = get(keyOf("2")).folder;
  fs::create_directories(temporary / "artifacts/.m-00.tmp-abandoned");
  CacheStatistics left = CompileCache::open()->clean();
  EXPECT_EQ(left.artifacts, 1);
  EXPECT_EQ(left.inUse, 1);
  EXPECT_FALSE(fs::exists(unused));
  used.use.reset();
  EXPECT_EQ(CompileCache::open()->clean().artifacts, 0);
  EXPECT_TRUE(fs::is_empty(temporary / "artifacts"));
}

/// Processes that compile, use, evict and are killed at any moment: whoever is let through finds a whole artifact.
TEST_F(CompileCacheTest, ProcessesThatAreKilledHarmNobody) {
  ::setenv("MICA_CACHE_SIZE", "8K", 1);
  unsigned random = 7;
  auto next = [&](unsigned below) { return (random = random * 1664525 + 1013904223) % below; };
  for (int round = 0; round < 12; ++round) {
    std::vector<pid_t> children;
    for (unsigned i = 0; i < 6; ++i)
      children.push_back(inChild([&] {
        for (unsigned step = 0; step < 20; ++step) {
          Result<CacheOutcome> outcome =
              CompileCache::open()->get("m", keyOf(std::to_string((i + step) % 4)), "",
                                        [](const fs::path &folder, int) { return compileTo(folder); });
          if (!outcome.isOk() || !Artifact::open(outcome->folder).isOk())
            return 1;
          if (step % 8 == 7)
            CompileCache::open()->clean();
        }
        return 0;
      }));
    const unsigned victim = next(6);
    std::this_thread::sleep_for(std::chrono::microseconds(next(20000)));
    ::kill(children[victim], SIGKILL);
    for (unsigned i = 0; i < 6; ++i)
      if (const int code = waitFor(children[i]); i != victim)
        EXPECT_EQ(code, 0) << "round " << round;
  }
  CompileCache::open()->clean();
  EXPECT_TRUE(fs::is_empty(temporary / "artifacts"));
}

TEST_F(CompileCacheTest, ASizeThatIsNoneIsAnError) {
  for (const char *size : {"many", "-1", "5T", "G"}) {
    ::setenv("MICA_CACHE_SIZE", size, 1);
    Result<CompileCache> cache = CompileCache::open();
    ASSERT_FALSE(cache.isOk()) << size;
    EXPECT_NE(cache.error().message.find("MICA_CACHE_SIZE"), std::string::npos);
  }
}

} // namespace
