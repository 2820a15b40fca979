//===- ConformanceTest.cpp - what every back end must do -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// One suite for all of them, driven through Context as programs are. What a back end did is seen by an observer; where
// it also computes, results are checked too. A new back end adds a row to `Backends` below.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "OpenCLDevice.h"
#include "TestProgram.h"

#include "mica/Runtime/Cuda.h"
#include "mica/Runtime/Observer.h"
#include "mica/Runtime/OpenCL.h"

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace mica::runtime {
namespace {

struct Null {
  static constexpr const char *kDevice = "cpu:0", *kProgram = MICA_TEST_PROGRAM;
  static constexpr bool kComputes = false;
  static std::unique_ptr<Backend> create(const std::string &failKernel) {
    return NullBackend::create("cpu:0", failKernel, 7);
  }
};
template <int Threads> struct Cpu {
  static constexpr const char *kDevice = "cpu:0", *kProgram = MICA_TEST_PROGRAM;
  static constexpr bool kComputes = true;
  static std::unique_ptr<Backend> create(const std::string &) { return valueOf(createCpuBackend(Threads)); }
};
struct Sim {
  static constexpr const char *kDevice = "sim:0", *kProgram = MICA_SIM_PROGRAM;
  static constexpr bool kComputes = true;
  static std::unique_ptr<Backend> create(const std::string &) { return valueOf(createSimBackend("random:7")); }
};
/// By the stand-in for the driver: no GPU is needed.
struct FakeGpu {
  static constexpr const char *kDevice = "gpu:0", *kProgram = MICA_GPU_PROGRAM;
  static constexpr bool kComputes = true;
  static std::unique_ptr<Backend> create(const std::string &) {
    return valueOf(createCudaBackend(0, kDevice, MICA_FAKE_CUDA));
  }
};

/// By the driver of the machine, where it has one and clang made PTX of the kernels.
struct Gpu {
  static constexpr const char *kDevice = "gpu:0", *kProgram = MICA_GPU_PROGRAM, *kKernels = MICA_GPU_KERNELS;
  static constexpr bool kComputes = true;
  static std::string absent() {
    if (!*kKernels)
      return "no PTX of the kernels: only clang makes it";
    const Result<std::vector<std::string>> devices = describeCudaDevices();
    return !devices ? devices.error().message : devices->empty() ? "the driver has no device" : "";
  }
  static std::unique_ptr<Backend> create(const std::string &) { return valueOf(createCudaBackend(0, kDevice)); }
};

/// By the first OpenCL driver of the machine, where it has one and clang made SPIR-V of the kernels.
struct OpenCL {
  static constexpr const char *kDevice = "opencl:0", *kProgram = MICA_OPENCL_PROGRAM, *kKernels = MICA_OPENCL_KERNELS,
                              *kKernelFile = "kernel.spv";
  static constexpr bool kComputes = true;
  static std::string absent() { return absentOpenCL(); }
  static std::unique_ptr<Backend> create(const std::string &) { return valueOf(createOpenCLBackend(0, kDevice)); }
};

/// Notes the order of events and what they say.
class Recorder : public Observer {
public:
  void onLaunch(const LaunchEvent &event) override {
    std::lock_guard<std::mutex> lock(mutex);
    launched[event.id] = clock++;
    order.push_back(event.id);
  }
  void onComplete(const LaunchEvent &event) override {
    std::lock_guard<std::mutex> lock(mutex);
    EXPECT_EQ(launched.count(event.id), 1u) << "complete without launch";
    EXPECT_EQ(completed.count(event.id), 0u) << "completed twice";
    completed[event.id] = clock++;
    events[event.id] = event;
  }
  void clear() {
    order.clear();
    launched.clear();
    completed.clear();
    events.clear();
  }
  /// The only event of `kernel`.
  LaunchEvent only(const std::string &kernel) const {
    const LaunchEvent *found = nullptr;
    for (const auto &[id, event] : events)
      if (event.kernel->name == kernel) {
        EXPECT_EQ(found, nullptr);
        found = &event;
      }
    EXPECT_NE(found, nullptr);
    return found ? *found : LaunchEvent();
  }

  std::vector<uint64_t> order;
  std::map<uint64_t, int> launched, completed;
  std::map<uint64_t, LaunchEvent> events;

private:
  std::mutex mutex;
  int clock = 0;
};

template <typename Kind> class Conformance : public ::testing::Test {
protected:
  void SetUp() override {
    if constexpr (requires { Kind::absent(); })
      if (const std::string why = Kind::absent(); !why.empty())
        GTEST_SKIP() << why;
  }

  /// Loads `artifact` for this back end. Nothing is too small to be cut unless `smallTaskBytes` says so.
  void load(TestArtifact &artifact, int64_t smallTaskBytes = 0, const std::string &failKernel = "",
            bool observed = true) {
    artifact.moveTo(Kind::kDevice, Kind::kProgram);
    if constexpr (requires { Kind::kKernelFile; })
      artifact.putKernels(Kind::kKernels, Kind::kKernelFile);
    else if constexpr (requires { Kind::kKernels; })
      artifact.putKernels(Kind::kKernels);
    ContextOptions options;
    options.backends.push_back(Kind::create(failKernel));
    parallelism = options.backends[0]->parallelism();
    inOrder = options.backends[0]->inOrder();
    sharesMemory = options.backends[0]->deviceMemory() == nullptr;
    options.smallTaskBytes = smallTaskBytes;
    if (observed)
      options.observers.push_back(&recorder);
    Result<std::shared_ptr<const Program>> program = Program::load(artifact.path());
    ASSERT_TRUE(program.isOk()) << program.error().message;
    context = valueOf(Context::create(*program, std::move(options)));
    ASSERT_NE(context, nullptr);
  }
  /// Entry 0 on a vector of `n` elements of `value`.
  Status run(int64_t n, int64_t value = 0) {
    const HostTensor x = hostVector(std::vector<int64_t>(size_t(n), value));
    const TensorView view(x);
    return context->invoke(0, {&view, 1}, results);
  }
  void runOk(int64_t n, int64_t value = 0) {
    Status status = run(n, value);
    ASSERT_TRUE(status.isOk()) << status.error().message;
    ASSERT_EQ(results.size(), 1u);
    ASSERT_EQ(results[0].shape, std::vector<int64_t>{n});
  }
  void expectAll(int64_t value) {
    if (Kind::kComputes) {
      EXPECT_EQ(valuesOf(results[0]), std::vector<int64_t>(size_t(results[0].numElements()), value));
    }
  }

  Recorder recorder; // outlives the context
  std::unique_ptr<Context> context;
  std::vector<Tensor> results;
  int parallelism = 0;
  bool inOrder = false, sharesMemory = true;
};

using Backends = ::testing::Types<Null, Cpu<1>, Cpu<2>, Cpu<4>, Cpu<16>, Sim, FakeGpu, Gpu, OpenCL>;
struct BackendNames {
  template <typename Kind> static std::string GetName(int index) {
    if (std::is_same_v<Kind, OpenCL>)
      return "OpenCL";
    if (Kind::kDevice != std::string("cpu:0"))
      return std::is_same_v<Kind, Sim> ? "Sim" : std::is_same_v<Kind, Gpu> ? "Gpu" : "FakeGpu";
    return index == 0 ? "Null" : "Cpu" + std::to_string(Kind::create("")->parallelism());
  }
};
TYPED_TEST_SUITE(Conformance, Backends, BackendNames);

TYPED_TEST(Conformance, RunsAnEmptyList) {
  TestArtifact artifact(testManifest(), {taskList({}, {})});
  this->load(artifact);
  this->runOk(5);
  EXPECT_TRUE(this->recorder.order.empty());
}

TYPED_TEST(Conformance, RunsOneTask) {
  TestArtifact artifact(testManifest(), {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})});
  this->load(artifact);
  this->runOk(1000, 21);
  this->expectAll(42);
  LaunchEvent event = this->recorder.only("add");
  EXPECT_EQ(event.device, TypeParam::kDevice);
  EXPECT_EQ(event.site, siteOf("add"));
  EXPECT_EQ(*event.opIds, (std::vector<std::string>{"aaaaaaaaaaaa", "bbbbbbbbbbbb"}));
  EXPECT_EQ(event.status, 0);
  EXPECT_GE(event.endNs, event.startNs);
  EXPECT_GT(event.startNs, 0);
}

