//===- Schedule.h - in which order the simulator does things ---------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Blocks of a launch, warps of a block between two barriers, threads of a warp between two points: any order of each is
// one that a device may choose.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_SCHEDULE_H
#define MICA_RUNTIME_SIM_SCHEDULE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime::sim {

/// The switch sim-schedule. Equal texts give equal orders of equal programs.
class Schedule {
public:
  enum class Kind : uint8_t { InOrder, Reversed, Random, Adversarial };

  /// "in-order", "reversed", "random:42", "adversarial".
  static Result<Schedule> parse(std::string_view text);

  const std::string &text() const { return spelled; }
  bool isInOrder() const { return kind == Kind::InOrder; }

  /// A launch begins: its orders depend on its number in the run alone.
  void beginLaunch(uint64_t number) { state = seed * 0x9E3779B97F4A7C15u + number + 1; }
  /// Puts 0 .. items.size()-1 into `items` in the next order. `turn`: how many barriers the block has passed.
  void order(std::vector<int64_t> &items, int64_t turn);
  /// The same for threads that are given, in ascending order.
  void orderLanes(uint8_t *lanes, int64_t count, int64_t turn);

private:
  uint64_t next();
  template <typename T> void arrange(T *items, int64_t count, int64_t turn);

  Kind kind = Kind::InOrder;
  uint64_t seed = 0, state = 1;
  std::string spelled = "in-order";
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_SCHEDULE_H
