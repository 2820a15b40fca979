//===- SoakTest.cpp - very many invocations from many threads --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Eight host threads on one loaded artifact: all of them share one context and have one each besides, and they wait for
// results as well as taking them later. 40,000 invocations; 1,000,000 where MICA_TEST_LONG is set. The test is run
// under the thread sanitizer too.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/C/mica.h"
#include "test/Unit/Runtime/TestProgram.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr int kThreads = 8;
constexpr int64_t kElements = 16;

/// Bytes of this process that are in memory.
int64_t residentBytes() {
  int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

/// Whether a tool keeps a record of memory, so that the process grows whatever the program does.
constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

/// One host thread: every result must be twice its input, whatever the others do.
class Caller {
public:
  Caller(mica_context *context, int64_t value) : context(context) {
    for (int64_t i = 0; i < kElements; ++i)
      data[i] = value + i;
  }

  /// False with a reason in `problem` at the first wrong outcome.
  bool invoke() { return finish(mica_invoke(context, 0, inputs, 1, &result, 1, &error)); }
  bool submit() {
    mica_invocation *invocation = nullptr;
    mica_code code = mica_submit(context, 0, inputs, 1, &invocation, &error);
    if (code == MICA_OK)
      code = mica_invocation_wait(invocation, &result, 1, &error);
    mica_invocation_release(invocation);
    return finish(code);
  }

  std::string problem;

private:
  bool finish(mica_code code) {
    if (code != MICA_OK) {
      problem = error.message;
      mica_error_clear(&error);
      return false;
    }
    const auto *values = static_cast<const int64_t *>(result->dl_tensor.data);
    for (int64_t i = 0; i < kElements && problem.empty(); ++i)
      if (values[i] != 4 * data[i])
        problem = "element " + std::to_string(i) + " is " + std::to_string(values[i]);
    result->deleter(result);
    return problem.empty();
  }

  mica_context *context;
  mica_error error = MICA_ERROR_INIT;
  DLManagedTensorVersioned *result = nullptr;
  alignas(64) int64_t data[kElements];
  int64_t size = kElements;
  DLTensor tensor = {data, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, &size, nullptr, 0};
  const DLTensor *inputs[1] = {&tensor};
};

TEST(SoakTest, EightThreadsOnOneProgramGiveTheRightResultsAndKeepNoMemory) {
  const int64_t total = std::getenv("MICA_TEST_LONG") ? 1000000 : 40000;
  // Two launches, by way of the arena.
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(0), arena(0, 512), parameter(1)},
                                  {task("add", {0, 0, 1}, {0, 0, 0}), task("add", {1, 1, 2}, {0, 0, 0}, {0})}, 512)});
  mica_error error = MICA_ERROR_INIT;
  mica_program *program = nullptr;
  ASSERT_EQ(mica_program_load(artifact.path().c_str(), &program, &error), MICA_OK) << error.message;
  mica_context *contexts[1 + kThreads] = {};
  for (mica_context *&context : contexts) {
    mica_context_options options = {sizeof(options), &context == &contexts[0] ? 2 : 1};
    ASSERT_EQ(mica_context_create(program, &options, &context, &error), MICA_OK) << error.message;
  }

  std::atomic<int64_t> done{0}, residentEarly{0};
  std::atomic<bool> failed{false};
  std::string problems[kThreads];
  auto host = [&](int index) {
    Caller own(contexts[1 + index], 1000 * index), shared(contexts[0], -1000 * index);
    for (int64_t count; !failed && (count = done.fetch_add(1)) < total;) {
      if (count == total / 10)
        residentEarly = residentBytes();
      // A submission wakes two threads, so there are fewer of them.
      Caller &caller = count % 4 == 3 ? shared : own;
      if (!(count % 16 == 15 ? caller.submit() : caller.invoke()))
        failed = true;
    }
    problems[index] = own.problem + shared.problem;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(host, i);
  for (std::thread &thread : threads)
    thread.join();
  const int64_t grown = residentBytes() - residentEarly;
  for (const std::string &problem : problems)
    EXPECT_EQ(problem, "");
  if (!kSanitized) {
    EXPECT_LT(grown, int64_t(1) << 20) << "bytes more in memory than after the first tenth";
  }
  RecordProperty("grown_bytes", std::to_string(grown));
  std::printf("%lld invocations, %lld bytes more than after the first tenth\n", static_cast<long long>(total),
              static_cast<long long>(grown));
  for (mica_context *context : contexts)
    mica_context_release(context);
  mica_program_release(program);
}

} // namespace
} // namespace mica::runtime
