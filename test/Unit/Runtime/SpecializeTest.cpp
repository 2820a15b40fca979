//===- SpecializeTest.cpp - kernels for the sizes of a call ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The compiler is a script: it copies an artifact that the test has made for the sizes asked for, after a while, or
// fails. The program for any size stamps 1 into its results, those for sizes stamp 2, so that a result tells who made
// it.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "mica/Support/Log.h"

#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mica;
using namespace mica::runtime;
namespace fs = std::filesystem;

namespace {

/// single(x: ?) = x + the scalar `stamp` everywhere.
TaskList stampList(int64_t stamp) { return taskList({parameter(1)}, {task("fill", {0}, {0, stamp})}, 0, "single_0"); }

struct SpecializeTest : testing::Test {
  TemporaryFolder folder;
  TestArtifact artifact{testManifest(), {stampList(1)}};

  void SetUp() override {
    EXPECT_TRUE(configureLogs({}, "test").isOk()); // warnings are looked for
    ::setenv("MICA_CACHE_DIR", (folder / "cache").c_str(), 1);
    ::setenv("MICA_COMPILE", (folder / "compile").c_str(), 1);
    EXPECT_TRUE(writeFile(artifact.path() / "input.mlirbc", "program").isOk());
    compilerDoes("");
  }
  void TearDown() override {
    ::unsetenv("MICA_CACHE_DIR");
    ::unsetenv("MICA_COMPILE");
  }

