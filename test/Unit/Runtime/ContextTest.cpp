//===- ContextTest.cpp - invocations from the caller's side ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include <thread>
#include <utility>

namespace mica::runtime {
namespace {

/// out = x + x.
std::vector<TaskList> twice() { return {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})}; }

class ContextTest : public ::testing::Test {
protected:
  void load(const Manifest &manifest, const std::vector<TaskList> &lists, int threads = 1,
            const std::vector<int64_t> &constants = {}) {
    artifact = std::make_unique<TestArtifact>(manifest, lists, constants);
    ContextOptions options;
    options.threads = threads;
    context = valueOf(Context::create(valueOf(Program::load(artifact->path())), std::move(options)));
  }
  Result<std::vector<Tensor>> run(const HostTensor &x) {
    const TensorView view(x);
    return context->invoke(0, {&view, 1});
  }
  std::unique_ptr<TestArtifact> artifact;
  std::unique_ptr<Context> context;
};

TEST_F(ContextTest, RunsByNameWithHostTensors) {
  load(testManifest(), twice());
  std::vector<HostTensor> inputs = {hostVector({1, 2, 3})};
  auto results = valueOf(context->invoke("single", inputs));
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].typeString(), "3xi64");
  EXPECT_EQ(results[0].asInt(2), 6);
  EXPECT_EQ(messageOf(context->invoke("other", inputs)), "the program has no entry 'other'");
}

TEST_F(ContextTest, ChecksInputsAgainstTheSignature) {
  load(testManifest(), twice());
  EXPECT_EQ(messageOf(context->invoke(0, {})), "entry 'single' takes 1 arguments, 0 were given");
  EXPECT_EQ(messageOf(run(HostTensor(DType::F32, {3}))),
            "entry 'single': argument 0 ('x') is 3xf32, it should be ?xi64");
  EXPECT_EQ(messageOf(run(HostTensor(DType::I64, {3, 1}))),
            "entry 'single': argument 0 ('x') is 3x1xi64, it should be ?xi64");
  EXPECT_EQ(messageOf(run(HostTensor(DType::I64, {}))), "entry 'single': argument 0 ('x') is i64, it should be ?xi64");
  const int64_t shape[] = {3}, negative[] = {-3};
  TensorView none(DType::I64, shape, nullptr), wrong(DType::I64, negative, shape);
  EXPECT_EQ(messageOf(context->invoke(0, {&none, 1})), "entry 'single': argument 0 ('x') has no memory");
  EXPECT_FALSE(context->invoke(0, {&wrong, 1}).isOk());
  EXPECT_EQ(messageOf(context->invoke(1, {&none, 1})), "entry 1 does not exist");
  // None of these harms the context.
  EXPECT_EQ(valuesOf(valueOf(run(hostVector({4})))[0]), std::vector<int64_t>{8});
}

TEST_F(ContextTest, CopiesInputsThatAreNotAligned) {
  load(testManifest(), twice());
  Tensor storage = valueOf(Tensor::fromHost(hostVector({0, 1, 2, 3, 4})));
  const int64_t shape[] = {4};
  TensorView view(DType::I64, shape, storage.as<int64_t>() + 1);
  // The kernels fail on misaligned buffers.
  EXPECT_EQ(valuesOf(valueOf(context->invoke(0, {&view, 1}))[0]), (std::vector<int64_t>{2, 4, 6, 8}));
}

