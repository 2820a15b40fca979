//===- Simulator.cpp - blocks, warps and barriers ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Where threads of a warp wait at different points, those at the first of them (in the order of the program) go on, so
// that they meet the others again as early as they can.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Simulator.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Log.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mica::runtime::sim {

Simulator::Simulator(Schedule schedule) : schedule(std::move(schedule)) {}
Simulator::~Simulator() = default;

std::string Simulator::threadText(int32_t thread) const {
  const int64_t x = current->block[0], y = current->block[1];
  return "(" + std::to_string(thread % x) + "," + std::to_string(thread / x % y) + "," +
         std::to_string(thread / x / y) + ")";
}

std::string Simulator::blockText(int64_t number) const {
  const int64_t x = current->grid[0], y = current->grid[1];
  return "(" + std::to_string(number % x) + "," + std::to_string(number / x % y) + "," +
         std::to_string(number / x / y) + ")";
}

std::string Simulator::siteText(int32_t site) const {
  return site >= 0 && site < current->kernel->num_sites ? current->kernel->sites[site].text : "an operation";
}

/// What is wrong with the sizes of a launch; "" where nothing is. The limits are those that all devices of CUDA have
/// (CUDA C++ Programming Guide, Compute Capabilities), but for dynamic workgroup memory, of which sm_90 has most.
std::string Simulator::refusal(const mica_sim_launch_v1 &launch) const {
  constexpr int64_t kMostThreads = 1024, kMostStaticBytes = 48 * 1024, kMostWorkgroupBytes = 227 * 1024;
  constexpr int64_t kMostThreadsOf[3] = {1024, 1024, 64}, kMostBlocksOf[3] = {(int64_t(1) << 31) - 1, 65535, 65535};
  auto sizes = [](const int64_t *all) {
    return std::to_string(all[0]) + "x" + std::to_string(all[1]) + "x" + std::to_string(all[2]);
  };
  int64_t threads = 1, blocks = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.block[i] < 1 || launch.block[i] > kMostThreadsOf[i])
      return "a launch with blocks of " + sizes(launch.block) + " threads; at most " + sizes(kMostThreadsOf) +
             ", and at least one, are possible";
    if (launch.grid[i] < 1 || launch.grid[i] > kMostBlocksOf[i])
      return "a launch of " + sizes(launch.grid) + " blocks; at most " + sizes(kMostBlocksOf) +
             ", and at least one, are possible";
    threads *= launch.block[i];
    if (__builtin_mul_overflow(blocks, launch.grid[i], &blocks) || blocks > kMostBlocksOf[0])
      return "a launch of " + sizes(launch.grid) + " blocks: too many to simulate";
  }
  if (threads > kMostThreads)
    return "a launch with blocks of " + sizes(launch.block) + " threads, which are " + std::to_string(threads) +
           "; a block has at most 1024";
  if (launch.kernel->workgroup_bytes > kMostStaticBytes)
    return "a launch of a kernel with " + std::to_string(launch.kernel->workgroup_bytes) +
           " bytes of static workgroup memory; a block has at most " + std::to_string(kMostStaticBytes) +
           ", and more only as gpu.dynamic_shared_memory";
  const int64_t bytes = saturatingAdd(launch.kernel->workgroup_bytes, launch.dynamic_bytes);
  if (launch.dynamic_bytes < 0 || launch.dynamic_bytes > kMostWorkgroupBytes || bytes > kMostWorkgroupBytes)
    return "a launch with " + std::to_string(bytes) + " bytes of workgroup memory; a block has at most " +
           std::to_string(kMostWorkgroupBytes);
  return "";
}

void *Simulator::allocate(int64_t bytes, bool hostShared) {
  void *memory = shadows.allocate(bytes, hostShared);
  if (!memory && !findings.isMemory) {
    keepFound("out of memory: the simulator has no " + std::to_string(bytes) +
                  " bytes left, including their shadow memory",
              "");
    findings.isMemory = true;
  }
  return memory;
}

