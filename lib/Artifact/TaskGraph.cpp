//===- TaskGraph.cpp - what orders the tasks of a list -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/TaskGraph.h"

#include <algorithm>
#include <map>
#include <set>

namespace mica::artifact {
namespace {

/// One access of one task.
struct Use {
  size_t task = 0;
  TaskAccess access;
};

int64_t staticBytes(const TensorSpec &type) {
  int64_t bytes = dtypeBytes(type.dtype);
  for (int64_t size : type.shape)
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
      return -1;
  return bytes;
}

/// Of memory `position` of the list, seen as `type`.
TaskAccess accessOf(const TaskList &list, int64_t position, const TensorSpec &type) {
  const BufferRecord &buffer = list.buffers[size_t(position)];
  TaskAccess access;
  access.memory = buffer.kind;
  access.index = buffer.kind == BufferKind::Arena     ? 0
                 : buffer.kind == BufferKind::Dynamic ? (buffer.viewOf < 0 ? position : buffer.viewOf)
                                                      : buffer.index;
  access.begin = buffer.offset;
  const int64_t bytes = staticBytes(type);
  // What the kernel accesses; of a dynamic size, all that the buffer has.
  const int64_t size = bytes >= 0 ? bytes : buffer.kind == BufferKind::Arena ? buffer.bytes : -1;
  if (size >= 0)
    access.end = access.begin + size;
  return access;
}

bool overlap(const TaskAccess &a, const TaskAccess &b) { return a.begin < b.end && b.begin < a.end; }
bool covers(const TaskAccess &outer, const TaskAccess &inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

/// Which earlier tasks each task waits for, directly or not: a bit each.
class Order {
public:
  explicit Order(const std::vector<TaskAccesses> &tasks) : words((tasks.size() + 63) / 64), bits(words * tasks.size()) {
    for (size_t task = 0; task < tasks.size(); ++task)
      for (size_t dep : tasks[task].deps)
        add(task, dep);
  }
  bool waits(size_t after, size_t before) const { return bits[after * words + before / 64] >> before % 64 & 1; }

private:
  void add(size_t task, size_t dep) {
    uint64_t *own = bits.data() + task * words;
    const uint64_t *others = bits.data() + dep * words;
    for (size_t i = 0; i < words; ++i)
      own[i] |= others[i];
    own[dep / 64] |= uint64_t(1) << dep % 64;
  }
  const size_t words;
  std::vector<uint64_t> bits;
};

} // namespace

std::string_view hazardName(HazardKind kind) {
  constexpr std::string_view kNames[] = {"RAW", "WAR", "WAW"};
  return kNames[size_t(kind)];
}

std::vector<Hazard> TaskGraph::missing() const {
  std::vector<Hazard> found;
  std::copy_if(hazards.begin(), hazards.end(), std::back_inserter(found),
               [](const Hazard &hazard) { return !hazard.isOrdered; });
  return found;
}

static std::vector<Hazard> hazardsIn(const std::vector<TaskAccesses> &tasks, const Order &order) {
  std::map<std::pair<size_t, size_t>, Hazard> hazards;               ///< by after, before
  std::map<std::pair<BufferKind, int64_t>, std::vector<Use>> memory; ///< accesses that later tasks may depend on
  for (size_t task = 0; task < tasks.size(); ++task) {
    for (const TaskAccess &own : tasks[task].accesses)
      for (const Use &other : memory[{own.memory, own.index}]) {
        if (!overlap(other.access, own) || !(own.writes || other.access.writes))
          continue;
        Hazard hazard;
        hazard.kind = other.access.writes && own.reads ? HazardKind::ReadAfterWrite
                      : other.access.writes            ? HazardKind::WriteAfterWrite
                                                       : HazardKind::WriteAfterRead;
        hazard.before = other.task;
        hazard.after = task;
        hazard.beforeBinding = other.access.binding;
        hazard.afterBinding = own.binding;
        hazard.memory = own.memory;
        hazard.index = own.index;
        hazard.begin = std::max(own.begin, other.access.begin);
        const int64_t end = std::min(own.end, other.access.end);
        hazard.end = end == INT64_MAX ? -1 : end;
        hazard.isOrdered = order.waits(task, other.task);
        const auto [slot, isNew] = hazards.emplace(std::pair(task, other.task), hazard);
        if (!isNew && hazard.kind < slot->second.kind)
          slot->second = hazard;
      }
    for (const TaskAccess &own : tasks[task].accesses) {
      std::vector<Use> &there = memory[{own.memory, own.index}];
      // Whoever waits for this task waits for what it waited for.
      if (own.writes)
        std::erase_if(there, [&](const Use &other) {
          return other.task != task && covers(own, other.access) && order.waits(task, other.task);
        });
      there.push_back({task, own});
    }
  }
  std::vector<Hazard> found;
  for (auto &[key, hazard] : hazards)
    found.push_back(hazard);
  return found;
}

std::vector<Hazard> hazardsOf(const std::vector<TaskAccesses> &tasks) { return hazardsIn(tasks, Order(tasks)); }

TaskGraph graphOf(const TaskList &list, const Manifest &manifest) {
  std::map<std::string_view, const KernelRecord *> kernels;
  for (const KernelRecord &kernel : manifest.kernels)
    kernels.emplace(kernel.name, &kernel);
  std::vector<TaskAccesses> tasks;
  for (const TaskRecord &record : list.tasks) {
    TaskAccesses &task = tasks.emplace_back();
    task.deps.assign(record.deps.begin(), record.deps.end());
    const KernelRecord &kernel = *kernels.at(record.kernel);
    for (size_t i = 0; i < kernel.bindings.size() && i < record.buffers.size(); ++i) {
      TaskAccess access = accessOf(list, record.buffers[i], kernel.bindings[i].type);
      access.binding = i;
      access.reads = kernel.bindings[i].access != Access::Write;
      access.writes = kernel.bindings[i].access != Access::Read;
      if (access.memory != BufferKind::Constant)
        task.accesses.push_back(access);
    }
  }
  const Order order(tasks);
  TaskGraph graph;
  graph.hazards = hazardsIn(tasks, order);
  std::set<std::pair<size_t, size_t>> related;
  for (const Hazard &hazard : graph.hazards)
    related.insert({hazard.before, hazard.after});
  for (size_t task = 0; task < tasks.size(); ++task)
    for (size_t dep : tasks[task].deps) {
      TaskEdge edge{dep, task, related.count({dep, task}) != 0, false};
      for (size_t other : tasks[task].deps)
        edge.isImplied |= other != dep && order.waits(other, dep);
      graph.edges.push_back(edge);
    }
  return graph;
}

} // namespace mica::artifact
