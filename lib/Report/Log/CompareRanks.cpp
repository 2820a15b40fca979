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

using Aspect = std::function<std::string(const Compile &)>;

std::string joined(const std::vector<std::string> &texts) {
  std::string out;
  for (const std::string &text : texts)
    out += text + " ";
  return out;
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

/// `show`: whether the text of an aspect can be shown; hashes cannot.
void compare(const std::vector<LogModel> &ranks, const std::string &what, const Aspect &aspect, bool show,
             std::vector<Desync> &out) {
  std::vector<std::map<trace::CompileId, std::string>> texts;
  std::set<trace::CompileId> ids;
  for (const LogModel &rank : ranks) {
    auto &texts_ = texts.emplace_back();
    for (const Compile &compile : rank.compiles)
      if (!compile.id.isNone()) {
        texts_[compile.id] = aspect(compile);
        ids.insert(compile.id);
      }
  }
  // The first id that all ranks have and do not agree on; ids that some lack are a difference of their own.
  const trace::CompileId *first = nullptr;
  for (const trace::CompileId &id : ids) {
    std::set<std::string> said;
    bool all = true;
    for (const auto &rank : texts) {
      const auto found = rank.find(id);
      all &= found != rank.end();
      if (found != rank.end())
        said.insert(found->second);
    }
    if (all && said.size() > 1 && !first)
      first = &id;
  }
  if (!first)
    return;
  std::map<std::string, RankGroup> groups;
  for (size_t i = 0; i < ranks.size(); ++i) {
    RankGroup &group = groups[texts[i][*first]];
    group.ranks.push_back(ranks[i].rank);
    group.says = show ? texts[i][*first] : "variant " + std::to_string(groups.size());
  }
  Desync desync{what, first->text(), {}};
  std::vector<RankGroup> list;
  for (auto &[text, group] : groups)
    list.push_back(std::move(group));
  addGroups(desync, std::move(list));
  out.push_back(std::move(desync));
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

} // namespace

std::vector<Desync> compareRanks(const std::vector<LogModel> &ranks) {
  std::vector<Desync> out;
  if (ranks.size() < 2)
    return out;
  compareIds(ranks, out);
  compare(ranks, "status", statusName, true, out);
  compare(ranks, "caches", caches, true, out);
  compare(
      ranks, "collectives", [](const Compile &c) { return joined(c.collectives); }, false, out);
  compare(
      ranks, "schedules", [](const Compile &c) { return joined(c.schedules); }, false, out);
  compare(
      ranks, "tensors", [](const Compile &c) { return joined(c.tensorMeta); }, false, out);
  return out;
}

} // namespace mica::report