const char *Simulator::launch(const mica_sim_launch_v1 &launch) {
  if (findings.isMemory)
    return found.c_str();
  const std::string kernel = "kernel '" + std::string(launch.kernel->name) + "'";
  if (const std::string why = refusal(launch); !why.empty()) {
    const std::string site = launch.site ? launch.site : "";
    return keepFound("check failed: in " + kernel + ": " + (site.empty() ? "" : site + ": ") + why, site);
  }
  current = &launch;
  running.store(launch.kernel, std::memory_order_relaxed);
  reports.clear();
  counts.clear();
  barrierUse.clear();
  histories.clear();
  launchHints.clear();
  shadows.allowMappedMemory(launch.kernel->flags & MICA_SIM_RAW_ADDRESSES);
  schedule.beginLaunch(launches++);
  prepare();
  const int64_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  if (schedule.isInOrder()) {
    for (int64_t i = 0; i < blocks; ++i)
      runBlock(i);
  } else {
    turn = 0;
    blockOrder.resize(size_t(blocks));
    schedule.order(blockOrder, int64_t(launches & 1));
    for (int64_t i : blockOrder)
      runBlock(i);
  }
  std::vector<std::string> hints;
  counts.hints([&](int32_t site) { return siteText(site); }, hints);
  for (const auto &[site, text] : launchHints)
    hints.push_back(siteText(site) + " " + text);
  if (checks(MICA_SIM_CHECK_BARRIER_USE) && reports.empty())
    for (int32_t site : barrierUse.unneeded())
      hints.push_back("barrier-use: " + siteText(site) +
                      " is redundant in this launch: no two accesses need its ordering");
  for (const std::string &hint : hints)
    MICA_LOG(Runtime, Warning) << kernel << ": " << hint;
  const std::string site = reports.empty() ? "" : siteText(reports.firstSite());
  current = nullptr;
  running.store(nullptr, std::memory_order_relaxed);
  if (reports.empty())
    return nullptr;
  return keepFound(reports.message(kernel, schedule.isInOrder() ? "" : schedule.text()), site);
}

std::string Simulator::whereabouts() const {
  const mica_sim_kernel_v1 *kernel = running.load(std::memory_order_relaxed);
  if (!kernel)
    return "";
  std::string text = "kernel '" + std::string(kernel->name) + "', block (";
  for (size_t dim = 0; dim < 3; ++dim)
    text += (dim ? "," : "") + std::to_string(runningBlock[dim].load(std::memory_order_relaxed));
  return text + ")";
}

/// For the program that launched, and for who asks later.
const char *Simulator::keepFound(std::string text, std::string site) {
  found = std::move(text);
  if (findings.text.empty())
    findings.firstSite = std::move(site);
  constexpr size_t kMostText = 1 << 16; // of programs that launch on
  if (findings.text.size() < kMostText)
    findings.text += (findings.text.empty() ? "" : "\n") + found;
  return found.c_str();
}

/// Memory for the blocks of the launch, which they use one after the other.
void Simulator::prepare() {
  const mica_sim_kernel_v1 &kernel = *current->kernel;
  numThreads = current->block[0] * current->block[1] * current->block[2];
  const int64_t numWarps = (numThreads + MICA_SIM_LANES - 1) / MICA_SIM_LANES;
  const size_t slots = size_t(numWarps * MICA_SIM_LANES);
  auto atLeast = [](auto &memory, size_t count) {
    if (memory.size() < count)
      memory.resize(count);
  };
  constexpr size_t kAlignment = 128;
  auto aligned = [](std::vector<char> &memory, size_t alignment) {
    return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(memory.data()) + alignment - 1) / alignment *
                                    alignment);
  };
  workgroupBytes = kernel.workgroup_bytes + current->dynamic_bytes;
  // Descriptors of matrices and swizzles take the lower bits of an address for the offset in workgroup memory.
  constexpr size_t kWorkgroupAlignment = 256 * 1024;
  atLeast(workgroup, size_t(workgroupBytes) + kWorkgroupAlignment);
  atLeast(frames, slots * size_t(kernel.frame_bytes) + kAlignment);
  atLeast(inputs, slots * MICA_SIM_EXCHANGE_BYTES + kAlignment);
  atLeast(outputs, slots * MICA_SIM_EXCHANGE_BYTES + kAlignment);
  atLeast(workgroupCells, size_t(workgroupBytes / kernel.granule + 1));
  workgroupBegin = reinterpret_cast<int64_t>(aligned(workgroup, kWorkgroupAlignment));
  queues.resize(size_t(numThreads));
  bulkQueues.resize(size_t(numThreads));
  hasWaits = std::any_of(kernel.points, kernel.points + kernel.num_points,
                         [](const mica_sim_point_v1 &point) { return point.kind == MICA_SIM_WAIT; });
  hasPartialOrder = kernel.flags & MICA_SIM_PARTIAL_BARRIERS;
  shadows.setGranule(kernel.granule);

  warps.assign(size_t(numWarps), Warp{});
  warpOrder.resize(size_t(numWarps));
  for (int64_t w = 0; w < numWarps; ++w) {
    Warp &warp = warps[size_t(w)];
    int64_t *uniform = warp.uniform;
    uniform[MICA_SIM_ARGS] = reinterpret_cast<int64_t>(current->args);
    for (int i = 0; i < 3; ++i) {
      uniform[MICA_SIM_GRID_DIM_X + i] = current->grid[i];
      uniform[MICA_SIM_BLOCK_DIM_X + i] = current->block[i];
    }
    uniform[MICA_SIM_SUBGROUP_ID] = w;
    uniform[MICA_SIM_NUM_SUBGROUPS] = numWarps;
    uniform[MICA_SIM_WORKGROUP] = workgroupBegin;
    uniform[MICA_SIM_WORKGROUP_BYTES] = workgroupBytes;
    uniform[MICA_SIM_DYNAMIC] = workgroupBegin + kernel.workgroup_bytes;
    uniform[MICA_SIM_DYNAMIC_BYTES] = current->dynamic_bytes;
    uniform[MICA_SIM_SHADOW] = reinterpret_cast<int64_t>(workgroupCells.data());
    uniform[MICA_SIM_PAGES] = reinterpret_cast<int64_t>(shadows.slots());
    const size_t first = size_t(w) * MICA_SIM_LANES;
    warp.frames = aligned(frames, kAlignment) + first * size_t(kernel.frame_bytes);
    warp.inputs = aligned(inputs, kAlignment) + first * MICA_SIM_EXCHANGE_BYTES;
    warp.outputs = aligned(outputs, kAlignment) + first * MICA_SIM_EXCHANGE_BYTES;
    for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
      const int64_t thread = int64_t(first) + lane;
      warp.thread[0][lane] = thread % current->block[0];
      warp.thread[1][lane] = thread / current->block[0] % current->block[1];
      warp.thread[2][lane] = thread / current->block[0] / current->block[1];
    }
  }
  nextStamp();
  stamps.launchStart = stamps.present;
}

