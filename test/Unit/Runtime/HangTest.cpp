//===- HangTest.cpp - the ledger of launches, and hangs --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "mica/Runtime/Ledger.h"

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace mica::runtime {
namespace {

using Stage = LedgerEntry::Stage;

TEST(LedgerTest, HasTheLatestLaunchesAndHowItEnded) {
  TemporaryFolder folder;
  const std::string file = folder / "run.ledger";
  TestArtifact artifact(testManifest(), {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})});
  ContextOptions options;
  options.threads = 2;
  ASSERT_TRUE(options.switches.set("launch-ledger=" + file, SwitchSource::Flag).isOk());
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  for (int i = 0; i < 5000; ++i) // more than it holds
    ASSERT_TRUE(context->invoke("single", std::vector<HostTensor>{hostVector({1, 2})}).isOk());
  const LedgerContents open = valueOf(readLedger(file));
  EXPECT_EQ(open.end, LedgerContents::End::Open);
  EXPECT_EQ(open.artifact, std::filesystem::absolute(artifact.path()));
  EXPECT_EQ(open.pid, ::getpid());
  ASSERT_EQ(open.entries.size(), 4096u);
  for (size_t i = 0; i < open.entries.size(); ++i) {
    const LedgerEntry &entry = open.entries[i];
    EXPECT_EQ(entry.id, open.entries[0].id + i);
    EXPECT_EQ(entry.stage, Stage::Done);
    EXPECT_EQ(entry.kernel, "add");
    EXPECT_EQ(entry.site, siteOf("add"));
    EXPECT_LE(entry.handedNs, entry.startNs);
    EXPECT_LE(entry.startNs, entry.endNs);
  }
  context.reset();
  EXPECT_EQ(valueOf(readLedger(file)).end, LedgerContents::End::Closed);
}

TEST(LedgerTest, RefusesWhatIsNone) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFile(folder / "text", std::string(5000, 'x')).isOk());
  EXPECT_EQ(messageOf(readLedger(folder / "text")), (folder / "text").string() + ": is not a launch ledger");
  EXPECT_FALSE(readLedger(folder / "none").isOk());
  const std::string file = folder / "cut";
  { auto ledger = valueOf(Ledger::create(file, testManifest(), "a")); }
  std::string bytes = valueOf(readFile(file));
  ASSERT_TRUE(writeFile(file, bytes.substr(0, bytes.size() - 1)).isOk());
  EXPECT_EQ(messageOf(readLedger(file)), file + ": is truncated");
  bytes[8] = 9;
  ASSERT_TRUE(writeFile(file, bytes).isOk());
  EXPECT_EQ(messageOf(readLedger(file)), file + ": is a ledger of version 9, this is version 1");
  EXPECT_FALSE(Ledger::create("/proc/none/x", testManifest(), "a").isOk());
}

TEST(LedgerTest, OutlivesAProcessThatIsKilledInAKernel) {
  TemporaryFolder folder;
  const std::string file = folder / "run.ledger";
  TestArtifact artifact(testManifest(), {taskList({parameter(0), parameter(1)},
                                                  {task("fill", {1}, {0, 1}), task("hold", {0}, {0, 1}, {0})})});
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ContextOptions options;
    options.threads = 1;
    if (!options.switches.set("launch-ledger=" + file, SwitchSource::Flag))
      ::_exit(1);
    auto program = Program::load(artifact.path());
    auto context = Context::create(program ? *program : nullptr, std::move(options));
    (void)(*context)->invoke("single", std::vector<HostTensor>{hostVector({0, 0})});
    ::_exit(1);
  }
  // Until it is in the kernel that does not end.
  LedgerContents contents;
  for (int i = 0; i < 2000 && (contents.entries.size() < 2 || contents.entries[1].stage != Stage::Running); ++i) {
    ::usleep(5000);
    if (auto read = readLedger(file))
      contents = *read;
  }
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  contents = valueOf(readLedger(file));
  EXPECT_EQ(contents.pid, child);
  EXPECT_EQ(contents.end, LedgerContents::End::Open);
  ASSERT_EQ(contents.entries.size(), 2u);
  EXPECT_EQ(contents.entries[0].kernel, "fill");
  EXPECT_EQ(contents.entries[0].stage, Stage::Done);
  EXPECT_EQ(contents.entries[1].kernel, "hold");
  EXPECT_EQ(contents.entries[1].stage, Stage::Running);
}

