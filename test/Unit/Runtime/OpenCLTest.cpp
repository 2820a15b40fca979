//===- OpenCLTest.cpp - the OpenCL back end ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// On the first driver of the machine, some of whose functions are replaced by ones that count, or fail. What needs no
// device comes last.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "OpenCLDevice.h"
#include "TestProgram.h"

#include "lib/Runtime/OpenCL/Backend.h"
#include "lib/Runtime/OpenCL/SpirvModule.h"
#include "mica/Runtime/Observer.h"

#include <cstring>
#include <map>

namespace mica::runtime {
namespace {

/// What the functions below do and have counted. One device is used at a time.
struct Driver {
  opencl::Library real;
  int allocations = 0, releases = 0, uploads = 0, launches = 0;
  bool hasMemory = true;
  opencl::Code copyCode = 0, launchCode = 0, finishCode = 0, buildCode = 0;
  int32_t eventStatus = 0; ///< of the second kernel
};
std::optional<Driver> driver;

void *allocate(opencl::Context context, uint64_t flags, size_t bytes, uint32_t alignment) {
  if (!driver->hasMemory)
    return nullptr;
  ++driver->allocations;
  return driver->real.allocate(context, flags, bytes, alignment);
}
void release(opencl::Context context, void *memory) {
  ++driver->releases;
  driver->real.release(context, memory);
}
opencl::Code copy(opencl::Queue queue, uint32_t waits, void *to, const void *from, size_t bytes, uint32_t count,
                  const opencl::Event *after, opencl::Event *event) {
  driver->uploads += waits == 1;
  return driver->copyCode ? driver->copyCode : driver->real.copy(queue, waits, to, from, bytes, count, after, event);
}
opencl::Code launch(opencl::Queue queue, opencl::Kernel kernel, uint32_t dimensions, const size_t *offset,
                    const size_t *global, const size_t *local, uint32_t waits, const opencl::Event *after,
                    opencl::Event *event) {
  ++driver->launches;
  return driver->launchCode
             ? driver->launchCode
             : driver->real.launch(queue, kernel, dimensions, offset, global, local, waits, after, event);
}
opencl::Code finish(opencl::Queue queue) {
  const opencl::Code code = driver->real.finish(queue);
  return driver->finishCode ? driver->finishCode : code;
}
opencl::Code build(opencl::Program program, uint32_t count, const opencl::Device *devices, const char *options,
                   void *notify, void *data) {
  return driver->buildCode ? driver->buildCode
                           : driver->real.buildProgram(program, count, devices, options, notify, data);
}
opencl::Code eventInfo(opencl::Event event, uint32_t what, size_t room, void *value, size_t *size) {
  static int asked = 0;
  const opencl::Code code = driver->real.getEventInfo(event, what, room, value, size);
  if (driver->eventStatus != 0 && ++asked % 2 == 0)
    std::memcpy(value, &driver->eventStatus, sizeof driver->eventStatus);
  return code;
}
/// Of a device without f64 and without 64-bit atomics.
opencl::Code poorInfo(opencl::Device device, uint32_t what, size_t room, void *value, size_t *size) {
  const opencl::Code code = driver->real.getDeviceInfo(device, what, room, value, size);
  if (what == opencl::kDeviceExtensions && value)
    if (char *found = std::strstr(static_cast<char *>(value), "cl_khr_int64_base"))
      *found = 'x';
  return code;
}
opencl::Code noPlatforms(uint32_t, opencl::Platform *, uint32_t *) { return opencl::kNoPlatform; }

/// out = x + x by `add` after a `fill` of as much of the arena.
std::vector<TaskList> fillAndAdd() {
  return {taskList({parameter(0), parameter(1), arena(0, 800)},
                   {task("fill", {2}, {0, 1}), task("add", {0, 0, 1}, {0, 0, 0}, {0})}, 800)};
}

/// A program whose tasks run on opencl:0.
struct OpenCLTest : testing::Test {
  void SetUp() override {
    if (const std::string why = absentOpenCL(); !why.empty())
      GTEST_SKIP() << why;
    driver.emplace(Driver{*valueOf(opencl::Library::open())});
    library = std::make_shared<opencl::Library>(driver->real);
    library->allocate = allocate;
    library->release = release;
    library->copy = copy;
    library->launch = launch;
    library->finish = finish;
    library->buildProgram = build;
    library->getEventInfo = eventInfo;
  }
  Result<std::unique_ptr<Context>> tryLoad(std::vector<TaskList> lists, ContextOptions options = {},
                                           const Manifest &manifest = testManifest(),
                                           const std::vector<int64_t> &constants = {}) {
    artifact = std::make_unique<TestArtifact>(manifest, lists, constants);
    artifact->moveTo("opencl:0", MICA_OPENCL_PROGRAM);
    artifact->putKernels(MICA_OPENCL_KERNELS, "kernel.spv");
    MICA_ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend, opencl::createBackend(library, 0, "opencl:0"));
    options.backends.push_back(std::move(backend));
    options.backends.push_back(valueOf(createCpuBackend(1)));
    options.smallTaskBytes = 0;
    return Context::create(valueOf(Program::load(artifact->path())), std::move(options));
  }
  void load(std::vector<TaskList> lists, ContextOptions options = {}, const Manifest &manifest = testManifest(),
            const std::vector<int64_t> &constants = {}) {
    context = valueOf(tryLoad(std::move(lists), std::move(options), manifest, constants));
    ASSERT_NE(context, nullptr);
  }
  Status run(int64_t n, int64_t value) {
    const HostTensor x = hostVector(std::vector<int64_t>(size_t(n), value));
    const TensorView view(x);
    return context->invoke(0, {&view, 1}, results);
  }
  void runOk(int64_t n, int64_t value) {
    const Status status = run(n, value);
    ASSERT_TRUE(status.isOk()) << status.error().message;
    EXPECT_EQ(valuesOf(results[0]), std::vector<int64_t>(size_t(n), 2 * value));
  }
  /// Fails, with `text` in its message.
  static void expectError(const Status &status, const std::string &text) {
    ASSERT_FALSE(status.isOk());
    EXPECT_NE(status.error().message.find(text), std::string::npos) << status.error().message;
  }