void Simulator::nextStamp() {
  ++stamps.present;
  for (Warp &warp : warps)
    warp.uniform[MICA_SIM_STAMP] = stamps.present;
  if (!hasPartialOrder)
    return;
  order.begin(numThreads);
  // All that was before is ordered now.
  for (auto &[number, barrier] : namedBarriers)
    barrier.seen.clear();
  for (auto &[address, barrier] : mbarriers) {
    barrier.seen.clear();
    barrier.complete.clear();
    for (auto &[thread, seen] : barrier.copying)
      seen.clear();
  }
}

void Simulator::runBlock(int64_t number) {
  block = number;
  turn = 0;
  if (stamps.present > kLastStamp - (1u << 24)) { // As good as never: every access from here on is taken for the first.
    shadows.forgetTimes();
    std::fill(workgroupCells.begin(), workgroupCells.end(), mica_sim_cell_v1{});
    stamps = {};
    nextStamp();
    stamps.launchStart = stamps.present;
  }
  nextStamp();
  stamps.blockStart = stamps.present;
  rests.clear();
  namedBarriers.clear();
  idleTurns = failedTests = 0;
  if (workgroupBytes > 0)
    std::memset(reinterpret_cast<void *>(workgroupBegin), 0xFF, size_t(workgroupBytes));
  if (checks(MICA_SIM_CHECK_BARRIER_USE))
    barrierUse.beginBlock(stamps.present);
  const std::array<int64_t, 3> place{number % current->grid[0], number / current->grid[0] % current->grid[1],
                                     number / current->grid[0] / current->grid[1]};
  for (size_t dim = 0; dim < place.size(); ++dim)
    runningBlock[dim].store(place[dim], std::memory_order_relaxed);
  begun.fetch_add(1, std::memory_order_relaxed);
  for (Warp &warp : warps) {
    const int64_t first = warp.uniform[MICA_SIM_SUBGROUP_ID] * MICA_SIM_LANES;
    warp.uniform[MICA_SIM_BLOCK_ID_X] = place[0];
    warp.uniform[MICA_SIM_BLOCK_ID_Y] = place[1];
    warp.uniform[MICA_SIM_BLOCK_ID_Z] = place[2];
    warp.uniform[MICA_SIM_BLOCK_START] = stamps.blockStart;
    warp.uniform[MICA_SIM_LAUNCH_START] = stamps.launchStart;
    const int64_t count = std::min<int64_t>(MICA_SIM_LANES, numThreads - first);
    warp.live = count == MICA_SIM_LANES ? ~0u : (1u << count) - 1;
    warp.open = 0;
    for (int lane = 0; lane < MICA_SIM_LANES; ++lane)
      warp.next[lane] = warp.live >> lane & 1 ? 0 : MICA_SIM_DONE;
  }
  for (;;) {
    if (schedule.isInOrder()) {
      for (Warp &warp : warps)
        runWarp(warp);
    } else {
      schedule.order(warpOrder, turn);
      for (int64_t i : warpOrder)
        runWarp(warps[size_t(i)]);
    }
    bool anyLive = false;
    for (const Warp &warp : warps)
      anyLive |= warp.live != 0;
    if (!anyLive)
      break;
    if (hasPartialOrder && (openNamedBarrier() || openMbarriers()))
      continue;
    if (!letWaitersGoOn())
      openBarrier();
  }
  if (hasPartialOrder)
    endBulkCopies();
  for (AsyncQueue &queue : queues) { // The device ends copies nobody waited for; nobody reads them any more.
    queue.ungrouped.clear();
    queue.groups.clear();
  }
}

