//===- Counts.h - what accesses cost, and which barriers order something ----------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Hints about speed: bank conflicts of workgroup memory, transactions of global memory, barriers that no pair of
// accesses needed.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_COUNTS_H
#define MICA_RUNTIME_SIM_COUNTS_H

#include "mica/ABI/Sim.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace mica::runtime::sim {

/// Accesses of one region of a warp: the n-th time its threads come to an operation, they come to it together.
class AccessCounts {
public:
  void clear();
  void add(int32_t lane, int64_t address, int64_t bytes, bool isWorkgroup, int32_t site);
  /// The threads of the warp have come to their next points.
  void endOfRegion();
  /// One line for each operation that is slower than it could be. `siteText` names operations.
  template <typename F> void hints(const F &siteText, std::vector<std::string> &into) const;

private:
  struct Access {
    int64_t address = 0, bytes = 0;
  };
  struct Visit {
    std::array<Access, MICA_SIM_LANES> lanes;
    uint32_t active = 0;
  };
  struct Site {
    std::vector<Visit> visits;
    std::array<int32_t, MICA_SIM_LANES> visited{};
    bool isWorkgroup = false;
    int64_t requests = 0, cost = 0, best = 0, worst = 0;
  };
  std::map<int32_t, Site> sites;
  std::vector<int32_t> touched; ///< sites of the region that runs
};

template <typename F> void AccessCounts::hints(const F &siteText, std::vector<std::string> &into) const {
  for (const auto &[number, site] : sites) {
    if (site.cost <= site.best)
      continue;
    const std::string requests = std::to_string(site.requests), cost = std::to_string(site.cost),
                      best = std::to_string(site.best), worst = std::to_string(site.worst);
    into.push_back(site.isWorkgroup
                       ? "bank: " + siteText(number) + ": " + requests + " requests of warps take " + cost +
                             " passes through the banks of workgroup memory, " + best + " without conflicts; up to " +
                             worst + " for one"
                       : "coalescing: " + siteText(number) + ": " + requests + " requests of warps take " + cost +
                             " transactions of 32 bytes, " + best +
                             " if neighbouring threads took neighbouring bytes; up to " + worst + " for one");
  }
}

/// Which barriers stand between two accesses that need one.
class BarrierUse {
public:
  void clear();
  /// A block begins with `stamp`.
  void beginBlock(uint32_t stamp);
  /// The barrier at `site` opens and ends the interval `stamp`.
  void opened(int32_t site, uint32_t stamp);
  /// An access to a granule of workgroup or global memory.
  void access(int64_t granule, int32_t thread, bool writes, uint32_t stamp);
  /// Sites of barriers that every pair of accesses could do without.
  std::vector<int32_t> unneeded() const;

private:
  struct Half {
    int32_t thread = -1;
    uint32_t stamp = 0;
  };
  struct Cell {
    Half write, read, otherRead; ///< the latest, and the latest reads of two threads
  };
  void need(const Half &earlier, int32_t thread, uint32_t stamp);

  uint32_t first = 0;         ///< of the block
  std::vector<int32_t> sites; ///< of the barriers of this block, in order
  std::unordered_map<int64_t, Cell> cells;
  std::map<int32_t, int64_t> opens;            ///< how often each barrier opened
  std::map<std::vector<int32_t>, bool> wanted; ///< sets of barriers of which one is needed
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_COUNTS_H