TYPED_TEST(Conformance, RespectsDependenciesOfRandomGraphs) {
  constexpr int kTasks = 120;
  for (int seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<TaskRecord> tasks;
    Manifest manifest = testManifest();
    const auto firstSite = int64_t(manifest.sites.size());
    for (int64_t i = 0; i < kTasks; ++i) {
      // Sparse and dense graphs, chains and fans.
      std::set<int64_t> deps;
      for (int d = int(random() % (seed % 4 + 1)); i > 0 && d > 0; --d)
        deps.insert(int64_t(random() % uint64_t(i)));
      // The list's scalars: 0 is n, i is i; id 0 is written as task 511.
      tasks.push_back(
          task("stamp", {0}, {0, i == 0 ? 511 : i, int64_t(random() % 500 + 1)}, {deps.begin(), deps.end()}));
      // A site of its own, by which the recorder knows it.
      tasks.back().site = firstSite + i;
      manifest.sites.push_back(manifest.sites[size_t(siteOf("stamp"))]);
    }
    TestArtifact artifact(manifest, {taskList({parameter(1)}, tasks)});
    this->load(artifact);
    for (int repeat = 0; repeat < 5; ++repeat) {
      if (this->results.size() == 1)
        std::fill_n(this->results[0].template as<int64_t>(), 1200, 0);
      this->recorder.clear();
      this->runOk(1200);
      ASSERT_EQ(this->recorder.events.size(), size_t(kTasks));
      std::map<int64_t, uint64_t> idOf;
      for (const auto &[id, event] : this->recorder.events)
        idOf[event.site - firstSite] = id;
      for (int64_t i = 0; i < kTasks; ++i)
        for (int64_t dep : tasks[size_t(i)].deps) {
          // A back end that keeps the order itself may be handed both at once.
          const auto &before = this->inOrder ? this->recorder.launched : this->recorder.completed;
          ASSERT_LT(before.at(idOf.at(dep)), this->recorder.launched.at(idOf.at(i)))
              << "task " << i << " after " << dep;
        }
      if (!TypeParam::kComputes)
        continue;
      std::vector<int64_t> log = valuesOf(this->results[0]);
      auto began = [&](int64_t i) { return log[size_t(1 + 2 * (i == 0 ? 511 : i))]; };
      auto ended = [&](int64_t i) { return log[size_t(2 + 2 * (i == 0 ? 511 : i))]; };
      for (int64_t i = 0; i < kTasks; ++i) {
        ASSERT_LT(began(i), ended(i));
        for (int64_t dep : tasks[size_t(i)].deps)
          ASSERT_LT(ended(dep), began(i)) << "task " << i << " began before task " << dep << " was done";
      }
    }
    this->context.reset();
  }
}

