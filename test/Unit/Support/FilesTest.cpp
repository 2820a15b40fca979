//===- FilesTest.cpp - files, folders and processes --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Each promise of Files.h: whole or not at all, errors that name the file, and kills at random moments.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "TemporaryFolder.h"

#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Machine.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/PrivateFile.h"
#include "mica/Support/Process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <random>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace mica;

namespace {

size_t entriesIn(const fs::path &folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto &entry : fs::directory_iterator(folder))
    ++count;
  return count;
}

TEST(FilesTest, WritesAndReadsBack) {
  TemporaryFolder folder;
  const std::string contents = std::string("a\0b\n", 4) + std::string(3 << 20, 'x');
  ASSERT_TRUE(writeFile(folder / "deep/er/file", contents).isOk());
  EXPECT_EQ(*readFile(folder / "deep/er/file"), contents);
  ASSERT_TRUE(writeFileAtomic(folder / "deep/er/file", "new").isOk());
  EXPECT_EQ(*readFile(folder / "deep/er/file"), "new");
  EXPECT_EQ(entriesIn(folder / "deep/er"), 1u);
}

TEST(FilesTest, MissingFileIsNotFoundAndNamed) {
  Result<std::string> result = readFile("/no/such/file");
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.error().code, ErrorCode::NotFound);
  EXPECT_EQ(result.error().message, "cannot read /no/such/file: No such file or directory");
  EXPECT_FALSE(readFile("/").isOk());
}

TEST(FilesTest, FullDiskIsNamed) {
  for (Status status : {writeFile("/dev/full", "x"), writeFileAtomic("/dev/full", "x")}) {
    ASSERT_FALSE(status.isOk());
    EXPECT_EQ(status.error().code, ErrorCode::Io);
    EXPECT_EQ(status.error().message, "cannot write /dev/full: No space left on device");
    EXPECT_NE(status.error().hint.find("the disk is full"), std::string::npos);
  }
  // A device is never replaced by a file.
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(FilesTest, UnwritableFolderIsNamed) {
  TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  asNobody([&] {
    Status status = writeFileAtomic(folder / "file", "x");
    ASSERT_FALSE(status.isOk());
    EXPECT_EQ(status.error().message, "cannot write " + (folder / "file").string() + ": Permission denied");
    EXPECT_NE(status.error().hint.find("may write to"), std::string::npos);
    Result<StagedFolder> staged = StagedFolder::create(folder / "artifact");
    ASSERT_FALSE(staged.isOk());
    EXPECT_EQ(staged.error().message, "cannot make a folder in " + folder.path().string() + ": Permission denied");
  });
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(FilesTest, FileInPlaceOfAFolderIsNamed) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "file", "x").isOk());
  Status status = writeFile(folder / "file/inside", "x");
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.error().message.find("Not a directory"), std::string::npos) << status.error().message;
  EXPECT_FALSE(StagedFolder::create(folder / "file").isOk());
}

TEST(FilesTest, AFolderThatIsRemovedBeforeTheEndIsNotMadeAgain) {
  TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "filled";
  auto removeWhileOthersWrite = [&] {
    for (int i = 0; i < 8; ++i)
      std::thread([&folder, i] {
        for (int file = 0;; ++file)
          (void)writeFile(folder / std::to_string(file % 7) / std::to_string(i), "x");
      }).detach();
    while (!fs::exists(folder / "6"))
      std::this_thread::yield();
    stopMakingFolders();
    std::error_code code;
    for (int attempt = 0; attempt < 1000 && (attempt == 0 || code); ++attempt)
      fs::remove_all(folder, code);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::_exit(fs::exists(folder) ? 1 : 0);
  };
  EXPECT_EXIT(removeWhileOthersWrite(), testing::ExitedWithCode(0), "");
}

