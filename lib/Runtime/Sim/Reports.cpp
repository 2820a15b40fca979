//===- Reports.cpp - what the checks of a launch found ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Reports.h"

namespace mica::runtime::sim {

const char *checkName(mica_sim_check check) {
  switch (check) {
  case MICA_SIM_CHECK_BOUNDS:
    return "bounds";
  case MICA_SIM_CHECK_RACE:
    return "race";
  case MICA_SIM_CHECK_INIT:
    return "init";
  case MICA_SIM_CHECK_BARRIER:
    return "barrier";
  case MICA_SIM_CHECK_ASYNC:
    return "async";
  case MICA_SIM_CHECK_ALIGNMENT:
    return "alignment";
  case MICA_SIM_CHECK_BANK:
    return "bank";
  case MICA_SIM_CHECK_COALESCING:
    return "coalescing";
  case MICA_SIM_CHECK_BARRIER_USE:
    return "barrier-use";
  case MICA_SIM_CHECK_HANG:
    return "hang";
  case MICA_SIM_CHECK_ASSERTION:
    return ""; // the operation says it
  }
  return "";
}

void Reports::clear() {
  entries.clear();
  known.clear();
  hints.clear();
}

void Reports::add(mica_sim_check check, int32_t site, int32_t other, const std::function<std::string()> &describe) {
  auto [place, isNew] = known.try_emplace({check, site, other}, entries.size());
  if (isNew)
    entries.push_back({check, site, describe(), 0});
  ++entries[place->second].count;
}

std::string Reports::message(const std::string &kernel, const std::string &schedule) const {
  constexpr size_t kShown = 20;
  std::string text = "check failed: in " + kernel;
  if (!schedule.empty())
    text += " (sim-schedule=" + schedule + ")";
  for (size_t i = 0; i < std::min(entries.size(), kShown); ++i) {
    const Entry &entry = entries[i];
    const std::string check = checkName(entry.check);
    text += (entries.size() > 1 ? "\n  " : ": ") + check + (check.empty() ? "" : ": ") + entry.text;
    if (entry.count > 1)
      text += ", " + std::to_string(entry.count) + " times";
  }
  if (entries.size() > kShown)
    text += "\n  and " + std::to_string(entries.size() - kShown) + " more";
  return text;
}

} // namespace mica::runtime::sim
