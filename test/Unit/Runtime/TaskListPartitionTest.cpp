//===- TaskListPartitionTest.cpp - a task list of several devices -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/TaskListPartition.h"

#include "TestProgram.h"

namespace mica::runtime {
namespace {

TaskRecord on(const char *device, TaskRecord record) {
  record.device = device;
  return record;
}

TEST(TaskListPartitionTest, AListOfOneDeviceStaysWhole) {
  const TaskListPartition parts =
      cutByDevice(taskList({dynamic(0)}, {task("fill", {0}, {0, 1}), task("fill", {0}, {0, 2}, {0})}));
  ASSERT_EQ(parts.parts.size(), 1u);
  EXPECT_EQ(parts.parts[0].device, "cpu:0");
  EXPECT_EQ(parts.parts[0].list.tasks.size(), 2u);
  EXPECT_TRUE(parts.extraParameters.empty());
  EXPECT_EQ(cutByDevice(taskList({}, {})).parts.size(), 1u);
}

TEST(TaskListPartitionTest, IsCutWhereTheDeviceChanges) {
  const TaskListPartition parts = cutByDevice(
      taskList({parameter(0), parameter(1)},
               {on("gpu:0", task("fill", {1}, {0, 1})), on("gpu:0", task("fill", {1}, {0, 2}, {0})),
                on("cpu:0", task("fill", {1}, {0, 3}, {1})), on("gpu:0", task("fill", {1}, {0, 4}, {0, 2}))}));
  ASSERT_EQ(parts.parts.size(), 3u);
  EXPECT_EQ(parts.parts[1].device, "cpu:0");
  EXPECT_EQ(parts.parts[2].firstTask, 3u);
  EXPECT_EQ(parts.parts[0].list.tasks[1].deps, (std::vector<int64_t>{0}));
  EXPECT_TRUE(parts.parts[1].list.tasks[0].deps.empty()) << "its part begins when the one before is done";
}

TEST(TaskListPartitionTest, DynamicBuffersBecomeParameters) {
  BufferRecord view = dynamic(4);
  view.viewOf = 1;
  view.offset = 64;
  const TaskListPartition parts =
      cutByDevice(taskList({parameter(1), dynamic(4), view, dynamic(5)},
                           {on("gpu:0", task("fill", {1}, {0, 1})), on("cpu:0", task("fill", {2}, {0, 2}, {0}))}));
  EXPECT_EQ(parts.extraParameters, (std::vector<int64_t>{4, 5}));
  const artifact::TaskList &list = parts.parts[1].list;
  EXPECT_EQ(list.parameters, 4);
  EXPECT_EQ(list.buffers[1].index, 2);
  EXPECT_EQ(list.buffers[2].index, 2);
  EXPECT_EQ(list.buffers[2].offset, 64);
  EXPECT_EQ(list.buffers[3].index, 3);
  for (const BufferRecord &buffer : list.buffers)
    EXPECT_EQ(buffer.kind, BufferKind::Parameter);
}

} // namespace
} // namespace mica::runtime