TEST(StagedFolderTest, AppearsWholeOrNotAtAll) {
  TemporaryFolder folder;
  {
    Result<StagedFolder> staged = StagedFolder::create(folder / "a b");
    ASSERT_TRUE(staged.isOk());
    ASSERT_TRUE(writeFile(staged->path() / "file", "1").isOk());
    EXPECT_FALSE(fs::exists(folder / "a b"));
  }
  EXPECT_EQ(entriesIn(folder.path()), 0u) << "an abandoned folder is removed";
  Result<StagedFolder> staged = StagedFolder::create(folder / "a b");
  ASSERT_TRUE(staged.isOk());
  ASSERT_TRUE(writeFile(staged->path() / "file", "1").isOk());
  ASSERT_TRUE(staged->commit(false).isOk());
  EXPECT_EQ(*readFile(folder / "a b/file"), "1");
  EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(StagedFolderTest, ReplacesOnlyWhenTold) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "t/old", "1").isOk());
  {
    Result<StagedFolder> staged = StagedFolder::create(folder / "t");
    ASSERT_TRUE(writeFile(staged->path() / "new", "2").isOk());
    Status status = staged->commit(false);
    ASSERT_FALSE(status.isOk());
    EXPECT_NE(status.error().message.find("exists already"), std::string::npos);
  }
  EXPECT_TRUE(fs::exists(folder / "t/old"));
  Result<StagedFolder> staged = StagedFolder::create(folder / "t/");
  ASSERT_TRUE(writeFile(staged->path() / "new", "2").isOk());
  ASSERT_TRUE(staged->commit(true).isOk());
  EXPECT_FALSE(fs::exists(folder / "t/old"));
  EXPECT_EQ(*readFile(folder / "t/new"), "2");
  EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(StagedFolderTest, RemovesWhatKilledProcessesLeft) {
  TemporaryFolder folder;
  fs::create_directories(folder / ".t.tmp-abandoned/sub");
  fs::create_directories(folder / ".other.tmp-abandoned");
  Result<StagedFolder> first = StagedFolder::create(folder / "t");
  EXPECT_FALSE(fs::exists(folder / ".t.tmp-abandoned"));
  EXPECT_TRUE(fs::exists(folder / ".other.tmp-abandoned"));
  Result<StagedFolder> second = StagedFolder::create(folder / "t");
  EXPECT_TRUE(fs::exists(first->path())) << "the folder of a living process stays";
  ASSERT_TRUE(second->commit(false).isOk());
  EXPECT_TRUE(fs::exists(first->path()));
}

TEST(StagedFolderTest, KillAtAnyMomentLeavesAWholeFolderOrNone) {
  TemporaryFolder folder;
  constexpr int kFiles = 20;
  std::mt19937 random(20261121);
  int seen = 0;
  for (int round = 0; round < 100; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int version = 0;; ++version) {
        Result<StagedFolder> staged = StagedFolder::create(folder / "t");
        for (int i = 0; i < kFiles; ++i)
          (void)writeFile(staged->path() / std::to_string(i), std::to_string(round) + "." + std::to_string(version));
        if (!staged->commit(true))
          ::_exit(1);
      }
    }
    ::usleep(random() % 20000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed by itself";
    if (!fs::exists(folder / "t"))
      continue;
    ++seen;
    ASSERT_EQ(entriesIn(folder / "t"), static_cast<size_t>(kFiles));
    const std::string first = *readFile(folder / "t/0");
    for (int i = 0; i < kFiles; ++i)
      ASSERT_EQ(*readFile(folder / "t" / std::to_string(i)), first);
  }
  EXPECT_GT(seen, 50);
  ASSERT_TRUE(StagedFolder::create(folder / "t").isOk());
  EXPECT_EQ(entriesIn(folder.path()), 1u) << "what the kills left is gone";
}

