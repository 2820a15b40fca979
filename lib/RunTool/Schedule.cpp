//===- Schedule.cpp - other orders of the tasks -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. The search halves the path between two orders: at one end the results are those of the lists' order,
// at the other they are not, so somewhere a swap of two neighbours changes them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Schedule.h"

#include "lib/RunTool/Deps.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>

namespace mica::runtool {
namespace {

using artifact::KeptOrder;
using artifact::OrderPath;
using artifact::TaskOrder;

/// A list, or the part of one that a device runs, with the way to its order.
struct Part {
  artifact::TaskList list;
  size_t firstTask = 0;
  OrderPath path;
};

class ScheduleSearch {
public:
  ScheduleSearch(const Options &options, const std::shared_ptr<const runtime::Program> &program, size_t entry,
                 std::span<const runtime::TensorView> inputs)
      : options(options), program(program), entry(entry), inputs(inputs) {}

  /// The results of the lists' order. Collects the lists.
  Result<std::vector<HostTensor>> runInOrder() {
    return run([&](const artifact::TaskList &list, size_t firstTask) -> Result<TaskOrder> {
      MICA_ASSIGN_OR_RETURN(TaskOrder order,
                            artifact::orderOf(*options.schedule, list, firstTask, program->manifest()));
      parts.push_back({list, firstTask, OrderPath(std::move(order))});
      total += parts.back().path.steps();
      return parts.back().path.at(0);
    });
  }

  /// The results of order `step` of the way from the lists' order to the other.
  Result<std::vector<HostTensor>> runAt(int64_t step) {
    size_t next = 0;
    return run([&](const artifact::TaskList &, size_t) -> Result<TaskOrder> {
      const OrderPath &path = parts[next++].path;
      const int64_t own = std::clamp<int64_t>(step, 0, path.steps());
      step -= own;
      return path.at(own);
    });
  }

  /// The part and the step in it of step `step` of all.
  std::pair<const Part *, int64_t> placeOf(int64_t step) const {
    for (const Part &part : parts) {
      if (step < part.path.steps())
        return {&part, step};
      step -= part.path.steps();
    }
    return {nullptr, 0};
  }

  std::vector<KeptOrder> ordersAt(int64_t step) const {
    std::vector<KeptOrder> orders;
    for (const Part &part : parts) {
      const int64_t own = std::clamp<int64_t>(step, 0, part.path.steps());
      step -= own;
      orders.push_back({part.list.name, part.firstTask, part.path.at(own)});
    }
    return orders;
  }

  int64_t steps() const { return total; }
  size_t tasks() const {
    size_t count = 0;
    for (const Part &part : parts)
      count += part.list.tasks.size();
    return count;
  }

private:
  Result<std::vector<HostTensor>> run(runtime::OrderOfTasks order) {
    runtime::ContextOptions context;
    context.threads = options.threads;
    context.switches = options.debug;
    // The run that is asked about has been dumped.
    MICA_RETURN_IF_ERROR(context.switches.set("dump-tensors", "0", SwitchSource::Flag));
    context.taskOrder = std::move(order);
    MICA_ASSIGN_OR_RETURN(const auto running, runtime::Context::create(program, std::move(context)));
    MICA_ASSIGN_OR_RETURN(const std::vector<runtime::Tensor> tensors, running->invoke(entry, inputs));
    std::vector<HostTensor> results;
    for (const runtime::Tensor &tensor : tensors)
      results.push_back(tensor.toHost());
    return results;
  }

  const Options &options;
  const std::shared_ptr<const runtime::Program> &program;
  size_t entry;
  std::span<const runtime::TensorView> inputs;
  std::vector<Part> parts;
  int64_t total = 0;
};

bool sameBits(std::span<const HostTensor> a, std::span<const HostTensor> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const HostTensor &one, const HostTensor &other) {
    return one.dtype == other.dtype && one.shape == other.shape && one.data == other.data;
  });
}

} // namespace

void applySchedule(const Options &options, const runtime::Program &program, runtime::ContextOptions &context) {
  if (!options.schedule)
    return;
  context.taskOrder = [schedule = *options.schedule, &program](const artifact::TaskList &list, size_t firstTask) {
    return artifact::orderOf(schedule, list, firstTask, program.manifest());
  };
}

Result<bool> checkSchedule(const Options &options, const std::shared_ptr<const runtime::Program> &program, size_t entry,
                           std::span<const runtime::TensorView> inputs, std::span<const HostTensor> results,
                           const RunFolder &run) {
  ScheduleSearch search(options, program, entry, inputs);
  MICA_ASSIGN_OR_RETURN(const std::vector<HostTensor> inOrder, search.runInOrder());
  const std::string head = "schedule " + options.schedule->text + ": " + groupDigits(int64_t(search.tasks())) +
                           " tasks, " + groupDigits(search.steps()) + " pairs in another order than in the lists: ";
  if (sameBits(inOrder, results)) {
    std::printf("%sthe results have the same bits\n", head.c_str());
    return true;
  }
  int64_t low = 0, high = search.steps(), runs = 0;
  MICA_ASSIGN_OR_RETURN(const std::vector<HostTensor> again, search.runAt(high));
  if (high == 0 || sameBits(inOrder, again)) {
    std::printf("%sDIFFERENT, but not each time: see --check-deterministic\n", head.c_str());
    return false;
  }
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    MICA_ASSIGN_OR_RETURN(const std::vector<HostTensor> between, search.runAt(middle));
    (sameBits(inOrder, between) ? low : high) = middle;
    ++runs;
  }
  const auto [part, step] = search.placeOf(low);
  const auto [first, second] = part->path.swapAt(step);
  const std::filesystem::path file = run.path() / "schedule.txt";
  MICA_RETURN_IF_ERROR(writeFile(file, artifact::printOrders(search.ordersAt(high))));
  std::printf("%sDIFFERENT\n  they change when these two tasks of list '%s' are swapped, which no dependency orders "
              "(%lld runs):\n%s  --schedule=@%s repeats the first order that differs\n",
              head.c_str(), part->list.name.c_str(), static_cast<long long>(runs),
              pairText(program->manifest(), part->list, first, second, part->firstTask).c_str(), file.string().c_str());
  return false;
}

} // namespace mica::runtool