TYPED_TEST(Conformance, HandsOverEachTaskOnceAfterItsDependencies) {
  // fill -> add -> add, and a second fill beside them.
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(0), parameter(1), arena(0, 800), arena(832, 800)},
                                  {task("fill", {2}, {0, 3}), task("fill", {3}, {0, 4}),
                                   task("add", {2, 3, 2}, {0, 0, 0}, {0, 1}), task("add", {2, 0, 1}, {0, 0, 0}, {2})},
                                  1664)});
  this->load(artifact);
  this->runOk(100, 10);
  this->expectAll(17);
  const Recorder &seen = this->recorder;
  ASSERT_EQ(seen.order.size(), 4u);
  EXPECT_EQ(seen.completed.size(), 4u);
  // The two adds are the last two, and the second waits for the first where the back end does not order them itself.
  EXPECT_EQ(seen.events.at(seen.order[2]).kernel->name, "add");
  EXPECT_EQ(seen.events.at(seen.order[3]).kernel->name, "add");
  EXPECT_LT(seen.completed.at(seen.order[2]), seen.completed.at(seen.order[3]));
}

TYPED_TEST(Conformance, SharesCoverTheWorkOnce) {
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(1)}, {task("fill", {0}, {0, 5}), task("cover", {0}, {0}, {0}),
                                                   task("cover", {0}, {0}, {1})})});
  this->load(artifact);
  for (int64_t n : {1, 2, 7, 1000}) {
    this->runOk(n);
    this->expectAll(7);
  }
  for (const auto &[id, event] : this->recorder.events) {
    int64_t grid = event.kernel->grid < 0 ? this->parallelism : event.kernel->grid;
    EXPECT_EQ(event.parts, std::min<int64_t>(grid, this->parallelism)) << event.kernel->name;
  }
}

TYPED_TEST(Conformance, DoesNotCutSmallTasks) {
  TestArtifact artifact(testManifest(), {taskList({parameter(1)}, {task("fill", {0}, {0, 5})})});
  this->load(artifact, 4096);
  this->runOk(511); // 4088 bytes
  this->expectAll(5);
  EXPECT_EQ(this->recorder.events.rbegin()->second.parts, 1);
  this->runOk(512);
  this->expectAll(5);
  EXPECT_EQ(this->recorder.events.rbegin()->second.parts, this->parallelism);
  this->runOk(3);
  EXPECT_EQ(this->recorder.events.rbegin()->second.parts, 1);
}

