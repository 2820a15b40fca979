//===- NanCheckTest.cpp - the switch nan-check, on small results and on large ones -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "mica/Runtime/Cuda.h"

namespace mica::runtime {
namespace {

/// Twice 1.75 as whole numbers is a NaN's bits; twice 1 is a very small float.
constexpr int64_t kMakesNan = 0x3ffc000000000000, kMakesNumber = 1;

/// What is said of the shares of the kernel: nothing, where its slices lie, and that in an artifact edited by hand.
enum class Shares { Unknown, Known, Edited };

/// out = x + x of `size` numbers, which the manifest calls floats; element `at` makes NaN.
Status runWith(int64_t size, int64_t at, int threads, FaultInfo &fault, Shares shares = Shares::Unknown,
               int64_t shareElements = 1) {
  Manifest manifest = testManifest();
  for (KernelRecord &kernel : manifest.kernels)
    for (artifact::BindingRecord &binding : kernel.bindings) {
      binding.type.dtype = DType::F64;
      // Its scalars stay where they are.
      if (shares != Shares::Unknown && kernel.name == "add") {
        kernel.scalarArgs = 3;
        binding.type.shape = {size};
        binding.shareElements = binding.access == Access::Read ? 0 : shareElements;
      }
    }
  if (shares == Shares::Edited)
    manifest.files.push_back({"kernels/add/kernel.s", {}, "a hand", "00", "11"});
  TestArtifact artifact(manifest, {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})});
  ContextOptions options;
  options.threads = threads;
  EXPECT_TRUE(options.switches.set("nan-check", SwitchSource::Flag).isOk());
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  std::vector<int64_t> values(size_t(size), kMakesNumber);
  if (at >= 0)
    values[size_t(at)] = kMakesNan;
  const HostTensor x = hostVector(values);
  const TensorView view(x);
  std::vector<Tensor> results;
  for (int i = 0; i < 3; ++i)
    MICA_RETURN_IF_ERROR(context->invoke(0, {&view, 1}, results, &fault));
  return Status::ok();
}

TEST(NanCheckTest, OneElementAnywhereIsFoundAndNamed) {
  // The larger one is looked at by all threads.
  for (int64_t size : {int64_t(1000), int64_t(200000)})
    for (int threads : {1, 2, 4}) {
      FaultInfo fault;
      const Status clean = runWith(size, -1, threads, fault);
      EXPECT_TRUE(clean.isOk()) << clean.error().message;
      for (int64_t at : {int64_t(0), size / 2, size - 1}) {
        const Status faulty = runWith(size, at, threads, fault);
        ASSERT_FALSE(faulty.isOk()) << size << " elements, " << at << ", " << threads << " threads";
        EXPECT_NE(faulty.error().message.find("gives 1 NaN and 0 Inf in the " + std::to_string(size) + " elements"),
                  std::string::npos)
            << faulty.error().message;
        EXPECT_NE(faulty.error().message.find("at [" + std::to_string(at) + "]"), std::string::npos)
            << faulty.error().message;
        EXPECT_EQ(fault.kernel, "add");
        EXPECT_EQ(fault.opId, "aaaaaaaaaaaa");
        EXPECT_EQ(fault.line, 3);
      }
    }
}

TEST(NanCheckTest, ResultsLookedAtSliceBySliceAreLookedAtWhole) {
  // The smaller ones are only where there are several threads, each looking at its own share.
  for (int64_t size : {int64_t(5), int64_t(1009), int64_t(200050)})
    for (int threads : {1, 2, 4})
      for (int64_t at : {int64_t(-1), int64_t(0), size / 12, size / 2, size * 11 / 12, size - 1}) {
        FaultInfo fault;
        const Status status = runWith(size, at, threads, fault, Shares::Known);
        EXPECT_EQ(status.isOk(), at < 0) << at << " of " << size << ", " << threads << " threads";
        if (!status.isOk()) {
          EXPECT_NE(status.error().message.find("at [" + std::to_string(at) + "]"), std::string::npos)
              << status.error().message;
        }
      }
}

TEST(NanCheckTest, WhatIsSaidOfSharesDoesNotHoldOfKernelsEditedByHand) {
  // Slices of other sizes than the kernel's: element 183390 would be looked at before it is written.
  FaultInfo fault;
  EXPECT_FALSE(runWith(200050, 183390, 1, fault, Shares::Edited, /*shareElements=*/100).isOk());
}