  std::shared_ptr<opencl::Library> library;
  std::unique_ptr<TestArtifact> artifact;
  std::unique_ptr<Context> context;
  std::vector<Tensor> results;
};

TEST_F(OpenCLTest, GivesEverythingBackAndAsksForNoMemoryAgain) {
  load(fillAndAdd());
  runOk(100, 1);
  const int allocations = driver->allocations;
  for (int64_t value = 2; value < 9; ++value)
    runOk(100, value);
  EXPECT_EQ(driver->allocations, allocations);
  context.reset();
  EXPECT_EQ(driver->allocations, driver->releases);
}

TEST_F(OpenCLTest, ConstantsTravelOnce) {
  Manifest manifest = testManifest();
  manifest.constants = {{"mica_0", vectorSpec(4), 0, 32}};
  load({taskList({parameter(0), parameter(1), constant(0, 0, 32)}, {task("bias", {0, 2, 1}, {0, 0})})}, {}, manifest,
       {1, 2, 3, 4});
  ASSERT_TRUE(run(4, 10).isOk());
  EXPECT_EQ(valuesOf(results[0]), (std::vector<int64_t>{11, 12, 13, 14}));
  driver->uploads = 0;
  ASSERT_TRUE(run(4, 20).isOk());
  EXPECT_EQ(driver->uploads, 2); // the input, and the download of the result
}

TEST_F(OpenCLTest, TimesAreTheDevices) {
  struct Times : Observer {
    void onLaunch(const LaunchEvent &) override {}
    void onComplete(const LaunchEvent &event) override { events.push_back(event); }
    std::vector<LaunchEvent> events;
  } times;
  ContextOptions options;
  options.observers.push_back(&times);
  load(
      {taskList({parameter(0), parameter(1)}, {task("stamp", {1}, {0, 1, 511}), task("stamp", {1}, {0, 2, 511}, {0})})},
      std::move(options));
  ASSERT_TRUE(run(1000, 0).isOk());
  ASSERT_EQ(times.events.size(), 2u);
  EXPECT_GT(times.events[0].endNs - times.events[0].startNs, 100);
  EXPECT_GE(times.events[1].startNs, times.events[0].endNs);
  context.reset();
}

TEST_F(OpenCLTest, AFailedCheckNamesThreadAndBlockAndTheContextGoesOn) {
  for (const char *level : {"all", "warn"}) {
    Manifest manifest = testManifest();
    manifest.target = "opencl";
    manifest.options["assert-level"] = level;
    manifest.kernels[0].checks = artifact::KernelChecks{0, 0, {{"store", "", 0, {0}}}};
    load(fillAndAdd(), {}, manifest);
    for (int i = 0; i < 3; ++i) {
      if (level == std::string("warn"))
        runOk(100, 1);
      else
        expectError(run(100, 1),
                    "index 8 in dimension 0, whose extent is 8 (at [8], extent 8), 3 times, first in thread "
                    "(7,0,0) of block (");
    }
    context.reset();
  }
  EXPECT_EQ(driver->allocations, driver->releases);
}

/// What hang-timeout=0.4 reports of `tasks`; "" if nothing.
struct OpenCLHangTest : OpenCLTest {
  std::string reportOf(std::vector<TaskRecord> tasks) {
    std::string report;
    ContextOptions options;
    EXPECT_TRUE(options.switches.set("hang-timeout=0.4", SwitchSource::Flag).isOk());
    options.onHang = [&](const std::string &text) { report = text; };
    load({taskList({parameter(0), parameter(1)}, std::move(tasks))}, std::move(options));
    if (context)
      EXPECT_TRUE(run(4, 0).isOk());
    context.reset();
    return report;
  }
};

TEST_F(OpenCLHangTest, AKernelThatGoesOnAndOnIsReported) {
  const std::string report =
      reportOf({task("fill", {1}, {0, 1}), task("hold", {0}, {0, 511}, {0}), task("add", {0, 0, 1}, {0, 0, 0}, {1})});
  EXPECT_EQ(report.find("no kernel has made progress for 0."), 0u) << report;
  EXPECT_NE(report.find("\n  running:\n    kernel 'hold' ("), std::string::npos) << report;
  EXPECT_NE(report.find("\n  last completed, per thread:\n    thread "), std::string::npos) << report;
  EXPECT_NE(report.find("kernel 'fill'"), std::string::npos) << report;
}

TEST_F(OpenCLHangTest, ManyKernelsThatTakeLongTogetherAreNotReported) {
  std::vector<TaskRecord> tasks;
  for (int64_t i = 0; i < 14; ++i)
    tasks.push_back(task("hold", {0}, {0, 12}, i ? std::vector<int64_t>{i - 1} : std::vector<int64_t>{}));
  EXPECT_EQ(reportOf(tasks), "");
}

//===-----------------------------------------------------------------------------------------------------------===//
// Failures
//===-----------------------------------------------------------------------------------------------------------===//

TEST_F(OpenCLTest, AKernelThatGoesWrongIsNamed) {
  load(fillAndAdd());
  driver->eventStatus = opencl::kOutOfResources;
  expectError(run(100, 1), "OpenCL: the kernel failed: CL_OUT_OF_RESOURCES, -5; in kernel 'add'");
}

TEST_F(OpenCLTest, ADeviceThatVanishesTakesNoFurtherWork) {
  load(fillAndAdd());
  runOk(100, 1);
  driver->finishCode = opencl::kInvalidQueue;
  expectError(run(100, 1), "OpenCL: the queue failed: CL_INVALID_COMMAND_QUEUE, -36; in kernel 'fill'");
  driver->finishCode = 0;
  expectError(run(100, 1), "CL_INVALID_COMMAND_QUEUE");
  context.reset();
  EXPECT_EQ(driver->allocations, driver->releases);
}

TEST_F(OpenCLTest, ARefusedLaunchSaysWhatWasAsked) {
  load(fillAndAdd());
  driver->launchCode = opencl::kInvalidGroupSize;
  expectError(run(100, 1), "OpenCL: cannot launch 'fill_main' with 4x1x1 blocks of 32x1x1 threads: "
                           "CL_INVALID_WORK_GROUP_SIZE, -54; in kernel 'fill'");
  driver->launchCode = 0;
  runOk(100, 1);
}

TEST_F(OpenCLTest, FailedCopiesAreErrorsOfTheirTaskOrInvocation) {
  load(fillAndAdd());
  driver->copyCode = opencl::kOutOfResources;
  expectError(run(100, 1), "OpenCL: cannot upload 800 B to opencl:0: CL_OUT_OF_RESOURCES, -5; it is needed for buffer "
                           "0 (800 B); in kernel 'add'");
}

TEST_F(OpenCLTest, LackOfMemorySaysHowMuchIsInUseAndTheContextGoesOn) {
  load({taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})});
  runOk(100, 1);
  driver->hasMemory = false;
  expectError(run(20000, 1), "out of memory: opencl:0 has no 256.0 KiB to give; the program uses ");
  driver->hasMemory = true;
  runOk(100, 1);
}