/// Runs a task that holds until the report has come (or, with no report, half a second), and gives the report.
std::string hangOf(int threads, int asleep, const std::string &switches) {
  TestArtifact artifact(testManifest(), {taskList({parameter(0), parameter(1)},
                                                  {task("fill", {1}, {0, 1}), task("hold", {0}, {0, asleep}, {0}),
                                                   task("add", {0, 0, 1}, {0, 0, 0}, {1})})});
  Tensor x = valueOf(Tensor::fromHost(hostVector({0, 0})));
  std::string report;
  ContextOptions options;
  options.threads = threads;
  EXPECT_TRUE(options.switches.set(switches, SwitchSource::Flag).isOk());
  options.onHang = [&](const std::string &text) {
    report = text;
    __atomic_store_n(x.as<int64_t>(), 1, __ATOMIC_RELEASE);
  };
  std::thread release;
  if (switches.empty())
    release = std::thread([&] {
      ::usleep(500000);
      __atomic_store_n(x.as<int64_t>(), 1, __ATOMIC_RELEASE);
    });
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  const TensorView view = x.view();
  EXPECT_TRUE(context->invoke(0, {&view, 1}).isOk());
  if (release.joinable())
    release.join();
  context.reset();
  return report;
}

TEST(HangTest, SaysWhatRunsWhatWaitsAndWhatWasDoneLast) {
  for (int threads : {1, 3})
    for (int asleep : {0, 1}) {
      const std::string report = hangOf(threads, asleep, "hang-timeout=0.3");
      EXPECT_EQ(report.find("no kernel has made progress for 0."), 0u) << report;
      EXPECT_NE(report.find("\n  running:\n    kernel 'hold' ("), std::string::npos) << report;
      EXPECT_NE(report.find(" (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, "), std::string::npos) << report;
      EXPECT_NE(report.find("last completed, per thread:\n    thread "), std::string::npos) << report;
      EXPECT_NE(report.find("kernel 'fill'"), std::string::npos) << report;
      EXPECT_NE(report.find("--post-mortem"), std::string::npos) << report;
      EXPECT_EQ(report.find("task 2 of list 'list_0', kernel 'add', for task 1 ('hold')") != std::string::npos,
                threads > 1)
          << report;
    }
}

TEST(HangTest, WorkThatGoesOnIsNone) {
  // Ten seconds' worth of tasks would be one: each is far shorter than the limit, all together far longer.
  std::vector<TaskRecord> tasks;
  for (int64_t i = 0; i < 200; ++i)
    tasks.push_back(task("stamp", {1}, {0, 1, 400}, i ? std::vector<int64_t>{i - 1} : std::vector<int64_t>{}));
  TestArtifact artifact(testManifest(), {taskList({parameter(0), parameter(1)}, tasks)});
  ContextOptions options;
  options.threads = 2;
  std::atomic<int> reports{0};
  ASSERT_TRUE(options.switches.set("hang-timeout=0.1", SwitchSource::Flag).isOk());
  options.onHang = [&](const std::string &) { ++reports; };
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(600);
  while (std::chrono::steady_clock::now() < end)
    ASSERT_TRUE(context->invoke("single", std::vector<HostTensor>{hostVector(std::vector<int64_t>(8, 0))}).isOk());
  // Nor is a context without work.
  ::usleep(400000);
  EXPECT_EQ(reports, 0);
}

} // namespace
} // namespace mica::runtime
