//===- JoinRanks.cpp - exchanges of all ranks --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See RankModel.h. Exchanges of a group are joined by their number in it; one between two ranks is of these two alone,
// and its halves are joined by their order.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Ranks/JoinRanks.h"

#include "mica/Support/Hash.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace mica::report::ranks {

namespace {

const std::string &opOf(const RankRecord &rank, int64_t site) {
  static const std::string none;
  return site >= 0 ? rank.sites[static_cast<size_t>(site)] : none;
}

/// Who took part, by the numbers of ranks.
std::vector<int64_t> membersOf(const RankRecord &rank, const RankExchange &exchange) {
  return exchange.group >= 0
             ? rank.groups[static_cast<size_t>(exchange.group)]
             : std::vector<int64_t>{std::min(rank.rank, exchange.partner), std::max(rank.rank, exchange.partner)};
}

void join(RankModel &model) {
  using Key = std::tuple<std::vector<int64_t>, bool, int64_t>;
  std::map<Key, JoinedExchange> joined;
  for (size_t i = 0; i < model.ranks.size(); ++i) {
    const RankRecord &rank = model.ranks[i];
    std::map<std::vector<int64_t>, int64_t> pairs; // exchanges so far with one other rank
    for (const RankExchange &exchange : rank.exchanges) {
      std::vector<int64_t> members = membersOf(rank, exchange);
      const bool isPair = exchange.group < 0;
      const int64_t turn = isPair ? pairs[members]++ : exchange.turn;
      JoinedExchange &one = joined[Key(std::move(members), isPair, turn)];
      one.ranks.push_back(i);
      one.records.push_back(&exchange);
    }
  }
  for (auto &[key, one] : joined) {
    const RankRecord &rank = model.ranks[one.ranks.front()];
    const RankExchange &record = *one.records.front();
    const RankKernel &kernel = rank.kernels[static_cast<size_t>(record.kernel)];
    one.kind = kernel.exchange;
    one.kernel = kernel.name;
    one.op = opOf(rank, record.site);
    one.missing = std::get<0>(key).size() - one.ranks.size();
    for (size_t i = 0; i < one.ranks.size(); ++i) {
      const RankExchange &other = *one.records[i];
      // Of a pair, one sends and the other receives.
      const bool isPair = std::get<1>(key);
      one.differs |= !isPair && (other.site != record.site ||
                                 model.ranks[one.ranks[i]].kernels[size_t(other.kernel)].name != kernel.name);
      one.bytes = std::max(one.bytes, other.bytes);
      if (other.startNs < one.records[one.first]->startNs)
        one.first = i;
      if (other.startNs > one.records[one.last]->startNs)
        one.last = i;
      one.endNs = std::max(one.endNs, other.endNs);
    }
    one.arrivedNs = one.records[one.last]->startNs;
    one.skewNs = one.arrivedNs - one.records[one.first]->startNs;
    for (const RankExchange *other : one.records)
      one.waitedNs += std::min(one.arrivedNs, other->endNs) - other->startNs;
    model.exchanges.push_back(std::move(one));
  }
  std::sort(model.exchanges.begin(), model.exchanges.end(),
            [](const JoinedExchange &a, const JoinedExchange &b) { return a.arrivedNs < b.arrivedNs; });
}

void addTotals(RankModel &model) {
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (const JoinedExchange &one : model.exchanges) {
    const auto [at, isNew] = known.try_emplace({one.kernel, one.op}, model.totals.size());
    if (isNew) {
      model.totals.push_back(
          {one.kind, one.kernel, one.op, 0, 0, 0, 0, 0, 0, std::vector<int64_t>(model.ranks.size())});
    }
    ExchangeTotal &total = model.totals[at->second];
    ++total.count;
    total.bytes += one.bytes;
    total.transferNs += one.endNs - one.arrivedNs;
    total.skewNs += one.skewNs;
    total.mostSkewNs = std::max(total.mostSkewNs, one.skewNs);
    total.waitedNs += one.waitedNs;
    total.waitedFor[one.ranks[one.last]] += one.waitedNs;
  }
  std::stable_sort(model.totals.begin(), model.totals.end(), [](const ExchangeTotal &a, const ExchangeTotal &b) {
    return a.transferNs + a.skewNs > b.transferNs + b.skewNs;
  });
}

/// The time in which a kernel ran while the rank was in an exchange: times of kernels are united first.
int64_t overlapOf(const RankRecord &rank) {
  std::vector<std::pair<int64_t, int64_t>> kernels, united;
  for (const RankLaunch &launch : rank.launches)
    if (!launch.isExchange)
      kernels.emplace_back(launch.startNs, launch.endNs);
  std::sort(kernels.begin(), kernels.end());
  for (const auto &[begin, end] : kernels) {
    if (!united.empty() && begin <= united.back().second)
      united.back().second = std::max(united.back().second, end);
    else
      united.emplace_back(begin, end);
  }
  int64_t overlap = 0;
  for (const RankExchange &exchange : rank.exchanges) {
    auto at = std::lower_bound(united.begin(), united.end(), exchange.startNs,
                               [](const auto &range, int64_t value) { return range.second <= value; });
    for (; at != united.end() && at->first < exchange.endNs; ++at)
      overlap += std::min(at->second, exchange.endNs) - std::max(at->first, exchange.startNs);
  }
  return overlap;
}

void addRanks(RankModel &model) {
  model.perRank.resize(model.ranks.size());
  model.beginNs = INT64_MAX;
  for (size_t i = 0; i < model.ranks.size(); ++i) {
    RankTotal &total = model.perRank[i];
    for (const RankLaunch &launch : model.ranks[i].launches) {
      model.beginNs = std::min(model.beginNs, launch.startNs);
      model.endNs = std::max(model.endNs, launch.endNs);
      total.kernelNs += launch.isExchange ? 0 : launch.endNs - launch.startNs;
    }
    for (const RankExchange &exchange : model.ranks[i].exchanges)
      total.exchangeNs += exchange.endNs - exchange.startNs;
    total.overlapNs = overlapOf(model.ranks[i]);
  }
  model.beginNs = std::min(model.beginNs, model.endNs);
  for (const JoinedExchange &one : model.exchanges) {
    for (size_t i = 0; i < one.ranks.size(); ++i)
      model.perRank[one.ranks[i]].waitedNs += std::min(one.arrivedNs, one.records[i]->endNs) - one.records[i]->startNs;
    model.perRank[one.ranks[one.last]].causedNs += one.waitedNs;
  }
}

/// What a rank does, without times and numbers of ranks.
uint64_t behaviourOf(const RankRecord &rank) {
  std::vector<int64_t> words;
  for (const RankExchange &exchange : rank.exchanges)
    words.insert(words.end(), {exchange.kernel, exchange.site, exchange.group >= 0, exchange.bytes, exchange.isDone});
  // Kernels run in any order that the task graph allows.
  std::map<std::pair<int64_t, int64_t>, int64_t> launches;
  for (const RankLaunch &launch : rank.launches)
    ++launches[{launch.kernel, launch.site}];
  for (const auto &[what, count] : launches)
    words.insert(words.end(), {what.first, what.second, count});
  std::string hashes;
  for (const RankKernel &kernel : rank.kernels)
    hashes += kernel.hash;
  return hash64(words.data(), words.size() * sizeof(int64_t)) * 31 + hash64(hashes.data(), hashes.size());
}

void addGroups(RankModel &model) {
  int64_t waited = 0;
  for (const RankTotal &total : model.perRank)
    waited += total.causedNs;
  std::map<std::pair<uint64_t, bool>, size_t> known;
  const auto even = waited / static_cast<int64_t>(std::max<size_t>(1, model.ranks.size()));
  for (size_t i = 0; i < model.ranks.size(); ++i) {
    // Of few ranks, each is waited for now and then.
    const int64_t caused = model.perRank[i].causedNs;
    const bool isStraggler = caused * 10 > waited && caused > 2 * even && caused * 20 > model.endNs - model.beginNs;
    const auto [at, isNew] = known.try_emplace({behaviourOf(model.ranks[i]), isStraggler}, model.groups.size());
    if (isNew)
      model.groups.push_back({{}, isStraggler});
    model.groups[at->second].ranks.push_back(i);
  }
}

/// The first exchange that not all members made.
void findDivergence(RankModel &model) {
  for (const JoinedExchange &one : model.exchanges) {
    const bool isOver = std::all_of(one.records.begin(), one.records.end(), [](const auto *r) { return r->isDone; });
    // Members whose files are absent are no divergence.
    if (!one.differs && (one.missing == 0 || (isOver && !model.absent.empty())))
      continue;
    model.divergence = one.kind + " number " + std::to_string(one.records.front()->turn + 1) + " of its group";
    for (size_t i = 0; i < one.ranks.size() && i < 4; ++i) {
      const RankRecord &rank = model.ranks[one.ranks[i]];
      const RankKernel &kernel = rank.kernels[static_cast<size_t>(one.records[i]->kernel)];
      model.divergence += std::string(i ? ", " : ": ") + "rank " + std::to_string(rank.rank) + " is in " +
                          kernel.exchange + " of " + opOf(rank, one.records[i]->site);
    }
    if (one.missing)
      model.divergence += "; " + std::to_string(one.missing) + " of its members never came";
    return;
  }
}

} // namespace

void joinRanks(RankModel &model) {
  join(model);
  addTotals(model);
  addRanks(model);
  addGroups(model);
  findDivergence(model);
}

std::string rangesText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text +=
        (text.empty() ? "" : ", ") + std::to_string(numbers[i]) + (last > i ? "-" + std::to_string(numbers[last]) : "");
    i = last + 1;
  }
  return text;
}

} // namespace mica::report::ranks