TEST_F(ContextTest, UsesResultBuffersAgain) {
  load(testManifest(), twice());
  std::vector<Tensor> results;
  HostTensor x = hostVector(std::vector<int64_t>(100, 3));
  TensorView view(x);
  ASSERT_TRUE(context->invoke(0, {&view, 1}, results).isOk());
  const void *first = results[0].buffer.data();
  HostTensor smaller = hostVector({5});
  TensorView smallerView(smaller);
  ASSERT_TRUE(context->invoke(0, {&smallerView, 1}, results).isOk());
  EXPECT_EQ(results[0].buffer.data(), first);
  EXPECT_EQ(results[0].shape, std::vector<int64_t>{1});
  EXPECT_EQ(valuesOf(results[0]), std::vector<int64_t>{10});
  HostTensor larger = hostVector(std::vector<int64_t>(1000, 1));
  TensorView largerView(larger);
  ASSERT_TRUE(context->invoke(0, {&largerView, 1}, results).isOk());
  EXPECT_EQ(results[0].numElements(), 1000);
}

TEST_F(ContextTest, InAnOrderOfItsOwnMemoryHoldsNoEarlierValues) {
  const std::vector<BufferRecord> buffers = {parameter(0), parameter(1), arena(0, 512), dynamic(32)};
  // Each reads what no task has written: the result, the arena, a buffer sized by the call.
  for (int64_t unwritten : {1, 2, 3}) {
    SCOPED_TRACE(unwritten);
    const TaskList list = taskList(buffers, {task("add", {0, unwritten, 1}, {0, 0, 0})}, 512);
    const TestArtifact artifact(testManifest(), {list});
    ContextOptions options;
    options.threads = 1;
    options.taskOrder = [](const TaskList &, size_t) -> Result<std::vector<uint32_t>> {
      return std::vector<uint32_t>{0};
    };
    const auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
    const HostTensor x = hostVector({7, 8, 9, 10});
    const TensorView view(x);
    std::vector<Tensor> results;
    for (int call = 0; call < 2; ++call) {
      ASSERT_TRUE(context->invoke(0, {&view, 1}, results).isOk());
      EXPECT_EQ(valuesOf(results[0]), (std::vector<int64_t>{6, 7, 8, 9}));
    }
  }
}

TEST_F(ContextTest, ResultsOutliveTheContext) {
  load(testManifest(), twice());
  std::vector<Tensor> results = valueOf(run(hostVector({1, 2})));
  context.reset();
  EXPECT_EQ(valuesOf(results[0]), (std::vector<int64_t>{2, 4}));
}

TEST_F(ContextTest, GivesConstantsToHostFunctions) {
  Manifest manifest = testManifest("weights");
  manifest.constants = {{"mica_0", vectorSpec(3), 64, 24}};
  load(manifest, twice(), 1, {0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7});
  EXPECT_EQ(valuesOf(valueOf(run(hostVector({0, 0, 0})))[0]), (std::vector<int64_t>{10, 12, 14}));
}