TEST_F(OpenCLTest, TemporariesThatAreTooLargeNameKernelAndBytes) {
  load({taskList({parameter(0), parameter(1)}, {task("borrow", {0, 1}, {0, 0, 200})})});
  ASSERT_TRUE(run(100, 3).isOk());
  EXPECT_EQ(valuesOf(results[0]), std::vector<int64_t>(100, 15));
  expectError(run(300, 3),
              "kernel 'borrow' gets no 1099511627776 bytes for a temporary: out of memory: opencl:0 has no "
              "1.0 TiB to give, which is more than it gives at once, ");
  ASSERT_TRUE(run(100, 3).isOk());
}

TEST_F(OpenCLTest, ModulesThatTheDriverRefusesAreNamed) {
  driver->buildCode = opencl::kBuildFailed;
  load(fillAndAdd());
  const Status status = run(100, 1);
  expectError(status, "kernel 'fill': opencl:0 refuses ");
  expectError(status, "kernel.spv: CL_BUILD_PROGRAM_FAILURE, -11");
  driver->buildCode = 0;
  runOk(100, 1);
}

TEST_F(OpenCLTest, WhatADeviceLacksIsNamed) {
  library->getDeviceInfo = poorInfo;
  const Result<std::unique_ptr<Context>> built = tryLoad(fillAndAdd());
  ASSERT_FALSE(built.isOk());
  EXPECT_EQ(built.error().message.find("kernel 'fill' needs atomics on i64, which opencl:0 ("), 0u)
      << built.error().message;
}

