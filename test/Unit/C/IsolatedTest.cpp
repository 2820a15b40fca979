//===- IsolatedTest.cpp - calls in a process of their own -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "mica/C/mica.h"
#include "test/Unit/Runtime/TestProgram.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

#include <sys/wait.h>

namespace mica::runtime {
namespace {

/// What the kernel `harm` of TestKernels.c does for a first element of x.
enum Action : int64_t {
  Crash = 1,
  Spin = 2,
  Hoard = 3,
  WriteFile = 4,
  Fork = 5,
  Socket = 6,
  ReadSecret = 7,
  ForgeAnswer = 8,
  Exit = 9,
  FailTask = 20
};

size_t openFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return size_t(std::distance(begin(files), end(files)));
}

class IsolatedTest : public ::testing::Test {
protected:
  void SetUp() override {
    Manifest manifest = testManifest();
    manifest.kernels.push_back(kernelRecord("harm", {{-1, Access::Read}, {-1, Access::Write}}, 0, 1));
    manifest.sites.push_back({"harm", {"bbbbbbbbbbbb", "aaaaaaaaaaaa"}});
    const TaskRecord harm{"harm", {0, 1}, {0, 0}, {}, int64_t(manifest.sites.size()) - 1, "cpu:0"};
    artifact =
        std::make_unique<TestArtifact>(manifest, std::vector<TaskList>{taskList({parameter(0), parameter(1)}, {harm})});
    ASSERT_EQ(mica_program_open(artifact->path().c_str(), &program, &error), MICA_OK) << error.message;
    if (call({0}) == MICA_UNSUPPORTED)
      GTEST_SKIP() << error.message;
  }
  ~IsolatedTest() override {
    mica_program_release(program);
    mica_error_clear(&error);
  }
  /// One call; what the kernel said is in `said`.
  mica_code call(std::vector<int64_t> x) {
    int64_t size = int64_t(x.size());
    const DLTensor tensor = {x.data(), {kDLCPU, 0}, 1, {kDLInt, 64, 1}, &size, nullptr, 0};
    const DLTensor *inputs[] = {&tensor};
    DLManagedTensorVersioned *result = nullptr;
    const mica_code code = mica_run_isolated(program, 0, &options, inputs, 1, &result, 1, &error);
    if (code == MICA_OK) {
      said = *static_cast<const int64_t *>(result->dl_tensor.data);
      sizeOfResult = result->dl_tensor.shape[0];
      result->deleter(result);
    }
    return code;
  }