  /// `first`: shell commands before the copy; $sizes is "single:0.0=4".
  void compilerDoes(const std::string &first) {
    const fs::path script = folder / "compile";
    EXPECT_TRUE(
        writeFile(script, "#!/bin/sh\n"
                          "case \"$1\" in --print-build) exit 1;; esac\n"
                          "for flag; do case \"$flag\" in --specialize=*) sizes=${flag#--specialize=};; esac; done\n"
                          "echo \"$sizes\" >> '" +
                              (folder / "compiles").string() + "'\n" + first + "\ncp -r '" +
                              (folder / "ready").string() + "'/\"$sizes\" \"$3\".new && mv \"$3\".new \"$3\"\n")
            .isOk());
    ::chmod(script.c_str(), 0755);
  }
  /// What the compiler gives for vectors of `size`.
  void prepare(int64_t size) {
    Manifest manifest = testManifest();
    manifest.entries[0].args[0].shape = {size};
    manifest.options["specialize"] = "single:0.0=" + std::to_string(size);
    TestArtifact made(manifest, {stampList(2)});
    fs::create_directories(folder / "ready");
    fs::copy(made.path(), folder / "ready" / manifest.options["specialize"], fs::copy_options::recursive);
  }
  std::vector<std::string> compiles() {
    std::ifstream stream(folder / "compiles");
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
      lines.push_back(line);
    return lines;
  }
  std::shared_ptr<const Program> load() { return valueOf(Program::load(artifact.path())); }
  static std::unique_ptr<Context> contextOf(const std::shared_ptr<const Program> &program,
                                            const std::string &switches) {
    ContextOptions options;
    options.threads = 2;
    EXPECT_TRUE(options.switches.set(switches, SwitchSource::Api).isOk());
    return valueOf(Context::create(program, std::move(options)));
  }
  /// Who computed the result of a call with `size` numbers: 1 the kernels for any size, 2 those for this one; 0: it is
  /// wrong.
  static int64_t whoRuns(Context &context, int64_t size) {
    const HostTensor x = hostVector(std::vector<int64_t>(size_t(size), 7));
    const std::vector<Tensor> results = valueOf(context.invoke(0, std::vector<TensorView>{x}));
    const std::vector<int64_t> values = results.empty() ? std::vector<int64_t>() : valuesOf(results[0]);
    if (int64_t(values.size()) != size ||
        std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end())
      return 0;
    return values.front();
  }
};

TEST_F(SpecializeTest, WaitsForTheCompilerWhereToldTo) {
  prepare(4);
  prepare(6);
  auto program = load();
  auto context = contextOf(program, "specialize=exact,specialize-wait");
  EXPECT_EQ(whoRuns(*context, 4), 2);
  EXPECT_EQ(whoRuns(*context, 6), 2);
  EXPECT_EQ(whoRuns(*context, 4), 2);
  EXPECT_EQ(compiles(), (std::vector<std::string>{"single:0.0=4", "single:0.0=6"}));
}

TEST_F(SpecializeTest, OffIsTheDefault) {
  auto context = valueOf(Context::create(load()));
  EXPECT_EQ(whoRuns(*context, 4), 1);
  EXPECT_TRUE(compiles().empty());
}

TEST_F(SpecializeTest, TheKernelsForAnySizeServeUntilItIsReady) {
  prepare(4);
  compilerDoes("while ! [ -e '" + (folder / "go").string() + "' ]; do sleep 0.01; done");
  auto context = contextOf(load(), "specialize=exact");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(whoRuns(*context, 4), 1);
  EXPECT_TRUE(writeFile(folder / "go", "").isOk());
  for (int i = 0; i < 1000 && whoRuns(*context, 4) != 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(whoRuns(*context, 4), 2);
  EXPECT_EQ(compiles().size(), 1u);
}

TEST_F(SpecializeTest, ContextsOfAProgramShareIt) {
  prepare(4);
  auto program = load();
  auto first = contextOf(program, "specialize=exact,specialize-wait"),
       second = contextOf(program, "specialize=exact,specialize-wait");
  EXPECT_EQ(whoRuns(*first, 4), 2);
  fs::remove_all(folder / "cache");
  EXPECT_EQ(whoRuns(*second, 4), 2);
  EXPECT_EQ(compiles().size(), 1u);
}

TEST_F(SpecializeTest, TheCacheServesTheNextProcess) {
  prepare(4);
  EXPECT_EQ(whoRuns(*contextOf(load(), "specialize=exact,specialize-wait"), 4), 2);
  EXPECT_EQ(whoRuns(*contextOf(load(), "specialize=exact,specialize-wait"), 4), 2);
  EXPECT_EQ(compiles().size(), 1u);
}

TEST_F(SpecializeTest, AFailureFailsNoRun) {
  compilerDoes("echo 'x: error: no' >&2; exit 1");
  auto program = load();
  auto context = contextOf(program, "specialize=exact,specialize-wait");
  testing::internal::CaptureStderr();
  EXPECT_EQ(whoRuns(*context, 4), 1);
  EXPECT_EQ(whoRuns(*context, 6), 1);
  EXPECT_EQ(whoRuns(*context, 4), 1);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("kernels for single:0.0=4 were not compiled: x: error: no; the generic kernels are used"),
            said.npos)
      << said;
  EXPECT_EQ(said.find("single:0.0=6"), said.npos) << "told once: " << said;
  EXPECT_EQ(compiles().size(), 2u);
}

TEST_F(SpecializeTest, WithoutACompilerTheProgramRunsOn) {
  ::setenv("MICA_COMPILE", "/none", 1);
  auto context = contextOf(load(), "specialize=exact,specialize-wait");
  testing::internal::CaptureStderr();
  EXPECT_EQ(whoRuns(*context, 4), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("MICA_COMPILE is /none"), std::string::npos);
}

TEST_F(SpecializeTest, AnEditedProgramIsNotSpecialized) {
  Manifest manifest = testManifest();
  manifest.files = {{"kernels/fill/kernel.ll", {}, "", "00", "11"}};
  TestArtifact edited(manifest, {stampList(1)});
  EXPECT_TRUE(writeFile(edited.path() / "input.mlirbc", "program").isOk());
  auto context = contextOf(valueOf(Program::load(edited.path())), "specialize=exact,specialize-wait");
  testing::internal::CaptureStderr();
  EXPECT_EQ(whoRuns(*context, 4), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("kernel.ll was edited by hand"), std::string::npos);
  EXPECT_TRUE(compiles().empty());
}

TEST_F(SpecializeTest, WhatDoesNotFitIsNotRun) {
  Manifest manifest = testManifest();
  manifest.entries[0].args[0].dtype = DType::F32;
  TestArtifact other(manifest, {stampList(2)});
  fs::create_directories(folder / "ready");
  fs::copy(other.path(), folder / "ready" / "single:0.0=4", fs::copy_options::recursive);
  auto context = contextOf(load(), "specialize=exact,specialize-wait");
  testing::internal::CaptureStderr();
  EXPECT_EQ(whoRuns(*context, 4), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("is not a specialization of entry 'single'"),
            std::string::npos);
}

TEST_F(SpecializeTest, WrongInputsAreRefusedInTheProgramsOwnWords) {
  prepare(4);
  auto context = contextOf(load(), "specialize=exact,specialize-wait");
  EXPECT_EQ(whoRuns(*context, 4), 2);
  const HostTensor wrong(DType::F32, {4});
  const std::string message = messageOf(context->invoke(0, std::vector<TensorView>{wrong}));
  EXPECT_NE(message.find("it should be ?xi64"), message.npos) << message;
  EXPECT_EQ(whoRuns(*context, 4), 2);
}

TEST_F(SpecializeTest, ReleasingTheProgramEndsTheCompiler) {
  compilerDoes("exec sleep 600");
  const auto start = std::chrono::steady_clock::now();
  {
    auto program = load();
    auto context = contextOf(program, "specialize=exact");
    EXPECT_EQ(whoRuns(*context, 4), 1);
    while (compiles().empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(SpecializeTest, AForkedProcessGoesOnWithoutTheThread) {
  prepare(4);
  auto program = load();
  EXPECT_EQ(whoRuns(*contextOf(program, "specialize=exact,specialize-wait"), 4), 2);
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30); // where it would wait for a thread that is not there
    ContextOptions options;
    options.threads = 1;
    (void)options.switches.set("specialize=exact,specialize-wait", SwitchSource::Api);
    auto context = Context::create(program, std::move(options));
    // Made before the fork, and not to be made after it.
    const bool right = context && whoRuns(**context, 4) == 2 && whoRuns(**context, 6) == 1;
    context->reset();
    program.reset();
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// For the thread sanitizer: contexts on several threads ask for, wait for and run the same and other sizes.
TEST_F(SpecializeTest, SeveralThreadsAskAtOnce) {
  constexpr int64_t kSizes[] = {4, 6, 8};
  for (int64_t size : kSizes)
    prepare(size);
  auto program = load();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto context = contextOf(program, t % 2 ? "specialize=exact" : "specialize=exact,specialize-wait");
      for (int i = 0; i < 60; ++i)
        wrong += whoRuns(*context, kSizes[(i + t) % 3]) == 0;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(compiles().size(), 3u);
}

} // namespace
