//===- LoopWatch.cpp - notices loops that do not end -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/LoopWatch.h"

#include "lib/Runtime/Clock.h"
#include "lib/Runtime/NonFinite.h"
#include "mica/Runtime/Program.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace mica::runtime {
namespace {

constexpr int64_t kShownElements = 4;

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t mixed(uint64_t hash, const void *data, int64_t bytes) {
  const auto *at = static_cast<const unsigned char *>(data);
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, sizeof word);
    hash = mixed(hash, word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, at, size_t(bytes));
  return mixed(hash, rest);
}

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

} // namespace

LoopWatch::LoopWatch(const Program &program, double unchangedSeconds, double longestSeconds)
    : program(program), unchangedSeconds(unchangedSeconds), longestSeconds(longestSeconds) {
  const std::vector<artifact::SiteRecord> &sites = program.manifest().sites;
  for (const artifact::TaskList &list : program.taskLists()) {
    std::string &loop = loopOf.emplace_back();
    for (const artifact::TaskRecord &task : list.tasks)
      if (task.site >= 0 && size_t(task.site) < sites.size() && loop.empty())
        loop = sites[size_t(task.site)].loop;
  }
  begin();
}

void LoopWatch::begin() {
  states.assign(loopOf.size(), {});
  hostLoops.clear();
  const std::lock_guard<std::mutex> lock(mutex);
  latest = {};
}

/// How the reports of loops that submit task lists begin.
constexpr std::string_view kLaunches = "launches";
/// The type of the index of an scf.for in such a report.
constexpr char kIndex = 'n';

/// " 4, 0.5" of the values of a report.
static std::string carriedText(std::string_view form, std::span<const int64_t> values) {
  std::string text;
  const size_t types = form.rfind(' ') + 1;
  for (size_t i = 1; i < values.size() && types + i - 1 < form.size(); ++i) {
    char number[32];
    if (form[types + i - 1] == 'f')
      std::snprintf(number, sizeof number, "%g", std::bit_cast<double>(values[i]));
    else
      std::snprintf(number, sizeof number, "%lld", static_cast<long long>(values[i]));
    text += (i > 1 ? ", " : " ") + std::string(number);
  }
  return text;
}

std::string describeLoopState(std::string_view form, std::span<const int64_t> values) {
  return std::to_string(values.empty() ? 0 : values[0]) + " iterations; it carries" +
         (values.size() > 1 ? carriedText(form, values) : " nothing");
}

std::string LoopWatch::lastLoop() const {
  const std::lock_guard<std::mutex> lock(mutex);
  return latest.id.empty()
             ? ""
             : "the loop " + program.describeOp(latest.id) + ": " + describeLoopState(latest.form, latest.values);
}

std::optional<Error> LoopWatch::step(const std::string &id, std::string_view form, std::span<const int64_t> values) {
  const int64_t now = steadyNs();
  HostLoop &loop = hostLoops[id];
  const bool isNew = loop.values.empty() || values.empty() || values[0] <= loop.values[0];
  if (isNew)
    loop = {id, std::string(form), {}, now, now};
  const bool changes = isNew || !std::equal(values.begin() + 1, values.end(), loop.values.begin() + 1);
  const bool isPure = form.starts_with("pure"), isLaunching = form.starts_with(kLaunches);
  loop.values.assign(values.begin(), values.end());
  if (changes)
    loop.sinceNs = now;
  // Of a loop that goes by memory nobody knows whether it gets on.
  if (isPure || (isLaunching && changes))
    this->changes.fetch_add(1, std::memory_order_relaxed);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    latest = loop;
  }
  const double elapsed = double(now - loop.beginNs) / 1e9, unchanged = double(now - loop.sinceNs) / 1e9;
  if (longestSeconds > 0 && elapsed > longestSeconds)
    return tooLong(id, elapsed, describeLoopState(loop.form, loop.values));
  if (unchangedSeconds > 0 && isPure && unchanged >= unchangedSeconds)
    return noProgress(id, unchanged, describeLoopState(loop.form, loop.values));
  return std::nullopt;
}

Error LoopWatch::tooLong(const std::string &loop, double elapsed, const std::string &state) const {
  const std::string limit = secondsText(longestSeconds);
  return Error{ErrorCode::Hang,
               "the loop " + program.describeOp(loop) + " has run for " + secondsText(elapsed) +
                   " (loop-timeout=" + limit.substr(0, limit.find(' ')) + "): " + state,
               "see its condition, or use a larger loop-timeout"};
}

Error LoopWatch::noProgress(const std::string &loop, double unchanged, const std::string &state) const {
  return Error{ErrorCode::Hang,
               "the loop " + program.describeOp(loop) + " makes no progress: nothing that it carries has changed for " +
                   secondsText(unchanged) + ", " + state,
               "see its condition: mica-report explain " + loop + " DIR"};
}

