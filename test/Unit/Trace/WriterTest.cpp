//===- WriterTest.cpp - writes a trace log ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What is written is read back; then everything that happens to processes: threads, forks, children, full disks,
// folders one may not write to.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Trace/Writer.h"

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Support/Files.h"
#include "mica/Trace/Reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>

using namespace mica;
using namespace mica::trace;

namespace {

constexpr WritePlace kPlace{"lib/X.cpp", 7};

struct Copy {
  std::string kind, metadata, payload, compile;
  int64_t pid;
  std::optional<int64_t> rank;
};
struct Logs {
  std::vector<std::filesystem::path> files;
  std::vector<Copy> records;
  int64_t damage = 0;
  StringTable strings;

  int64_t count(std::string_view kind) const {
    return std::count_if(records.begin(), records.end(), [&](const Copy &copy) { return copy.kind == kind; });
  }
};
Logs readAll(const std::filesystem::path &folder) {
  Logs logs;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
    logs.files.push_back(entry.path());
    logs.strings = {}; // each file has its own
    auto take = [&](Record &record) {
      if (record.kind == "str")
        logs.strings.define(record);
      logs.records.push_back({std::string(record.kind), std::string(record.metadata), std::string(record.payload),
                              record.compile.text(), record.pid, record.rank});
    };
    const Result<ReadCounts> counts = readLog(entry.path(), take);
    EXPECT_TRUE(counts);
    logs.damage += counts->damage();
  }
  return logs;
}

TEST(WriterTest, WhatIsWrittenIsReadBack) {
  TemporaryFolder folder;
  const auto writer = Writer::inFolder(folder / "deep/er", -1);
  EXPECT_TRUE(writer->file().empty());
  const CompileId id{-1, 2, 1, 3};
  writer->start({{"model.py", 3, "main", "f(x)"}, {"", 4, "f", ""}}, id, kPlace);
  writer->artifact("graph", "a\n\nb\n\tc\n", id, kPlace);
  writer->artifact("numbers", "[1, 2]", {}, kPlace, true);
  writer->event("parse", 'B', 1751534100000000.5, id, kPlace, {{"op", quoteJson("x\"<")}});
  writer->metrics({{"co_name", quoteJson("f")}, {"guard_count", "3"}, {"speed", "NaN"}}, id, kPlace);
  ASSERT_TRUE(writer->status());
  const Logs logs = readAll(folder / "deep/er");
  ASSERT_EQ(logs.files.size(), 1u);
  EXPECT_EQ(logs.files[0], writer->file());
  EXPECT_EQ(logs.files[0].filename().string().substr(0, 26), "dedicated_log_torch_trace_");
  EXPECT_EQ(logs.files[0].filename().string().size(), 26u + 8 + 4);
  EXPECT_EQ(logs.damage, 0);
  ASSERT_EQ(logs.records.size(), 8u);
  // The strings come before their use; what made the log comes first of all.
  EXPECT_EQ(logs.records[0].metadata, R"({"name": "mica_version", "encoding": "json"})");
  EXPECT_NE(logs.records[0].payload.find("\"start_utc\": \"20"), std::string::npos);
  EXPECT_EQ(logs.records[1].kind, "str");
  EXPECT_EQ(logs.records[2].kind, "str");
  EXPECT_EQ(*logs.strings.find(0), "model.py");
  EXPECT_EQ(*logs.strings.find(1), "(unknown)");
  const std::string frames = R"-({"stack": [{"line": 3, "name": "main", "filename": 0, "loc": "f(x)"}, )-"
                             R"-({"line": 4, "name": "f", "filename": 1, "loc": null}]})-";
  EXPECT_EQ(logs.records[3].metadata, frames);
  EXPECT_EQ(logs.records[3].compile, "2/1_3");
  EXPECT_EQ(logs.records[4].payload, "a\n\nb\n\tc\n");
  EXPECT_EQ(logs.records[5].compile, "");
  EXPECT_EQ(logs.records[6].kind, "chromium_event");
  EXPECT_EQ(logs.records[7].metadata, R"({"co_name": "f", "guard_count": 3, "speed": "NaN"})");
}

