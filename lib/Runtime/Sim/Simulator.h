//===- Simulator.h - GPU kernels on the CPU ---------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Runs launches of kernels that were compiled for it (mica/ABI/Sim.h), one block after the other. Within a block a warp
// runs until all its threads wait at a barrier or are done; what its threads hand over at other points is exchanged on
// the way. When no warp can go on, the barrier opens.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_SIMULATOR_H
#define MICA_RUNTIME_SIM_SIMULATOR_H

#include "lib/Runtime/Sim/Async.h"
#include "lib/Runtime/Sim/BulkCopies.h"
#include "lib/Runtime/Sim/Counts.h"
#include "lib/Runtime/Sim/PartialOrder.h"
#include "lib/Runtime/Sim/Reports.h"
#include "lib/Runtime/Sim/Schedule.h"
#include "lib/Runtime/Sim/Shadow.h"
#include "mica/ABI/Sim.h"
#include "mica/Support/Status.h"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mica::runtime::sim {

/// The table that programs call; it finds the simulator of the thread that runs them (SimulatorScope).
const mica_sim_api_v1 &apiTable();

/// What the checks of some launches found.
struct Findings {
  std::string text;      ///< "" where they found nothing
  std::string firstSite; ///< the operation that the first of them names: "memref.store at k.mlir:12:5"
  bool isMemory = false; ///< the device had no memory to give, and nothing was launched after that
};

/// One device. Used by one thread at a time.
class Simulator {
public:
  explicit Simulator(Schedule schedule);
  ~Simulator();

  /// NULL, or what was found.
  const char *launch(const mica_sim_launch_v1 &launch);
  /// Of all launches since the last call.
  Findings takeFindings() { return std::exchange(findings, {}); }
  ShadowMap &shadowMap() { return shadows; }
  /// Memory of the device; nullptr where there is none, which is a finding.
  void *allocate(int64_t bytes, bool hostShared);
  /// The address by which kernels name `map`.
  void *tensorMap(TensorMap map);
  /// Blocks that began, of all launches; on any thread.
  uint64_t blocksBegun() const { return begun.load(std::memory_order_relaxed); }
  /// "kernel 'k', block (0,1,0)" of the launch under way, "" where there is none; on any thread.
  std::string whereabouts() const;

  // What threads of the running launch ask; see mica_sim_api_v1.
  bool touch(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site);
  void count(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site);
  void report(mica_sim_warp_v1 &warp, int32_t lane, int32_t site, const char *message, const int64_t *values,
              int64_t numValues);
  void align(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t alignment, int32_t site);
  void asyncCopy(mica_sim_warp_v1 &warp, int32_t lane, const AsyncCopy &copy);
  void asyncGroup(mica_sim_warp_v1 &warp, int32_t lane);
  void asyncWait(mica_sim_warp_v1 &warp, int32_t lane, int64_t pending);
  void print(const char *format, const char *kinds, const int64_t *values);

private:
  /// A warp with what only the runtime knows of it.
  struct Warp : mica_sim_warp_v1 {
    uint32_t open = 0; ///< threads that a barrier let go, as bits
    uint32_t live = 0; ///< threads that have not left the kernel
  };

  /// A write to what another thread wrote, of a region that runs.
  struct PendingWrite {
    int64_t address;
    std::vector<char> before; ///< a granule
    int32_t site, otherSite;
    std::string text;
  };

