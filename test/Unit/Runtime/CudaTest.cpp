//===- CudaTest.cpp - the CUDA back end -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Against a stand-in for the driver (FakeCuda/FakeCuda.cpp), which needs no GPU. The last tests ask the driver of this
// machine, and are skipped where there is none.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "mica/Dump/Dump.h"
#include "mica/Runtime/Cuda.h"
#include "mica/Runtime/Devices.h"
#include "mica/Runtime/Observer.h"
#include "mica/Support/Files.h"

#include <cstdlib>
#include <dlfcn.h>
#include <map>

namespace mica::runtime {
namespace {

/// What the stand-in counts, and which failures it is to inject.
class FakeDriver {
public:
  explicit FakeDriver(const std::string &failures = "", uint64_t memory = uint64_t(1) << 30)
      : handle(dlopen(MICA_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL)) {
    ::setenv("FAKE_CUDA", failures.c_str(), 1);
    reinterpret_cast<void (*)(uint64_t)>(dlsym(handle, "fakeCudaReset"))(memory);
  }
  ~FakeDriver() {
    ::unsetenv("FAKE_CUDA");
    dlclose(handle);
  }
  int calls(const char *name) const {
    return reinterpret_cast<int (*)(const char *)>(dlsym(handle, "fakeCudaCalls"))(name);
  }
  int leaks() const { return reinterpret_cast<int (*)()>(dlsym(handle, "fakeCudaLeaks"))(); }

private:
  void *handle;
};

TaskRecord on(const char *device, TaskRecord record) {
  record.device = device;
  return record;
}

/// out = x + x by `add` after a `fill` of as much of the arena, which has room for 100.
std::vector<TaskList> twice(int64_t room = 100) {
  return {taskList({parameter(0), parameter(1), arena(0, room * 8)},
                   {task("fill", {2}, {0, 1}), task("add", {0, 0, 1}, {0, 0, 0}, {0})}, room * 8)};
}

/// A program whose tasks without another device run on gpu:0.
struct CudaTest : testing::Test {
  void load(std::vector<TaskList> lists, ContextOptions options = {}, const Manifest &manifest = testManifest(),
            const std::vector<int64_t> &constants = {}) {
    for (TaskList &list : lists)
      for (TaskRecord &task : list.tasks)
        task.device = task.device == "cpu:0" ? "gpu:0" : task.device == "host" ? "cpu:0" : task.device;
    artifact = std::make_unique<TestArtifact>(manifest, lists, constants);
    artifact->putProgram(MICA_GPU_PROGRAM);
    options.backends.push_back(valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA)));
    options.backends.push_back(valueOf(createCpuBackend(1)));
    options.smallTaskBytes = 0;
    context = valueOf(Context::create(valueOf(Program::load(artifact->path())), std::move(options)));
    ASSERT_NE(context, nullptr);
  }
  Status run(int64_t n, int64_t value) {
    const HostTensor x = hostVector(std::vector<int64_t>(size_t(n), value));
    const TensorView view(x);
    return context->invoke(0, {&view, 1}, results);
  }
  void expectAll(int64_t value) {
    EXPECT_EQ(valuesOf(results[0]), std::vector<int64_t>(size_t(results[0].numElements()), value));
  }

  std::unique_ptr<TestArtifact> artifact;
  std::unique_ptr<Context> context;
  std::vector<Tensor> results;
};

TEST_F(CudaTest, GivesEverythingBack) {
  FakeDriver driver;
  load(twice());
  for (int64_t value = 1; value < 9; ++value) {
    ASSERT_TRUE(run(100, value).isOk());
    expectAll(2 * value);
  }
  context.reset();
  EXPECT_EQ(driver.leaks(), 0);
}

TEST_F(CudaTest, LaunchesThatComeAgainAreOneGraph) {
  FakeDriver driver;
  load(twice());
  for (int64_t i = 0; i < 20; ++i) {
    ASSERT_TRUE(run(100, i).isOk());
    expectAll(2 * i);
  }
  // Two times as they come, once captured.
  EXPECT_EQ(driver.calls("cuLaunchKernel"), 6);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 18);
  EXPECT_EQ(driver.calls("cuStreamBeginCapture_v2"), 1);
  // With other sizes they are others.
  ASSERT_TRUE(run(60, 5).isOk());
  expectAll(10);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 18);
}

