//===- OpLogTest.cpp - the op log, and one launch at a time ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "lib/Runtime/OpLog/EventRing.h"
#include "mica/Support/Log.h"

#include <nlohmann/json.hpp>

#include <regex>
#include <sstream>
#include <thread>

namespace mica::runtime {
namespace {

std::vector<TaskList> fillAndAdd() {
  return {taskList({parameter(0), parameter(1), arena(0, 800)},
                   {task("fill", {2}, {0, 1}), task("add", {0, 2, 1}, {0, 0, 0}, {0})}, 800)};
}

/// Runs `lists` with `switches` and gives how the last of `times` calls ended.
Status runWith(const std::string &switches, int threads, int times = 1,
               const std::vector<TaskList> &lists = fillAndAdd()) {
  TestArtifact artifact(testManifest(), lists);
  ContextOptions options;
  options.threads = threads;
  options.smallTaskBytes = 0;
  Status set = options.switches.set(switches, SwitchSource::Flag);
  EXPECT_TRUE(set.isOk()) << (set ? "" : set.error().message);
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  HostTensor x = hostVector(std::vector<int64_t>(100, 1));
  TensorView view(x);
  Status status;
  for (int i = 0; i < times && status; ++i) {
    std::vector<Tensor> results;
    status = context->invoke(0, {&view, 1}, results);
  }
  return status;
}

class OpLogTest : public testing::Test {
protected:
  std::string logOf(const std::string &switches, int threads, const std::string &name = "ops.txt",
                    const std::vector<TaskList> &lists = fillAndAdd()) {
    const std::string file = folder / (std::to_string(++runs) + name);
    last = runWith(switches + ",op-log-file=" + file, threads, 1, lists);
    return valueOf(readFile(file));
  }
  TemporaryFolder folder;
  int runs = 0;
  Status last;
};

TEST_F(OpLogTest, LinesNameKindIdTargetAndOps) {
  for (int threads : {1, 3}) {
    const std::string text = logOf("op-log-level=debug", threads);
    std::smatch ids;
    ASSERT_TRUE(std::regex_match(
        text, ids,
        std::regex("\\[OP\\] LAUNCH elementwise \\[id=(\\d+)\\] target=cpu:0 op=aaaaaaaaaaaa,bbbbbbbbbbbb\n"
                   "\\[OP\\] COMPLETE elementwise \\[id=(\\d+)\\] target=cpu:0 time=\\d+\\.\\d{3}us\n"
                   "\\[OP\\] LAUNCH elementwise \\[id=(\\d+)\\] target=cpu:0 op=aaaaaaaaaaaa,bbbbbbbbbbbb\n"
                   "\\[OP\\] COMPLETE elementwise \\[id=(\\d+)\\] target=cpu:0 time=\\d+\\.\\d{3}us\n")))
        << text;
    EXPECT_EQ(ids[1], ids[2]);
    EXPECT_EQ(ids[3], ids[4]);
    EXPECT_NE(ids[1], ids[3]);
  }
}

TEST_F(OpLogTest, TraceHasKernelShapesSourceWaitAndStream) {
  const std::string text = logOf("op-log-level=trace", 2);
  EXPECT_TRUE(std::regex_search(
      text, std::regex("LAUNCH elementwise \\[id=\\d+\\] target=cpu:0 op=aaaaaaaaaaaa,bbbbbbbbbbbb kernel=add "
                       "shapes=100xi64,100xi64,100xi64 at model.mlir:3:8\n")))
      << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("COMPLETE elementwise \\[id=\\d+\\] target=cpu:0 time=[\\d.]+us "
                                                 "kernel=add wait=[\\d.]+us parts=2 stream=\\d+\n")))
      << text;
}