TEST(StagedFolderTest, KeptEntriesMoveToTheNewFolder) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "t/old", "1").isOk());
  ASSERT_TRUE(writeFile(folder / "t/runs/a/file", "a").isOk());
  Result<StagedFolder> staged = StagedFolder::create(folder / "t", {"runs"});
  ASSERT_TRUE(writeFile(staged->path() / "new", "2").isOk());
  ASSERT_TRUE(staged->commit(true).isOk());
  EXPECT_FALSE(fs::exists(folder / "t/old"));
  EXPECT_EQ(*readFile(folder / "t/runs/a/file"), "a");
  EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(StagedFolderTest, KeptEntriesOfAKilledReplacementAreRecovered) {
  TemporaryFolder folder;
  // Killed after the new folder got the name: the old one, under a temporary name, still holds the runs. One has been
  // added.
  ASSERT_TRUE(writeFile(folder / "t/new", "2").isOk());
  ASSERT_TRUE(writeFile(folder / "t/runs/b/file", "b").isOk());
  ASSERT_TRUE(writeFile(folder / ".t.tmp-0123456789/old", "1").isOk());
  ASSERT_TRUE(writeFile(folder / ".t.tmp-0123456789/runs/a/file", "a").isOk());
  ASSERT_TRUE(StagedFolder::create(folder / "t", {"runs"}).isOk());
  EXPECT_EQ(*readFile(folder / "t/runs/a/file"), "a");
  EXPECT_EQ(*readFile(folder / "t/runs/b/file"), "b");
  EXPECT_EQ(*readFile(folder / "t/new"), "2");
  EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(StagedFolderTest, FormerFolderGetsItsNameBackWhereNeitherHasIt) {
  TemporaryFolder folder;
  // Killed between the two renames of a file system that cannot exchange names.
  ASSERT_TRUE(writeFile(folder / ".t.tmp-0123456789/old", "1").isOk());
  ASSERT_TRUE(writeFile(folder / ".t.tmp-0123456789/runs/a/file", "a").isOk());
  ASSERT_TRUE(writeFile(folder / ".t.tmp-abcdefghij/new", "2").isOk());
  ASSERT_TRUE(StagedFolder::create(folder / "t", {"runs"}).isOk());
  EXPECT_EQ(*readFile(folder / "t/old"), "1");
  EXPECT_EQ(*readFile(folder / "t/runs/a/file"), "a");
  EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(StagedFolderTest, KillAtAnyMomentLosesNoKeptEntry) {
  TemporaryFolder folder;
  constexpr unsigned kSeed = 20261122;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 100; ++round) {
    ASSERT_TRUE(StagedFolder::create(folder / "t", {"runs"}).isOk()) << "recovers";
    for (int earlier = 0; earlier < round; ++earlier)
      ASSERT_TRUE(fs::exists(folder / "t/runs" / std::to_string(earlier)))
          << "run " << earlier << " is lost after kill " << round << ", seed " << kSeed;
    ASSERT_TRUE(writeFile(folder / "t/runs" / std::to_string(round) / "file", "x").isOk());
    const pid_t child = ::fork();
    if (child == 0) {
      // Nothing but replacing, so that most kills fall into it.
      for (;;) {
        Result<StagedFolder> staged = StagedFolder::create(folder / "t", {"runs"});
        if (!staged->commit(true))
          ::_exit(1);
      }
    }
    ::usleep(random() % 3000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed by itself";
  }
}

TEST(ScratchFolderTest, IsGoneWithItsFilesHoweverItMoved) {
  std::filesystem::path first, second;
  {
    Result<ScratchFolder> made = ScratchFolder::create("mica-test"), other = ScratchFolder::create("mica-test");
    ASSERT_TRUE(made && other);
    first = made->path();
    second = other->path();
    EXPECT_NE(first, second);
    ASSERT_TRUE(writeFile(first / "a" / "b", "text"));
    ScratchFolder moved = std::move(*made);
    EXPECT_EQ(moved.path(), first);
    EXPECT_TRUE(std::filesystem::exists(first / "a" / "b"));
    moved = std::move(*other);
    EXPECT_EQ(moved.path(), second);
  }
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_FALSE(std::filesystem::exists(second));
}

TEST(HashTest, KnownValues) {
  EXPECT_EQ(hashHex(""), "00000000000000000000000000000000");
  EXPECT_EQ(hashHex("hello"), "cbd8a7b341bd9b025b1e906a48ae1d19");
  EXPECT_EQ(hashHex("The quick brown fox jumps over the lazy dog"), "e34bbc7bbc071b6c7a433ca9c49a9347");
}

TEST(HashTest, StreamIsTheWhole) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += static_cast<char>(i * 7);
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    Hasher hasher;
    for (size_t at = 0; at < text.size();) {
      const size_t n = std::min<size_t>(random() % 50, text.size() - at);
      hasher.update(text.data() + at, n);
      at += n;
    }
    ASSERT_EQ(hasher.hex(), hashHex(text));
  }
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "f", text).isOk());
  EXPECT_EQ(*hashFile(folder / "f"), hashHex(text));
  EXPECT_FALSE(hashFile(folder / "g").isOk());
}