/// All live threads of the block wait at barriers.
void Simulator::openBarrier() {
  uint32_t first = MICA_SIM_DONE;
  int32_t firstThread = -1, goneThread = -1;
  for (Warp &warp : warps)
    for (int lane = 0; lane < MICA_SIM_LANES; ++lane) {
      const int32_t thread = threadOf(warp, lane);
      if (thread >= numThreads)
        break;
      const uint32_t point = warp.next[lane];
      if (point == MICA_SIM_DONE) {
        goneThread = goneThread < 0 ? thread : goneThread;
        continue;
      }
      if (first == MICA_SIM_DONE) {
        first = point;
        firstThread = thread;
      } else if (point != first && checks(MICA_SIM_CHECK_BARRIER)) {
        const int32_t site = current->kernel->points[first].site, other = current->kernel->points[point].site;
        reports.add(MICA_SIM_CHECK_BARRIER, site, other, [&] {
          return "thread " + threadText(firstThread) + " of block " + blockText(block) + " waits at " + siteText(site) +
                 ", thread " + threadText(thread) + " at " + siteText(other) +
                 "; all threads of a block must reach the same barrier";
        });
      }
    }
  const int32_t site = current->kernel->points[first].site;
  if (hasPartialOrder)
    reportPartialBarriers();
  if (goneThread >= 0 && checks(MICA_SIM_CHECK_BARRIER))
    reports.add(MICA_SIM_CHECK_BARRIER, site, -1, [&] {
      return "thread " + threadText(firstThread) + " of block " + blockText(block) + " waits at " + siteText(site) +
             ", which thread " + threadText(goneThread) + " never reaches: it has returned from the kernel";
    });
  if (checks(MICA_SIM_CHECK_BARRIER_USE))
    barrierUse.opened(site, stamps.present);
  for (Warp &warp : warps)
    warp.open = warp.live;
  ++turn;
  nextStamp();
}

void Simulator::runLanes(Warp &warp, uint32_t lanes, uint32_t point) {
  int64_t count = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1)
    warp.lanes[count++] = uint8_t(std::countr_zero(left));
  warp.num_lanes = count;
  if (!schedule.isInOrder())
    schedule.orderLanes(warp.lanes, count, turn);
  current->kernel->regions[point](&warp);
  if (!pendingWrites.empty())
    settleWrites();
  if (current->kernel->checks & (MICA_SIM_CHECK_BANK | MICA_SIM_CHECK_COALESCING))
    counts.endOfRegion();
}

namespace {
/// Threads that come to such a point are let go on by others.
bool isHolding(int32_t kind) {
  return kind == MICA_SIM_BARRIER || kind == MICA_SIM_WAIT || kind == MICA_SIM_WARP_BARRIER ||
         kind == MICA_SIM_NAMED_BARRIER || kind == MICA_SIM_MBARRIER_WAIT;
}
bool isExchange(int32_t kind) { return kind != MICA_SIM_ENTRY && !isHolding(kind); }
} // namespace

/// Until every thread waits, at a barrier or in a loop, or is done.
void Simulator::runWarp(Warp &warp) {
  const mica_sim_point_v1 *points = current->kernel->points;
  for (;;) {
    // What the threads at the first point are, and whether they are all.
    uint32_t point = MICA_SIM_DONE, lanes = 0;
    const bool isHeld = hasWaits && idleTurns < 2 && waitsInLoop(warp);
    for (uint32_t left = warp.live; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const uint32_t at = warp.next[lane];
      const int32_t kind = points[at].kind;
      if (isHolding(kind) && !(warp.open >> lane & 1))
        continue;
      if (isHeld && isExchange(kind))
        continue;
      if (at < point) {
        point = at;
        lanes = 0;
      }
      if (at == point)
        lanes |= 1u << lane;
    }
    if (lanes == 0 && hasPartialOrder && openWarpBarrier(warp))
      continue;
    if (lanes == 0)
      return;
    warp.open &= ~lanes;
    if (isExchange(points[point].kind))
      exchange(warp, lanes, points[point]);
    runLanes(warp, lanes, point);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (warp.next[lane] == MICA_SIM_DONE)
        warp.live &= ~(1u << lane);
    }
  }
}

} // namespace mica::runtime::sim
