//===- Api.cpp - the table that programs call -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Each function finds the simulator of the thread that runs the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Sim/Simulator.h"

namespace mica::runtime::sim {

namespace {

thread_local Simulator *current = nullptr;

const char *launch(const mica_sim_launch_v1 *launch) { return current->launch(*launch); }
void *alloc(int64_t bytes, int32_t hostShared) { return current->allocate(bytes, hostShared != 0); }
void dealloc(void *memory) { current->shadowMap().release(memory); }
void copied(void *to, const void *from, int64_t bytes) {
  current->shadowMap().copied(reinterpret_cast<int64_t>(to), reinterpret_cast<int64_t>(from), bytes);
}
int32_t touch(mica_sim_warp_v1 *warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site) {
  return current->touch(*warp, lane, address, bytes, kind, site);
}
void count(mica_sim_warp_v1 *warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site) {
  current->count(*warp, lane, address, bytes, kind, site);
}
void report(mica_sim_warp_v1 *warp, int32_t lane, int32_t site, const char *message, const int64_t *values,
            int64_t numValues) {
  current->report(*warp, lane, site, message, values, numValues);
}
void align(mica_sim_warp_v1 *warp, int32_t lane, int64_t address, int64_t alignment, int32_t site) {
  current->align(*warp, lane, address, alignment, site);
}
void asyncCopy(mica_sim_warp_v1 *warp, int32_t lane, int64_t to, int64_t from, int64_t bytes, int64_t readBytes,
               int32_t site) {
  AsyncCopy copy;
  copy.to = to;
  copy.from = from;
  copy.bytes = bytes;
  copy.readBytes = readBytes;
  copy.site = site;
  current->asyncCopy(*warp, lane, copy);
}
void asyncGroup(mica_sim_warp_v1 *warp, int32_t lane, int32_t) { current->asyncGroup(*warp, lane); }
void asyncWait(mica_sim_warp_v1 *warp, int32_t lane, int64_t pending, int32_t) {
  current->asyncWait(*warp, lane, pending);
}
void print(mica_sim_warp_v1 *, int32_t, const char *format, const char *kinds, const int64_t *values) {
  current->print(format, kinds, values);
}
void hostMemory(void *begin, int64_t bytes, int32_t state) {
  if (state == MICA_SIM_HOST_KNOWN)
    current->shadowMap().addHostMemory(reinterpret_cast<int64_t>(begin), bytes);
  else
    current->shadowMap().removeHostMemory(reinterpret_cast<int64_t>(begin));
}
void *tensorMap(int64_t rank, const void *memref, int64_t element, int64_t interleave, int64_t swizzle, int64_t,
                int64_t fill, const int64_t *box) {
  return current->tensorMap(TensorMap::describe(rank, memref, element, interleave, swizzle, fill, box));
}

constexpr mica_sim_api_v1 kTable{
    MICA_SIM_ABI_VERSION, launch,    alloc, dealloc,    copied,   touch, count, report, align, asyncCopy,
    asyncGroup,           asyncWait, print, hostMemory, tensorMap};

} // namespace

const mica_sim_api_v1 &apiTable() { return kTable; }

SimulatorScope::SimulatorScope(Simulator *simulator) : before(current) {
  if (simulator)
    current = simulator;
}
SimulatorScope::~SimulatorScope() { current = before; }

} // namespace mica::runtime::sim