TEST(ProcessTest, GivesExitCodeAndPassesArgumentsAsTheyAre) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "in", "from file").isOk());
  ProcessOptions options;
  options.standardInput = folder / "in";
  options.standardOutput = folder / "out";
  Result<int> code = runProcess({"/bin/sh", "-c", "cat; printf '<%s>' \"$1\"; exit 7", "sh", "a 'b\" $c"}, options);
  ASSERT_TRUE(code.isOk());
  EXPECT_EQ(*code, 7);
  EXPECT_EQ(*readFile(folder / "out"), "from file<a 'b\" $c>");
  options.memoryLimit = int64_t(300) << 20;
  ASSERT_TRUE(runProcess({"/bin/sh", "-c", "ulimit -v"}, options).isOk());
  EXPECT_EQ(*readFile(folder / "out"), "307200\n");
  EXPECT_EQ(*runProcess({"/bin/sh", "-c", "kill -9 $$"}), 137);
  Result<int> missing = runProcess({"/no/such/program"});
  ASSERT_FALSE(missing.isOk());
  EXPECT_EQ(missing.error().message, "cannot start /no/such/program: No such file or directory");
}

/// Waits for what a pipe gives: bytes read, 0 where all its writers have ended, -1 after ten seconds.
ssize_t readSoon(int descriptor) {
  char byte = 0;
  pollfd wanted{descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, 10000) > 0 ? ::read(descriptor, &byte, 1) : -1;
}

TEST(ProcessTest, ALowerMemoryLimitOfTheUserStays) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr rlim_t kUsers = rlim_t(1) << 40;
    rlimit limit{kUsers, kUsers};
    const bool isKept = ::setrlimit(RLIMIT_AS, &limit) == 0 && limitAddressSpace(int64_t(2) << 40) == 0 &&
                        ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_max == kUsers;
    ::_exit(isKept ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ProcessTest, AtItsLimitAGroupEndsWhole) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ProcessOptions options;
  options.kept = {ends[1]};
  options.ownGroup = true;
  options.secondsLimit = 0.2;
  EXPECT_EQ(*runProcess({"/bin/sh", "-c", "sleep 600 | sleep 600"}, options), 128 + SIGKILL);
  ::close(ends[1]);
  EXPECT_EQ(readSoon(ends[0]), 0);
  ::close(ends[0]);
}

TEST(ProcessTest, AStopEndsAGroupWhole) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  std::stop_source source;
  ProcessOptions options;
  options.kept = {ends[1]};
  options.ownGroup = true;
  options.stop = source.get_token();
  source.request_stop();
  EXPECT_EQ(*runProcess({"/bin/sh", "-c", "sleep 600 | sleep 600"}, options), 128 + SIGTERM);
  ::close(ends[1]);
  EXPECT_EQ(readSoon(ends[0]), 0);
  ::close(ends[0]);
}

