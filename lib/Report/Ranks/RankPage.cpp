//===- RankPage.cpp - the page over ranks ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankPage.h. The page's script draws; all that it shows is computed in JoinRanks.cpp.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Ranks/RankPage.h"

#include "lib/Support/Json.h"
#include "mica/Support/Html.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <set>

namespace mica::report::ranks::page {
extern const std::string_view k_ranks_js, k_ranks_css, k_ranks_html;
} // namespace mica::report::ranks::page

namespace mica::report::ranks {

/// Launches of a rank that a page shows; a timeline of more cannot be read.
static constexpr size_t kMostLaunches = 20000;

static std::string milliseconds(int64_t ns) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(ns) / 1e6);
  return text;
}

static std::vector<int64_t> numbersOf(const RankModel &model, const std::vector<size_t> &positions) {
  std::vector<int64_t> numbers;
  for (size_t position : positions)
    numbers.push_back(model.ranks[position].rank);
  return numbers;
}

/// Microseconds since the begin, with three digits.
static double micros(const RankModel &model, int64_t ns) { return static_cast<double>(ns - model.beginNs) / 1e3; }

std::string rankPage(const RankModel &model) {
  Json data = Json::object();
  data["size"] = model.ranks.front().size;
  data["program"] = model.ranks.front().program;
  data["library"] = model.ranks.front().library;
  std::set<std::string> hosts;
  int64_t lost = 0;
  for (const RankRecord &rank : model.ranks) {
    hosts.insert(rank.host);
    lost += rank.lost;
  }
  data["hosts"] = hosts;
  data["lost"] = lost;
  data["absent"] = rangesText(model.absent);
  data["divergence"] = model.divergence;
  data["end"] = micros(model, model.endNs);
  Json kernels = Json::array();
  for (const RankKernel &kernel : model.ranks.front().kernels)
    kernels.push_back({kernel.name, kernel.exchange});
  data["kernels"] = std::move(kernels);
  data["sites"] = model.ranks.front().sites;
  Json ranks = Json::array();
  size_t dropped = 0;
  for (size_t i = 0; i < model.ranks.size(); ++i) {
    const RankRecord &rank = model.ranks[i];
    const RankTotal &total = model.perRank[i];
    Json one{{"rank", rank.rank},
             {"kernel", total.kernelNs / 1e3},
             {"exchange", total.exchangeNs / 1e3},
             {"waited", total.waitedNs / 1e3},
             {"caused", total.causedNs / 1e3},
             {"overlap", total.overlapNs / 1e3}};
    std::vector<const RankLaunch *> launches;
    for (const RankLaunch &launch : rank.launches)
      launches.push_back(&launch);
    std::sort(launches.begin(), launches.end(),
              [](const RankLaunch *a, const RankLaunch *b) { return a->startNs < b->startNs; });
    dropped += launches.size() - std::min(launches.size(), kMostLaunches);
    launches.resize(std::min(launches.size(), kMostLaunches));
    Json list = Json::array();
    for (const RankLaunch *launch : launches)
      list.push_back({launch->kernel, launch->site, micros(model, launch->startNs), micros(model, launch->endNs)});
    one["launches"] = std::move(list);
    ranks.push_back(std::move(one));
  }
  data["ranks"] = std::move(ranks);
  data["dropped"] = dropped;
  Json groups = Json::array();
  for (const RankGroup &group : model.groups)
    groups.push_back(Json{
        {"ranks", group.ranks}, {"text", rangesText(numbersOf(model, group.ranks))}, {"straggler", group.isStraggler}});
  data["groups"] = std::move(groups);
  Json exchanges = Json::array();
  for (const JoinedExchange &one : model.exchanges) {
    Json times = Json::array();
    for (size_t i = 0; i < one.ranks.size(); ++i)
      times.push_back({one.ranks[i], micros(model, one.records[i]->startNs), micros(model, one.records[i]->endNs)});
    exchanges.push_back(Json{{"kind", one.kind},
                             {"kernel", one.kernel},
                             {"op", one.op},
                             {"bytes", one.bytes},
                             {"skew", one.skewNs / 1e3},
                             {"waited", one.waitedNs / 1e3},
                             {"last", one.ranks[one.last]},
                             {"bad", one.differs || one.missing > 0},
                             {"times", std::move(times)}});
  }
  data["exchanges"] = std::move(exchanges);
  Json totals = Json::array();
  for (const ExchangeTotal &total : model.totals) {
    const auto most = std::max_element(total.waitedFor.begin(), total.waitedFor.end());
    totals.push_back(Json{{"kind", total.kind},
                          {"kernel", total.kernel},
                          {"op", total.op},
                          {"count", total.count},
                          {"bytes", total.bytes},
                          {"transfer", total.transferNs / 1e3},
                          {"skew", total.skewNs / 1e3},
                          {"mostSkew", total.mostSkewNs / 1e3},
                          {"waited", total.waitedNs / 1e3},
                          {"for", *most > 0 ? model.ranks[size_t(most - total.waitedFor.begin())].rank : -1},
                          {"forTime", *most / 1e3}});
  }
  data["totals"] = std::move(totals);
  std::string text = printJsonLine(data);
  // Text of a program must not end the element.
  for (size_t at = text.find('<'); at != text.npos; at = text.find('<', at))
    text.replace(at, 1, "\\u003c");
  const std::string body =
      std::string(page::k_ranks_html) + "<script type=\"text/plain\" id=\"data\">" + text + "</script>\n";
  return printHtml({"Ranks of " + model.ranks.front().program, page::k_ranks_css, body, page::k_ranks_js, false});
}

