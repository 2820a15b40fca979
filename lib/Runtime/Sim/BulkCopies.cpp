//===- BulkCopies.cpp - what the device copies for a block --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See BulkCopies.h. For the order of accesses, the device is a thread of its own beside each one that issues copies: it
// has seen what that thread has, and nobody, not even that thread, has seen the copy who has not waited for it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/BulkCopies.h"

#include "lib/Runtime/Sim/Exchange.h"
#include "lib/Runtime/Sim/Simulator.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mica::runtime::sim {

namespace {
char *at(int64_t address) { return reinterpret_cast<char *>(address); }

/// What a copy reads and writes of a piece.
struct Ends {
  int64_t from, to, readBytes, writtenBytes;
  int64_t readOffset; ///< of what is read, in the piece
};
Ends endsOf(const BulkCopy &copy, const BulkCopy::Piece &piece) {
  const int64_t bytes = piece.end - piece.begin, global = piece.global + piece.begin;
  if (copy.isStore)
    return {piece.workgroup + piece.begin, global, bytes, bytes, piece.begin};
  return {global, piece.workgroup, bytes, BulkCopy::kPieceBytes, piece.begin};
}
} // namespace

void *Simulator::tensorMap(TensorMap map) {
  if (map.wrong.empty())
    shadows.addHostMemory(map.base, map.extentBytes());
  tensorMaps.push_back(std::move(map));
  return &tensorMaps.back();
}

std::string Simulator::placeText(int64_t address) const {
  return isWorkgroup(address) ? "at byte " + std::to_string(address - workgroupBegin) + " of workgroup memory"
                              : "outside of workgroup memory";
}

mica_sim_cell_v1 &Simulator::cellAt(int64_t address) {
  return isWorkgroup(address) ? workgroupCells[size_t((address - workgroupBegin) / current->kernel->granule)]
                              : shadows.cell(address);
}

void Simulator::bulkCopy(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    if (operandOf<uint8_t>(warp, lane, 3) & 1)
      bulkCopy(warp, lane, point);
  }
}

void Simulator::bulkCopy(Warp &warp, int lane, const mica_sim_point_v1 &point) {
  const int64_t rank = point.imm[1];
  const auto source = operandOf<int64_t>(warp, lane, 0), workgroup = operandOf<int64_t>(warp, lane, 1);
  std::array<int32_t, TensorMap::kMostRank> coordinates{};
  for (int64_t i = 0; i < std::max<int64_t>(rank, 1); ++i)
    coordinates[size_t(i)] = operandOf<int32_t>(warp, lane, int(4 + i));
  const auto fault = [&](mica_sim_check check, const std::string &what) {
    reports.add(check, point.site, -1, [&] { return siteText(point.site) + " by " + who(warp, lane) + " " + what; });
  };

  const TensorMap *map = nullptr;
  int64_t bytes = coordinates[0];
  if (rank > 0) {
    const auto known = std::find_if(tensorMaps.begin(), tensorMaps.end(),
                                    [&](const TensorMap &one) { return reinterpret_cast<int64_t>(&one) == source; });
    if (known == tensorMaps.end())
      return fault(MICA_SIM_CHECK_BOUNDS, "uses a tensor map that the host has not made");
    if (!known->wrong.empty())
      return fault(MICA_SIM_CHECK_BOUNDS, "uses a tensor map that the driver refuses: " + known->wrong);
    if (known->rank != rank)
      return fault(MICA_SIM_CHECK_BOUNDS, "has " + std::to_string(rank) + " coordinates in a tensor map of " +
                                              std::to_string(known->rank) + " dimensions");
    map = &*known;
    bytes = map->boxBytes();
  } else if (bytes < 0 || bytes % BulkCopy::kPieceBytes != 0) {
    return fault(MICA_SIM_CHECK_BOUNDS, "copies " + std::to_string(bytes) + " bytes; multiples of 16 are possible");
  }
  if (bytes == 0)
    return;
  if (checks(MICA_SIM_CHECK_ALIGNMENT)) {
    align(warp, lane, workgroup, map ? 128 : 16, point.site);
    if (!map)
      align(warp, lane, source, 16, point.site);
  }
  if (!isWorkgroup(workgroup) || !isWorkgroup(workgroup + bytes - 1))
    return fault(MICA_SIM_CHECK_BOUNDS, "copies " + std::to_string(bytes) + " bytes at byte " +
                                            std::to_string(workgroup - workgroupBegin) + " of the " +
                                            std::to_string(workgroupBytes) + " bytes of workgroup memory");
  BulkCopy copy;
  copy.thread = threadOf(warp, lane);
  copy.site = point.site;
  copy.isStore = point.imm[0] == MICA_SIM_BULK_STORE;
  Mbarrier *barrier = nullptr;
  if (!copy.isStore) {
    barrier = mbarrierAt(warp, lane, operandOf<int64_t>(warp, lane, 2), point.site);
    if (!barrier)
      return;
  }
  if (map)
    copy.pieces = map->pieces(coordinates.data(), workgroup, workgroupBegin);
  else
    for (int64_t offset = 0; offset < bytes; offset += BulkCopy::kPieceBytes)
      copy.pieces.push_back({source + offset, workgroup + offset, 0, int32_t(BulkCopy::kPieceBytes)});
  // A swizzle may lead out of memory that does not begin at a multiple of its pattern.
  for (const BulkCopy::Piece &piece : copy.pieces)
    if (!isWorkgroup(piece.workgroup) || !isWorkgroup(piece.workgroup + BulkCopy::kPieceBytes - 1))
      return fault(MICA_SIM_CHECK_BOUNDS, "swizzles bytes out of workgroup memory");
  copy.data.assign(size_t(copy.bytes()), map && map->isFilledWithNan ? char(0xFF) : 0);
  issue(warp, lane, copy);
  if (copy.isStore)
    bulkQueues[size_t(copy.thread)].ungrouped.push_back(std::move(copy));
  else
    barrier->copies.push_back(std::move(copy));
}

