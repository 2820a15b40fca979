//===- TaskGraphTest.cpp - what orders the tasks of a list -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Lists of a few tasks, with and without the dependencies that they need.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/TaskGraph.h"

#include <gtest/gtest.h>

using namespace mica;
using namespace mica::artifact;

namespace {

/// A kernel that reads one buffer of four floats and writes another, and one that updates a buffer.
Manifest kernels() {
  Manifest manifest;
  const TensorSpec four{"", DType::F32, {4}}, two{"", DType::F32, {2}};
  auto add = [&](const std::string &name, std::vector<BindingRecord> bindings) {
    KernelRecord kernel;
    kernel.name = name;
    kernel.bindings = std::move(bindings);
    manifest.kernels.push_back(kernel);
  };
  add("copy", {{four, Access::Read}, {four, Access::Write}});
  add("update", {{four, Access::ReadWrite}});
  add("half", {{two, Access::Read}, {two, Access::Write}});
  return manifest;
}

/// Buffers 0 to 7 are 16 bytes of the arena each, 8 and 9 parameters, 10 and 11 the halves of buffer 0, 12 dynamic.
TaskList listOf(std::vector<TaskRecord> tasks) {
  TaskList list;
  list.name = "main_0";
  list.arenaBytes = 128;
  for (int64_t i = 0; i < 8; ++i)
    list.buffers.push_back({BufferKind::Arena, 0, 16 * i, 16, -1, {}});
  for (int64_t i = 0; i < 2; ++i)
    list.buffers.push_back({BufferKind::Parameter, i, 0, 16, -1, {}});
  list.buffers.push_back({BufferKind::Arena, 0, 0, 8, -1, {}});
  list.buffers.push_back({BufferKind::Arena, 0, 8, 8, -1, {}});
  list.buffers.push_back({BufferKind::Dynamic, 0, 0, -1, 0, {}});
  list.parameters = 2;
  list.tasks = std::move(tasks);
  return list;
}

TaskRecord task(const std::string &kernel, std::vector<int64_t> buffers, std::vector<int64_t> deps = {}) {
  TaskRecord record;
  record.kernel = kernel;
  record.buffers = std::move(buffers);
  record.deps = std::move(deps);
  return record;
}

std::string missingIn(std::vector<TaskRecord> tasks) {
  const Manifest manifest = kernels();
  std::string text;
  for (const Hazard &hazard : graphOf(listOf(std::move(tasks)), manifest).missing())
    text += std::string(hazardName(hazard.kind)) + " " + std::to_string(hazard.before) + "-" +
            std::to_string(hazard.after) + " [" + std::to_string(hazard.begin) + "," + std::to_string(hazard.end) +
            ") ";
  return text;
}

TEST(TaskGraph, ATaskWaitsForTheWriterOfWhatItReads) {
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {0, 1}, {0})}), "");
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {0, 1})}), "RAW 0-1 [0,16) ");
}

TEST(TaskGraph, AWriterWaitsForReadersAndWriters) {
  EXPECT_EQ(missingIn({task("copy", {0, 1}), task("copy", {8, 0})}), "WAR 0-1 [0,16) ");
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {9, 0})}), "WAW 0-1 [0,16) ");
  EXPECT_EQ(missingIn({task("update", {0}), task("update", {0})}), "RAW 0-1 [0,16) ");
}

TEST(TaskGraph, ReadersDoNotWaitForEachOther) {
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {8, 1})}), "");
}

TEST(TaskGraph, OneWaitsByWayOfOthers) {
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {0, 1}, {0}), task("copy", {0, 2}, {1})}), "");
}

TEST(TaskGraph, PartsOfMemoryOverlapOrDoNot) {
  EXPECT_EQ(missingIn({task("half", {8, 10}), task("half", {8, 11})}), "");
  EXPECT_EQ(missingIn({task("half", {8, 11}), task("copy", {0, 1})}), "RAW 0-1 [8,16) ");
  // Both halves are needed, not the one that was written last.
  EXPECT_EQ(missingIn({task("half", {8, 10}), task("half", {8, 11}), task("copy", {0, 1}, {1})}), "RAW 0-2 [0,8) ");
}

TEST(TaskGraph, WhatWasOverwrittenIsNoReasonAnyMore) {
  // Task 2 waits for 1, which overwrote what 0 had written after waiting for it.
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {9, 0}, {0}), task("copy", {0, 1}, {1})}), "");
  // Where 1 does not wait, both are said.
  EXPECT_EQ(missingIn({task("copy", {8, 0}), task("copy", {9, 0}), task("copy", {0, 1}, {1})}),
            "WAW 0-1 [0,16) RAW 0-2 [0,16) ");
}

TEST(TaskGraph, ParametersAndDynamicBuffersAreMemoryToo) {
  EXPECT_EQ(missingIn({task("copy", {8, 9}), task("copy", {9, 0})}), "RAW 0-1 [0,16) ");
  EXPECT_EQ(missingIn({task("copy", {8, 12}), task("copy", {12, 0})}), "RAW 0-1 [0,16) ");
  EXPECT_EQ(missingIn({task("copy", {8, 12}), task("copy", {12, 0}, {0})}), "");
}

TEST(TaskGraph, EdgesAreNeededImpliedOrNeither) {
  const TaskGraph graph = graphOf(listOf({task("copy", {8, 0}), task("copy", {0, 1}, {0}), task("copy", {1, 2}, {0, 1}),
                                          task("copy", {8, 3}, {2})}),
                                  kernels());
  ASSERT_EQ(graph.edges.size(), 4u);
  EXPECT_TRUE(graph.edges[0].isNeeded && !graph.edges[0].isImplied);
  EXPECT_TRUE(!graph.edges[1].isNeeded && graph.edges[1].isImplied);
  EXPECT_TRUE(graph.edges[2].isNeeded && !graph.edges[2].isImplied);
  EXPECT_TRUE(!graph.edges[3].isNeeded && !graph.edges[3].isImplied);
}

} // namespace