std::string describeRanks(const RankModel &model) {
  std::string text = std::to_string(model.ranks.size()) + " of " + std::to_string(model.ranks.front().size) +
                     " ranks, " + model.ranks.front().library + ": " + milliseconds(model.endNs - model.beginNs) +
                     ", " + std::to_string(model.exchanges.size()) + " exchanges\n";
  if (!model.absent.empty())
    text += "  no file of rank " + rangesText(model.absent) + "\n";
  for (const RankGroup &group : model.groups) {
    const RankTotal &total = model.perRank[group.ranks.front()];
    text += "  rank " + rangesText(numbersOf(model, group.ranks)) + (group.isStraggler ? " (others wait for it)" : "") +
            ": kernels " + milliseconds(total.kernelNs) + ", exchanges " + milliseconds(total.exchangeNs) +
            ", of which it waits for others " + milliseconds(total.waitedNs) + " and computes meanwhile " +
            milliseconds(total.overlapNs) + "\n";
  }
  size_t shown = 0;
  for (const ExchangeTotal &total : model.totals) {
    if (++shown > 5)
      break;
    text += "  " + std::to_string(total.count) + " x " + total.kind + " of " + total.op + ": " +
            byteSize(total.bytes / std::max<int64_t>(1, total.count)) + " each, " +
            milliseconds(total.transferNs / std::max<int64_t>(1, total.count)) + " after the last arrival, which is " +
            milliseconds(total.skewNs / std::max<int64_t>(1, total.count)) + " after the first\n";
  }
  if (!model.divergence.empty())
    text += "  ranks differ: " + model.divergence + "\n";
  return text;
}

std::string printPerfetto(const RankModel &model) {
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  bool isFirst = true;
  auto add = [&](const Json &event) {
    text += std::string(isFirst ? "" : ",\n") + printJsonLine(event);
    isFirst = false;
  };
  for (size_t i = 0; i < model.ranks.size(); ++i) {
    const RankRecord &rank = model.ranks[i];
    add(Json{{"ph", "M"},
             {"name", "process_name"},
             {"pid", rank.rank},
             {"args", {{"name", "rank " + std::to_string(rank.rank)}}}});
    add(Json{{"ph", "M"}, {"name", "process_sort_index"}, {"pid", rank.rank}, {"args", {{"sort_index", rank.rank}}}});
    add(Json{
        {"ph", "M"}, {"name", "thread_name"}, {"pid", rank.rank}, {"tid", 1000000}, {"args", {{"name", "exchanges"}}}});
    for (const RankLaunch &launch : rank.launches)
      if (!launch.isExchange)
        add(Json{{"ph", "X"},
                 {"cat", "kernel"},
                 {"name", rank.kernels[size_t(launch.kernel)].name},
                 {"pid", rank.rank},
                 {"tid", launch.thread},
                 {"ts", micros(model, launch.startNs)},
                 {"dur", static_cast<double>(launch.endNs - launch.startNs) / 1e3},
                 {"args", {{"op", launch.site < 0 ? "" : rank.sites[size_t(launch.site)]}, {"call", launch.call}}}});
  }
  // Arrows go from the last to come to those that waited for it.
  int64_t flow = 0;
  for (const JoinedExchange &one : model.exchanges) {
    ++flow;
    for (size_t i = 0; i < one.ranks.size(); ++i) {
      const RankExchange &record = *one.records[i];
      const int64_t pid = model.ranks[one.ranks[i]].rank;
      add(Json{{"ph", "X"},
               {"cat", "exchange"},
               {"name", one.kind},
               {"pid", pid},
               {"tid", 1000000},
               {"ts", micros(model, record.startNs)},
               {"dur", static_cast<double>(record.endNs - record.startNs) / 1e3},
               {"args",
                {{"op", one.op},
                 {"bytes", record.bytes},
                 {"waited for rank", i == one.last ? -1 : model.ranks[one.ranks[one.last]].rank},
                 {"skew us", static_cast<double>(one.skewNs) / 1e3}}}});
      add(Json{{"ph", i == one.last ? "s" : "f"},
               {"bp", "e"},
               {"cat", "exchange"},
               {"name", "joined"},
               {"id", flow},
               {"pid", pid},
               {"tid", 1000000},
               {"ts", micros(model, i == one.last ? record.startNs : std::max(record.startNs, record.endNs - 1))}});
    }
  }
  return text + "\n]}\n";
}

} // namespace mica::report::ranks
