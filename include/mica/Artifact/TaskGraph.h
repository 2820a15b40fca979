//===- TaskGraph.h - what orders the tasks of a list -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A task has to wait for another where both access the same memory and one of them writes. Which they are follows from
// the records of a list alone: what kernels say that they read and write, and where buffers lie.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_TASKGRAPH_H
#define MICA_ARTIFACT_TASKGRAPH_H

#include "mica/Artifact/Manifest.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica::artifact {

/// Why one task has to wait for another: it reads what that one writes, writes what it reads, or both write.
enum class HazardKind { ReadAfterWrite, WriteAfterRead, WriteAfterWrite };
/// "RAW", "WAR", "WAW".
std::string_view hazardName(HazardKind kind);

/// Two tasks of a list that access the same memory. Of several buffers that they share, the first of the most telling
/// kind, in the order of HazardKind.
struct Hazard {
  HazardKind kind = HazardKind::ReadAfterWrite;
  size_t before = 0, after = 0;               ///< positions in TaskList::tasks
  size_t beforeBinding = 0, afterBinding = 0; ///< of their kernels
  BufferKind memory = BufferKind::Arena;
  int64_t index = 0;          ///< of the parameter or dynamic buffer; 0: the arena
  int64_t begin = 0, end = 0; ///< bytes that both access; end -1: known at run time only
  bool isOrdered = false;     ///< `after` waits for `before`, maybe by way of others
};

/// A dependency of the list.
struct TaskEdge {
  size_t before = 0, after = 0;
  bool isNeeded = false;  ///< there is a hazard between the two
  bool isImplied = false; ///< without it, `after` would wait for `before` all the same
};

struct TaskGraph {
  /// By `after`, then `before`. Of a task and those before it that only a chain of hazards relates, the nearest: where
  /// a third task wrote all of the memory in between, the hazards with that one say it.
  std::vector<Hazard> hazards;
  std::vector<TaskEdge> edges;

  /// Those that nothing orders.
  std::vector<Hazard> missing() const;
};

/// What a task accesses of some memory; constants, which nobody writes, are left out.
struct TaskAccess {
  size_t binding = 0; ///< of its kernel
  bool reads = false, writes = false;
  BufferKind memory = BufferKind::Arena;
  int64_t index = 0;                  ///< of the parameter or dynamic buffer; 0: the arena
  int64_t begin = 0, end = INT64_MAX; ///< bytes; INT64_MAX: known at run time only
};

/// One task of a list, in whatever form that is kept.
struct TaskAccesses {
  std::vector<TaskAccess> accesses;
  std::vector<size_t> deps; ///< earlier tasks
};

/// The rule that all audits of schedules share: TaskGraph::hazards of tasks in the order of their list.
std::vector<Hazard> hazardsOf(const std::vector<TaskAccesses> &tasks);

/// `list` is valid for `manifest`, as the reader of task lists has checked.
TaskGraph graphOf(const TaskList &list, const Manifest &manifest);

} // namespace mica::artifact

#endif // MICA_ARTIFACT_TASKGRAPH_H