TEST_F(OpLogTest, LevelsSayLessAndLess) {
  const std::vector<TaskList> failing = {
      taskList({parameter(0), parameter(1)}, {task("fail", {1}, {0, 7}), task("fill", {1}, {0, 1}, {0})})};
  auto lines = [&](const std::string &level) {
    const std::string text = logOf("op-log-level=" + level, 1, "ops.txt", failing);
    EXPECT_FALSE(last.isOk());
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines("debug"), 4);
  EXPECT_EQ(lines("info"), 2);
  EXPECT_EQ(lines("warning"), 2);
  EXPECT_EQ(lines("error"), 1);
  EXPECT_EQ(lines("critical"), 0);
  EXPECT_TRUE(
      std::regex_search(logOf("op-log-level=warning", 1, "ops.txt", failing),
                        std::regex("\\[OP\\] FAIL elementwise \\[id=\\d+\\] target=cpu:0 time=[\\d.]+us status=7 "
                                   "op=aaaaaaaaaaaa,bbbbbbbbbbbb kernel=fail\n"
                                   "\\[OP\\] SKIP elementwise \\[id=\\d+\\] target=cpu:0 op=")));
}

TEST_F(OpLogTest, JsonLinesAndChromeSayTheSame) {
  std::istringstream lines(logOf("op-log-level=trace", 2, "ops.jsonl"));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(nlohmann::json::parse(line)["schema"], "mica.events");
  EXPECT_EQ(nlohmann::json::parse(line)["version"], 1);
  std::vector<nlohmann::json> events;
  while (std::getline(lines, line))
    events.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2]["event"], "launch");
  EXPECT_EQ(events[2]["kernel"], "add");
  EXPECT_EQ(events[2]["kind"], "elementwise");
  EXPECT_EQ(events[2]["shapes"], "100xi64,100xi64,100xi64");
  EXPECT_EQ(events[2]["source"], "model.mlir:3:8");
  EXPECT_EQ(events[2]["op"], (std::vector<std::string>{"aaaaaaaaaaaa", "bbbbbbbbbbbb"}));
  EXPECT_EQ(events[3]["event"], "complete");
  EXPECT_EQ(events[3]["id"], events[2]["id"]);
  EXPECT_EQ(events[3]["status"], 0);
  EXPECT_GE(events[3]["queue_ns"].get<int64_t>(), 0);
  const nlohmann::json chrome = nlohmann::json::parse(logOf("op-log-level=trace", 2, "ops.json"));
  EXPECT_EQ(chrome["otherData"]["schema"], "mica.events");
  ASSERT_EQ(chrome["traceEvents"].size(), 2u);
  EXPECT_EQ(chrome["traceEvents"][1]["name"], "add");
  EXPECT_EQ(chrome["traceEvents"][1]["ph"], "X");
  EXPECT_GE(chrome["traceEvents"][1]["dur"].get<double>(), 0);
}

TEST_F(OpLogTest, FiltersLeaveOutByKernelKindOpAndTarget) {
  auto kernels = [&](const std::string &filter) {
    std::string names;
    std::istringstream lines(logOf(filter, 2, "ops.jsonl"));
    for (std::string line; std::getline(lines, line);)
      if (auto event = nlohmann::json::parse(line); event.value("event", "") == "launch")
        names += event["kernel"].get<std::string>() + " ";
    return names;
  };
  EXPECT_EQ(kernels("op-log-kernel=a*"), "add ");
  EXPECT_EQ(kernels("op-log-kernel=add+fill"), "fill add ");
  EXPECT_EQ(kernels("op-log-kind=matmul"), "");
  EXPECT_EQ(kernels("op-log-kind=mica.exp"), "fill add ");
  EXPECT_EQ(kernels("op-log-op=bbbbbbbbbbbb"), "fill add ");
  EXPECT_EQ(kernels("op-log-op=cccccccccccc"), "");
  EXPECT_EQ(kernels("op-log-target=gpu:*"), "");
  EXPECT_EQ(kernels("op-log-target=cpu:0,op-log-kernel=?ill"), "fill ");
}

