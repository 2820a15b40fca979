//===- TaskOrders.h - orders in which the tasks of a list may run -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A schedule says in which of the orders that the dependencies allow the tasks run, one after the other:
//
//   in-order     as they stand in the list
//   reverse      the last that can run first
//   random:SEED  any that can run
//   pct:SEED     by random priorities, of which three change on the way: finds faults that need few swaps
//   delay:OP     the tasks of an operation (id, kind or kernel) as late as possible
//   @FILE        an order that was kept
//
// Two orders that the dependencies allow are joined by a path of orders, of which each swaps two neighbours of the one
// before: where the results change between two of these, these two tasks are not independent.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ARTIFACT_TASKORDERS_H
#define MICA_ARTIFACT_TASKORDERS_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mica::artifact {

/// The positions of all tasks of a list, in the order in which they run.
using TaskOrder = std::vector<uint32_t>;

/// The order of one list, or of the part of it that begins at task `firstTask`.
struct KeptOrder {
  std::string list;
  size_t firstTask = 0;
  TaskOrder tasks;
};

struct Schedule {
  enum class Kind { InOrder, Reverse, Random, Pct, Delay, Kept };
  Kind kind = Kind::InOrder;
  std::string text; ///< as it was given
  uint64_t seed = 0;
  std::string op;              ///< of Delay
  std::vector<KeptOrder> kept; ///< of Kept
};

/// Parses "random:7". Errors: InvalidInput, which lists the forms; those of a file that is named.
Result<Schedule> parseSchedule(const std::string &text);

/// The order of `list`, which begins at task `firstTask` of the program's list. InvalidInput: a kept order is not one
/// of this list, or delays an operation that must be earlier.
Result<TaskOrder> orderOf(const Schedule &schedule, const TaskList &list, size_t firstTask, const Manifest &manifest);

/// Whether `order` has each task of `list` once, none before one that it waits for.
bool isLegal(const TaskOrder &order, const TaskList &list);

/// Text of kept orders: a line "mica-schedule 1", then for each list "NAME FIRST: 0 2 1".
std::string printOrders(const std::vector<KeptOrder> &orders);
/// Damaged: not such a text; names the line.
Result<std::vector<KeptOrder>> parseOrders(std::string_view text, const std::string &file);

/// The orders between that of the list and `order`.
class OrderPath {
public:
  explicit OrderPath(TaskOrder order);
  /// The number of swaps: order 0 is that of the list, order steps() the other.
  int64_t steps() const { return total; }
  TaskOrder at(int64_t step) const;
  /// The tasks that order `step` + 1 swaps: the first comes later from there on.
  std::pair<uint32_t, uint32_t> swapAt(int64_t step) const;

private:
  /// Which task order `step` moves to the front, and how far it has come.
  std::pair<size_t, int64_t> placeOf(int64_t step) const;

  TaskOrder order;
  std::vector<int64_t> moves; ///< per task of `order`: swaps until it is in its place
  int64_t total = 0;
};

} // namespace mica::artifact

#endif // MICA_ARTIFACT_TASKORDERS_H
