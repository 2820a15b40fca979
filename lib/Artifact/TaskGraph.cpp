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
#include <tuple>

namespace mica::artifact {
namespace {

/// Bytes that a task accesses.
struct Range {
  BufferKind kind = BufferKind::Arena;
  int64_t index = 0;
  int64_t begin = 0, end = INT64_MAX; ///< INT64_MAX: known at run time only
};

/// One binding of one task.
struct Use {
  size_t task = 0, binding = 0;
  bool writes = false;
  Range range;
};

int64_t staticBytes(const TensorSpec &type) {
  int64_t bytes = dtypeBytes(type.dtype);
  for (int64_t size : type.shape)
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
      return -1;
  return bytes;
}

Range rangeOf(const TaskList &list, int64_t position, const TensorSpec &type) {
  const BufferRecord &buffer = list.buffers[size_t(position)];
  Range range;
  range.kind = buffer.kind;
  range.index = buffer.kind == BufferKind::Arena     ? 0
                : buffer.kind == BufferKind::Dynamic ? (buffer.viewOf < 0 ? position : buffer.viewOf)
                                                     : buffer.index;
  range.begin = buffer.offset;
  const int64_t bytes = staticBytes(type);
  // What the kernel accesses; of a dynamic size, all that the buffer has.
  const int64_t size = bytes >= 0 ? bytes : buffer.kind == BufferKind::Arena ? buffer.bytes : -1;
  if (size >= 0)
    range.end = range.begin + size;
  return range;
}

bool overlap(const Range &a, const Range &b) { return a.begin < b.end && b.begin < a.end; }
bool covers(const Range &outer, const Range &inner) { return outer.begin <= inner.begin && inner.end <= outer.end; }

/// Which earlier tasks each task waits for, directly or not: a bit each.
class Order {
public:
  explicit Order(const TaskList &list) : words((list.tasks.size() + 63) / 64), bits(words * list.tasks.size()) {
    for (size_t task = 0; task < list.tasks.size(); ++task)
      for (int64_t dep : list.tasks[task].deps)
        add(task, size_t(dep));
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

TaskGraph graphOf(const TaskList &list, const Manifest &manifest) {
  std::map<std::string_view, const KernelRecord *> kernels;
  for (const KernelRecord &kernel : manifest.kernels)
    kernels.emplace(kernel.name, &kernel);
  const Order order(list);
  TaskGraph graph;
  std::map<std::pair<size_t, size_t>, Hazard> hazards;               ///< by after, before
  std::map<std::pair<BufferKind, int64_t>, std::vector<Use>> memory; ///< accesses that later tasks may depend on
  for (size_t task = 0; task < list.tasks.size(); ++task) {
    const TaskRecord &record = list.tasks[task];
    const KernelRecord &kernel = *kernels.at(record.kernel);
    std::vector<Use> own;
    for (size_t i = 0; i < kernel.bindings.size() && i < record.buffers.size(); ++i) {
      const Range range = rangeOf(list, record.buffers[i], kernel.bindings[i].type);
      if (range.kind == BufferKind::Constant)
        continue;
      const bool reads = kernel.bindings[i].access != Access::Write, writes = kernel.bindings[i].access != Access::Read;
      for (const Use &other : memory[{range.kind, range.index}]) {
        if (!overlap(other.range, range) || !(writes || other.writes))
          continue;
        Hazard hazard;
        hazard.kind = other.writes && reads ? HazardKind::ReadAfterWrite
                      : other.writes        ? HazardKind::WriteAfterWrite
                                            : HazardKind::WriteAfterRead;
        hazard.before = other.task;
        hazard.after = task;
        hazard.beforeBinding = other.binding;
        hazard.afterBinding = i;
        hazard.memory = range.kind;
        hazard.index = range.index;
        hazard.begin = std::max(range.begin, other.range.begin);
        const int64_t end = std::min(range.end, other.range.end);
        hazard.end = end == INT64_MAX ? -1 : end;
        hazard.isOrdered = order.waits(task, other.task);
        const auto [slot, isNew] = hazards.emplace(std::pair(task, other.task), hazard);
        if (!isNew && hazard.kind < slot->second.kind)
          slot->second = hazard;
      }
      own.push_back({task, i, writes, range});
    }
    for (const Use &access : own) {
      std::vector<Use> &there = memory[{access.range.kind, access.range.index}];
      // Whoever waits for this task waits for what it waited for.
      if (access.writes)
        std::erase_if(there, [&](const Use &other) {
          return other.task != task && covers(access.range, other.range) && order.waits(task, other.task);
        });
      there.push_back(access);
    }
  }
  std::set<std::pair<size_t, size_t>> related;
  for (auto &[key, hazard] : hazards) {
    related.insert({hazard.before, hazard.after});
    graph.hazards.push_back(hazard);
  }
  for (size_t task = 0; task < list.tasks.size(); ++task)
    for (int64_t dep : list.tasks[task].deps) {
      TaskEdge edge{size_t(dep), task, related.count({size_t(dep), task}) != 0, false};
      for (int64_t other : list.tasks[task].deps)
        edge.isImplied |= other != dep && order.waits(size_t(other), size_t(dep));
      graph.edges.push_back(edge);
    }
  return graph;
}

} // namespace mica::artifact
