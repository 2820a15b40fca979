//===- CommandTest.cpp - a command that says whether IR has a property --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CommandTest.h. A candidate is verified and printed by a child, which may crash on it; then a thread runs the
// command.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Reduce/CommandTest.h"

#include "lib/IRTools/Forked.h"
#include "lib/IRTools/TestGenProbe.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

using namespace mlir;
using namespace mica;
using namespace mica::reduce;
namespace fs = std::filesystem;

/// Time to verify and print one candidate.
static constexpr double kPrintSeconds = 60;

/// Codes of /bin/sh for a command that it cannot execute, and for one that it does not find.
static constexpr int kNotExecutable = 126, kNotFound = 127;

/// `command` with the file as its last argument, unless it says itself where that goes.
static std::string withFile(const std::string &command) {
  const bool names = command.find("$1") != command.npos || command.find("${1") != command.npos;
  return names ? command : command + " \"$1\"";
}

Result<int> CommandTest::run(const fs::path &file, const std::string &pipeline, const fs::path &said,
                             std::stop_token ends) const {
  ProcessOptions process;
  process.standardInput = "/dev/null";
  process.standardOutput = process.standardError = said;
  process.secondsLimit = limits.seconds;
  process.memoryLimit = limits.memoryBytes;
  process.ownGroup = true;
  process.stop = std::move(ends);
  process.environment = {{"MICA_PIPELINE", pipeline}};
  return runProcess({"/bin/sh", "-c", withFile(command), "mica-reduce", file.string(), pipeline}, process);
}

/// A test whose child verifies and prints, and whose thread waits for that and runs the command.
class CommandTest::Run : public irtools::RunningTest {
public:
  Run(const CommandTest &test, int64_t number, std::function<std::string()> text, const std::string &pipeline)
      : thread([this, &test, number, text = std::move(text), pipeline](std::stop_token ends) {
          const std::string contents = text();
          if (contents.empty() || ends.stop_requested())
            return;
          const fs::path file = test.scratch / (std::to_string(number) + ".mlir");
          if (!writeFile(file, contents))
            return;
          const Result<int> code = test.run(file, pipeline, "/dev/null", ends);
          result = code && *code == test.interesting && !ends.stop_requested();
          std::error_code ignored;
          fs::remove(file, ignored);
        }),
        whenInterrupted(test.stop, [this] { thread.request_stop(); }) {}
  bool holds() override {
    thread.join();
    return result;
  }

private:
  bool result = false;
  std::jthread thread; ///< it uses the others, and its end stops and waits for it
  std::stop_callback<std::function<void()>> whenInterrupted;
};

std::unique_ptr<irtools::RunningTest> CommandTest::start(ModuleOp module, const std::string &pipeline,
                                                         bool withLocations) {
  auto child = std::make_shared<irtools::ForkedRun>(
      [&]() -> std::string {
        OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
        return succeeded(verify(*copy)) ? irtools::printParseable(*copy, withLocations) : "";
      },
      kPrintSeconds);
  return std::make_unique<Run>(
      *this, ++started,
      [child] {
        const irtools::Forked forked = child->wait();
        return forked.ended && !forked.signal ? forked.text : "";
      },
      pipeline);
}

std::unique_ptr<irtools::RunningTest> CommandTest::start(std::string text, const std::string &pipeline) {
  return std::make_unique<Run>(
      *this, ++started, [text = std::move(text)] { return text; }, pipeline);
}

/// What a run of the command came to, in words.
static std::string describeCode(int code, double took, const CommandLimits &limits) {
  if (code == 128 + SIGKILL && took >= limits.seconds)
    return llvm::formatv("it ran for longer than {0} s", limits.seconds).str();
  if (code > 128)
    return llvm::formatv("signal {0} ({1})", code - 128, strsignal(code - 128)).str();
  return "exit code " + std::to_string(code);
}

Status CommandTest::checkGiven(const fs::path &file, const std::string &pipeline) {
  const fs::path said = scratch / "said.txt";
  std::string outcomes[2];
  for (std::string &outcome : outcomes) {
    const auto begin = std::chrono::steady_clock::now();
    ++started;
    MICA_ASSIGN_OR_RETURN(const int code, run(file, pipeline, said, stop));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (stop.stop_requested())
      return Status::ok();
    outcome = describeCode(code, took.count(), limits);
    if (code == interesting)
      continue;
    if (&outcome == &outcomes[1])
      return Error{ErrorCode::InvalidInput,
                   "the test is not deterministic: two runs on " + file.string() + " gave exit code " +
                       std::to_string(interesting) + ", then " + outcome,
                   "fix seeds, threads and times in it, or let it repeat what varies and require every run"};
    std::string text;
    if (Result<std::string> all = readFile(said))
      text = llvm::StringRef(*all).trim().take_front(400).str();
    const std::string problem = "the test does not hold for " + file.string() + " as given: " + outcome +
                                ", expected exit code " + std::to_string(interesting) +
                                (text.empty() ? "" : "; it says:\n" + text);
    if (interesting != code && (code == kNotFound || code == kNotExecutable))
      return Error{ErrorCode::InvalidInput, problem,
                   "give a command that /bin/sh finds: on PATH, or with its folder, executable"};
    if (took.count() >= limits.seconds)
      return Error{ErrorCode::InvalidInput, problem, "--run-seconds=SECONDS gives it more time"};
    return Error{ErrorCode::InvalidInput, problem,
                 "the command must end with 0 where the property holds, as for llvm-reduce; "
                 "--interesting-exit-code=1 takes a script for mlir-reduce"};
  }
  return Status::ok();
}