TEST_F(CudaTest, AskForNoMemoryAgain) {
  FakeDriver driver;
  load(twice());
  ASSERT_TRUE(run(100, 1).isOk());
  const int before = driver.calls("cuMemAllocAsync");
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(run(100, 1).isOk());
  EXPECT_EQ(driver.calls("cuMemAllocAsync"), before);
}

TEST_F(CudaTest, WorksWithoutCapture) {
  FakeDriver driver("cuStreamBeginCapture_v2=900,cuMemAllocAsync=801@999");
  load(twice());
  for (int64_t i = 0; i < 6; ++i) {
    ASSERT_TRUE(run(100, i).isOk());
    expectAll(2 * i);
  }
}

TEST_F(CudaTest, CopiesLargeTensorsInParts) {
  FakeDriver driver;
  constexpr int64_t kElements = (9 << 20) / 8 + 5; // two buffers and a bit
  load(twice(kElements));
  std::vector<int64_t> values(kElements);
  for (int64_t i = 0; i < kElements; ++i)
    values[size_t(i)] = i;
  const HostTensor x = hostVector(values);
  const TensorView view(x);
  const Status status = context->invoke(0, {&view, 1}, results);
  ASSERT_TRUE(status.isOk()) << status.error().message;
  for (int64_t &value : values)
    value *= 2;
  EXPECT_EQ(valuesOf(results[0]), values);
  EXPECT_EQ(driver.calls("cuMemcpyHtoDAsync_v2"), 3);
  EXPECT_EQ(driver.calls("cuMemcpyDtoHAsync_v2"), 3);
}

TEST_F(CudaTest, ConstantsTravelOnce) {
  FakeDriver driver;
  Manifest manifest = testManifest();
  manifest.constants = {{"mica_0", vectorSpec(4), 0, 32}};
  load({taskList({parameter(0), parameter(1), constant(0, 0, 32)}, {task("bias", {0, 2, 1}, {0, 0})})}, {}, manifest,
       {10, 20, 30, 40});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(run(6, 1).isOk());
    EXPECT_EQ(valuesOf(results[0]), (std::vector<int64_t>{11, 21, 31, 41, 11, 21}));
  }
  EXPECT_EQ(driver.calls("cuMemcpyHtoDAsync_v2"), 4) << "x three times, the constant once";
}

/// Notes times.
struct Times : Observer {
  void onLaunch(const LaunchEvent &) override {}
  void onComplete(const LaunchEvent &event) override { seen.push_back(event); }
  std::vector<LaunchEvent> seen;
};

TEST_F(CudaTest, TimesAreTheDevices) {
  FakeDriver driver;
  Times times;
  ContextOptions options;
  options.observers = {&times};
  load(twice(), std::move(options));
  ASSERT_TRUE(run(100, 1).isOk());
  ASSERT_EQ(times.seen.size(), 2u);
  for (const LaunchEvent &event : times.seen)
    EXPECT_LE(event.endNs - event.startNs, 500000) << "a kernel of the stand-in takes half a millisecond";
  EXPECT_LE(times.seen[0].endNs, times.seen[1].startNs);
  EXPECT_EQ(driver.calls("cuEventElapsedTime"), 4);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 0);
}

/// Notes how often the stream was waited for when each launch was complete.
struct Waits : Observer {
  explicit Waits(const FakeDriver &driver) : driver(driver) {}
  void onLaunch(const LaunchEvent &) override {}
  void onComplete(const LaunchEvent &) override { seen.push_back(driver.calls("cuStreamSynchronize")); }
  const FakeDriver &driver;
  std::vector<int> seen;
};

