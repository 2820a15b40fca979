//===- DumpTest.cpp - writing and reading dumps ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What a writer left is read; what is damaged is refused by name, or read as far as it goes.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Dump/Dump.h"
#include "mica/Dump/Writer.h"
#include "mica/Support/Files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace mica;

namespace {

constexpr std::string_view kHeader =
    R"("level":2,"program":"/p","program_hash":"aa","target":"cpu","byte_order":"little","pid":1,)";
constexpr std::string_view kSite =
    R"({"site":0,"kernel":"k","kind":"matmul","device":"cpu:0","ops":[{"id":"0123456789ab","kind":"mica.exp","source":"m.mlir:3:8"}],)"
    R"("bindings":[{"role":"input","dtype":"f32","shape":[4],"name":"%x"},{"role":"output","dtype":"f32","shape":[-1],"name":"%y","op":0}]})"
    "\n";
constexpr std::string_view kStats = R"(,"hash":"ab","stats":[1,4,2.5,4,0,0,0])";

class DumpTest : public testing::Test {
protected:
  void SetUp() override {
    Result<ScratchFolder> made = ScratchFolder::create("mica-dump-test");
    ASSERT_TRUE(made);
    scratch.emplace(*std::move(made));
    folder = scratch->path() / "dump";
  }

  std::unique_ptr<dump::Writer> write() {
    Result<std::unique_ptr<dump::Writer>> writer = dump::Writer::create(folder, kHeader);
    EXPECT_TRUE(writer) << (writer ? "" : writer.error().message);
    return writer ? *std::move(writer) : nullptr;
  }

  /// One launch that reads and writes four floats.
  static void writeLaunch(dump::Writer &writer, int64_t number, float first) {
    const float elements[4] = {first, 2, 3, 4};
    std::string why;
    const int64_t offset = writer.addPayload(elements, 16, dump::contentHash(elements, 16), why);
    const std::string tensor = std::string(kStats) + R"(,"offset":)" + std::to_string(offset) + "}";
    if (number == 1)
      writer.addLine(kSite);
    writer.addLine(R"({"launch":)" + std::to_string(number) + R"(,"site":0,"call":1,"iteration":)" +
                   std::to_string(number - 1) + R"(,"before":[{"binding":0,"from":"argument 0")" + tensor + "]}\n");
    writer.addLine(R"({"done":)" + std::to_string(number) + R"(,"after":[{"binding":1,"shape":[4])" + tensor + "]}\n");
  }