/// Reads the source, and takes the destination until the copy is made.
void Simulator::issue(Warp &warp, int lane, BulkCopy &copy) {
  Seen seen;
  order.release(copy.thread, seen);
  order.acquire(agentOf(copy.thread), seen);
  const bool checked = current->kernel->checks != 0;
  const int64_t granule = current->kernel->granule;
  isAgent = true;
  for (size_t i = 0; i < copy.pieces.size(); ++i) {
    BulkCopy::Piece &piece = copy.pieces[i];
    Ends ends = endsOf(copy, piece);
    const int32_t source = copy.isStore ? 0 : MICA_SIM_GLOBAL, target = copy.isStore ? MICA_SIM_GLOBAL : 0;
    if (ends.readBytes > 0 && checked &&
        !touch(warp, lane, ends.from, ends.readBytes, MICA_SIM_READ | source, copy.site)) {
      piece.begin = piece.end = 0;
      ends = endsOf(copy, piece);
    }
    if (ends.readBytes > 0)
      std::memcpy(&copy.data[i * BulkCopy::kPieceBytes + size_t(ends.readOffset)], at(ends.from),
                  size_t(ends.readBytes));
    if (!checked || ends.writtenBytes == 0)
      continue;
    if (!touch(warp, lane, ends.to, ends.writtenBytes, MICA_SIM_WRITE | target, copy.site)) {
      piece.begin = piece.end = 0;
      continue;
    }
    for (int64_t to = ends.to / granule * granule; to < ends.to + ends.writtenBytes; to += granule)
      cellAt(to).write = cellHalf(kInFlight, copy.thread, copy.site);
  }
  isAgent = false;
}

void Simulator::checkSource(const BulkCopy &copy, const char *before) {
  if (!checks(MICA_SIM_CHECK_ASYNC))
    return;
  for (size_t i = 0; i < copy.pieces.size(); ++i) {
    const Ends ends = endsOf(copy, copy.pieces[i]);
    const char *const issued = &copy.data[i * BulkCopy::kPieceBytes + size_t(ends.readOffset)];
    if (ends.readBytes == 0 || std::memcmp(issued, at(ends.from), size_t(ends.readBytes)) == 0)
      continue;
    return reports.add(MICA_SIM_CHECK_ASYNC, copy.site, -1, [&] {
      return siteText(copy.site) + " by thread " + threadText(copy.thread) + " of block " + blockText(block) +
             ": the source of the copy was overwritten before " + before;
    });
  }
}

