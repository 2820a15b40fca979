//===- Reports.h - what the checks of a launch found ------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Of each kind at the same operations, the first in words and how many there were.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_REPORTS_H
#define MICA_RUNTIME_SIM_REPORTS_H

#include "mica/ABI/Sim.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace mica::runtime::sim {

class Reports {
public:
  /// A launch begins.
  void clear();

  /// One more of `check` at operations `site` and `other` (-1: none). `describe` says it, and is called the first time
  /// alone.
  void add(mica_sim_check check, int32_t site, int32_t other, const std::function<std::string()> &describe);
  /// What costs time and is no fault.
  void hint(std::string text) { hints.push_back(std::move(text)); }

  /// The operation of the first fault; there is one.
  int32_t firstSite() const { return entries.front().site; }
  bool empty() const { return entries.empty(); }
  /// All faults as one message, in the order they were found; `kernel`: "kernel 'k'"; `schedule`: how the order is had
  /// again.
  std::string message(const std::string &kernel, const std::string &schedule) const;
  const std::vector<std::string> &allHints() const { return hints; }

private:
  struct Entry {
    mica_sim_check check;
    int32_t site;
    std::string text;
    int64_t count = 0;
  };
  std::vector<Entry> entries;
  std::map<std::tuple<int, int32_t, int32_t>, size_t> known;
  std::vector<std::string> hints;
};

/// "race": the name of a check in messages and in the switch sim-check.
const char *checkName(mica_sim_check check);

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_REPORTS_H