// Else a list of kernels that takes long would look to hang-timeout like one that does not end.
TEST_F(CudaTest, TimedLaunchesCompleteAsEachEnds) {
  FakeDriver driver;
  Waits waits(driver);
  ContextOptions options;
  options.observers = {&waits};
  load(twice(), std::move(options));
  ASSERT_TRUE(run(100, 1).isOk());
  ASSERT_EQ(waits.seen.size(), 2u);
  EXPECT_EQ(waits.seen[1], waits.seen[0] + 1) << "the first was complete before the stream was";
  expectAll(2);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Memory that wrappers ask for
//===-----------------------------------------------------------------------------------------------------------===//

/// out = 5 x by a kernel that has temporaries.
std::vector<TaskList> borrowing(int64_t limit = 0) {
  return {taskList({parameter(0), parameter(1)}, {task("borrow", {0, 1}, {0, 0, limit})})};
}

TEST_F(CudaTest, TemporariesOfAnySizeComeInTheQueuesOrder) {
  FakeDriver driver;
  load(borrowing());
  for (int64_t n : {100, 1000, 5, 70000, 1000}) {
    const Status status = run(n, n);
    ASSERT_TRUE(status.isOk()) << status.error().message;
    expectAll(5 * n);
  }
  const int before = driver.calls("cuMemAllocAsync");
  for (int64_t n : {70000, 5, 100, 1000}) {
    ASSERT_TRUE(run(n, 3).isOk());
    expectAll(15);
  }
  EXPECT_EQ(driver.calls("cuMemAllocAsync"), before) << "what was given back serves again";
  context.reset();
  EXPECT_EQ(driver.leaks(), 0);
}

TEST_F(CudaTest, GraphsHaveTheTemporariesTheyWereCapturedWith) {
  FakeDriver driver;
  load(borrowing());
  for (int64_t i = 0; i < 20; ++i)
    for (int64_t n : {100, 1000}) {
      ASSERT_TRUE(run(n, i + n).isOk());
      expectAll(5 * (i + n));
    }
  EXPECT_EQ(driver.calls("cuStreamBeginCapture_v2"), 2);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 36);
}

TEST_F(CudaTest, GraphsWhoseTemporariesHaveGoneAreNotRunAgain) {
  FakeDriver driver("", 30000);
  // First what is always the same, with two temporaries of 4 KiB; then x + x, which has no room beside them where x is
  // large.
  load({taskList({parameter(0), parameter(1), arena(0, 4000), arena(4032, 4000)},
                 {on("host", task("fill", {2}, {500, 3})), task("borrow", {2, 3}, {500, 500, 500}, {0}),
                  on("host", task("fill", {2}, {500, 4}, {1})), task("add", {0, 0, 1}, {0, 0, 0}, {2})},
                 8064)});
  for (int64_t i = 0; i < 5; ++i) {
    const Status status = run(10, i);
    ASSERT_TRUE(status.isOk()) << status.error().message;
    expectAll(2 * i);
  }
  EXPECT_EQ(driver.calls("cuStreamBeginCapture_v2"), 2);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 6);
  Status status = run(1000, 1);
  ASSERT_TRUE(status.isOk()) << status.error().message;
  expectAll(2);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 7);
  // Its memory is another's now, or nobody's.
  status = run(1000, 2);
  ASSERT_TRUE(status.isOk()) << status.error().message;
  expectAll(4);
  EXPECT_EQ(driver.calls("cuGraphLaunch"), 7);
}