/// Makes a copy.
void Simulator::finish(const BulkCopy &copy) {
  const int64_t granule = current->kernel->granule;
  const int32_t agent = agentOf(copy.thread);
  for (size_t i = 0; i < copy.pieces.size(); ++i) {
    const Ends ends = endsOf(copy, copy.pieces[i]);
    if (ends.writtenBytes == 0)
      continue;
    const size_t offset = i * BulkCopy::kPieceBytes + size_t(copy.isStore ? copy.pieces[i].begin : 0);
    std::memcpy(at(ends.to), &copy.data[offset], size_t(ends.writtenBytes));
    if (current->kernel->checks == 0)
      continue;
    for (int64_t to = ends.to / granule * granule; to < ends.to + ends.writtenBytes; to += granule) {
      cellAt(to).write = cellHalf(stamps.present, copy.thread, copy.site);
      (void)order.access(to, {agent, copy.site, 0, true, false});
    }
  }
}

void Simulator::finishLoads(Mbarrier &barrier) {
  const auto copying = std::move(barrier.copying);
  barrier.copying.clear();
  for (const auto &[thread, seen] : copying) {
    Warp &warp = warps[size_t(thread / MICA_SIM_LANES)];
    const int32_t lane = thread % MICA_SIM_LANES;
    asyncGroup(warp, lane);
    asyncWait(warp, lane, 0);
    PartialOrder::join(barrier.seen, seen);
    barrier.pending = std::max<int64_t>(barrier.pending - 1, 0);
    barrier.advance();
  }
  const std::vector<BulkCopy> copies = std::move(barrier.copies);
  barrier.copies.clear();
  for (const BulkCopy &copy : copies) {
    checkSource(copy, "its mbarrier was waited for");
    finish(copy);
    barrier.bytes -= copy.bytes();
    order.release(agentOf(copy.thread), barrier.seen);
  }
  if (!copies.empty())
    barrier.advance();
}

void Simulator::bulkGroup(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const int32_t thread = threadOf(warp, std::countr_zero(lanes));
    BulkQueue &queue = bulkQueues[size_t(thread)];
    if (point.imm[0] == 0) {
      queue.groups.push_back(std::move(queue.ungrouped));
      queue.ungrouped.clear();
      continue;
    }
    const bool isRead = point.imm[0] == 2;
    const int64_t waited = std::max<int64_t>(0, int64_t(queue.groups.size()) - point.imm[1]);
    for (int64_t i = 0; i < waited; ++i)
      for (BulkCopy &copy : queue.groups[size_t(i)]) {
        if (!copy.isSourceRead)
          checkSource(copy, "its group was waited for");
        copy.isSourceRead = true;
        if (!isRead)
          finish(copy);
      }
    if (!isRead)
      queue.groups.erase(queue.groups.begin(), queue.groups.begin() + waited);
    Seen seen;
    order.release(agentOf(thread), seen);
    order.acquire(thread, seen);
  }
}

void Simulator::endBulkCopies() {
  const auto end = [&](const BulkCopy &copy, const char *what) {
    if (!copy.isSourceRead && checks(MICA_SIM_CHECK_ASYNC))
      reports.add(MICA_SIM_CHECK_ASYNC, copy.site, -2, [&] {
        return siteText(copy.site) + " by thread " + threadText(copy.thread) + " of block " + blockText(block) +
               ": the block ends before " + what;
      });
    finish(copy);
  };
  for (BulkQueue &queue : bulkQueues) {
    for (const std::vector<BulkCopy> &group : queue.groups)
      for (const BulkCopy &copy : group)
        end(copy, "a wait for its group, and its source with it");
    for (const BulkCopy &copy : queue.ungrouped)
      end(copy, "the copy is in a group and waited for, and its source with it");
    queue = {};
  }
  for (auto &[address, barrier] : mbarriers)
    for (const BulkCopy &copy : barrier.copies)
      end(copy, "a wait for the copy at its mbarrier");
  mbarriers.clear();
}

} // namespace mica::runtime::sim