std::vector<LoopWatch::Carried> LoopWatch::carriedBy(const artifact::TaskList &list, const int64_t *scalars) const {
  std::vector<Carried> carried(static_cast<size_t>(list.parameters));
  for (const artifact::TaskRecord &task : list.tasks) {
    const int64_t index = program.findKernel(task.kernel);
    size_t nextScalar = 0;
    for (size_t i = 0; index >= 0 && i < task.buffers.size(); ++i) {
      std::vector<int64_t> shape = program.manifest().kernels[size_t(index)].bindings[i].type.shape;
      int64_t count = 1;
      for (int64_t &size : shape) {
        size = size < 0 ? scalars[task.scalars[nextScalar++]] : size;
        count *= size;
      }
      const artifact::BufferRecord &buffer = list.buffers[size_t(task.buffers[i])];
      if (buffer.kind != artifact::BufferKind::Parameter || buffer.offset != 0)
        continue;
      if (Carried &known = carried[size_t(buffer.index)]; !known.task)
        known = {&task, i, std::move(shape), count};
    }
  }
  return carried;
}

uint64_t LoopWatch::sampleOf(const artifact::TaskList &list, void *const *buffers, const int64_t *scalars) const {
  uint64_t hash = mixed(0, scalars, list.scalars * int64_t(sizeof(int64_t)));
  const std::vector<Carried> carried = carriedBy(list, scalars);
  for (size_t i = 0; i < carried.size(); ++i)
    if (carried[i].task)
      hash = mixed(hash, buffers[i], carried[i].count * dtypeBytes(list.buffers[i].type.dtype));
  // Counters and the like, of this loop and of those around it.
  return mixed(hash, hostValues(/*indices=*/false));
}

uint64_t LoopWatch::hostValues(bool indices) const {
  uint64_t hash = 0;
  for (const auto &[id, host] : hostLoops) {
    const size_t types = host.form.rfind(' ') + 1;
    for (size_t i = 1; host.form.starts_with(kLaunches) && i < host.values.size(); ++i)
      if ((types + i - 1 < host.form.size() && host.form[types + i - 1] == kIndex) == indices)
        hash = mixed(hash, uint64_t(host.values[i]));
  }
  return hash;
}

std::string LoopWatch::describe(const std::string &loop, const artifact::TaskList &list, void *const *buffers,
                                const int64_t *scalars, const State &state) const {
  std::string text = std::to_string(state.iterations) + " iterations; it carries";
  const std::vector<Carried> carried = carriedBy(list, scalars);
  bool any = false;
  if (auto host = hostLoops.find(loop); host != hostLoops.end() && host->second.values.size() > 1) {
    text += carriedText(host->second.form, host->second.values);
    any = true;
  }
  for (size_t i = 0; i < carried.size(); ++i) {
    const Carried &value = carried[i];
    if (!value.task)
      continue;
    const DType type = list.buffers[i].type.dtype;
    const artifact::KernelRecord &kernel = program.manifest().kernels[size_t(program.findKernel(value.task->kernel))];
    text += (any ? ", " : " ") + program.tensorName(kernel, value.task->site, value.binding) + " (" +
            shapedTypeString(value.shape, type) + ")";
    for (int64_t element = 0; element < std::min(value.count, kShownElements); ++element) {
      char number[32];
      std::snprintf(number, sizeof number, "%g", elementOf(type, buffers[i], element));
      text += (element ? ", " : ": ") + std::string(number);
    }
    text += value.count > kShownElements ? ", ..." : "";
    any = true;
  }
  for (int64_t i = 0; i < list.scalars; ++i) {
    text += (any ? ", " : " ") + std::string("size ") + std::to_string(scalars[i]);
    any = true;
  }
  return any ? text : text + " nothing";
}

std::optional<Error> LoopWatch::next(size_t index, void *const *buffers, const int64_t *scalars, std::string &loop) {
  if (index >= loopOf.size() || loopOf[index].empty())
    return std::nullopt;
  State &state = states[index];
  const artifact::TaskList &list = program.taskLists()[index];
  const int64_t now = steadyNs();
  if (state.iterations++ == 0)
    state.beginNs = now;
  loop = loopOf[index];
  const double elapsed = double(now - state.beginNs) / 1e9;
  if (longestSeconds > 0 && elapsed > longestSeconds)
    return tooLong(loop, elapsed, describe(loop, list, buffers, scalars, state));
  // Reading everything takes time: ten times in each span is enough.
  if (unchangedSeconds <= 0 || double(now - state.sampledNs) < unchangedSeconds * 1e8)
    return std::nullopt;
  // While an index moves, its loop will end. Only at the same place of such loops, entered again, can all be as before.
  const uint64_t place = hostValues(/*indices=*/true);
  if (state.sampledNs != 0 && place != state.place && double(now - state.sampledNs) < unchangedSeconds * 1e9)
    return std::nullopt;
  const uint64_t sample = sampleOf(list, buffers, scalars);
  if (state.sampledNs == 0 || sample != state.sample || place != state.place) {
    state.sample = sample;
    state.place = place;
    state.sinceNs = now;
  }
  state.sampledNs = now;
  const double unchanged = double(now - state.sinceNs) / 1e9;
  if (unchanged < unchangedSeconds)
    return std::nullopt;
  return noProgress(loop, unchanged, describe(loop, list, buffers, scalars, state));
}

} // namespace mica::runtime