TEST_F(CudaTest, TemporariesThatAreTooLargeNameKernelAndBytesAndTheContextGoesOn) {
  FakeDriver driver;
  load(borrowing(500));
  for (int i = 0; i < 2; ++i) {
    Status status = run(501, 1);
    ASSERT_FALSE(status.isOk());
    EXPECT_EQ(status.error().code, ErrorCode::Io);
    EXPECT_EQ(status.error().message.rfind(
                  "kernel 'borrow' gets no 1099511627776 bytes for a temporary: out of memory: gpu:0 has no 1.0 TiB to "
                  "give; the program uses ",
                  0),
              0u)
        << status.error().message;
    EXPECT_NE(status.error().message.find("; in kernel 'borrow'"), std::string::npos) << status.error().message;
    status = run(600, 1);
    ASSERT_FALSE(status.isOk());
    EXPECT_EQ(status.error().message.rfind("kernel 'borrow' gets no 9223372036854775807 bytes for a temporary: out of "
                                           "memory: more than any device has",
                                           0),
              0u)
        << status.error().message;
    ASSERT_TRUE(run(500, 2).isOk());
    expectAll(10);
  }
  context.reset();
  EXPECT_EQ(driver.leaks(), 0);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Programs of several devices
//===-----------------------------------------------------------------------------------------------------------===//

/// x on the GPU, then on the host, then on the GPU: ((x + x) + 1) + x, by arena, dynamic buffers and parameters.
std::vector<TaskList> mixed() {
  return {taskList({parameter(0), parameter(1), arena(0, 800), arena(832, 800), dynamic(400)},
                   {task("add", {0, 0, 2}, {0, 0, 0}), on("host", task("fill", {3}, {0, 1})),
                    on("host", task("add", {2, 3, 4}, {0, 0, 0}, {0, 1})), task("add", {4, 0, 1}, {0, 0, 0}, {2})},
                   1664)};
}

TEST_F(CudaTest, AListMayChangeTheDevice) {
  FakeDriver driver;
  load(mixed());
  for (int64_t value : {1, 5, 7}) {
    ASSERT_TRUE(run(50, value).isOk());
    expectAll(3 * value + 1);
  }
  // x and what the CPU gave go up, what it reads and the result come down.
  EXPECT_EQ(driver.calls("cuMemcpyHtoDAsync_v2"), 6);
  EXPECT_EQ(driver.calls("cuMemcpyDtoHAsync_v2"), 6);
}

TEST_F(CudaTest, ListsOfTheCpuAndTheGpuPassTensorsOn) {
  FakeDriver driver;
  load({taskList({parameter(0), parameter(1)}, {on("host", task("add", {0, 0, 1}, {0, 0, 0}))}, 0, "first"),
        taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})}, 0, "second")},
       {}, testManifest("double"));
  ASSERT_TRUE(run(5000, 3).isOk());
  expectAll(12);
  load({taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})}, 0, "first"),
        taskList({parameter(0), parameter(1)}, {on("host", task("add", {0, 0, 1}, {0, 0, 0}))}, 0, "second")},
       {}, testManifest("double"));
  ASSERT_TRUE(run(5000, 3).isOk());
  expectAll(12);
}

TEST_F(CudaTest, AFailureOfTheCpuNamesTheTaskOfTheWholeList) {
  FakeDriver driver;
  load({taskList({parameter(0), parameter(1)},
                 {task("add", {0, 0, 1}, {0, 0, 0}), on("host", task("fail", {1}, {0, 7}, {0}))})});
  const Status status = run(10, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.error().message.find("failed with status 7 (task 1 of list 'list_0', on cpu:0)"), std::string::npos)
      << status.error().message;
}

//===-----------------------------------------------------------------------------------------------------------===//
// Checks in kernels
//===-----------------------------------------------------------------------------------------------------------===//

/// `fill` has a check, which fails in the stand-in's three blocks behind the first.
Manifest checkedManifest(const std::string &level) {
  Manifest m = testManifest();
  m.target = "cuda:sm_80";
  m.options["assert-level"] = level;
  m.kernels[0].checks = artifact::KernelChecks{0, 0, {{"store", "", 0, {0}}}};
  return m;
}

TEST_F(CudaTest, AFailedCheckNamesThreadAndBlockAndTheContextGoesOn) {
  FakeDriver driver;
  load(twice(), {}, checkedManifest("all"));
  for (int i = 0; i < 5; ++i) {
    const Status status = run(100, 1);
    ASSERT_FALSE(status.isOk());
    EXPECT_EQ(status.error().message.rfind(
                  "check failed: mica.add [aaaaaaaaaaaa] at model.mlir:3:8 stores outside buffer 0 (?xi64, written): "
                  "index 8 in dimension 0, whose extent is 8 (at [8], extent 8), 3 times, first in thread "
                  "(7,0,0) of block (1,0,0); in kernel 'fill'",
                  0),
              0u)
        << status.error().message;
  }
  context.reset();
  EXPECT_EQ(driver.leaks(), 0);
}

