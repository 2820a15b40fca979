//===- SimBackendTest.cpp - what the simulator finds, as errors of a run ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The kernel `fail` of TestKernels.c reports to the simulator what it is told to fail with, in model.mlir:4:8, where
// the second operation of its site stands.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "mica/Runtime/Devices.h"
#include "mica/Runtime/Observer.h"

namespace mica::runtime {
namespace {

struct SimBackendTest : testing::Test {
  SimBackendTest() { artifact.moveTo("sim:0", MICA_SIM_PROGRAM); }

  /// The context makes the device itself, as the tasks name it.
  Status run(ContextOptions options = {}) {
    MICA_ASSIGN_OR_RETURN(program, Program::load(artifact.path()));
    MICA_ASSIGN_OR_RETURN(context, Context::create(program, std::move(options)));
    return again();
  }
  Status again() {
    const HostTensor x = hostVector(std::vector<int64_t>(8, 1));
    const TensorView view(x);
    std::vector<Tensor> results;
    return context->invoke(0, {&view, 1}, results, &fault);
  }

  /// Code 400 is the one that SimDevice.h takes for a finding.
  static std::vector<TaskList> failing() {
    return {taskList({parameter(1)},
                     {task("fill", {0}, {0, 5}), task("fail", {0}, {0, 400}, {0}), task("fill", {0}, {0, 6}, {1})})};
  }

  TestArtifact artifact{testManifest(), failing()};
  std::shared_ptr<const Program> program;
  std::unique_ptr<Context> context;
  FaultInfo fault;
};

TEST_F(SimBackendTest, AFindingIsTheErrorOfItsTask) {
  const Status status = run();
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().code, ErrorCode::Difference);
  EXPECT_EQ(status.error().message,
            "check failed: in kernel 'fail': memref.load at model.mlir:4:8 by thread (0,0,0) of block (1,0,0): a "
            "value that is not wanted; in kernel 'fail' (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, mica.exp "
            "[bbbbbbbbbbbb] at model.mlir:4:8) (task 1 of list 'list_0', on sim:0)");
}

TEST_F(SimBackendTest, ItNamesTheOperationOfItsLine) {
  ASSERT_FALSE(run().isOk());
  EXPECT_EQ(fault.kernel, "fail");
  EXPECT_EQ(fault.opId, "bbbbbbbbbbbb");
  EXPECT_EQ(fault.opKind, "mica.exp");
  EXPECT_EQ(fault.file, "model.mlir");
  EXPECT_EQ(fault.line, 4);
}

TEST_F(SimBackendTest, NothingIsRunAfterIt) {
  ASSERT_FALSE(run().isOk());
  const Status status = again();
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(status.error().message.rfind("this context is unusable", 0), 0u);
}

TEST_F(SimBackendTest, TheScheduleOfTheSwitchIsUsedAndNamed) {
  ContextOptions options;
  ASSERT_TRUE(options.switches.set("sim-schedule", "reversed", SwitchSource::Flag).isOk());
  const Status status = run(std::move(options));
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.error().message.find("in kernel 'fail' (sim-schedule=reversed): memref.load"), std::string::npos)
      << status.error().message;
}

TEST_F(SimBackendTest, RefusesAScheduleThatIsNone) {
  auto backend = createSimBackend("shuffled");
  ASSERT_FALSE(backend.isOk());
  EXPECT_NE(backend.error().message.find("shuffled"), std::string::npos);
}

} // namespace
} // namespace mica::runtime