/// middle = x + x, out = middle + middle, then middle = x + zero, which is finite, on a device with memory of its own:
/// the stand-in for the driver. `pattern`: the switch's.
Status runOnDevice(int64_t at, int64_t value, const std::string &pattern, std::vector<int64_t> *results = nullptr) {
  Manifest manifest = testManifest();
  for (KernelRecord &kernel : manifest.kernels)
    for (artifact::BindingRecord &binding : kernel.bindings)
      binding.type.dtype = DType::F64;
  constexpr int64_t kSize = 1000;
  TestArtifact artifact(manifest,
                        {taskList({parameter(0), parameter(1), arena(0, kSize * 8), arena(kSize * 8, kSize * 8)},
                                  {task("fill", {3}, {0, 0}), task("add", {0, 0, 2}, {0, 0, 0}, {0}),
                                   task("bias", {2, 2, 1}, {0, 0}, {1}), task("add", {0, 3, 2}, {0, 0, 0}, {2})},
                                  2 * kSize * 8)});
  artifact.moveTo("gpu:0", MICA_GPU_PROGRAM);
  ContextOptions options;
  options.backends.push_back(valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA)));
  EXPECT_TRUE(options.switches.set("nan-check" + pattern, SwitchSource::Flag).isOk());
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  std::vector<int64_t> values(size_t(kSize), kMakesNumber);
  values[size_t(at)] = value;
  const HostTensor x = hostVector(values);
  const TensorView view(x);
  std::vector<Tensor> given;
  for (int i = 0; i < 3; ++i)
    MICA_RETURN_IF_ERROR(context->invoke(0, {&view, 1}, given));
  if (results)
    results->assign(given[0].as<int64_t>(), given[0].as<int64_t>() + kSize);
  return Status::ok();
}

/// out = x + x twice over, on the stand-in for a device, whose kernel `add` notes where it stored NaN; the first call
/// with NaN in it.
TEST(NanCheckTest, KernelsOfADeviceLookThemselvesAndTheContextGoesOn) {
  Manifest manifest = testManifest();
  manifest.target = "cuda:sm_80";
  for (KernelRecord &kernel : manifest.kernels) {
    for (artifact::BindingRecord &binding : kernel.bindings)
      binding.type.dtype = DType::F64;
    if (kernel.name == "add") {
      kernel.checks = artifact::KernelChecks{0, 0, {{std::string(artifact::kNanSite), "", 2, {0}}}};
      kernel.checks->finite = "all";
    }
  }
  constexpr int64_t kSize = 1000;
  TestArtifact artifact(manifest, {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})});
  artifact.moveTo("gpu:0", MICA_GPU_PROGRAM);
  ContextOptions options;
  options.backends.push_back(valueOf(createCudaBackend(0, "gpu:0", MICA_FAKE_CUDA)));
  EXPECT_TRUE(options.switches.set("nan-check", SwitchSource::Flag).isOk());
  auto context = valueOf(Context::create(valueOf(Program::load(artifact.path())), std::move(options)));
  for (int64_t at : {int64_t(700), int64_t(-1), int64_t(20), int64_t(-1)}) {
    std::vector<int64_t> values(size_t(kSize), kMakesNumber);
    if (at >= 0)
      values[size_t(at)] = kMakesNan;
    const HostTensor x = hostVector(values);
    const TensorView view(x);
    std::vector<Tensor> given;
    const Status status = context->invoke(0, {&view, 1}, given);
    ASSERT_EQ(status.isOk(), at < 0) << at << (status.isOk() ? "" : ": " + status.error().message);
    if (at < 0) {
      EXPECT_EQ(given[0].as<int64_t>()[5], 2 * kMakesNumber);
      continue;
    }
    const std::string place = "at [" + std::to_string(at) + "]";
    EXPECT_NE(status.error().message.find("originates here; stored by mica.add [aaaaaaaaaaaa]"), std::string::npos)
        << status.error().message;
    EXPECT_NE(status.error().message.find("in thread (5,0,0) of block ("), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find(",0,0) " + place), std::string::npos) << status.error().message;
  }
}

TEST(NanCheckTest, ResultsOnADeviceAreLookedAtBeforeTheyAreWrittenOver) {
  std::vector<int64_t> results;
  const Status clean = runOnDevice(0, kMakesNumber, "", &results);
  ASSERT_TRUE(clean.isOk()) << clean.error().message;
  EXPECT_EQ(results[5], 4 * kMakesNumber);
  const Status faulty = runOnDevice(700, kMakesNan, "");
  ASSERT_FALSE(faulty.isOk());
  for (const char *part : {"gives 1 NaN and 0 Inf in the 1000 elements of buffer 2", "at [700]", "originates here",
                           "operands there: buffer 0: 1.75, buffer 1: 1.75", "kernel 'add'", "on gpu:0"})
    EXPECT_NE(faulty.error().message.find(part), std::string::npos) << part << " in " << faulty.error().message;
}

TEST(NanCheckTest, OriginsOnADeviceAreRemembered) {
  // Twice the NaN's bits are a NaN's again: of the kernel of its birth, which the pattern leaves out, is told by the
  // next.
  constexpr int64_t kStaysNan = int64_t(0x3fff000000000000);
  const Status status = runOnDevice(3, kStaysNan, "=bias");
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.error().message.find("propagated from buffer 0, which originates in kernel 'add'"),
            std::string::npos)
      << status.error().message;
}

} // namespace
} // namespace mica::runtime