TEST_F(CudaTest, ChecksThatWarnLeaveTheResultAndWaitForNothingMore) {
  FakeDriver driver;
  load(twice());
  for (int64_t i = 0; i < 6; ++i)
    ASSERT_TRUE(run(100, i).isOk());
  const int waits = driver.calls("cuStreamSynchronize"), graphs = driver.calls("cuGraphLaunch");
  context.reset();
  FakeDriver again;
  load(twice(), {}, checkedManifest("warn"));
  for (int64_t i = 0; i < 6; ++i) {
    ASSERT_TRUE(run(100, i).isOk());
    expectAll(2 * i);
  }
  EXPECT_EQ(again.calls("cuStreamSynchronize"), waits);
  EXPECT_EQ(again.calls("cuGraphLaunch"), graphs);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Failures
//===-----------------------------------------------------------------------------------------------------------===//

TEST_F(CudaTest, AKernelThatGoesWrongIsOneOfThoseThatRan) {
  FakeDriver driver("kernel:add_main=700");
  load(twice());
  const Status status = run(100, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(
      status.error().message.find(
          "CUDA: a kernel failed: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700); one of "
          "the 2 that ran since the last wait: 'fill', 'add'; --mica-debug=device-sync-mode tells which; in kernel"),
      std::string::npos)
      << status.error().message;
}

TEST_F(CudaTest, DumpsWhatKernelsOfTheDeviceReadAndWrote) {
  FakeDriver driver;
  const Result<ScratchFolder> folder = ScratchFolder::create("mica-cuda-dump");
  ASSERT_TRUE(folder.isOk());
  ContextOptions options;
  ASSERT_TRUE(options.switches.set("dump-tensors", "2", SwitchSource::Flag).isOk());
  ASSERT_TRUE(options.switches.set("dump-dir", folder->path().string(), SwitchSource::Flag).isOk());
  load(twice(), std::move(options));
  ASSERT_TRUE(run(5, 7).isOk());
  ASSERT_TRUE(run(5, -3).isOk());
  context.reset();
  const dump::Dump dump = valueOf(dump::Dump::open(folder->path()));
  EXPECT_TRUE(dump.ended());
  EXPECT_TRUE(dump.missing().empty());
  ASSERT_EQ(dump.launches().size(), 4u);
  int64_t read = 0, written = 0;
  for (const dump::Tensor &tensor : dump.tensors()) {
    EXPECT_EQ(dump.siteOf(tensor).device, "gpu:0");
    EXPECT_TRUE(valueOf(dump.verify(tensor)));
    if (dump.siteOf(tensor).kernel != "add")
      continue;
    const HostTensor elements = valueOf(dump.read(tensor));
    const int64_t given = dump.launchOf(tensor).call == 1 ? 7 : -3;
    EXPECT_EQ(elements.numElements(), 5);
    for (int64_t i = 0; i < elements.numElements(); ++i)
      EXPECT_EQ(elements.asInt(i), tensor.isAfter ? 2 * given : given);
    EXPECT_EQ(tensor.from, tensor.isAfter ? "" : "argument 0");
    ++(tensor.isAfter ? written : read);
  }
  EXPECT_EQ(read, 4);
  EXPECT_EQ(written, 2);
}

TEST_F(CudaTest, ADumpSaysWhatCouldNotBeBroughtFromTheDevice) {
  FakeDriver driver("cuMemcpyDtoHAsync_v2=1");
  const Result<ScratchFolder> folder = ScratchFolder::create("mica-cuda-dump");
  ASSERT_TRUE(folder.isOk());
  ContextOptions options;
  ASSERT_TRUE(options.switches.set("dump-tensors", "2", SwitchSource::Flag).isOk());
  ASSERT_TRUE(options.switches.set("dump-dir", folder->path().string(), SwitchSource::Flag).isOk());
  load(twice(), std::move(options));
  (void)run(5, 7);
  context.reset();
  const dump::Dump dump = valueOf(dump::Dump::open(folder->path()));
  ASSERT_FALSE(dump.missing().empty());
  EXPECT_EQ(dump.missing()[0].why.rfind("cannot be read from the device: ", 0), 0u) << dump.missing()[0].why;
}

TEST_F(CudaTest, DeviceSyncModeNamesTheKernel) {
  FakeDriver driver("kernel:add_main=700");
  ContextOptions options;
  ASSERT_TRUE(options.switches.set("device-sync-mode", "on", SwitchSource::Flag).isOk());
  load(twice(), std::move(options));
  const Status status = run(100, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().message.rfind("CUDA: the kernel failed: an illegal memory access was encountered "
                                         "(CUDA_ERROR_ILLEGAL_ADDRESS, 700); in kernel 'add'",
                                         0),
            0u)
      << status.error().message;
}

TEST_F(CudaTest, ALostContextTakesNoFurtherWork) {
  FakeDriver driver("kernel:add_main=700");
  auto backend = valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA));
  load(twice());
  ASSERT_FALSE(run(100, 1).isOk());
  const int launches = driver.calls("cuLaunchKernel");
  const Status again = run(100, 1);
  ASSERT_FALSE(again.isOk());
  EXPECT_EQ(again.error().message.rfind("this context is unusable", 0), 0u);
  EXPECT_EQ(driver.calls("cuLaunchKernel"), launches);
}