TEST_F(OpLogTest, AFilterThatLeavesNothingIsSaid) {
  const std::string file = folder / "log";
  LogOptions options;
  options.file = file;
  options.format = "short";
  ASSERT_TRUE(configureLogs(options, "test").isOk());
  ASSERT_TRUE(runWith("op-log-level=debug,op-log-kernel=nosuch", 1).isOk());
  ASSERT_TRUE(configureLogs({}, "test").isOk());
  EXPECT_EQ(valueOf(readFile(file))
                .find("WARNING:runtime:the op log filters match no launch of this program; "
                      "kernels: fill, add"),
            0u)
      << valueOf(readFile(file));
}

TEST_F(OpLogTest, WithoutAFileLinesGoToTheLogOfTheDevice) {
  LogOptions options;
  options.folder = (folder / "logs").string();
  ASSERT_TRUE(configureLogs(options, "test").isOk());
  ASSERT_TRUE(runWith("op-log-level=info", 1).isOk());
  ASSERT_TRUE(configureLogs({}, "test").isOk());
  const std::string text = valueOf(readFile(options.folder + "/test_" + std::to_string(::getpid()) + "_cpu-0.log"));
  EXPECT_EQ(text.find("[OP] COMPLETE elementwise [id="), 0u) << text;
}

TEST_F(OpLogTest, TwoContextsOfAProcessWriteToFilesOfTheirOwn) {
  const std::string file = folder / "same.txt";
  ASSERT_TRUE(runWith("op-log-file=" + file, 1).isOk());
  ASSERT_TRUE(runWith("op-log-file=" + file, 1).isOk());
  EXPECT_EQ(valueOf(readFile(file)).find("[OP] LAUNCH"), 0u);
  EXPECT_EQ(valueOf(readFile(folder / "same.2.txt")).find("[OP] LAUNCH"), 0u);
}

TEST_F(OpLogTest, AFileThatCannotBeMadeIsAnError) {
  TestArtifact artifact(testManifest(), fillAndAdd());
  ContextOptions options;
  ASSERT_TRUE(options.switches.set("op-log-file=/proc/none/ops", SwitchSource::Flag).isOk());
  EXPECT_FALSE(Context::create(valueOf(Program::load(artifact.path())), std::move(options)).isOk());
}

TEST(EventRingTest, KeepsWhatManyThreadsPutIn) {
  EventRing ring;
  constexpr int kThreads = 4, kEach = 40000; // more than the ring holds
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&ring, t] {
      for (int i = 0; i < kEach; ++i) {
        OpEvent event{};
        event.id = uint64_t(i);
        event.thread = t;
        ring.push(event);
      }
    });
  std::vector<uint64_t> next(kThreads, 0);
  for (int taken = 0; taken < kThreads * kEach;) {
    OpEvent event;
    if (!ring.pop(event)) {
      std::this_thread::yield();
      continue;
    }
    ++taken;
    ASSERT_EQ(event.id, next[size_t(event.thread)]++);
  }
  for (std::thread &thread : threads)
    thread.join();
}

/// Two tasks that depend on nothing; `stamp` takes long. Whether one is in flight while the other runs shows in their
/// stamps.
std::vector<TaskList> sideBySide() {
  return {taskList({parameter(0), parameter(1)}, {task("fill", {1}, {0, 0}), task("stamp", {1}, {0, 1, 500}, {0}),
                                                  task("stamp", {1}, {0, 2, 500}, {0})})};
}

TEST(SyncModeTest, RunsOneLaunchAtATimeWithTheSameResults) {
  TestArtifact artifact(testManifest(), sideBySide());
  for (int threads : {1, 4}) {
    ContextOptions options;
    options.threads = threads;
    ASSERT_TRUE(options.switches.set("device-sync-mode", SwitchSource::Flag).isOk());
    auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
    for (int i = 0; i < 50; ++i) {
      auto results =
          valueOf(context->invoke("single", std::vector<HostTensor>{hostVector(std::vector<int64_t>(8, 0))}));
      ASSERT_EQ(results.size(), 1u);
      // log[0] is a clock that begins at n, 8; each task has two stamps side by side: neither began while the other
      // ran.
      std::vector<int64_t> stamps;
      for (int64_t at : {3, 4, 5, 6})
        stamps.push_back(results[0].asInt(at));
      EXPECT_EQ(stamps, (std::vector<int64_t>{9, 10, 11, 12}));
    }
  }
}