TEST_F(ContextTest, AFailedShapeCheckEndsTheInvocationOnly) {
  load(testManifest("even"), twice());
  auto odd = run(hostVector({1, 2, 3}));
  ASSERT_FALSE(odd.isOk());
  EXPECT_EQ(odd.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(odd.error().message, "shape mismatch: the length of x must be even");
  EXPECT_EQ(valuesOf(valueOf(run(hostVector({1, 2})))[0]), (std::vector<int64_t>{2, 4}));
}

TEST_F(ContextTest, NamesWhatAHostFunctionDidWrong) {
  load(testManifest("forgetful"), {});
  EXPECT_EQ(messageOf(run(hostVector({1}))), "entry 'forgetful' returned no result 0");
  load(testManifest("silent"), {});
  EXPECT_EQ(messageOf(run(hostVector({1}))), "entry 'silent' ended with code 5 and no message");
  load(testManifest("wrong"), {});
  const std::vector<std::string> expected = {"result 0 of entry 'wrong' would have the size -4 in dimension 0",
                                             "entry 'wrong': result 0 has shape 2x2xi64, expected ?xi64",
                                             "entry 'wrong': result 1 does not exist",
                                             "entry 'wrong': constant 99 does not exist",
                                             "entry 'wrong': task list 99 does not exist",
                                             "a size of -1 bytes was asked for",
                                             "entry 'wrong': result 0 was set twice",
                                             "out of memory: 8388608.0 TiB, limit "};
  for (size_t n = 0; n < expected.size(); ++n)
    EXPECT_TRUE(messageOf(run(HostTensor(DType::I64, {int64_t(n)}))).starts_with(expected[n]));
}

TEST_F(ContextTest, RefusesADeviceThatIsNotThere) {
  std::vector<TaskList> lists = twice();
  lists[0].tasks[0].device = "tpu:0";
  TestArtifact tpu(testManifest(), lists);
  auto context = Context::create(valueOf(Program::load(tpu.path())));
  ASSERT_FALSE(context.isOk());
  EXPECT_EQ(context.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(context.error().message, "the program runs on device 'tpu:0', which is not available");
  EXPECT_EQ(context.error().hint, "mica-run --list-devices lists the available ones");
  // And with devices of one's own.
  ContextOptions options;
  options.backends.push_back(NullBackend::create("null:1"));
  auto own = Context::create(valueOf(Program::load(tpu.path())), std::move(options));
  ASSERT_FALSE(own.isOk());
  EXPECT_EQ(own.error().message, "task list 'list_0' runs on device 'tpu:0', which is not available");
  EXPECT_EQ(own.error().hint, "there are: null:1");
}

TEST_F(ContextTest, RunsAListOnTheDeviceItNames) {
  std::vector<TaskList> lists = twice();
  lists[0].tasks[0].device = "null:1";
  TestArtifact artifact(testManifest(), lists);
  ContextOptions options;
  options.backends.push_back(valueOf(createCpuBackend(1)));
  auto null = NullBackend::create("null:1");
  NullBackend *records = null.get();
  options.backends.push_back(std::move(null));
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  HostTensor x = hostVector({1, 2});
  TensorView view(x);
  auto results = valueOf(context->invoke(0, {&view, 1}));
  auto seen = records->takeRecords();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].kernel, "add");
  EXPECT_EQ(seen[0].scalars, (std::vector<int64_t>{2, 2, 2}));
  EXPECT_EQ(seen[0].buffers[2], results[0].buffer.data());
}

TEST_F(ContextTest, RefusesWrongThreadCounts) {
  EXPECT_EQ(messageOf(createCpuBackend(-1)), "-1 threads were asked for");
  EXPECT_EQ(messageOf(createCpuBackend(100000)), "100000 threads were asked for");
  EXPECT_EQ(valueOf(createCpuBackend(0))->parallelism(), availableCpus());
}

TEST_F(ContextTest, SubmittedInvocationsRunInOrder) {
  for (int threads : {1, 3}) {
    load(testManifest(), twice(), threads);
    std::vector<HostTensor> inputs;
    std::vector<TensorView> views;
    std::vector<Invocation> invocations;
    for (int64_t i = 0; i < 50; ++i)
      inputs.push_back(hostVector(std::vector<int64_t>(size_t(100 + i), i)));
    for (const HostTensor &input : inputs)
      views.emplace_back(input);
    for (size_t i = 0; i < views.size(); ++i)
      invocations.push_back(valueOf(context->submit(0, {&views[i], 1})));
    // Waiting for the last one means that the others are done.
    auto last = valueOf(invocations.back().wait());
    EXPECT_EQ(valuesOf(last[0]), std::vector<int64_t>(149, 98));
    for (size_t i = 0; i + 1 < invocations.size(); ++i) {
      EXPECT_TRUE(invocations[i].done());
      EXPECT_EQ(valuesOf(valueOf(invocations[i].wait())[0]), std::vector<int64_t>(100 + i, int64_t(2 * i)));
    }
    EXPECT_EQ(messageOf(invocations[0].wait()), "the results of this invocation were already taken");
  }
}