/// Readers take the file of a frame as the number of a string that was written before, in 32 bits, and its line in 31.
TEST(WriterTest, EveryFrameNamesAStringThatIsDefined) {
  TemporaryFolder folder;
  const auto writer = Writer::inFolder(folder.path(), -1);
  std::string setting = writer->childSetting();
  std::vector<std::unique_ptr<Writer>> generations;
  for (int depth = 0; depth < 12; ++depth) {
    Result<std::unique_ptr<Writer>> child = Writer::ofParent(setting, -1);
    ASSERT_TRUE(child);
    generations.push_back(*std::move(child));
    for (int file = 0; file < 300; ++file)
      generations.back()->start({{"d" + std::to_string(depth) + "f" + std::to_string(file), 4000000000, "f", ""}},
                                {-1, depth, file, 0}, kPlace);
    setting = generations.back()->childSetting();
  }
  EXPECT_EQ(writer->frames({{"", -3, "g", ""}}).substr(0, 33), R"([{"line": 0, "name": "g", "filena)");
  const Logs logs = readAll(folder.path());
  EXPECT_EQ(logs.damage, 0);
  size_t unknown = 0, none = 0;
  for (const Copy &record : logs.records) {
    if (record.kind != "dynamo_start")
      continue;
    EXPECT_EQ(record.metadata.find("4000000000"), std::string::npos);
    const size_t at = record.metadata.find("\"filename\": ");
    if (at == std::string::npos) {
      ++none;
      EXPECT_EQ(record.metadata, R"({"stack": []})");
      continue;
    }
    const std::string *file = logs.strings.find(std::stoll(record.metadata.substr(at + 12)));
    ASSERT_NE(file, nullptr) << record.metadata;
    unknown += *file == "(unknown)";
  }
  // A child has 200 numbers, its last for all files beyond them; a child's child has half of what was left of them,
  // which is nothing.
  EXPECT_GT(unknown, 0u);
  EXPECT_GT(none, 0u);
}

TEST(WriterTest, WhatReadersCannotTakeIsWrittenSoThatTheyCan) {
  TemporaryFolder folder;
  const auto writer = Writer::inFolder(folder.path(), -1);
  writer->artifact("x", "one\r\ntwo\rthree\xff", {}, {"C:\\a.cpp", 1});
  writer->record("note", "{\"a\":\n\"\xc3\xa9\"}", {}, kPlace);
  writer->record("broken", "{\"a\":", {}, kPlace);
  const Logs logs = readAll(folder.path());
  EXPECT_EQ(logs.damage, 1); // "broken" has no value
  EXPECT_EQ(logs.records[1].payload, "one\ntwo\xe2\x90\x8dthree\xef\xbf\xbd");
  EXPECT_EQ(logs.records[2].metadata, "{\"a\": \"\\u00e9\"}");
}

TEST(WriterTest, TheRankIsInTheNameAndInEveryRecord) {
  TemporaryFolder folder;
  Writer::inFolder(folder.path(), 5)->artifact("x", "y", {}, kPlace);
  const Logs logs = readAll(folder.path());
  EXPECT_EQ(logs.files[0].filename().string().substr(0, 33), "dedicated_log_torch_trace_rank_5_");
  for (const Copy &record : logs.records)
    EXPECT_EQ(record.rank, 5);
}

TEST(WriterTest, WithoutARecordThereIsNoFolder) {
  TemporaryFolder folder;
  Writer::inFolder(folder / "none", -1);
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
}