  std::optional<ScratchFolder> scratch;
  fs::path folder;
};

std::string refusal(std::string_view index) {
  const Result<dump::Dump> dump = dump::Dump::parse(index, "dump.jsonl");
  return dump ? "" : dump.error().message;
}

std::string withHeader(std::string_view lines) {
  return R"({"schema":"mica.dump","version":1,)" + std::string(kHeader) + "\"identity\":\"00\"}\n" + std::string(lines);
}

TEST_F(DumpTest, IsReadAsItWasWritten) {
  {
    const std::unique_ptr<dump::Writer> writer = write();
    writeLaunch(*writer, 1, 1);
    writer->addLine("{\"end\":{\"launches\":1,\"calls\":1,\"lost\":0,\"payload_bytes\":128}}\n");
  }
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_TRUE(dump->ended());
  EXPECT_EQ(dump->level(), 2);
  ASSERT_EQ(dump->tensors().size(), 2u);
  const dump::Tensor &read = dump->tensors()[0], &written = dump->tensors()[1];
  EXPECT_FALSE(read.isAfter);
  EXPECT_EQ(read.from, "argument 0");
  EXPECT_EQ(written.statistics.mean, 2.5);
  ASSERT_NE(dump->opOf(written), nullptr);
  EXPECT_EQ(dump->opOf(written)->source, "m.mlir:3:8");
  const Result<HostTensor> elements = dump->read(written);
  ASSERT_TRUE(elements);
  EXPECT_EQ(elements->typeString(), "4xf32");
  EXPECT_EQ(elements->as<float>()[2], 3);
  // Equal elements are there once.
  EXPECT_EQ(read.offset, written.offset);
}

TEST_F(DumpTest, OfAKilledProcessIsWholeUpToItsLastLine) {
  const pid_t child = ::fork();
  if (child == 0) {
    const std::unique_ptr<dump::Writer> writer = write();
    for (int64_t i = 1; i <= 3; ++i)
      writeLaunch(*writer, i, float(i));
    writer->addLine(R"({"launch":4,"site":0,"call":1,"iteration":3,"before":[]})"
                    "\n");
    writer->addLine(R"({"done":4,"aft)");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_FALSE(dump->ended());
  EXPECT_TRUE(dump->incompleteLine());
  ASSERT_EQ(dump->launches().size(), 4u);
  EXPECT_EQ(dump->launches()[2].end, dump::Launch::End::Done);
  EXPECT_EQ(dump->launches()[3].end, dump::Launch::End::Running);
  EXPECT_EQ(dump->tensors().size(), 6u);
  EXPECT_TRUE(dump->read(dump->tensors()[5]));
}

TEST_F(DumpTest, AKilledProcessLeavesNoHalfOfAnIndexOfManyParts) {
  // More lines than are mapped at once.
  const pid_t child = ::fork();
  if (child == 0) {
    const std::unique_ptr<dump::Writer> writer = write();
    for (int64_t i = 1; i <= 3000; ++i)
      writeLaunch(*writer, i, float(i % 7));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_FALSE(dump->ended());
  EXPECT_FALSE(dump->incompleteLine());
  EXPECT_EQ(dump->launches().size(), 3000u);
  EXPECT_EQ(dump->launches().back().end, dump::Launch::End::Done);
  EXPECT_GT(fs::file_size(folder / dump::kIndexFile), uintmax_t(512) << 10);
}

TEST_F(DumpTest, AnIndexThatEndsWellHasNoZeros) {
  {
    const std::unique_ptr<dump::Writer> writer = write();
    for (int64_t i = 1; i <= 3000; ++i)
      writeLaunch(*writer, i, float(i % 7));
  }
  const Result<std::string> index = readFile(folder / dump::kIndexFile);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->find('\0'), std::string::npos);
  EXPECT_EQ(index->back(), '\n');
}

TEST_F(DumpTest, FullDiskIsAReasonAndNoEnd) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::unique_ptr<dump::Writer> writer = write();
    const std::vector<uint8_t> large(8192, 1);
    std::string why;
    const bool isRefused =
        writer && writer->addPayload(large.data(), 8192, dump::contentHash(large.data(), 8192), why) < 0;
    std::string small;
    const bool goesOn =
        writer->addPayload(large.data(), 16, dump::contentHash(large.data(), 16), small) > 0 || !small.empty();
    ::_exit(isRefused && !why.empty() && goesOn && writer->status() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(DumpTest, IsWrittenByManyThreads) {
  {
    const std::unique_ptr<dump::Writer> writer = write();
    writer->addLine(kSite);
    std::vector<std::thread> threads;
    for (int64_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int64_t i = 0; i < 200; ++i)
          writeLaunch(*writer, 2 + t * 200 + i, float(i));
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_EQ(dump->launches().size(), 800u);
  for (const dump::Tensor &tensor : dump->tensors()) {
    const Result<HostTensor> elements = dump->read(tensor);
    ASSERT_TRUE(elements);
    EXPECT_EQ(elements->as<float>()[3], 4);
  }
}

TEST_F(DumpTest, WithoutItsElementsIsListedAllTheSame) {
  writeLaunch(*write(), 1, 1);
  fs::remove(folder / dump::kPayloadFile);
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump->tensors().size(), 2u);
  ASSERT_FALSE(dump->read(dump->tensors()[0]));
  EXPECT_NE(dump->read(dump->tensors()[0]).error().message.find("dump.bin"), std::string::npos);
}

TEST_F(DumpTest, ElementsOfAnotherDumpAreRefused) {
  writeLaunch(*write(), 1, 1);
  const Result<std::string> other = readFile(folder / dump::kPayloadFile);
  writeLaunch(*write(), 1, 1);
  ASSERT_TRUE(other && writeFile(folder / dump::kPayloadFile, *other));
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump);
  ASSERT_FALSE(dump->read(dump->tensors()[0]));
  EXPECT_NE(dump->read(dump->tensors()[0]).error().message.find("another dump"), std::string::npos);
}

TEST_F(DumpTest, ElementsThatAreCutOffAreRefusedAndOthersRead) {
  {
    const std::unique_ptr<dump::Writer> writer = write();
    writeLaunch(*writer, 1, 1);
    writeLaunch(*writer, 2, 9);
  }
  fs::resize_file(folder / dump::kPayloadFile, 128 + 8);
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump);
  EXPECT_TRUE(dump->read(dump->tensors()[1]));
  ASSERT_FALSE(dump->read(dump->tensors()[3]));
  EXPECT_NE(dump->read(dump->tensors()[3]).error().message.find("cut off"), std::string::npos);
}

TEST_F(DumpTest, ChangedElementsAreFound) {
  {
    const std::unique_ptr<dump::Writer> writer = write();
    const float elements[4] = {1, 2, 3, 4};
    std::string why;
    const dump::ContentHash hash = dump::contentHash(elements, 16);
    const int64_t offset = writer->addPayload(elements, 16, hash, why);
    writer->addLine(kSite);
    writer->addLine(R"({"launch":1,"site":0,"call":1,"iteration":0,"before":[{"binding":0,"hash":")" +
                    dump::hashText(hash) + R"(","stats":[1,4,2.5,4,0,0,0],"offset":)" + std::to_string(offset) +
                    "}]}\n");
  }
  EXPECT_TRUE(*dump::Dump::open(folder)->verify(dump::Dump::open(folder)->tensors()[0]));
  std::fstream(folder / dump::kPayloadFile, std::ios::in | std::ios::out | std::ios::binary).seekp(70).put('\x55');
  const Result<dump::Dump> dump = dump::Dump::open(folder);
  ASSERT_TRUE(dump);
  EXPECT_FALSE(*dump->verify(dump->tensors()[0]));
}

