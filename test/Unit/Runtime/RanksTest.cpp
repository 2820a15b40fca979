//===- RanksTest.cpp -------------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Ranks: calls between threads, elements that become one, and ledgers.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/ComparePrograms.h"
#include "lib/Runtime/Ranks/RankLedger.h"
#include "mica/Runtime/Communicator.h"
#include "mica/Support/Files.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <thread>

namespace mica::runtime {
namespace {

using State = RankLedgerContents::State;

std::filesystem::path temporaryFile(const std::string &name) {
  return std::filesystem::path(testing::TempDir()) / (name + "." + std::to_string(::getpid()));
}

/// Runs `body` for each of `count` ranks, each on a thread of its own.
template <typename Body> void onRanks(int32_t count, Body body) {
  std::vector<std::unique_ptr<Communicator>> ranks = createLocalRanks(count);
  std::vector<std::thread> threads;
  for (std::unique_ptr<Communicator> &rank : ranks)
    threads.emplace_back([&body, &rank] { body(*rank); });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(LocalRanks, SumsAreTakenInTheOrderOfMembers) {
  static const std::atomic<bool> never{false};
  const int32_t members[] = {0, 1, 2};
  // Added in another order, the small ones would be lost.
  const float parts[] = {1e8f, -1e8f, 1.0f};
  float results[3] = {};
  onRanks(3, [&](Communicator &rank) {
    GroupCall call;
    call.kind = GroupCall::Kind::AllReduce;
    call.members = members;
    call.self = rank.rank();
    call.send = &parts[rank.rank()];
    call.receive = &results[rank.rank()];
    call.count = 1;
    call.dtype = DType::F32;
    EXPECT_TRUE(rank.run(call, never));
  });
  for (float result : results)
    EXPECT_EQ(result, 1.0f);
}

TEST(LocalRanks, CallsOfTwoGroupsDoNotMeet) {
  static const std::atomic<bool> never{false};
  int32_t received[4][2] = {};
  onRanks(4, [&](Communicator &rank) {
    const int32_t own = rank.rank();
    const int32_t members[] = {own % 2, own % 2 + 2};
    for (int round = 0; round < 200; ++round) {
      const int32_t part = own * 1000 + round;
      GroupCall call;
      call.members = members;
      call.self = own / 2;
      call.send = &part;
      call.receive = received[own];
      call.count = 1;
      call.dtype = DType::I32;
      ASSERT_TRUE(rank.run(call, never));
      ASSERT_EQ(received[own][0], members[0] * 1000 + round);
      ASSERT_EQ(received[own][1], members[1] * 1000 + round);
    }
  });
}

TEST(LocalRanks, AMemberThatLeavesMakesTheOthersFail) {
  static const std::atomic<bool> never{false}, cancelled{true};
  const int32_t members[] = {0, 1, 2};
  int32_t failures[3] = {};
  onRanks(3, [&](Communicator &rank) {
    int32_t part = 1, all[3] = {};
    GroupCall call;
    call.members = members;
    call.self = rank.rank();
    call.send = &part;
    call.receive = all;
    call.count = 1;
    call.dtype = DType::I32;
    if (rank.rank() == 1)
      rank.abort("rank 1 failed");
    else
      failures[rank.rank()] = !rank.run(call, rank.rank() == 2 ? cancelled : never);
  });
  EXPECT_TRUE(failures[0]);
  EXPECT_TRUE(failures[2]);
}

TEST(LocalRanks, PartsOfOtherSizesAreAnError) {
  static const std::atomic<bool> never{false};
  onRanks(2, [&](Communicator &rank) {
    int32_t values[4] = {};
    GroupCall call;
    call.kind = GroupCall::Kind::Exchange;
    call.send = call.receive = values;
    call.count = rank.rank() + 1;
    call.dtype = DType::I32;
    (rank.rank() == 0 ? call.sendTo : call.receiveFrom) = 1 - rank.rank();
    const Status status = rank.run(call, never);
    EXPECT_EQ(bool(status), rank.rank() == 0);
    if (!status) {
      EXPECT_EQ(status.error().message, "rank 0 sent 4 bytes, and rank 1 waits for 8");
    }
  });
}

/// What ranks say if rank 1 has a program that `change` made of theirs.
template <typename Change>
std::string compared(Change change, const ProgramOrigin &origin = {}, const ProgramOrigin &othersOrigin = {}) {
  artifact::Manifest manifest;
  manifest.micaVersion = "0.1.0";
  manifest.inputFile = "mlp.mlir";
  manifest.cpu = "znver4";
  manifest.options["opt-level"] = "3";
  for (const char *name : {"matmul", "relu"}) {
    artifact::KernelRecord kernel;
    kernel.name = name;
    kernel.hash = "1";
    manifest.kernels.push_back(kernel);
  }
  artifact::FileRecord code;
  code.path = "program.so";
  code.hash = "1";
  manifest.files.push_back(code);
  artifact::FileRecord snapshot;
  snapshot.path = "passes_dump/0000_input.mlir";
  snapshot.hash = "1";
  manifest.files.push_back(snapshot);
  artifact::Manifest other = manifest;
  std::string tasks = "1";
  change(other, tasks);
  std::string messages[3];
  onRanks(3, [&](Communicator &rank) {
    const bool isOther = rank.rank() == 1;
    const Status status =
        comparePrograms(isOther ? other : manifest, isOther ? tasks : "1", rank, isOther ? othersOrigin : origin);
    messages[rank.rank()] = status ? "" : status.error().message;
  });
  EXPECT_EQ(messages[0], messages[2]);
  EXPECT_EQ(messages[0].empty(), messages[1].empty());
  return messages[0];
}

TEST(ComparePrograms, TheFirstDifferenceOnTheWayToTheCodeIsNamed) {
  using artifact::Manifest;
  const std::string other = "rank 1 has another program than rank 0: ";
  EXPECT_EQ(compared([](Manifest &, std::string &) {}), "");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) { manifest.inputFile = "copy.mlir"; }), "");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) {
              manifest.inputHash = "2";
              manifest.files[0].hash = "2";
            }),
            other + "it was compiled from another text than the mlp.mlir here");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) {
              manifest.options["opt-level"] = "0";
              manifest.kernels[0].hash = "2";
            }),
            other + "it was compiled with other options");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) { manifest.cpuFeatures = {"avx2"}; }),
            other + "it was compiled for another CPU; here: znver4");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) { manifest.constants.resize(1); }),
            other + "it has other weights");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) { manifest.kernels.pop_back(); }),
            other + "it has another number of kernels; here: 2");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) { manifest.kernels[1].hash = "2"; }),
            other + "the first kernel that differs is 'relu'");
  EXPECT_EQ(compared([](Manifest &, std::string &tasks) { tasks = "2"; }), other + "its host/tasks.json differs");
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) { manifest.files[0].hash = "2"; }),
            other + "its program.so differs");
}