TEST(WriterTest, RecordsOfThreadsAndChildrenAreWhole) {
  TemporaryFolder folder;
  const auto writer = Writer::inFolder(folder.path(), -1);
  const std::string payload(20000, 'p');
  std::vector<std::string> settings;
  for (int child = 0; child < 3; ++child)
    settings.push_back(writer->childSetting());
  for (const std::string &setting : settings)
    if (::fork() == 0) {
      // As a program that was started anew: it knows the setting only.
      Result<std::unique_ptr<Writer>> own = Writer::ofParent(setting, -1);
      for (int i = 0; own && i < 50; ++i) {
        (*own)->start({{"child" + setting + std::to_string(i), 1, "f", ""}}, {-1, i, 0, 0}, kPlace);
        (*own)->artifact("c", payload + std::to_string(::getpid()), {}, kPlace);
      }
      ::_exit(own && (*own)->status() ? 0 : 1);
    }
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        writer->start({{"thread" + std::to_string(t * 100 + i), 1, "f", ""}}, {-1, i, 1, 0}, kPlace);
        writer->artifact("t", payload, {}, kPlace);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int child = 0; child < 3; ++child) {
    int status = 1;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  const Logs logs = readAll(folder.path());
  EXPECT_EQ(logs.files.size(), 1u);
  EXPECT_EQ(logs.damage, 0);
  EXPECT_EQ(logs.count("artifact"), 1 + 6 * 50);
  EXPECT_EQ(logs.count("dynamo_start"), 6 * 50);
  EXPECT_EQ(logs.count("str"), 6 * 50);
  std::set<int64_t> pids;
  for (const Copy &record : logs.records)
    pids.insert(record.pid);
  EXPECT_EQ(pids.size(), 4u);
}

TEST(WriterTest, AForkedProcessHasItsOwnFile) {
  TemporaryFolder folder;
  const auto writer = Writer::inFolder(folder.path(), -1);
  writer->start({{"a.py", 1, "f", ""}}, {-1, 0, 0, 0}, kPlace);
  if (::fork() == 0) {
    writer->start({{"b.py", 1, "f", ""}}, {-1, 1, 0, 0}, kPlace);
    ::_exit(0);
  }
  ::wait(nullptr);
  writer->start({{"c.py", 1, "f", ""}}, {-1, 2, 0, 0}, kPlace);
  const Logs logs = readAll(folder.path());
  EXPECT_EQ(logs.files.size(), 2u);
  EXPECT_EQ(logs.damage, 0);
  std::map<std::string, int64_t> pids;
  for (const Copy &record : logs.records)
    if (record.kind == "dynamo_start")
      pids[record.compile] = record.pid;
  EXPECT_EQ(pids.size(), 3u);
  EXPECT_EQ(pids["0/0"], pids["2/0"]);
  EXPECT_NE(pids["0/0"], pids["1/0"]);
}

TEST(WriterTest, AFullDiskLeavesWholeRecordsAndARunThatGoesOn) {
  TemporaryFolder folder;
  if (::fork() == 0) {
    // A file beyond the limit is refused as a full disk is: after a part was written.
    const rlimit limit{50000, 50000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto writer = Writer::inFolder(folder.path(), -1);
    for (int i = 0; i < 20; ++i)
      writer->artifact("x", std::string(9000, 'x'), {}, kPlace);
    ::_exit(writer->status() ? 1 : 0);
  }
  int status = 1;
  ::wait(&status);
  EXPECT_EQ(status, 0) << "the failure is told";
  const Logs logs = readAll(folder.path());
  EXPECT_EQ(logs.damage, 0);
  EXPECT_EQ(logs.count("artifact"), 1 + 5);
}

TEST(WriterTest, AFolderOneMayNotWriteToIsTold) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "file", "x"));
  const auto writer = Writer::inFolder(folder / "file", -1);
  writer->artifact("x", "y", {}, kPlace);
  ASSERT_FALSE(writer->status());
  EXPECT_NE(writer->status().error().message.find("file"), std::string::npos);
  for (const char *setting : {"", "x", "1-2", "5-3:/tmp/x", "1-2:", "a-b:/tmp/x"})
    EXPECT_FALSE(Writer::ofParent(setting, -1)) << setting;
}

} // namespace
