//===- RankTimes.cpp - estimated times of graphs, by rank ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/RankTimes.h"

#include "mica/Support/Files.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace mica::report {

namespace {
struct RankTime {
  int64_t rank = 0;
  double nanoseconds = 0;
  const Compile *compile = nullptr;
};

double sumOf(const Compile &compile) {
  return std::accumulate(compile.estimated.begin(), compile.estimated.end(), 0.0,
                         [](double sum, const EstimatedOp &op) { return sum + op.nanoseconds; });
}

/// The op in which `slow` loses the most against `fast`, if both have the same ops.
std::pair<std::string, double> worstOp(const Compile &slow, const Compile &fast) {
  std::pair<std::string, double> worst;
  if (slow.estimated.size() != fast.estimated.size())
    return {"other ops", 0};
  for (size_t i = 0; i < slow.estimated.size(); ++i)
    if (const double lost = slow.estimated[i].nanoseconds - fast.estimated[i].nanoseconds; lost > worst.second)
      worst = {slow.estimated[i].name, lost};
  return worst;
}
} // namespace

Json rankTimes(const std::vector<LogModel> &ranks) {
  std::map<trace::CompileId, std::vector<RankTime>> times;
  for (const LogModel &rank : ranks)
    for (const Compile &compile : rank.compiles)
      if (!compile.id.isNone() && !compile.estimated.empty())
        times[compile.id].push_back({rank.rank, sumOf(compile), &compile});
  Json rows = Json::array();
  for (auto &[id, list] : times) {
    std::stable_sort(list.begin(), list.end(),
                     [](const RankTime &a, const RankTime &b) { return a.nanoseconds < b.nanoseconds; });
    const RankTime &fast = list.front(), &slow = list.back();
    const auto [op, lost] = worstOp(*slow.compile, *fast.compile);
    rows.push_back({id.text(), list.size(), list[list.size() / 2].nanoseconds, fast.rank, fast.nanoseconds, slow.rank,
                    slow.nanoseconds, op, lost});
  }
  return rows;
}

Status writeRankTrace(const std::vector<LogModel> &ranks, const std::filesystem::path &file) {
  std::string events;
  auto add = [&](const Json &event) { events += (events.empty() ? "" : ",\n") + printJsonLine(event); };
  for (const LogModel &rank : ranks) {
    const int64_t process = std::max<int64_t>(rank.rank, 0);
    int64_t thread = 0;
    for (const Compile &compile : rank.compiles) {
      if (compile.estimated.empty())
        continue;
      if (thread++ == 0)
        add({{"name", "process_name"},
             {"ph", "M"},
             {"pid", process},
             {"args", {{"name", "rank " + std::to_string(process)}}}});
      add({{"name", "thread_name"},
           {"ph", "M"},
           {"pid", process},
           {"tid", thread},
           {"args", {{"name", "[" + compile.id.text() + "]"}}}});
      double at = 0;
      for (const EstimatedOp &op : compile.estimated) {
        add({{"name", op.name},
             {"cat", op.type},
             {"ph", "X"},
             {"pid", process},
             {"tid", thread},
             {"ts", at / 1000},
             {"dur", op.nanoseconds / 1000}});
        at += op.nanoseconds;
      }
    }
  }
  return events.empty() ? Status::ok() : writeFile(file, "[\n" + events + "\n]\n");
}

} // namespace mica::report
