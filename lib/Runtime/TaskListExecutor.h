//===- TaskListExecutor.h - walks a task list ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// One per task list and context. Everything that does not change between runs is worked out at creation: argument
// arrays of every launch, the places in them that a parameter, a scalar or the arena's address goes to, who waits for
// whom. A run then stores a few words and hands launches to the back end; it allocates nothing unless the list has
// dynamic buffers.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_TASKLISTEXECUTOR_H
#define MICA_LIB_RUNTIME_TASKLISTEXECUTOR_H

#include "lib/Runtime/CheckLog.h"
#include "lib/Runtime/Memory.h"
#include "lib/Runtime/Replay.h"
#include "lib/Runtime/Shadows.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Program.h"
#include "mica/Runtime/Tensor.h"

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace mica::runtime {

class Extents;

class TaskListExecutor {
public:
  /// For `list` of `program`, which stays where it is and all of whose tasks run on `backend`. `kernels`: a handle per
  /// kernel of the manifest. `smallTaskBytes`: ContextOptions; `tracebacks`: the switch source-tracebacks; `shadows`:
  /// null where no kernel has any. `firstTask`: how many tasks of the program's list stand before this part of it.
  /// `rank`: which parts of constants are its own.
  TaskListExecutor(const Program &program, const artifact::TaskList &list, Backend &backend,
                   std::span<const KernelHandle> kernels, int64_t smallTaskBytes, bool tracebacks = true,
                   ShadowMemory *shadows = nullptr, size_t firstTask = 0, int32_t rank = 0);
  TaskListExecutor(const TaskListExecutor &) = delete;
  TaskListExecutor &operator=(const TaskListExecutor &) = delete;

  /// Other devices that have memory of their own: what tasks of this list access is brought from there before a run,
  /// and they learn afterwards what was written.
  void setOthers(std::vector<DeviceMemory *> devices) { others = std::move(devices); }

  /// The list was edited by hand: before each run, launches are held against the memory there is. Null: they are not.
  void setExtents(Extents *known) {
    extents = known;
    asksSizes |= known != nullptr;
  }

  /// Tasks run one by one in this order, which their dependencies allow.
  void setOrder(std::vector<uint32_t> tasks) { order = std::move(tasks); }

  size_t numTasks() const { return numLaunches; }
  const artifact::TaskList &record() const { return list; }

  /// Runs the list and returns when it is done. `buffers` and `scalars` as mica_host_api_v1::submit; `arena`: memory of
  /// record().arenaBytes; `pool`: for dynamic buffers. A failed task gives an error that names its kernel, site and
  /// ops; tasks that had not begun by then are skipped.
  Status run(void *const *buffers, const int64_t *scalars, void *arena, MemoryPool &pool);
  /// True once a task has failed.
  bool taskFailed() const { return failedTask.load(std::memory_order_relaxed) >= 0; }

  /// Of the task that failed. Only after taskFailed(), and when run() has returned.
  FaultInfo faultInfo() const;

  /// After a task failed whose kernel made the checks itself, which left nothing undone: the list can run again, and
  /// true is returned. What the logs say is forgotten.
  bool recover();

  /// The task that failed, where a replay of its kernel could say more if it had what the kernel has overwritten; else
  /// -1. Only after taskFailed().
  int64_t lacksOperands() const;
  /// In the next runs, that is kept for `task`; -1: for none.
  void keepOperands(int64_t task);

  /// How far loops inside of the kernels are that run. Any thread, while the list runs.
  std::vector<std::string> loopsInside() const;

  /// A line per task that was not handed over yet, with the tasks it waits for. Any thread, also while the list runs.
  std::string describeWaiting() const;

private:
  /// `target` of the argument arrays gets source `index` (plus `offset` bytes).
  struct Patch {
    size_t target;
    size_t index;
    int64_t offset;
  };
  /// A launch whose size is known at run time only: bytes = sum of terms, a term being a constant times some scalars.
  struct DynamicSize {
    size_t task;
    int64_t grid; ///< if it turns out large
    struct Term {
      int64_t bytes;
      size_t firstDim, numDims; ///< range of the launch's scalars
    };
    std::vector<Term> terms;
  };
  /// A launch that writes nothing where one of the sizes of each of its results (positions in its scalars) is 0.
  struct EmptinessTest {
    size_t task;
    std::vector<std::vector<size_t>> results;
  };
  /// How far a task of a list whose tasks run side by side is.
  enum Stage : uint8_t { kWaiting, kHanded, kDone };
  struct Node {
    std::atomic<int32_t> pending{0}; ///< dependencies not yet complete
    std::atomic<uint8_t> stage{kWaiting};
    int32_t numDeps = 0;
    uint32_t firstSuccessor = 0, endSuccessor = 0;
  };

  void bind(size_t task, std::span<const KernelHandle> kernels, int64_t smallTaskBytes);
  void runInOrder();
  void noteEmptiness(size_t task, const artifact::KernelRecord &record);
  void linkSuccessors();
  Status place(void *const *buffers, const int64_t *scalars, void *arena, MemoryPool &pool);
  Status askSizes(void *arena);
  Status checkExtents(void *arena);
  Error dynamicError(size_t buffer, const int64_t *scalars, const Error &error) const;
  Status fetchFromOthers();
  void tellOthers();
  template <typename Body> void forEachBinding(Body body) const;
  void noteFailure(const Launch &launch);
  /// Hands the launch to the back end; where there is no memory for that, it has failed.
  void handOver(size_t task, Launch **place = nullptr);
  void handOverLaunch(size_t task, Launch **place);
  static void doneInOrder(Launch &launch);
  static void doneOutOfOrder(Launch &launch);
  Error failure() const;
  void explainFailure();
  void copyOperands(size_t task);
  void tellWarnings();

  const Program &program;
  const artifact::TaskList &list;
  Backend &backend;
  const int64_t smallTaskBytes;
  const bool tracebacks;
  const size_t firstTask;
  const int32_t rank;
  DeviceMemory *const deviceMemory; ///< null: it shares the host's
  std::vector<DeviceMemory *> others;
  Extents *extents = nullptr;
  bool hasLoops = false;  ///< some kernel reports of loops
  bool asksSizes = false; ///< a run has more to do than to place its buffers
  size_t numLaunches;
  std::unique_ptr<Launch[]> launches;
  std::unique_ptr<Node[]> nodes;
  std::vector<uint32_t> successors, roots, order;   ///< `order`: empty where tasks run side by side
  std::optional<Error> unusable;                    ///< why the list cannot run
  std::vector<std::unique_ptr<CheckLog>> checkLogs; ///< of the launches whose kernels check themselves
  std::vector<CheckLog *> logOf;                    ///< per launch, null where it has none
  std::vector<void *> addresses;                    ///< argument arrays of all launches
  std::vector<int64_t> scalarValues;
  std::vector<Patch> parameterPatches, arenaPatches, dynamicPatches, scalarPatches;
  std::vector<DynamicSize> dynamicSizes;
  std::vector<EmptinessTest> emptinessTests;
  std::vector<size_t> dynamicBuffers; ///< positions in list.buffers
  std::vector<void *> dynamicAddresses;
  void *boundArena = nullptr;
  ShadowMemory *shadowMemory;           ///< null where no kernel has shadows
  std::unique_ptr<ListShadows> shadows; ///< and this with it

  alignas(kCacheLine) std::atomic<int32_t> remaining{0};
  alignas(kCacheLine) std::atomic<bool> cancelled{false};
  std::atomic<int64_t> failedTask{-1};
  std::optional<FailedElement> failedElement; ///< of a check that failed, where a replay found it
  int64_t keptTask = -1;                      ///< whose operands are kept
  std::vector<Buffer> keptBuffers;
  std::vector<void *> keptAddresses;
  std::vector<size_t> inFlight; ///< tasks that were handed over and not complete when it failed
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_TASKLISTEXECUTOR_H
