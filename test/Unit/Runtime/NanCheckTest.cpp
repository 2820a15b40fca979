//===- NanCheckTest.cpp - the switch nan-check, on small results and on large ones -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

namespace mica::runtime {
namespace {

/// Twice 1.75 as whole numbers is a NaN's bits; twice 1 is a very small float.
constexpr int64_t kMakesNan = 0x3ffc000000000000, kMakesNumber = 1;

/// out = x + x of `size` numbers, which the manifest calls floats; element `at` makes NaN.
Status runWith(int64_t size, int64_t at, int threads, Culprit &culprit) {
  Manifest manifest = testManifest();
  for (KernelRecord &kernel : manifest.kernels)
    for (artifact::BindingRecord &binding : kernel.bindings)
      binding.type.dtype = DType::F64;
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
    MICA_RETURN_IF_ERROR(context->invoke(0, {&view, 1}, results, &culprit));
  return Status::ok();
}

TEST(NanCheckTest, OneElementAnywhereIsFoundAndNamed) {
  // The larger one is looked at by all threads.
  for (int64_t size : {int64_t(1000), int64_t(200000)})
    for (int threads : {1, 2, 4}) {
      Culprit culprit;
      const Status clean = runWith(size, -1, threads, culprit);
      EXPECT_TRUE(clean.isOk()) << clean.error().message;
      for (int64_t at : {int64_t(0), size / 2, size - 1}) {
        const Status faulty = runWith(size, at, threads, culprit);
        ASSERT_FALSE(faulty.isOk()) << size << " elements, " << at << ", " << threads << " threads";
        EXPECT_NE(faulty.error().message.find("gives 1 NaN and 0 Inf in the " + std::to_string(size) + " elements"),
                  std::string::npos)
            << faulty.error().message;
        EXPECT_NE(faulty.error().message.find("at [" + std::to_string(at) + "]"), std::string::npos)
            << faulty.error().message;
        EXPECT_EQ(culprit.kernel, "add");
        EXPECT_EQ(culprit.opId, "aaaaaaaaaaaa");
        EXPECT_EQ(culprit.line, 3);
      }
    }
}

} // namespace
} // namespace mica::runtime
