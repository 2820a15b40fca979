//===- SizesTest.cpp - sizes that are too large, and files that do not fit the code ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/KernelMemory.h"
#include "mica/Support/Hash.h"
#include "mica/Support/MemoryLimit.h"
#include "test/Unit/Runtime/TestProgram.h"

namespace mica::runtime {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

class SizesTest : public ::testing::TestWithParam<int> {
protected:
  ~SizesTest() override { setMemoryLimit(-1); }
  void load(const Manifest &manifest, const std::vector<TaskList> &lists) {
    artifact = std::make_unique<TestArtifact>(manifest, lists);
    ContextOptions options;
    options.threads = GetParam();
    Result<std::shared_ptr<const Program>> program = Program::load(artifact->path());
    ASSERT_TRUE(program.isOk()) << program.error().message;
    Result<std::unique_ptr<Context>> made = Context::create(*program, std::move(options));
    ASSERT_TRUE(made.isOk()) << made.error().message;
    context = *std::move(made);
  }
  Result<std::vector<Tensor>> call(const std::vector<int64_t> &x) {
    const HostTensor tensor = hostVector(x);
    const TensorView view(tensor);
    return context->invoke(0, {&view, 1}, &fault);
  }

  std::unique_ptr<TestArtifact> artifact;
  std::unique_ptr<Context> context;
  FaultInfo fault;
};
INSTANTIATE_TEST_SUITE_P(Threads, SizesTest, ::testing::Values(1, 3));

TEST_P(SizesTest, KernelWithoutMemoryFailsItsCallAlone) {
  load(hogManifest(), hogList());
  setMemoryLimit(memoryTaken() + (int64_t(64) << 20));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(call({8, 8}).isOk());
    for (const std::vector<int64_t> &sizes :
         {std::vector<int64_t>{65536, 65536}, {kMost, 4}, {int64_t(1) << 32, int64_t(1) << 32}}) {
      const std::string message = messageOf(call(sizes));
      EXPECT_EQ(message.substr(0, 64), "out of memory in mica.exp [bbbbbbbbbbbb] at model.mlir:4:8: " +
                                           std::string(sizes[1] == 65536 ? "16.0" : "2^63"))
          << message;
      EXPECT_NE(message.find("tensor<" + std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "xf32>, limit"),
                std::string::npos)
          << message;
      EXPECT_EQ(fault.opKind, "mica.exp");
    }
    EXPECT_NE(messageOf(call({-3, 8})).find("the size -3 in dimension 0"), std::string::npos);
  }
  ASSERT_TRUE(call({kMost, 0}).isOk());
  EXPECT_EQ(valuesOf((*call({8, 8}))[0])[0], 1);
}

TEST_P(SizesTest, HostFunctionWithoutMemoryFailsItsCallAlone) {
  load(testManifest("sized"), {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})});
  setMemoryLimit(memoryTaken() + (int64_t(64) << 20));
  for (int round = 0; round < 3; ++round) {
    const std::string message = messageOf(call({65536, 65536}));
    EXPECT_EQ(message.substr(0, 73), "out of memory in mica.add [aaaaaaaaaaaa] at model.mlir:3:8: 16.0 GiB for ")
        << message;
    EXPECT_EQ(fault.opId, "aaaaaaaaaaaa");
    EXPECT_NE(messageOf(call({kMost, 2})).find("2^63 bytes or more for tensor<"), std::string::npos);
    EXPECT_NE(messageOf(call({4, -1})).find("the size -1 in dimension 1"), std::string::npos);
    EXPECT_EQ(valuesOf((*call({4, 4}))[0]), (std::vector<int64_t>{8, 8}));
  }
}

TEST_P(SizesTest, FilesThatDoNotFitTheCodeAreRefused) {
  auto loaded = [](const Manifest &manifest, const std::vector<TaskList> &lists) {
    TestArtifact artifact(manifest, lists);
    Result<std::shared_ptr<const Program>> program = Program::load(artifact.path());
    return program ? std::string() : program.error().message;
  };
  EXPECT_EQ(loaded(hogManifest(), hogList()), "");
  auto refused = [&](auto edit, const std::string &key) {
    Manifest manifest = hogManifest();
    edit(manifest.kernels.back());
    const std::string message = loaded(manifest, {});
    EXPECT_NE(message.find("manifest.json: kernels[10]." + key), std::string::npos) << message;
  };
  refused([](KernelRecord &kernel) { kernel.scratchBytes = 64; },
          "scratch_bytes is 64, but program.so was compiled for 0");
  refused([](KernelRecord &kernel) { kernel.grid = 8; }, "grid is 8");
  refused([](KernelRecord &kernel) { kernel.scalarArgs = 1; }, "scalar_args is 1");
  refused([](KernelRecord &kernel) { kernel.bindings[1].type.shape[0] = 7; }, "bindings[1].shape[0] is 7");
  refused([](KernelRecord &kernel) { kernel.bindings[0].type.dtype = DType::I8; }, "bindings[0].dtype");
  refused([](KernelRecord &kernel) { kernel.bindings[0].access = Access::Write; }, "bindings[0].access");
  refused([](KernelRecord &kernel) { kernel.bindings.pop_back(); }, "bindings: their number is 1");
  // The code of this entry was compiled for four elements.
  EXPECT_NE(
      loaded(testManifest("four"), {}).find("entries[0].args[0].shape[0] is -1, but program.so was compiled for 4"),
      std::string::npos);
}

