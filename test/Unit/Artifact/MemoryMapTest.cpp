//===- MemoryMapTest.cpp - which tensors an arena holds ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Lifetimes, the peak, what lowers it, and memory that is reused too early.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/MemoryMap.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::artifact;

namespace {

Manifest copies() {
  Manifest manifest;
  KernelRecord kernel;
  kernel.name = "copy";
  const TensorSpec four{"", DType::F32, {4}};
  kernel.bindings = {{four, Access::Read}, {four, Access::Write}};
  manifest.kernels.push_back(kernel);
  return manifest;
}

/// Copies from one to the other of tensors that lie at `offsets`; -1 is a parameter.
TaskList chain(const std::vector<int64_t> &offsets) {
  TaskList list;
  list.buffers.push_back({BufferKind::Parameter, 0, 0, 16, -1, {}});
  for (int64_t offset : offsets) {
    list.buffers.push_back({BufferKind::Arena, 0, offset, 16, -1, {}});
    list.arenaBytes = std::max(list.arenaBytes, offset + 16);
    TaskRecord task;
    task.kernel = "copy";
    task.buffers = {static_cast<int64_t>(list.buffers.size()) - 2, static_cast<int64_t>(list.buffers.size()) - 1};
    list.tasks.push_back(task);
  }
  return list;
}

TEST(MemoryMapTest, TensorsHaveTheirLifetimes) {
  const MemoryMap map = memoryMapOf(chain({0, 16, 0}), copies());
  ASSERT_EQ(map.tensors.size(), 3u);
  EXPECT_EQ(map.tensors[0].first, 0);
  EXPECT_EQ(map.tensors[0].last, 1);
  EXPECT_EQ(map.tensors[1].last, 2);
  EXPECT_EQ(map.withoutSharing, 48);
  EXPECT_EQ(map.peak, 32);
  EXPECT_EQ(map.peakTask, 1);
  EXPECT_TRUE(map.overlaps.empty());
  ASSERT_EQ(map.savings.size(), 1u); // the tensor in the middle is in use at both peaks
  EXPECT_EQ(map.savings[0].tensor, 1u);
  EXPECT_EQ(map.savings[0].peak, 16);
}

TEST(MemoryMapTest, MemoryThatIsReusedTooEarlyOverlaps) {
  TaskList list = chain({0, 16, 32});
  list.tasks[2].buffers[0] = 1; // the first tensor is read at last
  EXPECT_TRUE(memoryMapOf(list, copies()).overlaps.empty());
  list.buffers[2].offset = 8; // the second is written over half of it
  const MemoryMap map = memoryMapOf(list, copies());
  ASSERT_EQ(map.overlaps.size(), 1u);
  EXPECT_EQ(map.overlaps[0], std::pair(size_t(0), size_t(1)));
}

TEST(MemoryMapTest, TheTaskBeyondALimit) {
  const TaskList list = chain({0, 16, 32});
  EXPECT_EQ(firstTaskBeyond(list, copies(), 47), 2u);
  EXPECT_EQ(firstTaskBeyond(list, copies(), 16), 1u);
  EXPECT_EQ(firstTaskBeyond(list, copies(), 48), std::nullopt);
}

TEST(MemoryMapTest, EmptyLists) {
  const MemoryMap map = memoryMapOf(TaskList(), Manifest());
  EXPECT_EQ(map.peak, 0);
  EXPECT_EQ(map.peakTask, -1);
}

} // namespace
