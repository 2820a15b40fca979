//===- TaskOrders.cpp - orders in which the tasks of a list may run -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Artifact/TaskOrders.h"

#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <random>

namespace mica::artifact {
namespace {

using Kind = Schedule::Kind;

constexpr std::string_view kForms =
    "the schedules are in-order, reverse, random:SEED, pct:SEED, delay:OP, and @FILE of a kept order";
constexpr std::string_view kHeader = "mica-schedule 1";
/// Priorities that change in a schedule pct:SEED.
constexpr int kChanges = 3;

template <typename Number> bool readNumber(std::string_view text, Number &number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/// Whether `task` belongs to the operation `op`: one of its ids, its kind, or the name of its kernel.
bool isOf(const TaskRecord &task, const std::string &op, const Manifest &manifest) {
  if (task.kernel == op)
    return true;
  if (task.site >= 0 && static_cast<size_t>(task.site) < manifest.sites.size()) {
    const std::vector<std::string> &ids = manifest.sites[static_cast<size_t>(task.site)].opIds;
    if (std::find(ids.begin(), ids.end(), op) != ids.end())
      return true;
  }
  for (const KernelRecord &kernel : manifest.kernels)
    if (kernel.name == task.kernel)
      return std::find(kernel.opKinds.begin(), kernel.opKinds.end(), op) != kernel.opKinds.end();
  return false;
}

/// The order in which, of the tasks that can run, the one with the highest priority does. `change` may change
/// priorities before each step.
template <typename Change> TaskOrder byPriority(const TaskList &list, std::vector<int64_t> priority, Change change) {
  const size_t count = list.tasks.size();
  std::vector<std::vector<uint32_t>> followers(count);
  std::vector<size_t> waits(count);
  for (size_t i = 0; i < count; ++i) {
    waits[i] = list.tasks[i].deps.size();
    for (int64_t dep : list.tasks[i].deps)
      followers[static_cast<size_t>(dep)].push_back(static_cast<uint32_t>(i));
  }
  std::vector<uint32_t> ready;
  auto less = [&](uint32_t a, uint32_t b) { return std::pair(priority[a], b) < std::pair(priority[b], a); };
  for (size_t i = 0; i < count; ++i)
    if (waits[i] == 0)
      ready.push_back(static_cast<uint32_t>(i));
  TaskOrder order;
  while (!ready.empty()) {
    auto next = std::max_element(ready.begin(), ready.end(), less);
    if (change(order.size(), *next, priority))
      next = std::max_element(ready.begin(), ready.end(), less);
    const uint32_t task = *next;
    *next = ready.back();
    ready.pop_back();
    order.push_back(task);
    for (uint32_t follower : followers[task])
      if (--waits[follower] == 0)
        ready.push_back(follower);
  }
  return order;
}

} // namespace

Result<Schedule> parseSchedule(const std::string &text) {
  Schedule schedule;
  schedule.text = text;
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, colon), value = text.substr(std::min(colon + 1, text.size()));
  const Error invalid{ErrorCode::InvalidInput, "--schedule=" + text + ": unknown schedule", std::string(kForms)};
  if (text.starts_with("@")) {
    schedule.kind = Kind::Kept;
    MICA_ASSIGN_OR_RETURN(const std::string contents, readFile(text.substr(1)));
    MICA_ASSIGN_OR_RETURN(schedule.kept, parseOrders(contents, text.substr(1)));
    return schedule;
  }
  if (text == "in-order")
    return schedule;
  if (text == "reverse")
    schedule.kind = Kind::Reverse;
  else if ((name == "random" || name == "pct") && readNumber(value, schedule.seed))
    schedule.kind = name == "pct" ? Kind::Pct : Kind::Random;
  else if (name == "delay" && !value.empty()) {
    schedule.kind = Kind::Delay;
    schedule.op = value;
  } else
    return invalid;
  return schedule;
}

bool isLegal(const TaskOrder &order, const TaskList &list) {
  if (order.size() != list.tasks.size())
    return false;
  std::vector<bool> done(order.size(), false);
  for (uint32_t task : order) {
    if (task >= done.size() || done[task])
      return false;
    for (int64_t dep : list.tasks[task].deps)
      if (!done[static_cast<size_t>(dep)])
        return false;
    done[task] = true;
  }
  return true;
}

Result<TaskOrder> orderOf(const Schedule &schedule, const TaskList &list, size_t firstTask, const Manifest &manifest) {
  const size_t count = list.tasks.size();
  // Lists of one program get different orders from one seed.
  uint64_t seed = schedule.seed * 0x9e3779b97f4a7c15u + firstTask;
  for (const char letter : list.name)
    seed = (seed ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  std::mt19937_64 numbers(seed);
  std::vector<int64_t> priority(count);
  std::iota(priority.begin(), priority.end(), 0);
  auto unchanged = [](size_t, uint32_t, std::vector<int64_t> &) { return false; };
  switch (schedule.kind) {
  case Kind::InOrder:
    return TaskOrder(priority.begin(), priority.end());
  case Kind::Reverse:
    return byPriority(list, std::move(priority), unchanged);
  case Kind::Random:
    return byPriority(list, std::move(priority), [&](size_t, uint32_t, std::vector<int64_t> &all) {
      for (int64_t &one : all)
        one = static_cast<int64_t>(numbers() >> 2);
      return true;
    });
  case Kind::Pct: {
    // std::shuffle is not the same everywhere.
    for (size_t i = count; i > 1; --i)
      std::swap(priority[i - 1], priority[static_cast<size_t>(numbers() % i)]);
    std::vector<size_t> changes;
    for (int i = 0; i < kChanges; ++i)
      changes.push_back(count == 0 ? 0 : static_cast<size_t>(numbers() % count));
    return byPriority(list, std::move(priority), [&](size_t step, uint32_t next, std::vector<int64_t> &all) {
      const bool isChange = std::find(changes.begin(), changes.end(), step) != changes.end();
      if (isChange)
        all[next] = -static_cast<int64_t>(step) - 1;
      return isChange;
    });
  }
  case Kind::Delay: {
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
      const bool isDelayed = isOf(list.tasks[i], schedule.op, manifest);
      any = any || isDelayed;
      priority[i] = isDelayed ? -1 : static_cast<int64_t>(count - i);
    }
    return byPriority(list, std::move(priority), unchanged);
  }
  case Kind::Kept:
    for (const KeptOrder &kept : schedule.kept)
      if (kept.list == list.name && kept.firstTask == firstTask) {
        if (isLegal(kept.tasks, list))
          return kept.tasks;
        return Error{ErrorCode::InvalidInput,
                     "--schedule=" + schedule.text + ": is no order of the tasks of list '" + list.name +
                         "': the dependencies of this program do not allow it",
                     "it was kept from another program, or its schedule was edited"};
      }
    return TaskOrder(priority.begin(), priority.end());
  }
  return TaskOrder();
}

std::string printOrders(const std::vector<KeptOrder> &orders) {
  std::string text = std::string(kHeader) + "\n";
  for (const KeptOrder &kept : orders) {
    text += kept.list + " " + std::to_string(kept.firstTask) + ":";
    for (uint32_t task : kept.tasks)
      text += " " + std::to_string(task);
    text += "\n";
  }
  return text;
}

Result<std::vector<KeptOrder>> parseOrders(std::string_view text, const std::string &file) {
  std::vector<KeptOrder> orders;
  const std::vector<std::string> lines = splitText(text, '\n');
  auto damaged = [&](size_t line, const std::string &what) {
    return Error{ErrorCode::Damaged, file + ":" + std::to_string(line + 1) + ": " + what,
                 "a run with --schedule whose results differ keeps such a file"};
  };
  if (lines[0] != kHeader)
    return damaged(0, "expected '" + std::string(kHeader) + "'");
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty())
      continue;
    // Names of lists have no spaces.
    const std::vector<std::string> fields = splitText(lines[i], ' ');
    KeptOrder kept;
    kept.list = fields[0];
    if (fields.size() < 2 || kept.list.empty() || !fields[1].ends_with(":") ||
        !readNumber(std::string_view(fields[1]).substr(0, fields[1].size() - 1), kept.firstTask))
      return damaged(i, "expected 'LIST FIRST: TASK TASK ...'");
    for (size_t j = 2; j < fields.size(); ++j)
      if (!readNumber(fields[j], kept.tasks.emplace_back()))
        return damaged(i, "expected a task, got '" + fields[j] + "'");
    orders.push_back(std::move(kept));
  }
  return orders;
}

