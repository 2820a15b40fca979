//===- CompareRanks.cpp - where ranks part ways ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Each aspect of a rank is a text per compile id; ranks with equal texts are a group.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/CompareRanks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace mica::report {
namespace {

using Steps = std::vector<std::string>;
using Aspect = std::function<const Steps &(const Compile &)>;

constexpr size_t kLongestSaid = 300;

/// The position of the first step in which `a` and `b` differ.
size_t firstDifference(const Steps &a, const Steps &b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

/// "step 3: all_gather".
std::string stepText(const Steps &steps, size_t at) {
  return "step " + std::to_string(at + 1) + ": " + (at < steps.size() ? steps[at].substr(0, kLongestSaid) : "no more");
}

std::string caches(const Compile &compile) {
  std::string out;
  for (const Product &product : compile.products)
    if (!product.mark.empty())
      out += (out.empty() ? "" : ", ") + product.name.substr(0, product.name.find('.'));
  return out;
}

std::string statusName(const Compile &compile) {
  static constexpr const char *kNames[] = {"ok", "restarted", "empty", "failed", "unfinished"};
  return kNames[static_cast<size_t>(compile.status())];
}

/// The largest group first: the others are the ones to look at.
void addGroups(Desync &desync, std::vector<RankGroup> groups) {
  std::stable_sort(groups.begin(), groups.end(),
                   [](const RankGroup &a, const RankGroup &b) { return a.ranks.size() > b.ranks.size(); });
  desync.groups = std::move(groups);
}

/// Ranks by what `stepsOf` says, each group with the first step in which it differs from the largest one.
std::vector<RankGroup> groupBySteps(const std::vector<LogModel> &ranks,
                                    const std::function<const Steps &(const LogModel &)> &stepsOf) {
  std::map<Steps, std::vector<int64_t>> found;
  for (const LogModel &rank : ranks)
    found[stepsOf(rank)].push_back(rank.rank);
  const auto largest = std::max_element(found.begin(), found.end(),
                                        [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
  size_t first = std::string::npos;
  std::vector<RankGroup> groups;
  for (auto at = found.begin(); at != found.end(); ++at)
    if (at != largest) {
      const size_t here = firstDifference(at->first, largest->first);
      first = std::min(first, here);
      groups.push_back({at->second, stepText(at->first, here)});
    }
  if (!groups.empty())
    groups.insert(groups.begin(), {largest->second, stepText(largest->first, first)});
  return groups;
}

/// The compile `id` of `rank`, or null.
const Compile *compileOf(const LogModel &rank, const trace::CompileId &id) {
  for (const Compile &compile : rank.compiles)
    if (compile.id == id)
      return &compile;
  return nullptr;
}

void compare(const std::vector<LogModel> &ranks, const std::string &what, const Aspect &aspect,
             std::vector<Desync> &out) {
  // What the first rank with an id says of it, on how many ranks it is, and whether one of them differs.
  struct Said {
    const Steps *steps = nullptr;
    size_t ranks = 0;
    bool differs = false;
  };
  std::map<trace::CompileId, Said> ids;
  for (const LogModel &rank : ranks)
    for (const Compile &compile : rank.compiles)
      if (!compile.id.isNone()) {
        Said &said = ids[compile.id];
        const Steps &steps = aspect(compile);
        said.differs |= said.steps && *said.steps != steps;
        said.steps = said.steps ? said.steps : &steps;
        ++said.ranks;
      }
  // The first id that all ranks have and do not agree on; ids that some lack are a difference of their own.
  for (const auto &[id, said] : ids)
    if (said.differs && said.ranks == ranks.size()) {
      Desync desync{what, id.text(), {}};
      addGroups(desync, groupBySteps(ranks, [&, id = id](const LogModel &rank) -> const Steps & {
                  return aspect(*compileOf(rank, id));
                }));
      return out.push_back(std::move(desync));
    }
}

/// The same of an aspect that is one text.
void compareTexts(const std::vector<LogModel> &ranks, const std::string &what,
                  const std::function<std::string(const Compile &)> &aspect, std::vector<Desync> &out) {
  std::map<trace::CompileId, std::map<std::string, RankGroup>> ids;
  std::map<trace::CompileId, size_t> owners;
  for (const LogModel &rank : ranks)
    for (const Compile &compile : rank.compiles)
      if (!compile.id.isNone()) {
        const std::string text = aspect(compile);
        RankGroup &group = ids[compile.id][text];
        group.ranks.push_back(rank.rank);
        group.says = text;
        ++owners[compile.id];
      }
  for (auto &[id, groups] : ids)
    if (groups.size() > 1 && owners[id] == ranks.size()) {
      std::vector<RankGroup> list;
      for (auto &[text, group] : groups)
        list.push_back(std::move(group));
      Desync desync{what, id.text(), {}};
      addGroups(desync, std::move(list));
      return out.push_back(std::move(desync));
    }
}

void compareIds(const std::vector<LogModel> &ranks, std::vector<Desync> &out) {
  std::map<std::set<trace::CompileId>, RankGroup> groups;
  std::map<trace::CompileId, size_t> owners;
  for (const LogModel &rank : ranks) {
    std::set<trace::CompileId> ids;
    for (const Compile &compile : rank.compiles)
      if (!compile.id.isNone())
        ids.insert(compile.id);
    for (const trace::CompileId &id : ids)
      ++owners[id];
    RankGroup &group = groups[ids];
    group.ranks.push_back(rank.rank);
    group.says = std::to_string(ids.size()) + (ids.size() == 1 ? " compile" : " compiles");
  }
  if (groups.size() < 2)
    return;
  Desync desync{"compile ids", "", {}};
  for (const auto &[id, count] : owners)
    if (count < ranks.size() && desync.first.empty())
      desync.first = id.text();
  std::vector<RankGroup> list;
  for (auto &[ids, group] : groups)
    list.push_back(std::move(group));
  addGroups(desync, std::move(list));
  out.push_back(std::move(desync));
}

/// The order in which graphs ran. Its records have no compile id, so ranks are compared step by step.
void compareExecutions(const std::vector<LogModel> &ranks, std::vector<Desync> &out) {
  Desync desync{"execution order", "", {}};
  addGroups(desync, groupBySteps(ranks, [](const LogModel &rank) -> const Steps & { return rank.executions; }));
  if (!desync.groups.empty())
    out.push_back(std::move(desync));
}

} // namespace

std::vector<Desync> compareRanks(const std::vector<LogModel> &ranks) {
  std::vector<Desync> out;
  if (ranks.size() < 2)
    return out;
  compareIds(ranks, out);
  compareTexts(ranks, "status", statusName, out);
  compareTexts(ranks, "caches", caches, out);
  compare(
      ranks, "collectives", [](const Compile &c) -> const Steps & { return c.collectives; }, out);
  compare(
      ranks, "schedules", [](const Compile &c) -> const Steps & { return c.schedules; }, out);
  compare(
      ranks, "tensors", [](const Compile &c) -> const Steps & { return c.tensorMeta; }, out);
  compareExecutions(ranks, out);
  return out;
}

std::vector<ExecutionOrder> executionOrders(const std::vector<LogModel> &ranks) {
  std::map<Steps, std::vector<int64_t>> found;
  for (const LogModel &rank : ranks)
    if (!rank.executions.empty())
      found[rank.executions].push_back(rank.rank);
  std::vector<ExecutionOrder> orders;
  for (auto &[steps, list] : found)
    orders.push_back({list, steps});
  std::stable_sort(orders.begin(), orders.end(),
                   [](const ExecutionOrder &a, const ExecutionOrder &b) { return a.ranks.size() > b.ranks.size(); });
  return orders;
}

} // namespace mica::report
