//===- TaskOrdersFuzzer.cpp - kept orders of tasks ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// A kept order may come from another program. What is read prints as text that reads as the same, and is taken for a
// list only where its dependencies allow it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Artifact/TaskOrders.h"

using namespace mica;
using namespace mica::artifact;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Result<std::vector<KeptOrder>> orders = parseOrders(fuzz::view(data, size), "schedule.txt");
  if (!orders) {
    fuzz::checkRefusal(orders.error());
    return 0;
  }
  const std::string printed = printOrders(*orders);
  const Result<std::vector<KeptOrder>> again = parseOrders(printed, "schedule.txt");
  fuzz::expect(again && printOrders(*again) == printed, "orders read as they are printed");
  // Three tasks, of which the last waits for the first.
  TaskList list;
  list.name = "main_0";
  list.tasks.resize(3);
  list.tasks[2].deps = {0};
  Schedule schedule;
  schedule.kind = Schedule::Kind::Kept;
  schedule.kept = *orders;
  const Result<TaskOrder> order = orderOf(schedule, list, 0, Manifest());
  if (!order)
    fuzz::checkRefusal(order.error());
  else
    fuzz::expect(isLegal(*order, list), "an order that is taken is one that the dependencies allow");
  return 0;
}