OrderPath::OrderPath(TaskOrder order) : order(std::move(order)) {
  std::vector<bool> placed(this->order.size(), false);
  for (uint32_t task : this->order) {
    moves.push_back(std::count(placed.begin(), placed.begin() + task, false));
    placed[task] = true;
    total += moves.back();
  }
}

std::pair<size_t, int64_t> OrderPath::placeOf(int64_t step) const {
  size_t moving = 0;
  while (moving < moves.size() && step >= moves[moving])
    step -= moves[moving++];
  return {moving, step};
}

TaskOrder OrderPath::at(int64_t step) const {
  const auto [moving, moved] = placeOf(step);
  TaskOrder result(order.begin(), order.begin() + static_cast<ptrdiff_t>(moving));
  std::vector<bool> placed(order.size(), false);
  for (uint32_t task : result)
    placed[task] = true;
  for (uint32_t task = 0; task < order.size(); ++task)
    if (!placed[task])
      result.push_back(task);
  if (moving < order.size()) {
    const auto place = std::find(result.begin(), result.end(), order[moving]);
    std::rotate(place - moved, place, place + 1);
  }
  return result;
}

std::pair<uint32_t, uint32_t> OrderPath::swapAt(int64_t step) const {
  const TaskOrder before = at(step);
  const auto [moving, moved] = placeOf(step);
  const auto place = std::find(before.begin(), before.end(), order[moving]);
  return {*(place - 1), *place};
}

} // namespace mica::artifact