/// Runs a task that comes to no end before another has had half a second to fail.
Status failBeside(const std::string &switches) {
  // Both depend on nothing, and `hold` is handed over first.
  TestArtifact artifact(
      testManifest(), {taskList({parameter(0), parameter(1)}, {task("hold", {0}, {0, 1}), task("fail", {1}, {0, 7})})});
  ContextOptions options;
  options.threads = 3;
  EXPECT_TRUE(options.switches.set(switches, SwitchSource::Flag).isOk());
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  Tensor x = valueOf(Tensor::fromHost(hostVector({0, 0})));
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    __atomic_store_n(x.as<int64_t>(), 1, __ATOMIC_RELEASE);
  });
  std::vector<Tensor> results;
  const TensorView view = x.view();
  Status status = context->invoke(0, {&view, 1}, results);
  release.join();
  // The context takes no further work and says why.
  Status after = context->invoke(0, {&view, 1}, results);
  EXPECT_FALSE(after.isOk());
  EXPECT_EQ(after.error().message,
            "this context is unusable after an earlier failure: " + (status ? "" : status.error().message));
  return status;
}

TEST(AsynchronousErrorTest, NamesTheTaskThatFailedAndWhatWasInFlight) {
  Status status = failBeside("");
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().message.find("kernel 'fail' ("), 0u) << status.error().message;
  EXPECT_NE(status.error().message.find("failed with status 7"), std::string::npos);
  EXPECT_NE(status.error().message.find("; in flight: kernel 'hold' ("), std::string::npos) << status.error().message;
  EXPECT_NE(status.error().hint.find("device-sync-mode"), std::string::npos) << status.error().hint;
  // One at a time: the same task is named, and nothing else is in flight.
  status = failBeside("device-sync-mode");
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().message.find("kernel 'fail' ("), 0u) << status.error().message;
  EXPECT_EQ(status.error().message.find("in flight"), std::string::npos) << status.error().message;
}

TEST(SourceTracebackTest, ShowsTheLinesOfEveryOpRootLast) {
  TemporaryFolder folder;
  const std::string source = folder / "model.mlir";
  ASSERT_TRUE(writeFile(source, "one\ntwo\n  %0 = mica.add\n  %1 = mica.exp\n").isOk());
  Manifest manifest = testManifest();
  manifest.ops[0].positions = {{"caller.mlir", 9, 1}, {source, 3, 8}};
  manifest.ops[1].positions = {{source, 4, 8}};
  TestArtifact artifact(manifest, {taskList({parameter(0), parameter(1)}, {task("fail", {1}, {0, 7})})});
  auto failure = [&](const std::string &switches) {
    ContextOptions options;
    EXPECT_TRUE(options.switches.set(switches, SwitchSource::Flag).isOk());
    auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
    auto result = context->invoke("single", std::vector<HostTensor>{hostVector({1, 2})});
    return result ? "" : result.error().hint;
  };
  EXPECT_NE(failure("").find("\n  source traceback, innermost last:\n    mica.exp [bbbbbbbbbbbb]\n      " + source +
                             ":4:8: %1 = mica.exp\n    mica.add [aaaaaaaaaaaa]\n      caller.mlir:9:1\n      " +
                             source + ":3:8: %0 = mica.add"),
            std::string::npos)
      << failure("");
  EXPECT_EQ(failure("source-tracebacks=off").find("traceback"), std::string::npos);
}

} // namespace
} // namespace mica::runtime