TEST_F(ContextTest, SubmittedInvocationsReportTheirFailure) {
  load(testManifest("even"), twice());
  HostTensor odd = hostVector({1}), even = hostVector({1, 2});
  TensorView oddView(odd), evenView(even);
  Invocation bad = valueOf(context->submit(0, {&oddView, 1})), good = valueOf(context->submit(0, {&evenView, 1}));
  EXPECT_EQ(messageOf(bad.wait()), "shape mismatch: the length of x must be even");
  EXPECT_TRUE(good.wait().isOk());
}

TEST_F(ContextTest, DroppedInvocationsAreWaitedFor) {
  load(testManifest(), twice(), 2);
  {
    HostTensor x = hostVector(std::vector<int64_t>(100000, 1));
    TensorView view(x);
    for (int i = 0; i < 10; ++i)
      (void)valueOf(context->submit(0, {&view, 1})); // x may go when these are gone
  }
  context.reset();
}

TEST_F(ContextTest, MayBeUsedFromSeveralThreads) {
  load(testManifest(), twice(), 2);
  std::vector<std::thread> users;
  for (int64_t user = 0; user < 4; ++user)
    users.emplace_back([&, user] {
      HostTensor x = hostVector(std::vector<int64_t>(size_t(50 + user), user));
      TensorView view(x);
      std::vector<Tensor> results;
      for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(context->invoke(0, {&view, 1}, results).isOk());
        ASSERT_EQ(valuesOf(results[0]), std::vector<int64_t>(size_t(50 + user), 2 * user));
      }
    });
  for (std::thread &user : users)
    user.join();
}

TEST_F(ContextTest, ContextsShareAProgram) {
  load(testManifest(), twice());
  auto program = valueOf(Program::load(artifact->path()));
  std::vector<std::thread> users;
  for (int64_t user = 0; user < 3; ++user)
    users.emplace_back([&, user] {
      ContextOptions options;
      options.threads = 2;
      auto own = valueOf(Context::create(program, std::move(options)));
      HostTensor x = hostVector(std::vector<int64_t>(20000, user));
      TensorView view(x);
      for (int i = 0; i < 30; ++i)
        ASSERT_EQ(valuesOf(valueOf(own->invoke(0, {&view, 1}))[0]), std::vector<int64_t>(20000, 2 * user));
    });
  for (std::thread &user : users)
    user.join();
}

/// Counts how often a launch of kernel `where` began on another thread than the one before it.
class ThreadChanges : public Observer {
public:
  bool wants(const KernelRecord &kernel, const std::vector<std::string> &, std::string_view) const override {
    return kernel.name == "where";
  }
  bool wantsBegin() const override { return true; }
  void onLaunch(const LaunchEvent &) override {}
  void onComplete(const LaunchEvent &) override {}
  // One at a time: each waits for the one before.
  void onBegin(uint64_t) override {
    const std::thread::id before = std::exchange(last, std::this_thread::get_id());
    changes += before != last;
  }
  std::thread::id last;
  int changes = 0;
};

TEST_F(ContextTest, AChainOfUncutLaunchesStaysOnOneThread) {
  // The first launch is cut, so that the other thread is awake.
  std::vector<TaskRecord> chain = {task("add", {0, 0, 1}, {0, 0, 0})};
  for (int64_t i = 1; i < 100; ++i)
    chain.push_back(task("where", {0, 1}, {0}, {i - 1}));
  artifact = std::make_unique<TestArtifact>(testManifest(),
                                            std::vector<TaskList>{taskList({parameter(0), parameter(1)}, chain)});
  ThreadChanges observer;
  ContextOptions options;
  options.threads = 2;
  options.smallTaskBytes = 0;
  options.observers = {&observer};
  context = valueOf(Context::create(valueOf(Program::load(artifact->path())), std::move(options)));
  constexpr int kRuns = 500;
  for (int i = 0; i < kRuns; ++i)
    ASSERT_TRUE(run(hostVector(std::vector<int64_t>(1000, 1))).isOk());
  EXPECT_LE(observer.changes, kRuns) << "at most one in each run, from the chain before";
}

} // namespace
} // namespace mica::runtime