TYPED_TEST(Conformance, RunsListsInOrder) {
  // List 1 reads what list 0 wrote.
  TestArtifact artifact(
      testManifest("double"),
      {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})}, 0, "first"),
       taskList({parameter(0), parameter(1), arena(0, 8000)},
                {task("fill", {2}, {0, 1}), task("add", {0, 2, 1}, {0, 0, 0}, {0})}, 8000, "second")});
  this->load(artifact);
  for (int64_t value : {1, 2, 3}) {
    this->runOk(1000, value);
    this->expectAll(2 * value + 1);
  }
}

TYPED_TEST(Conformance, NamesKernelSiteAndOpsOfAFailure) {
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(1)}, {task("fill", {0}, {0, 5}), task("fail", {0}, {0, 7}, {0})})});
  this->load(artifact, 0, "fail");
  Status status = this->run(100);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().code, ErrorCode::Difference);
  EXPECT_EQ(status.error().message,
            "kernel 'fail' (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, mica.exp [bbbbbbbbbbbb] at "
            "model.mlir:4:8) failed with status 7 (task 1 of list 'list_0', on " +
                std::string(TypeParam::kDevice) + ")");
  EXPECT_NE(status.error().hint.find("kernels/fail/kernel.mlir"), std::string::npos);
  EXPECT_EQ(this->recorder.only("fail").status, 7);
}

TYPED_TEST(Conformance, SkipsTasksAfterAFailure) {
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(1)}, {task("fill", {0}, {0, 5}), task("fail", {0}, {0, 7}, {0}),
                                                   task("fill", {0}, {0, 6}, {1})})});
  this->load(artifact, 0, "fail");
  ASSERT_FALSE(this->run(100).isOk());
  // Results of an invocation that failed are not brought from a device with memory of its own.
  if (this->sharesMemory)
    this->expectAll(5);
  EXPECT_EQ(this->recorder.launched.size(), this->recorder.completed.size());
}

TYPED_TEST(Conformance, TakesNoWorkAfterAFailure) {
  TestArtifact artifact(testManifest(), {taskList({parameter(1)}, {task("fail", {0}, {0, 7})})});
  this->load(artifact, 0, "fail");
  Status first = this->run(100);
  ASSERT_FALSE(first.isOk());
  size_t launches = this->recorder.order.size();
  Status second = this->run(100);
  ASSERT_FALSE(second.isOk());
  EXPECT_EQ(second.error().message, "this context is unusable after an earlier failure: " + first.error().message);
  EXPECT_EQ(this->recorder.order.size(), launches);
}

TYPED_TEST(Conformance, UsesTheArenaAgain) {
  TestArtifact artifact(testManifest(), {taskList({parameter(1), arena(64, 64)}, {task("where", {1, 0}, {0})}, 128)});
  this->load(artifact);
  this->runOk(1);
  int64_t first = TypeParam::kComputes ? valuesOf(this->results[0])[0] : 0;
  EXPECT_EQ(first % MICA_BUFFER_ALIGNMENT, 0);
  this->runOk(1);
  this->expectAll(first);
}

TYPED_TEST(Conformance, GivesDynamicBuffersOfTheSizeAsked) {
  // Three buffers of n bytes at once (the list's scalar 0), n / 8 elements used; then out = a + b.
  TestArtifact artifact(testManifest(),
                        {taskList({dynamic(0), dynamic(0), dynamic(0), parameter(1)},
                                  {task("fill", {0}, {1, 3}), task("fill", {1}, {1, 4}), task("fill", {2}, {1, 5}),
                                   task("add", {0, 1, 3}, {1, 1, 1}, {0, 1, 2})})});
  this->load(artifact);
  for (int64_t n : {8, 800, 80, 80000}) {
    this->runOk(n);
    if (TypeParam::kComputes) {
      EXPECT_EQ(valuesOf(this->results[0])[0], 7);
    }
  }
}

TYPED_TEST(Conformance, ShowsDynamicBuffersThroughViews) {
  // 128 bytes; buffer 1 is their second half, buffer 2 all of them. Filled with 3, the half with 4; then out = all +
  // all.
  BufferRecord half = dynamic(0), all = dynamic(0);
  half.viewOf = all.viewOf = 0;
  half.offset = 64;
  TestArtifact artifact(testManifest(), {taskList({dynamic(0), half, all, parameter(1)},
                                                  {task("fill", {0}, {16, 3}), task("fill", {1}, {8, 4}, {0}),
                                                   task("add", {2, 2, 3}, {16, 16, 16}, {1})})});
  this->load(artifact);
  this->runOk(128);
  if (TypeParam::kComputes) {
    EXPECT_EQ(valuesOf(this->results[0])[0], 6);
    EXPECT_EQ(valuesOf(this->results[0])[8], 8);
  }
}

