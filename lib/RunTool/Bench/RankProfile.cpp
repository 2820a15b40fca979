//===- RankProfile.cpp - what a program for several ranks does here ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankProfile.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/RankProfile.h"

#include "mica/Runtime/Communicator.h"
#include "mica/Runtime/Context.h"
#include "mica/Support/Files.h"
#include "mica/Trace/RankRecord.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace mica::bench {

using Clock = std::chrono::steady_clock;
using Place = std::pair<int64_t, int64_t>; ///< kernel and site

/// Runs calls with the switch rank-trace; returns the shortest call.
static Result<double> runTraced(const Subject &subject, double seconds, const std::filesystem::path &folder,
                                bool fingerprints) {
  runtime::ContextOptions options;
  options.ranksAsThreads = true;
  options.threads = 1;
  MICA_RETURN_IF_ERROR(options.switches.set("rank-trace", folder.string(), SwitchSource::Flag));
  if (fingerprints)
    MICA_RETURN_IF_ERROR(options.switches.set("rank-fingerprints", "on", SwitchSource::Flag));
  MICA_ASSIGN_OR_RETURN(const auto context, runtime::Context::create(subject.program, std::move(options)));
  std::vector<runtime::TensorView> views;
  for (const runtool::Input &input : subject.inputs)
    views.push_back(input.view());
  std::vector<runtime::Tensor> results;
  double best = 0;
  const auto begin = Clock::now();
  for (int calls = 0; calls < (fingerprints ? 1 : 500); ++calls) {
    const auto start = Clock::now();
    MICA_RETURN_IF_ERROR(context->invoke(subject.entry, views, results));
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    best = calls == 0 ? ns : std::min(best, ns);
    if (calls >= 4 && std::chrono::duration<double>(Clock::now() - begin).count() > seconds)
      break;
  }
  return best;
}

/// The shortest time of each kernel on any of the ranks, in ns.
static std::map<Place, double> shortestTimes(const std::vector<trace::RankRecord> &ranks) {
  std::map<Place, double> shortest;
  for (const trace::RankRecord &rank : ranks)
    for (const trace::RankLaunch &launch : rank.launches) {
      const auto ns = double(launch.endNs - launch.startNs);
      const auto [at, isNew] = shortest.try_emplace({launch.kernel, launch.site}, ns);
      if (!isNew)
        at->second = std::min(at->second, ns);
    }
  return shortest;
}

/// The kernels of the first call, in the order in which they began.
static std::vector<Place> firstCall(const trace::RankRecord &rank) {
  std::vector<std::pair<int64_t, Place>> began;
  for (const trace::RankLaunch &launch : rank.launches)
    if (launch.call == 0)
      began.emplace_back(launch.startNs, Place(launch.kernel, launch.site));
  std::sort(began.begin(), began.end());
  std::vector<Place> order;
  for (const auto &[start, place] : began)
    order.push_back(place);
  return order;
}

/// Of what `exchange` is among.
static int64_t membersOf(const trace::RankRecord &rank, const trace::RankExchange &exchange) {
  return exchange.group >= 0 ? int64_t(rank.groups[size_t(exchange.group)].size()) : 2;
}

Result<RankProfile> profileRanks(const Subject &subject, double seconds) {
  const artifact::Manifest &manifest = subject.program->manifest();
  MICA_ASSIGN_OR_RETURN(const int32_t ranks, runtime::ranksOf(manifest));
  if (ranks == 0)
    return Error{ErrorCode::Unsupported, subject.name + " is a program for one rank",
                 "annotate it, or compile it with --shard (docs/Ranks.md)"};
  MICA_ASSIGN_OR_RETURN(const ScratchFolder known, ScratchFolder::create("mica-bench-ranks"));
  MICA_ASSIGN_OR_RETURN(const ScratchFolder timed, ScratchFolder::create("mica-bench-ranks"));
  MICA_RETURN_IF_ERROR(runTraced(subject, 0, known.path(), /*fingerprints=*/true).status());
  RankProfile made;
  MICA_ASSIGN_OR_RETURN(made.profile.callNs, runTraced(subject, seconds, timed.path(), /*fingerprints=*/false));
  MICA_ASSIGN_OR_RETURN(const trace::RankRecord split, trace::readRankRecord(known.path() / "rank-0.json"));
  std::vector<trace::RankRecord> traces;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    MICA_ASSIGN_OR_RETURN(trace::RankRecord one,
                          trace::readRankRecord(timed.path() / ("rank-" + std::to_string(rank) + ".json")));
    traces.push_back(std::move(one));
  }
  made.profile.ranks = ranks;
  const artifact::EntryRecord &entry = manifest.entries[subject.entry];
  if (!entry.args.empty() && entry.args[0].shape.size() > 1 && entry.args[0].shape[0] > 0 &&
      (!entry.args[0].sharding || entry.args[0].sharding->parts(0) == 1))
    made.profile.rows = entry.args[0].shape[0];
  std::map<Place, int64_t> bytes;
  for (const trace::RankExchange &one : traces[0].exchanges)
    bytes[{one.kernel, one.site}] = one.bytes;
  const std::map<Place, double> shortest = shortestTimes(traces);
  for (const Place &place : firstCall(traces[0])) {
    Step step;
    step.name = traces[0].kernels[size_t(place.first)].name;
    step.exchange = traces[0].kernels[size_t(place.first)].exchange;
    step.op = place.second >= 0 ? traces[0].sites[size_t(place.second)] : step.name;
    step.bytes = double(bytes.count(place) ? bytes[place] : 0);
    const auto axes = split.axes.find(place);
    step.isSplit = axes == split.axes.end() || axes->second != 0;
    step.ns = shortest.at(place);
    made.profile.steps.push_back(std::move(step));
  }
  // An exchange takes what passes after the last member has come; members of different groups are told apart by place.
  std::map<std::pair<Place, int64_t>, std::pair<double, double>> spans; // last start, last end
  for (const trace::RankRecord &rank : traces)
    for (const trace::RankExchange &one : rank.exchanges) {
      auto &[start, end] = spans[{{one.kernel, one.site}, one.turn}];
      start = std::max(start, double(one.startNs));
      end = std::max(end, double(one.endNs));
    }
  for (const trace::RankExchange &one : traces[0].exchanges) {
    const auto &[start, end] = spans[{{one.kernel, one.site}, one.turn}];
    made.exchanges.push_back(
        {traces[0].kernels[size_t(one.kernel)].exchange, double(one.bytes), end - start, membersOf(traces[0], one)});
  }
  return made;
}

} // namespace mica::bench