  const char *keepFound(std::string text, std::string site);
  std::string refusal(const mica_sim_launch_v1 &launch) const;
  void prepare();
  void runBlock(int64_t block);
  void runWarp(Warp &warp);
  void runLanes(Warp &warp, uint32_t lanes, uint32_t point);
  void exchange(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void openBarrier();
  bool waitsInLoop(const Warp &warp) const;
  bool letWaitersGoOn();
  /// Lets the threads of a mask go on that all wait; false where there are none.
  bool openWarpBarrier(Warp &warp);
  /// The same of barriers with a number, of which enough threads wait or have arrived.
  bool openNamedBarrier();
  void arrive(Warp &warp, uint32_t lanes);
  /// Reports the threads that wait at such barriers for ever.
  void reportPartialBarriers();
  bool hasSpinningThreads() const;
  /// Lets threads that wait at mbarriers go on, once nothing else does; false where there are none. Reports those that
  /// wait for ever, and ends the block.
  bool openMbarriers();
  bool openCompletePhases(const std::vector<std::pair<Warp *, int>> &waiting);
  void endBlock();
  void nextStamp();

  void shuffle(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void vote(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void match(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void broadcast(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void loadMatrix(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void mbarrier(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  Mbarrier *mbarrierAt(Warp &warp, int lane, int64_t address, int32_t site);
  void bulkCopy(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void bulkCopy(Warp &warp, int lane, const mica_sim_point_v1 &point);
  void bulkGroup(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  void issue(Warp &warp, int lane, BulkCopy &copy);
  void checkSource(const BulkCopy &copy, const char *before);
  void finish(const BulkCopy &copy);
  void finishLoads(Mbarrier &barrier);
  void endBulkCopies();
  void warpgroupProduct(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point);
  std::vector<float> readMatrix(Warp &warp, const mica_sim_point_v1 &point, uint64_t descriptor, bool isAlongK,
                                int64_t first, int64_t count, int64_t k, int32_t type);
  /// Warns about the operation at `site` at the end of the launch, once.
  void hint(int32_t site, std::string text) { launchHints.try_emplace(site, std::move(text)); }
  bool isWholeWarp(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point, const char *what);

  int32_t threadOf(const mica_sim_warp_v1 &warp, int32_t lane) const {
    return int32_t(warp.uniform[MICA_SIM_SUBGROUP_ID]) * MICA_SIM_LANES + lane;
  }
  std::string threadText(int32_t thread) const;
  std::string blockText(int64_t block) const;
  std::string who(const mica_sim_warp_v1 &warp, int32_t lane) const {
    return "thread " + threadText(threadOf(warp, lane)) + " of block " + blockText(block);
  }
  std::string siteText(int32_t site) const;
  /// "at byte 8 of workgroup memory".
  std::string placeText(int64_t address) const;
  mica_sim_cell_v1 &cellAt(int64_t address);
  /// Who makes the copies that `thread` issues, for the order of accesses.
  int32_t agentOf(int32_t thread) const { return thread + int32_t(numThreads); }
  bool checks(mica_sim_check which) const { return (current->kernel->checks & which) != 0; }
  bool isWorkgroup(int64_t address) const {
    return address >= workgroupBegin && address < workgroupBegin + workgroupBytes;
  }
  void reportCell(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site,
                  const Conflict &conflict);
  void settleWrites(int64_t address = 0, int64_t bytes = -1); ///< -1: all
  static bool mayCompare(const AsyncCopy &copy);
  bool touchRange(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site);

  Schedule schedule;
  ShadowMap shadows;
  Reports reports;
  AccessCounts counts;
  std::string found; ///< of the last launch
  Findings findings;
  uint64_t launches = 0;

  /// Where a thread was when all that could go on had gone on, and what it had read there.
  struct Rest {
    uint32_t point;
    std::array<char, MICA_SIM_EXCHANGE_BYTES> observed;
  };

  // For who watches.
  std::atomic<uint64_t> begun{0};
  std::atomic<const mica_sim_kernel_v1 *> running{nullptr};
  std::array<std::atomic<int64_t>, 3> runningBlock{};

  // Of the running launch.
  const mica_sim_launch_v1 *current = nullptr;
  int64_t block = 0, numThreads = 0, turn = 0;
  int64_t workgroupBegin = 0, workgroupBytes = 0;
  std::vector<Warp> warps;
  std::vector<int64_t> warpOrder, blockOrder;
  std::vector<char> workgroup, frames, inputs, outputs;
  std::vector<mica_sim_cell_v1> workgroupCells;
  std::vector<AsyncQueue> queues; ///< one per thread
  BarrierUse barrierUse;
  std::vector<PendingWrite> pendingWrites;
  WriteHistories histories;
  bool hasPartialOrder = false; ///< the kernel has barriers of some of the threads
  PartialOrder order;           ///< since the last barrier of the block
  std::map<int32_t, NamedBarrier> namedBarriers;
  std::map<int64_t, Mbarrier> mbarriers;      ///< by address
  std::vector<BulkQueue> bulkQueues;          ///< one per thread
  std::deque<TensorMap> tensorMaps;           ///< of all launches; they stay where they are
  bool isAgent = false;                       ///< accesses are those of a copy that a thread issues
  int64_t failedTests = 0;                    ///< of mbarriers, since one succeeded
  std::map<int32_t, std::string> launchHints; ///< by site
  std::vector<Rest> rests;                    ///< one per thread, once one waits in a loop
  bool hasWaits = false;                      ///< the kernel has points of such loops
  int64_t idleTurns = 0;                      ///< since something moved
  Stamps stamps;
};

/// Makes `simulator` the one that programs called by this thread reach, until the end of the scope.
class SimulatorScope {
public:
  explicit SimulatorScope(Simulator *simulator);
  SimulatorScope(const SimulatorScope &) = delete;
  ~SimulatorScope();

private:
  Simulator *before;
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_SIMULATOR_H