TYPED_TEST(Conformance, BindsConstantsFromTheFile) {
  Manifest manifest = testManifest();
  manifest.constants = {{"mica_0", vectorSpec(4), 0, 32}, {"mica_1", vectorSpec(8), 64, 64}};
  TestArtifact artifact(manifest,
                        {taskList({parameter(0), parameter(1), constant(1, 0, 64)}, {task("bias", {0, 2, 1}, {0, 0})})},
                        {1, 2, 3, 4, 0, 0, 0, 0, 10, 20, 30, 40, 50, 60, 70, 80});
  this->load(artifact);
  this->runOk(6, 1);
  if (TypeParam::kComputes) {
    EXPECT_EQ(valuesOf(this->results[0]), (std::vector<int64_t>{11, 21, 31, 41, 11, 21}));
  }
}

TYPED_TEST(Conformance, GivesEachShareItsOwnScratch) {
  // Several launches at once, so that more shares are in flight than there are threads.
  std::vector<BufferRecord> buffers = {parameter(1)};
  std::vector<TaskRecord> tasks;
  for (int64_t i = 0; i < 8; ++i) {
    tasks.push_back(task("scratch", {i}, {0}));
    buffers.push_back(arena(i * 8000, 8000));
  }
  TestArtifact artifact(testManifest(), {taskList(buffers, tasks, 64000)});
  this->load(artifact);
  for (int repeat = 0; repeat < 20; ++repeat) {
    this->runOk(1000);
    this->expectAll(1);
  }
}

TYPED_TEST(Conformance, RunsTensorsWithoutElements) {
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(0), parameter(1), dynamic(0)},
                                  {task("fill", {2}, {0, 5}), task("add", {0, 2, 1}, {0, 0, 0}, {0})})});
  this->load(artifact);
  this->runOk(0);
  EXPECT_NE(this->results[0].buffer.data(), nullptr);
  EXPECT_EQ(this->recorder.order.size(), 2u);
}

TYPED_TEST(Conformance, RunsTheSameWithoutObservers) {
  TestArtifact artifact(testManifest(),
                        {taskList({parameter(0), parameter(1), arena(0, 8000)},
                                  {task("fill", {2}, {0, 1}), task("add", {0, 2, 1}, {0, 0, 0}, {0})}, 8000)});
  this->load(artifact, 0, "", false);
  this->runOk(1000, 4);
  this->expectAll(5);
  EXPECT_TRUE(this->recorder.order.empty());
}

TYPED_TEST(Conformance, KeepsItsCountOverManyInvocations) {
  // Fan out, fan in, chain: any share lost or run twice, any wake-up missed shows.
  std::vector<BufferRecord> buffers = {parameter(0), parameter(1)};
  std::vector<TaskRecord> tasks;
  for (int64_t i = 0; i < 8; ++i) {
    buffers.push_back(arena(i * 8192, 8000));
    tasks.push_back(task("fill", {2 + i}, {0, i + 1}));
  }
  for (int64_t i = 0; i < 8; i += 2)
    tasks.push_back(task("add", {2 + i, 3 + i, 2 + i}, {0, 0, 0}, {i, i + 1}));
  tasks.push_back(task("add", {2, 4, 2}, {0, 0, 0}, {8, 9}));
  tasks.push_back(task("add", {6, 8, 6}, {0, 0, 0}, {10, 11}));
  tasks.push_back(task("add", {2, 6, 2}, {0, 0, 0}, {12, 13}));
  tasks.push_back(task("add", {2, 0, 1}, {0, 0, 0}, {14}));
  TestArtifact artifact(testManifest(), {taskList(buffers, tasks, 8 * 8192)});
  this->load(artifact, 0, "", false);
  for (int64_t i = 0; i < 1500; ++i) {
    // Idle now and then, so that workers go to sleep in between.
    if (i % 500 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    this->runOk(i % 7 == 0 ? 1000 : 33, i);
    if (TypeParam::kComputes) {
      ASSERT_EQ(valuesOf(this->results[0]), std::vector<int64_t>(size_t(this->results[0].numElements()), 36 + i));
    }
  }
}

} // namespace
} // namespace mica::runtime