TEST(ComparePrograms, GuardsAndThePassThatLeftAnotherProgramAreNamed) {
  using artifact::Manifest;
  const std::string other = "rank 1 has another program than rank 0: ";
  EXPECT_EQ(compared([](Manifest &manifest, std::string &) {
              manifest.entries.resize(1);
              manifest.kernels[1].hash = "2";
            }),
            other + "its entries are for other sizes of arguments");
  auto snapshot = [](const char *path, const char *hash) {
    artifact::FileRecord file;
    file.path = std::string("passes_dump/") + path;
    file.hash = hash;
    return file;
  };
  EXPECT_EQ(compared([&](Manifest &manifest, std::string &) {
              manifest.kernels[1].hash = "2";
              manifest.files.push_back(snapshot("0009_cse.mlir", "1"));
              manifest.files.push_back(snapshot("0004_tile@relu.mlir", "1"));
            }),
            other + "the first kernel that differs is 'relu'; the first pass that left another program is tile of relu "
                    "(passes_dump/0004_tile@relu.mlir)");
}

TEST(ComparePrograms, DecisionsOfTheCacheAreCompared) {
  auto differ = [](artifact::Manifest &manifest, std::string &) { manifest.files[0].hash = "2"; };
  const std::string other = "rank 1 has another program than rank 0: its program.so differs";
  const ProgramOrigin taken{"", {{"cache", "was taken from the cache"}, {"contents", "12"}, {"flag 1", "-O3"}}};
  ProgramOrigin compiled{"", {{"cache", "was compiled anew (not there)"}, {"contents", "12"}, {"flag 1", "-O1"}}};
  EXPECT_EQ(compared(differ, compiled, taken),
            other +
                "; rank 1's was taken from the cache, rank 0's was compiled anew (not there); the first part of the "
                "cache's key that differs: on rank 1 'flag 1' is -O3, on rank 0 'flag 1' is -O1");
  compiled.provenance.pop_back();
  EXPECT_TRUE(compared(differ, compiled, taken).ends_with("on rank 1 'flag 1' is -O3, on rank 0 there is none"));
  compiled.provenance.emplace_back("flag 1", "-O3");
  EXPECT_EQ(compared(differ, compiled, taken),
            other +
                "; rank 1's was taken from the cache, rank 0's was compiled anew (not there); the keys are equal, so "
                "what is in one rank's cache was compiled from the same and differs: mica-run --clean empties a "
                "cache");
  // An artifact that was given by its folder.
  EXPECT_EQ(compared(differ, {}, taken), other);
  EXPECT_EQ(compared([](artifact::Manifest &, std::string &) {}, compiled, taken), "");
}