TEST(DumpIndex, WhatALaunchWroteIsWhatIsReadOfIt) {
  const std::string index =
      withHeader(std::string(kSite) +
                 R"({"launch":1,"site":0,"call":1,"iteration":0,"before":[]})"
                 "\n"
                 R"({"done":1,"after":[{"binding":1,"shape":[4])" +
                 std::string(kStats) + "}]}\n" +
                 R"({"launch":2,"site":0,"call":1,"iteration":1,"before":[{"binding":0,"launch":1,"of":1}]})"
                 "\n");
  const Result<dump::Dump> dump = dump::Dump::parse(index, "dump.jsonl");
  ASSERT_TRUE(dump) << dump.error().message;
  ASSERT_EQ(dump->tensors().size(), 2u);
  EXPECT_EQ(dump->tensors()[1].hash, "ab");
  EXPECT_EQ(dump->tensors()[1].statistics.max, 4);
  EXPECT_EQ(dump->opOf(dump->tensors()[1])->id, "0123456789ab");
}

TEST(DumpIndex, IsRefusedByLineAndMember) {
  EXPECT_NE(refusal("").find("is not the index of a dump"), std::string::npos);
  EXPECT_NE(refusal("{}\n").find("is not the index of a dump"), std::string::npos);
  EXPECT_NE(refusal("hello\n").find("is not the index of a dump"), std::string::npos);
  EXPECT_NE(refusal("{\"schema\":\"mica.dump\",\"version\":2}\n").find("version 2"), std::string::npos);
  EXPECT_EQ(refusal(withHeader("")), "");
  EXPECT_NE(refusal(withHeader("{\"done\":7,\"after\":[]}\n")).find("line 2: done"), std::string::npos);
  EXPECT_NE(refusal(withHeader("{\"launch\":1,\"site\":3}\n")).find("site is not one of a line before"),
            std::string::npos);
  const std::string launch = std::string(kSite) + R"({"launch":1,"site":0,"call":1,"iteration":0,"before":[)";
  EXPECT_NE(refusal(withHeader(launch + R"({"binding":2}]})" + "\n")).find("binding"), std::string::npos);
  EXPECT_NE(refusal(withHeader(launch + R"({"binding":0,"shape":[5]}]})" + "\n")).find("has the shape [5]"),
            std::string::npos);
  EXPECT_NE(refusal(withHeader(launch + R"({"binding":1,"shape":[9223372036854775807]}]})" + "\n")).find("shape"),
            std::string::npos);
  EXPECT_NE(refusal(withHeader(launch + R"({"binding":0,"hash":"a","stats":[1]}]})" + "\n")).find("not 7"),
            std::string::npos);
  EXPECT_NE(refusal(withHeader(launch + R"({"binding":0,"hash":"a","stats":[1,1,1,1,3,2,0]}]})" + "\n"))
                .find("more NaN and infinities"),
            std::string::npos);
  EXPECT_NE(refusal(withHeader(launch + R"({"binding":0,"offset":65}]})" + "\n")).find("multiple of 64"),
            std::string::npos);
  EXPECT_NE(refusal(withHeader(std::string(kSite) + std::string(kSite))).find("second time"), std::string::npos);
}

TEST(DumpIndex, WhatAKernelKeepsInsideIsAResultOfItsLaunch) {
  const std::string site =
      R"({"site":0,"kernel":"k","kind":"matmul","device":"cpu:0","ops":[{"id":"0123456789ab","kind":"mica.exp"}],)"
      R"("bindings":[{"role":"inside","dtype":"f32","shape":[-1],"name":"%i","op":0}]})"
      "\n";
  const std::string launch =
      R"({"launch":1,"site":0,"call":1,"iteration":0,"before":[],"inside":[{"binding":0,"shape":[4])";
  const Result<dump::Dump> dump =
      dump::Dump::parse(withHeader(site + launch + std::string(kStats) + "}]}\n"), "dump.jsonl");
  ASSERT_TRUE(dump) << dump.error().message;
  ASSERT_EQ(dump->tensors().size(), 1u);
  EXPECT_TRUE(dump->tensors()[0].isAfter);
  EXPECT_EQ(dump::roleName(dump->bindingOf(dump->tensors()[0]).role), "inside");
  EXPECT_EQ(dump->opOf(dump->tensors()[0])->id, "0123456789ab");
  EXPECT_EQ(dump->launches()[0].end, dump::Launch::End::Running);
  EXPECT_NE(refusal(withHeader(site + launch + R"(,"stats":[1]}]})" + "\n")), "no error");
}

} // namespace
