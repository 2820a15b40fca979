//===- Collectives.cpp - what threads of a warp exchange --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Operand i of thread l is at inputs + l * MICA_SIM_EXCHANGE_BYTES + 16 * i, result i likewise.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Exchange.h"
#include "lib/Runtime/Sim/Matrix.h"
#include "lib/Runtime/Sim/Simulator.h"

#include <bit>
#include <cstring>

namespace mica::runtime::sim {

namespace {

/// `action` of each thread of `lanes`.
template <typename F> void forEach(uint32_t lanes, const F &action) {
  for (; lanes != 0; lanes &= lanes - 1)
    action(std::countr_zero(lanes));
}

} // namespace

void Simulator::exchange(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  switch (point.kind) {
  case MICA_SIM_SHUFFLE:
    return shuffle(warp, lanes, point);
  case MICA_SIM_BALLOT:
  case MICA_SIM_ALL:
    return vote(warp, lanes, point);
  case MICA_SIM_BROADCAST:
    return broadcast(warp, lanes, point);
  case MICA_SIM_LDMATRIX:
    return loadMatrix(warp, lanes, point);
  case MICA_SIM_MMA:
    if (isWholeWarp(warp, lanes, point, "mma.sync"))
      multiplyFragments(warp, point.imm);
    return;
  case MICA_SIM_SUBGROUP_MMA:
    if (isWholeWarp(warp, lanes, point, "a product of a subgroup"))
      multiplySubgroupMatrices(warp, point.imm);
    return;
  case MICA_SIM_ARRIVE:
    return arrive(warp, lanes);
  case MICA_SIM_MATCH:
    return match(warp, lanes, point);
  case MICA_SIM_MBARRIER:
    return mbarrier(warp, lanes, point);
  case MICA_SIM_BULK_COPY:
    return bulkCopy(warp, lanes, point);
  case MICA_SIM_BULK_GROUP:
    return bulkGroup(warp, lanes, point);
  case MICA_SIM_WGMMA:
    return warpgroupProduct(warp, lanes, point);
  case MICA_SIM_MEET:
    (void)isWholeWarp(warp, lanes, point, "a matrix of a subgroup");
    return;
  }
}

/// The threads that an operation of the whole warp lacks are a fault; what it gives is undefined then.
bool Simulator::isWholeWarp(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point, const char *what) {
  if (lanes == ~0u)
    return true;
  const int here = std::countr_zero(lanes), missing = std::countr_one(lanes);
  reports.add(MICA_SIM_CHECK_BARRIER, point.site, -2, [&] {
    return siteText(point.site) + " by " + who(warp, here) + ": " + what +
           " needs all 32 threads of a warp, but lane " + std::to_string(missing) + " is not active";
  });
  std::memset(warp.outputs, 0xFF, size_t(MICA_SIM_LANES) * MICA_SIM_EXCHANGE_BYTES);
  return false;
}

void Simulator::shuffle(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  const int32_t mode = point.imm[0];
  const size_t bytes = size_t(point.imm[1]);
  forEach(lanes, [&](int lane) {
    const int32_t given = operandOf<int32_t>(warp, lane, 1), width = operandOf<int32_t>(warp, lane, 2);
    // shfl.sync reads the lower five bits (PTX ISA, 9.7.9.6).
    const int32_t offset = given & (MICA_SIM_LANES - 1);
    if (given < 0 || given >= MICA_SIM_LANES)
      hint(point.site,
           "reads its offset " + std::to_string(given) + " as " + std::to_string(offset) + ", as a device does");
    else if (mode == MICA_SIM_IDX && given >= width)
      hint(point.site, "reads no lane, as offset " + std::to_string(given) + " is not below width " +
                           std::to_string(width) + ": each thread keeps its value");
    int32_t source = mode == MICA_SIM_XOR    ? lane ^ offset
                     : mode == MICA_SIM_DOWN ? lane + offset
                     : mode == MICA_SIM_UP   ? lane - offset
                                             : offset;
    const bool valid = source >= 0 && source < width && source < MICA_SIM_LANES && lane < width;
    if (!valid)
      source = lane;
    if (valid && !(lanes >> source & 1)) {
      if (point.imm[2] && checks(MICA_SIM_CHECK_BARRIER))
        reports.add(MICA_SIM_CHECK_BARRIER, point.site, -1, [&] {
          return siteText(point.site) + " by " + who(warp, lane) + " reads the value of lane " +
                 std::to_string(source) + " of its warp, which is not active";
        });
      std::memset(resultAt(warp, lane, 0), 0xFF, bytes);
    } else {
      std::memcpy(resultAt(warp, lane, 0), operandAt(warp, source, 0), bytes);
    }
    *resultAt(warp, lane, 1) = valid;
  });
}

void Simulator::vote(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  uint32_t yes = 0;
  forEach(lanes, [&](int lane) { yes |= uint32_t(*operandAt(warp, lane, 0) & 1) << lane; });
  forEach(lanes, [&](int lane) {
    if (point.kind == MICA_SIM_BALLOT) {
      const uint64_t ballot = yes;
      std::memcpy(resultAt(warp, lane, 0), &ballot, sizeof(ballot));
    } else {
      *resultAt(warp, lane, 0) = point.imm[0] ? yes != 0 : yes == lanes;
    }
  });
}

/// match.sync (PTX ISA, 9.7.13.10): the lanes whose value is equal, or all of them if all are.
void Simulator::match(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  const size_t bytes = size_t(point.imm[1]);
  forEach(lanes, [&](int lane) {
    uint32_t equal = 0;
    forEach(lanes, [&](int other) {
      equal |= uint32_t(std::memcmp(operandAt(warp, lane, 0), operandAt(warp, other, 0), bytes) == 0) << other;
    });
    const uint32_t told = point.imm[0] && equal != lanes ? 0 : equal;
    std::memcpy(resultAt(warp, lane, 0), &told, sizeof(told));
    *resultAt(warp, lane, 1) = told != 0;
  });
}

void Simulator::broadcast(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  const size_t bytes = size_t(point.imm[1]);
  forEach(lanes, [&](int lane) {
    const int32_t source = point.imm[0] ? std::countr_zero(lanes) : operandOf<int32_t>(warp, lane, 1);
    if (source < 0 || source >= MICA_SIM_LANES || !(lanes >> source & 1)) {
      if (checks(MICA_SIM_CHECK_BARRIER))
        reports.add(MICA_SIM_CHECK_BARRIER, point.site, -1, [&] {
          return siteText(point.site) + " by " + who(warp, lane) + " reads the value of lane " +
                 std::to_string(source) + " of its warp, which is not active";
        });
      std::memset(resultAt(warp, lane, 0), 0xFF, bytes);
      return;
    }
    std::memcpy(resultAt(warp, lane, 0), operandAt(warp, source, 0), bytes);
  });
}

void Simulator::loadMatrix(Warp &warp, uint32_t lanes, const mica_sim_point_v1 &point) {
  constexpr int64_t kRowBytes = 16;
  const int tiles = point.imm[0];
  if (!isWholeWarp(warp, lanes, point, "ldmatrix"))
    return;
  // Row r of tile t lies where thread 8 t + r says.
  std::memset(warp.outputs, 0xFF, size_t(MICA_SIM_LANES) * MICA_SIM_EXCHANGE_BYTES);
  char rows[MICA_SIM_LANES][kRowBytes] = {};
  for (int lane = 0; lane < 8 * tiles; ++lane) {
    const int64_t address = operandOf<int64_t>(warp, lane, 0);
    if (address == MICA_SIM_NO_ADDRESS)
      continue;
    if (checks(MICA_SIM_CHECK_ALIGNMENT))
      align(warp, lane, address, kRowBytes, point.site);
    if (!isWorkgroup(address) || !isWorkgroup(address + kRowBytes - 1)) {
      reports.add(MICA_SIM_CHECK_BOUNDS, point.site, -1, [&] {
        return siteText(point.site) + " by " + who(warp, lane) + " reads a row at byte " +
               std::to_string(address - workgroupBegin) + " of the " + std::to_string(workgroupBytes) +
               " of workgroup memory";
      });
      continue;
    }
    if (current->kernel->checks & (MICA_SIM_CHECK_BANK | MICA_SIM_CHECK_COALESCING))
      counts.add(lane, address, kRowBytes, true, point.site);
    touch(warp, lane, address, kRowBytes, MICA_SIM_READ, point.site);
    std::memcpy(rows[lane], reinterpret_cast<const void *>(address), kRowBytes);
  }
  for (int lane = 0; lane < MICA_SIM_LANES; ++lane)
    for (int tile = 0; tile < tiles; ++tile)
      for (int half = 0; half < 2; ++half) {
        // Thread l has elements 2 (l mod 4) and the next of row l / 4; transposed, rows and columns change places.
        const int row = point.imm[1] ? 2 * (lane % 4) + half : lane / 4;
        const int column = point.imm[1] ? lane / 4 : 2 * (lane % 4) + half;
        std::memcpy(resultAt(warp, lane, 0) + 4 * tile + 2 * half, rows[8 * tile + row] + 2 * column, 2);
      }
}

} // namespace mica::runtime::sim