TEST(ProcessTest, AChildEndsWithItsParentHoweverThatEnds) {
  for (int number : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
      ::signal(number, SIG_DFL); // which nohup and background jobs ignore
      ProcessOptions options;
      options.kept = {ends[1]};
      (void)runProcess({"/bin/sh", "-c", "echo >&" + std::to_string(ends[1]) + "; exec sleep 600"}, options);
      ::_exit(0);
    }
    ::close(ends[1]);
    EXPECT_EQ(readSoon(ends[0]), 1) << "the child has the pipe";
    ::kill(parent, number);
    int status = 0;
    ::waitpid(parent, &status, 0);
    EXPECT_EQ(readSoon(ends[0]), 0) << "the child outlives signal " << number;
    ::close(ends[0]);
  }
}

TEST(StagedFolderTest, CommitsAtOnceAllSucceedAndOneIsThere) {
  TemporaryFolder folder;
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child)
    if (children.push_back(::fork()); children.back() == 0) {
      for (int round = 0; round < 50; ++round) {
        Result<StagedFolder> staged = StagedFolder::create(folder / "t", {"runs"});
        const std::string text = std::to_string(child) + "." + std::to_string(round);
        if (!staged || !writeFile(staged->path() / "a", text) || !writeFile(staged->path() / "b", text) ||
            !staged->commit(true))
          ::_exit(1);
      }
      ::_exit(0);
    }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(*readFile(folder / "t/a"), *readFile(folder / "t/b"));
  EXPECT_EQ(entriesIn(folder.path()), 1u);
}

TEST(PrivateFileTest, KeepsTheBytesThatWereHashed) {
  TemporaryFolder folder;
  const std::string text(3 << 20, 'x');
  ASSERT_TRUE(writeFile(folder / "f", text).isOk());
  Result<PrivateFile> copy = PrivateFile::copy(folder / "f");
  ASSERT_TRUE(copy.isOk());
  ASSERT_TRUE(writeFile(folder / "f", "other").isOk());
  EXPECT_EQ(*readFile(copy->path()), text);
  EXPECT_EQ(copy->hash(), hashHex(text));
  EXPECT_EQ(copy->size(), int64_t(text.size()));
  EXPECT_EQ(::pwrite(copy->descriptor(), "y", 1, 0), -1) << "it is sealed";
  EXPECT_EQ(::ftruncate(copy->descriptor(), 1), -1);
  EXPECT_EQ(PrivateFile::copy(folder / "none").error().code, ErrorCode::NotFound);
}

TEST(MappedFileTest, SaysThatItsFileWasCutOff) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "f", std::string(10000, 'x')).isOk());
  Result<std::unique_ptr<MappedFile>> mapped = MappedFile::open(folder / "f");
  ASSERT_TRUE(mapped.isOk());
  EXPECT_TRUE((*mapped)->isUnchanged());
  ASSERT_EQ(::truncate((folder / "f").c_str(), 100), 0);
  EXPECT_FALSE((*mapped)->isUnchanged());
}

TEST(MachineTest, TheFileIsReadBackAndDamageIsNamed) {
  TemporaryFolder folder;
  const Machine machine{"x86_64-pc-linux-gnu", "znver5", {"avx2", "fma"}, 49152, 1 << 20};
  ASSERT_TRUE(writeFile(folder / "m", printMachine(machine)).isOk());
  Result<Machine> read = readMachine(folder / "m");
  ASSERT_TRUE(read.isOk()) << read.error().message;
  EXPECT_EQ(printMachine(*read), printMachine(machine));
  ASSERT_TRUE(writeFile(folder / "m", R"({"format": "mica-machine", "schema": "1.0", "triple": 5})").isOk());
  EXPECT_NE(readMachine(folder / "m").error().message.find("triple"), std::string::npos);
}

} // namespace
