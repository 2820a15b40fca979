//===- ObserverTest.cpp - what observers write -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "mica/Runtime/Observer.h"

#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

namespace mica::runtime {
namespace {

std::vector<TaskList> fillAndAdd() {
  return {taskList({parameter(0), parameter(1), arena(0, 800)},
                   {task("fill", {2}, {0, 1}), task("add", {0, 2, 1}, {0, 0, 0}, {0})}, 800)};
}

void runTimes(int times, std::vector<Observer *> observers, int threads) {
  TestArtifact artifact(testManifest(), fillAndAdd());
  ContextOptions options;
  options.observers = std::move(observers);
  options.threads = threads;
  options.smallTaskBytes = 0;
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  HostTensor x = hostVector(std::vector<int64_t>(100, 1));
  TensorView view(x);
  for (int i = 0; i < times; ++i)
    ASSERT_TRUE(context->invoke(0, {&view, 1}).isOk());
}

TEST(EventLogTest, WritesALinePerEvent) {
  TemporaryFolder folder;
  for (int threads : {1, 2}) {
    auto log = valueOf(EventLog::create(folder / "events.jsonl"));
    runTimes(3, {log.get()}, threads);
    ASSERT_TRUE(log->close().isOk());
    std::istringstream lines(valueOf(readFile(folder / "events.jsonl")));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    auto head = nlohmann::json::parse(line);
    EXPECT_EQ(head["schema"], "mica.events");
    EXPECT_EQ(head["version"], 1);
    std::set<uint64_t> open, seen;
    std::vector<std::string> kernels;
    while (std::getline(lines, line)) {
      auto event = nlohmann::json::parse(line);
      uint64_t id = event["id"];
      if (event["event"] == "launch") {
        EXPECT_TRUE(seen.insert(id).second);
        open.insert(id);
        kernels.push_back(event["kernel"]);
        EXPECT_EQ(event["device"], "cpu:0");
        EXPECT_EQ(event["op"], (std::vector<std::string>{"aaaaaaaaaaaa", "bbbbbbbbbbbb"}));
        EXPECT_EQ(event["site"], siteOf(event["kernel"]));
      } else {
        EXPECT_EQ(event["event"], "complete");
        EXPECT_EQ(open.erase(id), 1u);
        EXPECT_GE(event["ns"].get<int64_t>(), event["start_ns"].get<int64_t>());
        EXPECT_EQ(event["parts"], threads);
        EXPECT_EQ(event["status"], 0);
      }
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(kernels, (std::vector<std::string>{"fill", "add", "fill", "add", "fill", "add"}));
  }
}

TEST(EventLogTest, SaysWhereItCannotWrite) {
  TemporaryFolder folder;
  auto log = EventLog::create(folder / "none" / "events.jsonl");
  ASSERT_FALSE(log.isOk());
  EXPECT_NE(log.error().message.find((folder / "none" / "events.jsonl").string()), std::string::npos);
  // A full disk shows at the end at the latest.
  auto full = EventLog::create("/dev/full");
  ASSERT_TRUE(full.isOk());
  runTimes(1, {full->get()}, 1);
  Status status = (*full)->close();
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().code, ErrorCode::Io);
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos) << status.error().message;
}

TEST(KernelTimesTest, AddsUpPerKernel) {
  auto times = KernelTimes::create(), second = KernelTimes::create();
  runTimes(5, {times.get(), second.get()}, 2);
  for (const auto *observer : {times.get(), second.get()}) {
    auto entries = observer->entries();
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_GE(entries[0].totalNs, entries[1].totalNs);
    for (const KernelTimes::Entry &entry : entries) {
      EXPECT_TRUE(entry.kernel == "add" || entry.kernel == "fill");
      EXPECT_EQ(entry.launches, 5);
      EXPECT_LE(entry.minNs, entry.maxNs);
      EXPECT_LE(entry.minNs * 5, entry.totalNs);
      EXPECT_GE(entry.maxNs * 5, entry.totalNs);
    }
  }
  times->reset();
  EXPECT_TRUE(times->entries().empty());
}

TEST(KernelTimesTest, CountsTimeOfSeveralKernelsOnce) {
  const artifact::KernelRecord kernel;
  auto times = KernelTimes::create();
  const auto complete = [&](int64_t begin, int64_t end) {
    LaunchEvent event;
    event.kernel = &kernel;
    event.startNs = begin;
    event.endNs = end;
    times->onComplete(event);
  };
  complete(10, 20);
  EXPECT_EQ(times->busyNs(), 10);
  complete(15, 25); // overlaps
  EXPECT_EQ(times->busyNs(), 15);
  complete(12, 18); // inside
  EXPECT_EQ(times->busyNs(), 15);
  complete(40, 50); // apart
  EXPECT_EQ(times->busyNs(), 25);
  complete(5, 60); // around all, and the last to complete
  EXPECT_EQ(times->busyNs(), 55);
  EXPECT_EQ(times->entries()[0].totalNs, 10 + 10 + 6 + 10 + 55);
  times->reset();
  EXPECT_EQ(times->busyNs(), 0);
}

} // namespace
} // namespace mica::runtime