TEST_F(CudaTest, ARefusedLaunchSaysWhatWasAsked) {
  FakeDriver driver("cuLaunchKernel=1@2");
  load(twice());
  const Status status = run(100, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(
      status.error().message.rfind("CUDA: cannot launch 'add_main' with 4x1x1 blocks of 32x1x1 threads and 0 bytes of "
                                   "workgroup memory: invalid (CUDA_ERROR_INVALID_VALUE, 1); in kernel 'add'",
                                   0),
      0u)
      << status.error().message;
}

TEST_F(CudaTest, AFailedUploadIsTheErrorOfTheTaskThatNeedsIt) {
  FakeDriver driver("cuMemcpyHtoDAsync_v2=1");
  load(twice());
  const Status status = run(100, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(
      status.error().message.rfind("CUDA: cannot upload 800 B to gpu:0: invalid (CUDA_ERROR_INVALID_VALUE, 1)", 0), 0u)
      << status.error().message;
}

TEST_F(CudaTest, AFailedDownloadIsTheErrorOfTheInvocation) {
  FakeDriver driver("cuMemcpyDtoHAsync_v2=1");
  load(twice());
  const Status status = run(100, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().message.rfind("CUDA: cannot download 800 B from gpu:0", 0), 0u) << status.error().message;
}

TEST_F(CudaTest, LackOfMemorySaysHowMuchIsInUse) {
  FakeDriver driver("", 1 << 20);
  load({taskList({parameter(0), parameter(1), arena(0, 800000)},
                 {task("fill", {2}, {0, 1}), task("add", {0, 0, 1}, {0, 0, 0}, {0})}, 800000)});
  const Status status = run(100000, 1);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().code, ErrorCode::Difference);
  EXPECT_NE(status.error().message.find("out of memory: gpu:0 has no 1"), std::string::npos) << status.error().message;
}

TEST_F(CudaTest, ThePtxThatTheDriverRefusesComesWithItsLog) {
  FakeDriver driver;
  TestArtifact program(testManifest(), twice());
  program.moveTo("gpu:0", MICA_GPU_PROGRAM);
  ASSERT_TRUE(writeFile(program.path() / "kernels" / "add" / "kernel.ptx", ".visible .entry oops").isOk());
  ContextOptions options;
  options.backends.push_back(valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA)));
  auto refused = Context::create(valueOf(Program::load(program.path())), std::move(options));
  ASSERT_FALSE(refused.isOk());
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().message,
            "kernel 'add': gpu:0 refuses " + (program.path() / "kernels/add/kernel.ptx").string() +
                ": a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX, 218)\nfake ptxas, line 1; fatal: Unexpected "
                "'.visible'; for kernel 'add' (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, mica.exp [bbbbbbbbbbbb] at "
                "model.mlir:4:8)");
}

TEST_F(CudaTest, ABinaryForAnotherDeviceGivesWayToTheText) {
  FakeDriver driver;
  TestArtifact program(testManifest(), twice());
  program.moveTo("gpu:0", MICA_GPU_PROGRAM);
  ASSERT_TRUE(writeFile(program.path() / "kernels" / "add" / "kernel.cubin", "// binary for another device").isOk());
  ContextOptions options;
  options.backends.push_back(valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA)));
  context = valueOf(Context::create(valueOf(Program::load(program.path())), std::move(options)));
  ASSERT_TRUE(run(10, 4).isOk());
  expectAll(8);
}

