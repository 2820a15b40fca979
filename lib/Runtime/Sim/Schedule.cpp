//===- Schedule.cpp - in which order the simulator does things --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Schedule.h"

#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace mica::runtime::sim {

Result<Schedule> Schedule::parse(std::string_view text) {
  Schedule schedule;
  schedule.spelled = text;
  const std::string name(text.substr(0, text.find(':')));
  const std::vector<std::string> names{"in-order", "reversed", "random", "adversarial"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return Error{ErrorCode::InvalidInput, "sim-schedule=" + std::string(text) + ": unknown value",
                 unknownNameHint(name, names)};
  schedule.kind = Kind(found - names.begin());
  if (text.size() == name.size())
    return schedule;
  const std::string_view seed = text.substr(name.size() + 1);
  auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), schedule.seed);
  if (schedule.kind != Kind::Random || error != std::errc() || end != seed.data() + seed.size())
    return Error{ErrorCode::InvalidInput, "sim-schedule=" + std::string(text) + ": no seed is known there",
                 "sim-schedule=random:42"};
  return schedule;
}

/// xorshift64*: the same numbers on every machine.
uint64_t Schedule::next() {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1Du;
}

template <typename T> void Schedule::arrange(T *items, int64_t count, int64_t turn) {
  switch (kind) {
  case Kind::InOrder:
    return;
  case Kind::Reversed:
    return std::reverse(items, items + count);
  case Kind::Random:
    for (int64_t i = count - 1; i > 0; --i)
      std::swap(items[i], items[next() % uint64_t(i + 1)]);
    return;
  case Kind::Adversarial:
    // Who came last to a barrier is the first behind it.
    if (turn % 2)
      std::reverse(items, items + count);
    return;
  }
}

void Schedule::order(std::vector<int64_t> &items, int64_t turn) {
  std::iota(items.begin(), items.end(), int64_t(0));
  arrange(items.data(), int64_t(items.size()), turn);
}

void Schedule::orderLanes(uint8_t *lanes, int64_t count, int64_t turn) { arrange(lanes, count, turn); }

} // namespace mica::runtime::sim