  std::unique_ptr<TestArtifact> artifact;
  mica_program *program = nullptr;
  mica_error error = MICA_ERROR_INIT;
  mica_isolation_options options = {sizeof(options), 1, 0, 0};
  int64_t said = -1, sizeOfResult = -1;
};

TEST_F(IsolatedTest, GivesResultsWithoutLoadingTheCode) {
  EXPECT_EQ(call({0, 5, 6}), MICA_OK) << error.message;
  EXPECT_EQ(said, 0);
  EXPECT_EQ(sizeOfResult, 3);
  mica_context *context = nullptr;
  EXPECT_EQ(mica_context_create(program, nullptr, &context, &error), MICA_UNSUPPORTED);
  EXPECT_STREQ(error.message, "the program was opened without its code");
  const std::string maps = *readFile("/proc/self/maps");
  EXPECT_EQ(maps.find(artifact->path().string()), std::string::npos);
}

TEST_F(IsolatedTest, ACrashIsAnErrorOfTheCall) {
  EXPECT_EQ(call({Crash}), MICA_CHECK_FAILED);
  EXPECT_STREQ(error.message, "the isolated call of 'single' was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(call({0}), MICA_OK) << error.message;
}

TEST_F(IsolatedTest, ATaskThatFailsIsNamedAsInACall) {
  EXPECT_EQ(call({FailTask}), MICA_CHECK_FAILED);
  ASSERT_NE(error.place, nullptr) << error.message;
  EXPECT_STREQ(error.place->kernel, "harm");
  EXPECT_STREQ(error.place->operation, "mica.exp");
  EXPECT_STREQ(error.place->file, "model.mlir");
  EXPECT_EQ(error.place->line, 4);
}

TEST_F(IsolatedTest, TimeIsLimited) {
  options.seconds = 0.5;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(call({Spin}), MICA_HANG);
  EXPECT_STREQ(error.message, "the isolated call of 'single' took longer than its limit, and was ended");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
}

TEST_F(IsolatedTest, MemoryIsLimited) {
  options.memory = uint64_t(1) << 29;
  ASSERT_EQ(call({Hoard}), MICA_OK) << error.message;
  EXPECT_EQ(said, -ENOMEM);
}

TEST_F(IsolatedTest, WhatIsNotTheCallsIsOutOfReach) {
  ::setenv("MICA_TEST_SECRET", "1", 1);
  for (const auto &[action, expected] :
       {std::pair<Action, int64_t>{WriteFile, -EACCES}, {Fork, -EPERM}, {Socket, -EPERM}, {ReadSecret, 0}}) {
    ASSERT_EQ(call({action}), MICA_OK) << error.message;
    EXPECT_EQ(said, expected) << "action " << action;
  }
  ::unsetenv("MICA_TEST_SECRET");
  EXPECT_FALSE(std::filesystem::exists("written-by-an-isolated-call"));
}

TEST_F(IsolatedTest, AnAnswerIsNotTrusted) {
  EXPECT_EQ(call({ForgeAnswer}), MICA_DAMAGED);
  EXPECT_STREQ(error.message, "the message of an isolated call is damaged: a tensor is not in it");
  EXPECT_EQ(call({Exit}), MICA_CHECK_FAILED);
  EXPECT_STREQ(error.message, "the isolated call of 'single' ended with exit code 3 and without an answer");
}

TEST_F(IsolatedTest, ArgumentsAreCheckedBeforeAnythingRuns) {
  EXPECT_EQ(mica_run_isolated(program, 7, nullptr, nullptr, 0, nullptr, 0, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 7 does not exist");
  options.struct_size = 4;
  EXPECT_EQ(call({0}), MICA_INVALID_INPUT);
  options.struct_size = sizeof options;
  options.seconds = -1;
  EXPECT_EQ(call({0}), MICA_INVALID_INPUT);
  options.seconds = 0;
  ::setenv("MICA_RUN", "/nowhere", 1);
  EXPECT_EQ(call({0}), MICA_UNSUPPORTED);
  EXPECT_STREQ(error.message, "MICA_RUN is /nowhere, which is not executable");
  ::unsetenv("MICA_RUN");
}

/// 40 calls, or as many as MICA_TEST_CALLS says.
TEST_F(IsolatedTest, NothingIsLeftBehind) {
  const char *wanted = std::getenv("MICA_TEST_CALLS");
  const int calls = wanted ? std::atoi(wanted) : 40;
  const size_t before = openFiles();
  options.seconds = 60;
  for (int i = 0; i < calls; ++i)
    ASSERT_EQ(call({i % 4 == 3 ? Crash : Action(0)}), i % 4 == 3 ? MICA_CHECK_FAILED : MICA_OK) << error.message;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      int64_t x = 0, size = 1;
      const DLTensor tensor = {&x, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, &size, nullptr, 0};
      const DLTensor *inputs[] = {&tensor};
      DLManagedTensorVersioned *result = nullptr;
      ASSERT_EQ(mica_run_isolated(program, 0, nullptr, inputs, 1, &result, 1, nullptr), MICA_OK);
      result->deleter(result);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(openFiles(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(IsolatedTest, WorksWhereTheHostIgnoresItsChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(call({0, 1}), MICA_OK) << error.message;
  std::signal(SIGCHLD, before);
}

} // namespace
} // namespace mica::runtime