TEST_F(CudaTest, AKernelWithoutCodeIsNamed) {
  FakeDriver driver;
  TestArtifact program(testManifest(), twice());
  program.moveTo("gpu:0", MICA_GPU_PROGRAM);
  std::filesystem::remove(program.path() / "kernels" / "add" / "kernel.ptx");
  ContextOptions options;
  options.backends.push_back(valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA)));
  auto refused = Context::create(valueOf(Program::load(program.path())), std::move(options));
  ASSERT_FALSE(refused.isOk());
  EXPECT_EQ(refused.error().message,
            "kernel 'add' has no code for gpu:0: " + (program.path() / "kernels/add/kernel.ptx").string() +
                " is not there; for kernel 'add' (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, "
                "mica.exp [bbbbbbbbbbbb] at model.mlir:4:8)");
}

TEST_F(CudaTest, SaysWhyThereIsNoDevice) {
  FakeDriver driver("cuInit=100");
  auto none = createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA);
  ASSERT_FALSE(none.isOk());
  EXPECT_EQ(none.error().message,
            std::string(MICA_FAKE_CUDA) +
                " does not start: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE, 100)");
  auto missing = createCudaBackend(0, "gpu:0", "libcuda-of-nobody.so.1");
  ASSERT_FALSE(missing.isOk());
  EXPECT_EQ(missing.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(missing.error().message.rfind("libcuda-of-nobody.so.1 not found: ", 0), 0u) << missing.error().message;
  FakeDriver works;
  auto beyond = createCudaBackend(3, "gpu:3", MICA_FAKE_CUDA);
  ASSERT_FALSE(beyond.isOk());
  EXPECT_EQ(beyond.error().message, "the driver has no device 3 (gpu:3): it has 1");
}

TEST_F(CudaTest, AnObjectThatIsNoDriverLacksItsFunctions) {
  auto wrong = createCudaBackend(0, "gpu:0", MICA_TEST_PROGRAM);
  ASSERT_FALSE(wrong.isOk());
  EXPECT_NE(wrong.error().message.find("lacks cuInit, cuDriverGetVersion"), std::string::npos);
}

TEST_F(CudaTest, DescribesDevices) {
  FakeDriver driver;
  EXPECT_EQ(
      valueOf(describeCudaDevices(MICA_FAKE_CUDA)),
      (std::vector<std::string>{"Fake GPU (tests only), sm_80, 1 multiprocessors, 1.0 GiB, driver for CUDA 12.4"}));
}

//===-----------------------------------------------------------------------------------------------------------===//
// This machine
//===-----------------------------------------------------------------------------------------------------------===//

TEST(CudaHardwareTest, AProgramForAGpuSaysWhyItCannotRun) {
  if (describeCudaDevices())
    GTEST_SKIP() << "there is a driver";
  TestArtifact program(testManifest(), twice());
  program.moveTo("gpu:0", MICA_GPU_PROGRAM);
  auto refused = Context::create(valueOf(Program::load(program.path())));
  ASSERT_FALSE(refused.isOk());
  EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(refused.error().message.rfind("libcuda.so.1 ", 0), 0u) << refused.error().message;
  EXPECT_EQ(refused.error().hint, "install NVIDIA's driver, or compile with --target=cpu or --target=sim");
}

TEST(CudaHardwareTest, TheDeviceStarts) {
  auto devices = describeCudaDevices();
  if (!devices)
    GTEST_SKIP() << devices.error().message;
  if (devices->empty())
    GTEST_SKIP() << "the driver has no device";
  auto backend = createCudaBackend(0, "gpu:0");
  ASSERT_TRUE(backend.isOk()) << backend.error().message;
  Result<void *> memory = (*backend)->allocate(1000);
  ASSERT_TRUE(memory.isOk()) << memory.error().message;
  EXPECT_TRUE((*backend)->deviceMemory()->toHost(*memory, 1000).isOk());
  (*backend)->release(*memory, 1000);
}

} // namespace
} // namespace mica::runtime
