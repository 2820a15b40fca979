//===- Counts.cpp - what accesses cost, and which barriers order something --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Banks: 32 of 4 bytes; a request takes as many passes as the fullest bank has different words. Accesses of 8 and 16
// bytes go in halves and quarters of a warp. Global memory is fetched in sectors of 32 bytes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Counts.h"

#include <algorithm>
#include <set>

namespace mica::runtime::sim {

void AccessCounts::clear() {
  sites.clear();
  touched.clear();
}

void AccessCounts::add(int32_t lane, int64_t address, int64_t bytes, bool isWorkgroup, int32_t number) {
  Site &site = sites[number];
  if (site.visits.empty())
    touched.push_back(number);
  site.isWorkgroup = isWorkgroup;
  const size_t visit = size_t(site.visited[size_t(lane)]++);
  if (visit >= site.visits.size())
    site.visits.resize(visit + 1);
  site.visits[visit].lanes[size_t(lane)] = {address, bytes};
  site.visits[visit].active |= 1u << lane;
}

void AccessCounts::endOfRegion() {
  constexpr int64_t kBanks = 32, kBankBytes = 4, kSector = 32;
  for (int32_t number : touched) {
    Site &site = sites[number];
    for (const Visit &visit : site.visits) {
      std::array<std::set<int64_t>, kBanks> banks;
      std::set<int64_t> sectors, words;
      int64_t passes = 0;
      int64_t group = 0; // bytes of the part of the warp that goes together
      auto flush = [&] {
        size_t fullest = 0;
        for (auto &bank : banks) {
          fullest = std::max(fullest, bank.size());
          bank.clear();
        }
        passes += int64_t(fullest);
        group = 0;
      };
      for (size_t lane = 0; lane < MICA_SIM_LANES; ++lane) {
        if (!(visit.active >> lane & 1))
          continue;
        const Access &access = visit.lanes[lane];
        if (group + std::max(access.bytes, kBankBytes) > kBanks * kBankBytes)
          flush();
        group += std::max(access.bytes, kBankBytes);
        for (int64_t word = access.address / kBankBytes; word <= (access.address + access.bytes - 1) / kBankBytes;
             ++word) {
          banks[size_t(word % kBanks)].insert(word);
          words.insert(word);
        }
        for (int64_t at = access.address / kSector; at <= (access.address + access.bytes - 1) / kSector; ++at)
          sectors.insert(at);
      }
      flush();
      const int64_t distinct = int64_t(words.size());
      const int64_t cost = site.isWorkgroup ? passes : int64_t(sectors.size());
      const int64_t best =
          site.isWorkgroup ? (distinct + kBanks - 1) / kBanks : (distinct * kBankBytes + kSector - 1) / kSector;
      site.requests += 1;
      site.cost += cost;
      site.best += std::min(cost, best);
      site.worst = std::max(site.worst, cost);
    }
    site.visits.clear();
    site.visited.fill(0);
  }
  touched.clear();
}

void BarrierUse::clear() {
  sites.clear();
  cells.clear();
  opens.clear();
  wanted.clear();
}

void BarrierUse::beginBlock(uint32_t stamp) {
  first = stamp;
  sites.clear();
  cells.clear();
}

void BarrierUse::opened(int32_t site, uint32_t) {
  sites.push_back(site);
  ++opens[site];
}

void BarrierUse::need(const Half &earlier, int32_t thread, uint32_t stamp) {
  if (earlier.thread < 0 || earlier.thread == thread || earlier.stamp >= stamp)
    return;
  // The barriers that opened between the two; of many, the last ones say enough.
  constexpr uint32_t kMost = 8;
  const uint32_t from = std::max(earlier.stamp, stamp > kMost ? stamp - kMost : 0);
  std::vector<int32_t> between;
  for (uint32_t at = std::max(from, first); at < stamp; ++at)
    between.push_back(sites[at - first]);
  std::sort(between.begin(), between.end());
  between.erase(std::unique(between.begin(), between.end()), between.end());
  wanted[between] = true;
}

void BarrierUse::access(int64_t granule, int32_t thread, bool writes, uint32_t stamp) {
  Cell &cell = cells[granule];
  need(cell.write, thread, stamp);
  if (writes) {
    need(cell.read, thread, stamp);
    need(cell.otherRead, thread, stamp);
    cell.write = {thread, stamp};
    return;
  }
  if (cell.read.thread != thread)
    cell.otherRead = cell.read;
  cell.read = {thread, stamp};
}

std::vector<int32_t> BarrierUse::unneeded() const {
  // Those that alone stand between two accesses stay; of the others the fewest that leave no pair without one, taken
  // greedily.
  std::set<int32_t> kept;
  for (const auto &[between, is] : wanted)
    if (between.size() == 1)
      kept.insert(between[0]);
  for (const auto &[between, is] : wanted)
    if (std::none_of(between.begin(), between.end(), [&](int32_t site) { return kept.count(site) != 0; }))
      kept.insert(between[0]);
  std::vector<int32_t> others;
  for (const auto &[site, count] : opens)
    if (!kept.count(site))
      others.push_back(site);
  return others;
}

} // namespace mica::runtime::sim