TEST_F(OpenCLTest, AMachineWithoutADriverSaysSo) {
  library->getPlatforms = noPlatforms;
  EXPECT_EQ(messageOf(opencl::createBackend(library, 0, "opencl:0")), "no OpenCL driver is registered with the loader");
}

TEST_F(OpenCLTest, DevicesThatDoNotExistAreErrors) {
  EXPECT_EQ(messageOf(createOpenCLBackend(99, "opencl:99")).find("the drivers have no device 99 (opencl:99)"), 0u);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Without a device
//===-----------------------------------------------------------------------------------------------------------===//

TEST(OpenCLLibraryTest, AMissingLoaderIsNamed) {
  EXPECT_EQ(messageOf(createOpenCLBackend(0, "opencl:0", "libNoOpenCL.so")).find("libNoOpenCL.so not found: "), 0u);
  const std::string message = messageOf(createOpenCLBackend(0, "opencl:0", "libc.so.6"));
  EXPECT_EQ(message.find("libc.so.6 lacks clGetPlatformIDs, "), 0u) << message;
}

std::string moduleOf(std::vector<uint32_t> instructions) {
  std::vector<uint32_t> words = {0x07230203, 0x00010200, 0, 100, 0};
  words.insert(words.end(), instructions.begin(), instructions.end());
  return {reinterpret_cast<const char *>(words.data()), words.size() * 4};
}

TEST(SpirvModuleTest, ReadsEntriesAndTheirParameters) {
  // OpCapability Float64; OpEntryPoint Kernel %9 "k"; f32, i64, a pointer to global and one to workgroup memory;
  // OpFunction %9 with one of each.
  const Result<opencl::SpirvModule> module = opencl::SpirvModule::parse(moduleOf({2u << 16 | 17,
                                                                                  10,
                                                                                  4u << 16 | 15,
                                                                                  6,
                                                                                  9,
                                                                                  'k',
                                                                                  3u << 16 | 22,
                                                                                  1,
                                                                                  32,
                                                                                  4u << 16 | 21,
                                                                                  2,
                                                                                  64,
                                                                                  0,
                                                                                  4u << 16 | 32,
                                                                                  3,
                                                                                  5,
                                                                                  1,
                                                                                  4u << 16 | 32,
                                                                                  4,
                                                                                  4,
                                                                                  1,
                                                                                  5u << 16 | 54,
                                                                                  7,
                                                                                  9,
                                                                                  0,
                                                                                  8,
                                                                                  3u << 16 | 55,
                                                                                  3,
                                                                                  10,
                                                                                  3u << 16 | 55,
                                                                                  2,
                                                                                  11,
                                                                                  3u << 16 | 55,
                                                                                  1,
                                                                                  12,
                                                                                  3u << 16 | 55,
                                                                                  4,
                                                                                  13,
                                                                                  1u << 16 | 56}),
                                                                        "kernel.spv");
  ASSERT_TRUE(module.isOk()) << module.error().message;
  EXPECT_EQ(module->capabilities.count(opencl::SpirvModule::kFloat64), 1u);
  const std::vector<opencl::SpirvParameter> &parameters = module->entries.at("k");
  ASSERT_EQ(parameters.size(), 4u);
  using Kind = opencl::SpirvParameter::Kind;
  EXPECT_EQ(parameters[0].kind, Kind::Global);
  EXPECT_EQ(parameters[1].kind, Kind::Value);
  EXPECT_EQ(parameters[1].bytes, 8u);
  EXPECT_EQ(parameters[2].bytes, 4u);
  EXPECT_EQ(parameters[3].kind, Kind::Workgroup);
}

TEST(SpirvModuleTest, ZerosOfNumbersBecomeNumbers) {
  // bool, i64, a vector of it; OpConstantNull of each.
  const Result<opencl::SpirvModule> module =
      opencl::SpirvModule::parse(moduleOf({2u << 16 | 20, 1, 4u << 16 | 21, 2, 64, 0, 4u << 16 | 23, 3, 2, 4,
                                           3u << 16 | 46, 1, 5, 3u << 16 | 46, 2, 6, 3u << 16 | 46, 3, 7}),
                                 "kernel.spv");
  ASSERT_TRUE(module.isOk());
  const std::vector<uint32_t> plain = module->withPlainZeros();
  const std::vector<uint32_t> expected = {3u << 16 | 42, 1, 5, 5u << 16 | 43, 2, 6, 0, 0, 3u << 16 | 46, 3, 7};
  EXPECT_EQ(std::vector<uint32_t>(plain.begin() + 15, plain.end()), expected);
}

TEST(SpirvModuleTest, DamagedModulesAreErrors) {
  for (const std::string &bytes :
       {std::string(), std::string("no module of SPIR-V"), moduleOf({9u << 16 | 17, 1}), moduleOf({17})})
    EXPECT_EQ(messageOf(opencl::SpirvModule::parse(bytes, "k/kernel.spv")),
              "k/kernel.spv is no complete module of SPIR-V");
}

/// Each word of a module in turn is cut off, or changed.
TEST(SpirvModuleTest, ChangedModulesAreReadOrRefused) {
  const std::string file = MICA_OPENCL_KERNELS;
  if (file.empty())
    GTEST_SKIP() << "no SPIR-V of the kernels";
  const std::string bytes = valueOf(readFile(builtFile(file)));
  int read = 0, refused = 0;
  auto parse = [&](const std::string &changed) {
    const Result<opencl::SpirvModule> module = opencl::SpirvModule::parse(changed, "kernel.spv");
    ++(module ? read : refused);
    if (!module) {
      EXPECT_EQ(module.error().code, ErrorCode::Damaged);
      return;
    }
    EXPECT_GE(module->withPlainZeros().size(), module->words.size());
    for (const auto &[name, parameters] : module->entries)
      for (const opencl::SpirvParameter &parameter : parameters)
        EXPECT_LE(parameter.bytes, 8u);
  };
  for (size_t at = 0; at < bytes.size(); at += 4) {
    if (at % 64 == 0) // each is as long as the module
      parse(bytes.substr(0, at));
    for (uint32_t value : {0u, 1u, 0x10000u, 0xffffffffu}) {
      std::string changed = bytes;
      std::memcpy(&changed[at], &value, 4);
      parse(changed);
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

} // namespace
} // namespace mica::runtime