TEST_P(SizesTest, EditedListsAreHeldAgainstTheMemoryThereIs) {
  // Scalar 2 is 2, whatever x has.
  const std::vector<TaskList> lists{taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {2, 2, 2})})};
  Manifest manifest = testManifest();
  manifest.files.push_back({"host/tasks.json", {}, "", hashHex(printTaskLists(lists)), "of another text"});
  load(manifest, lists);
  EXPECT_EQ(valuesOf((*call({3, 4}))[0]), (std::vector<int64_t>{6, 8}));
  const std::string message = messageOf(call({3}));
  EXPECT_NE(message.find("host/tasks.json: task 0 of list 'list_0' gives binding 0 of the kernel 'add' the sizes of "
                         "tensor<2xi64>, but its buffer has 8 bytes"),
            std::string::npos)
      << message;
}

TEST_P(SizesTest, KernelThatWritesNothingDoesNotRun) {
  // Nor does it fail.
  Manifest manifest = testManifest();
  load(manifest, {taskList({parameter(0), parameter(1)}, {task("fail", {1}, {0, 77})})});
  EXPECT_NE(messageOf(call({1})).find("failed with status 77"), std::string::npos);
  load(manifest, {taskList({parameter(0), parameter(1)}, {task("fail", {1}, {0, 77})})});
  EXPECT_TRUE(call({}).isOk());
}

TEST(ReshapeErrorTest, SaysWhatDoesNotFit) {
  using Sizes = std::vector<int64_t>;
  auto said = [](const Sizes &from, const Sizes &to, int32_t rule) {
    return reshapeFits(from, to, rule) ? "" : reshapeError(from, to, rule, "f32", "op").message;
  };
  const std::string start = "shape mismatch in op: ";
  EXPECT_EQ(said({6}, {2, 3}, MICA_RESHAPE_ELEMENTS), "");
  EXPECT_EQ(said({kMost, 0}, {0}, MICA_RESHAPE_ELEMENTS), "");
  EXPECT_EQ(said({6}, {2, 4}, MICA_RESHAPE_ELEMENTS),
            start + "tensor<6xf32> cannot become tensor<2x4xf32>: 6 elements are not 8");
  EXPECT_EQ(said({4}, {-2, -2}, MICA_RESHAPE_ELEMENTS),
            start + "tensor<4xf32> cannot become tensor<-2x-2xf32>: the size -2 in dimension 0 is negative");
  // 2^64 + 4 is 4 where it wraps.
  EXPECT_NE(said({4}, {(int64_t(1) << 62) + 1, 4}, MICA_RESHAPE_ELEMENTS).find("4 elements are not 2^63 or more"),
            std::string::npos);
  EXPECT_EQ(said({4}, {4}, MICA_RESHAPE_SIZES), "");
  EXPECT_EQ(said({2, 3}, {3, 2}, MICA_RESHAPE_SIZES), start + "tensor<2x3xf32> cannot become tensor<3x2xf32>");
  EXPECT_EQ(said({1, 4, 2}, {}, MICA_RESHAPE_SUM), "");
  EXPECT_EQ(said({kMost, 4, kMost}, {}, MICA_RESHAPE_SUM),
            start +
                "a dimension cannot have the size 9223372036854775807 + 4 + 9223372036854775807: that is 2^63 or more");
  EXPECT_EQ(said({0, 4, -3}, {}, MICA_RESHAPE_SUM),
            start + "a dimension cannot have the size 0 + 4 + -3: none of them may be negative");
}

TEST(KernelMemoryTest, CallsNestAndGiveTheirMemoryBack) {
  KernelMemory outer, inner;
  const mica_memory_api_v1 &api = memoryApiTable();
  const int64_t small[1] = {100}, large[2] = {kMost, kMost};
  int reached = 0;
  const int32_t code = outer.call([&] {
    void *mine = api.allocate("f32", 4, small, 1);
    EXPECT_EQ(inner.call([&] { return api.allocate("f32", 4, large, 2) ? 0 : 1; }), MICA_STATUS_NO_MEMORY);
    api.release(mine);
    EXPECT_EQ(api.allocate("f32", 4, small, 1), mine);
    ++reached;
    return 5;
  });
  EXPECT_EQ(code, 5);
  EXPECT_EQ(reached, 1);
  EXPECT_NE(inner.error().message.find("2^63 bytes or more for tensor<"), std::string::npos);
}

} // namespace
} // namespace mica::runtime