TEST(Combine, NaNWinsMinAndMax) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int32_t reduction : {MICA_RANKS_MIN, MICA_RANKS_MAX}) {
    float into[] = {nan, 1.0f, 2.0f};
    const float other[] = {1.0f, nan, 3.0f};
    combineElements(DType::F32, reduction, into, other, 3);
    EXPECT_TRUE(std::isnan(into[0]));
    EXPECT_TRUE(std::isnan(into[1]));
    EXPECT_EQ(into[2], reduction == MICA_RANKS_MIN ? 2.0f : 3.0f);
  }
}

TEST(Combine, IntegersWrap) {
  int8_t small[] = {127, -128, 64};
  const int8_t other[] = {1, -1, 2};
  combineElements(DType::I8, MICA_RANKS_SUM, small, other, 3);
  EXPECT_EQ(small[0], -128);
  EXPECT_EQ(small[1], 127);
  EXPECT_EQ(small[2], 66);
  int64_t wide[] = {std::numeric_limits<int64_t>::min()};
  const int64_t minus[] = {-1};
  combineElements(DType::I64, MICA_RANKS_PRODUCT, wide, minus, 1);
  EXPECT_EQ(wide[0], std::numeric_limits<int64_t>::min());
  divideElements(DType::I64, wide, 1, 3);
  EXPECT_EQ(wide[0], std::numeric_limits<int64_t>::min() / 3);
}

TEST(RankLedger, KeepsTheLatestExchanges) {
  const std::filesystem::path file = temporaryFile("latest.rank");
  {
    Result<std::unique_ptr<RankLedger>> ledger = RankLedger::create(file, 2, 4);
    ASSERT_TRUE(ledger);
    for (int32_t i = 0; i < 1500; ++i) {
      RankLedgerEntry entry;
      entry.kernel = i % 7;
      entry.site = i % 5;
      entry.group = 11;
      entry.turn = uint64_t(i);
      const uint64_t sequence = (*ledger)->begin(entry);
      if (i < 1499)
        (*ledger)->end(sequence);
    }
    (*ledger)->setState(State::Failed);
  }
  const Result<RankLedgerContents> read = RankLedger::read(file);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->rank, 2);
  EXPECT_EQ(read->size, 4);
  EXPECT_EQ(read->pid, ::getpid());
  EXPECT_EQ(read->state, State::Failed);
  EXPECT_EQ(read->count, 1500u);
  ASSERT_EQ(read->entries.size(), 1024u);
  EXPECT_EQ(read->entries.front().sequence, 476u);
  EXPECT_TRUE(read->entries.front().isDone);
  EXPECT_EQ(read->entries.back().kernel, 1499 % 7);
  EXPECT_FALSE(read->entries.back().isDone);
  std::filesystem::remove(file);
}

TEST(RankLedger, DamagedFilesAreErrorsOrReadable) {
  const std::filesystem::path file = temporaryFile("damaged.rank");
  {
    Result<std::unique_ptr<RankLedger>> ledger = RankLedger::create(file, 0, 1);
    ASSERT_TRUE(ledger);
    (*ledger)->begin({});
  }
  const Result<std::string> whole = readFile(file);
  ASSERT_TRUE(whole);
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    std::string bytes = *whole;
    if (i % 5 == 0)
      bytes.resize(random() % bytes.size());
    // Mostly in the header and the first records, where there is something.
    for (int j = 0; j < 4 && !bytes.empty(); ++j)
      bytes[random() % std::min<size_t>(bytes.size(), 256)] = char(random());
    ASSERT_TRUE(writeFile(file, bytes));
    if (const Result<RankLedgerContents> read = RankLedger::read(file); read) {
      EXPECT_LE(read->entries.size(), 1024u);
      EXPECT_LE(uint32_t(read->state), 2u);
    } else {
      EXPECT_FALSE(read.error().message.empty());
    }
  }
  std::filesystem::remove(file);
}

} // namespace
} // namespace mica::runtime
