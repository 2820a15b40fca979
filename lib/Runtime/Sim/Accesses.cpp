//===- Accesses.cpp - accesses, asynchronous copies and what is wrong with them ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The part of the simulator that threads call between their points.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Helpers/Helpers.h"
#include "lib/Runtime/Sim/Simulator.h"

#include <cstdio>
#include <cstring>

#include <pthread.h>

namespace mica::runtime::sim {

namespace {
const char *verb(int32_t kind) {
  switch (kind & MICA_SIM_ACCESS_KIND) {
  case MICA_SIM_READ:
    return "reads";
  case MICA_SIM_WRITE:
    return "writes";
  default:
    return "updates";
  }
}
/// Whether `address` is in the stack of this thread, above the caller: local memory of a kernel that runs.
bool isOnStack(int64_t address) {
  static thread_local int64_t top = 0;
  if (top == 0) {
    pthread_attr_t attributes;
    void *lowest = nullptr;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &lowest, &bytes);
      pthread_attr_destroy(&attributes);
      top = reinterpret_cast<int64_t>(lowest) + int64_t(bytes);
    }
  }
  return address < top && address >= reinterpret_cast<int64_t>(__builtin_frame_address(0));
}
} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------------------------===//

void Simulator::reportCell(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind,
                           int32_t site, const Conflict &conflict) {
  const bool inWorkgroup = isWorkgroup(address);
  const int32_t otherSite = cellSite(conflict.other);
  auto place = [&]() -> std::string {
    if (inWorkgroup)
      return std::to_string(bytes) + " bytes at byte " + std::to_string(address - workgroupBegin) +
             " of workgroup memory";
    const std::string known = shadows.describe(address);
    return std::to_string(bytes) + " bytes of global memory" + (known.empty() ? "" : " (" + known + ")");
  };
  auto start = [&] { return siteText(site) + " by " + who(warp, lane) + " " + verb(kind) + " " + place(); };
  switch (conflict.kind) {
  case Conflict::Kind::None:
    return;
  case Conflict::Kind::Race:
  case Conflict::Kind::OtherBlockRace: {
    if (!checks(MICA_SIM_CHECK_RACE))
      return;
    const bool otherBlock = conflict.kind == Conflict::Kind::OtherBlockRace;
    const auto add = [&](const std::function<std::string()> &describe) {
      if ((kind & MICA_SIM_ACCESS_KIND) != MICA_SIM_WRITE || !conflict.otherWrote || isAgent)
        return reports.add(MICA_SIM_CHECK_RACE, site, otherSite, describe);
      // Two writes of the same value harm nobody: what is there before and after tells.
      PendingWrite write{address, std::vector<char>(size_t(current->kernel->granule)), site, otherSite, ""};
      std::memcpy(write.before.data(), reinterpret_cast<const void *>(address), write.before.size());
      write.text = describe();
      pendingWrites.push_back(std::move(write));
    };
    return add([&] {
      return start() + ", which " + siteText(otherSite) + " by thread " + threadText(cellThread(conflict.other)) +
             (otherBlock ? " of another block" : "") + (conflict.otherWrote ? " wrote" : " read") +
             (otherBlock ? "; blocks of a launch are not ordered" : ", with no barrier between");
    });
  }
  case Conflict::Kind::Uninitialized:
    if (checks(MICA_SIM_CHECK_INIT))
      reports.add(MICA_SIM_CHECK_INIT, site, -1, [&] { return start() + ", which is uninitialized"; });
    return;
  case Conflict::Kind::Outside:
  case Conflict::Kind::Freed:
    if (checks(MICA_SIM_CHECK_BOUNDS))
      reports.add(MICA_SIM_CHECK_BOUNDS, site, -1, [&] { return start() + ", which is not allocated"; });
    return;
  case Conflict::Kind::InFlight:
    if (checks(MICA_SIM_CHECK_ASYNC))
      reports.add(MICA_SIM_CHECK_ASYNC, site, otherSite, [&] {
        return start() + ", to which " + siteText(otherSite) + " by thread " + threadText(cellThread(conflict.other)) +
               " is still copying asynchronously: wait for its group, or at its mbarrier, first";
      });
    return;
  }
}

bool Simulator::touchRange(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind,
                           int32_t site) {
  const int64_t granule = current->kernel->granule;
  const bool inWorkgroup = isWorkgroup(address);
  const int32_t thread = threadOf(warp, lane);
  const mica_sim_access what = mica_sim_access(kind & MICA_SIM_ACCESS_KIND);
  auto *cells = reinterpret_cast<mica_sim_cell_v1 *>(warp.uniform[MICA_SIM_SHADOW]);
  bool mayHappen = true;
  if (what != MICA_SIM_READ && !pendingWrites.empty())
    settleWrites(address, bytes);
  for (int64_t at = address / granule * granule; at < address + bytes; at += granule) {
    mica_sim_cell_v1 &cell = inWorkgroup ? cells[(at - workgroupBegin) / granule] : shadows.cell(at);
    Conflict conflict = access(cell, histories, inWorkgroup, stamps, thread, site, what);
    if (hasPartialOrder) {
      const int32_t actor = isAgent ? agentOf(thread) : thread;
      const PartialOrder::Access *other =
          order.access(at, {actor, site, 0, what != MICA_SIM_READ, what == MICA_SIM_ATOMIC});
      if (conflict.kind == Conflict::Kind::Race && !other)
        conflict = {};
      else if (other && (conflict.kind == Conflict::Kind::Race || conflict.kind == Conflict::Kind::None))
        conflict = {Conflict::Kind::Race, cellHalf(stamps.present, int32_t(other->thread % numThreads), other->site),
                    other->writes};
    }
    if (conflict.kind != Conflict::Kind::None) {
      reportCell(warp, lane, at, bytes, kind, site, conflict);
      mayHappen &= conflict.kind != Conflict::Kind::Outside && conflict.kind != Conflict::Kind::Freed;
    }
    if (checks(MICA_SIM_CHECK_BARRIER_USE))
      barrierUse.access(at / granule, thread, what != MICA_SIM_READ, stamps.present);
  }
  return mayHappen;
}

bool Simulator::touch(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind,
                      int32_t site) {
  if (bytes <= 0)
    return true;
  // A thread's own memory holds what the compiler put there.
  if (const int64_t ownBegin = reinterpret_cast<int64_t>(frames.data());
      address >= ownBegin && address < ownBegin + int64_t(frames.size()))
    return true;
  if (isOnStack(address))
    return true;
  const bool meant = !(kind & MICA_SIM_GLOBAL);
  if (isWorkgroup(address) != isWorkgroup(address + bytes - 1) || (meant && !isWorkgroup(address))) {
    if (checks(MICA_SIM_CHECK_BOUNDS))
      reports.add(MICA_SIM_CHECK_BOUNDS, site, -1, [&] {
        return siteText(site) + " by " + who(warp, lane) + " " + verb(kind) + " " + std::to_string(bytes) +
               " bytes at byte " + std::to_string(address - workgroupBegin) + " of the " +
               std::to_string(workgroupBytes) + " bytes of workgroup memory";
      });
    return false;
  }
  return touchRange(warp, lane, address, bytes, kind, site);
}

void Simulator::count(mica_sim_warp_v1 &, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site) {
  const bool inWorkgroup = !(kind & MICA_SIM_GLOBAL);
  if (checks(inWorkgroup ? MICA_SIM_CHECK_BANK : MICA_SIM_CHECK_COALESCING))
    counts.add(lane, address, bytes, inWorkgroup, site);
}

void Simulator::report(mica_sim_warp_v1 &warp, int32_t lane, int32_t site, const char *message, const int64_t *values,
                       int64_t numValues) {
  const bool isAccess = std::strcmp(message, "outside") == 0;
  reports.add(isAccess ? MICA_SIM_CHECK_BOUNDS : MICA_SIM_CHECK_ASSERTION, site, -1, [&] {
    std::string text = siteText(site) + " by " + who(warp, lane);
    if (!isAccess) {
      text += ": " + std::string(message);
      for (int64_t i = 0; i < numValues; ++i)
        text += (i ? ", " : " (") + std::to_string(values[i]);
      return text + (numValues ? ")" : "");
    }
    text += " is out of bounds: at [";
    for (int64_t i = 0; i < numValues; i += 3)
      text += (i ? ", " : "") + std::to_string(values[i]) +
              (values[i + 1] == 1 ? "" : ":" + std::to_string(values[i] + values[i + 1]));
    text += "], extent ";
    for (int64_t i = 0; i < numValues; i += 3)
      text += (i ? "x" : "") + std::to_string(values[i + 2]);
    return text + (numValues ? "" : "nothing");
  });
}

void Simulator::align(mica_sim_warp_v1 &warp, int32_t lane, int64_t address, int64_t alignment, int32_t site) {
  if (address % alignment == 0)
    return;
  reports.add(MICA_SIM_CHECK_ALIGNMENT, site, -1, [&] {
    return siteText(site) + " by " + who(warp, lane) + " is at " +
           (isWorkgroup(address) ? "byte " + std::to_string(address - workgroupBegin) + " of workgroup memory"
                                 : "an address") +
           " that is " + std::to_string(address % alignment) + " more than a multiple of " + std::to_string(alignment);
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Asynchronous copies
//===------------------------------------------------------------------------------------------------------------===//

/// The threads of the region have written, or one is about to write to `address` again: those that changed what another
/// had written are races.
void Simulator::settleWrites(int64_t address, int64_t bytes) {
  std::erase_if(pendingWrites, [&](const PendingWrite &write) {
    const auto size = int64_t(write.before.size());
    if (bytes >= 0 && (write.address >= address + bytes || address >= write.address + size))
      return false;
    if (std::memcmp(write.before.data(), reinterpret_cast<const void *>(write.address), write.before.size()) != 0)
      reports.add(MICA_SIM_CHECK_RACE, write.site, write.otherSite, [&] { return write.text; });
    return true;
  });
}

void Simulator::asyncCopy(mica_sim_warp_v1 &warp, int32_t lane, const AsyncCopy &asked) {
  if (asked.bytes <= 0)
    return;
  AsyncCopy copy = asked;
  const int32_t checked = current->kernel->checks;
  if (checked & MICA_SIM_CHECK_ALIGNMENT) {
    align(warp, lane, copy.to, copy.bytes, copy.site);
    align(warp, lane, copy.from, copy.bytes, copy.site);
  }
  copy.readBytes = std::min(copy.readBytes, copy.bytes);
  if (copy.readBytes < 0)
    copy.readBytes = 0;
  if (checked & (MICA_SIM_CHECK_BANK | MICA_SIM_CHECK_COALESCING)) {
    count(warp, lane, copy.from, copy.readBytes, MICA_SIM_READ | MICA_SIM_GLOBAL, copy.site);
  }
  if (!isWorkgroup(copy.to) || !isWorkgroup(copy.to + copy.bytes - 1)) {
    reports.add(MICA_SIM_CHECK_BOUNDS, copy.site, -1, [&] {
      return siteText(copy.site) + " by " + who(warp, lane) + " copies to byte " +
             std::to_string(copy.to - workgroupBegin) + " of the " + std::to_string(workgroupBytes) +
             " bytes of workgroup memory";
    });
    return;
  }
  bool mayRead = true;
  if (checked != 0 && copy.readBytes > 0)
    mayRead = touch(warp, lane, copy.from, copy.readBytes, MICA_SIM_READ | MICA_SIM_GLOBAL, copy.site);
  copy.data.assign(size_t(copy.bytes), 0);
  if (mayRead)
    std::memcpy(copy.data.data(), reinterpret_cast<const void *>(copy.from), size_t(copy.readBytes));
  if (checked != 0) {
    // From now on until it is waited for, nobody may touch the destination.
    touch(warp, lane, copy.to, copy.bytes, MICA_SIM_WRITE, copy.site);
    auto *cells = reinterpret_cast<mica_sim_cell_v1 *>(warp.uniform[MICA_SIM_SHADOW]);
    const int64_t granule = current->kernel->granule;
    for (int64_t at = copy.to; at < copy.to + copy.bytes; at += granule)
      cells[(at - workgroupBegin) / granule].write = cellHalf(kInFlight, threadOf(warp, lane), copy.site);
  }
  queues[size_t(threadOf(warp, lane))].ungrouped.push_back(std::move(copy));
}

void Simulator::asyncGroup(mica_sim_warp_v1 &warp, int32_t lane) {
  AsyncQueue &queue = queues[size_t(threadOf(warp, lane))];
  queue.groups.push_back(std::move(queue.ungrouped));
  queue.ungrouped.clear();
}

void Simulator::asyncWait(mica_sim_warp_v1 &warp, int32_t lane, int64_t pending) {
  AsyncQueue &queue = queues[size_t(threadOf(warp, lane))];
  const int64_t granule = current->kernel->granule;
  auto *cells = reinterpret_cast<mica_sim_cell_v1 *>(warp.uniform[MICA_SIM_SHADOW]);
  while (int64_t(queue.groups.size()) > pending) {
    for (const AsyncCopy &copy : queue.groups.front()) {
      if (current->kernel->checks & MICA_SIM_CHECK_ASYNC)
        if (mayCompare(copy) &&
            std::memcmp(copy.data.data(), reinterpret_cast<const void *>(copy.from), size_t(copy.readBytes)) != 0)
          reports.add(MICA_SIM_CHECK_ASYNC, copy.site, -1, [&] {
            return siteText(copy.site) + " by " + who(warp, lane) +
                   ": the source of the copy was overwritten before a wait for its group";
          });
      std::memcpy(reinterpret_cast<void *>(copy.to), copy.data.data(), size_t(copy.bytes));
      if (current->kernel->checks == 0)
        continue;
      for (int64_t at = copy.to; at < copy.to + copy.bytes; at += granule)
        cells[(at - workgroupBegin) / granule].write = cellHalf(stamps.present, threadOf(warp, lane), copy.site);
    }
    queue.groups.pop_front();
  }
}

bool Simulator::mayCompare(const AsyncCopy &copy) { return copy.readBytes > 0; }

//===------------------------------------------------------------------------------------------------------------===//
// Printing
//===------------------------------------------------------------------------------------------------------------===//

/// Each conversion of `format` with its value, whose length modifier is replaced by that of 64 bits.
void Simulator::print(const char *format, const char *kinds, const int64_t *values) {
  std::string text;
  size_t number = 0;
  const size_t count = std::strlen(kinds);
  for (const char *at = format; *at;) {
    if (*at != '%' || at[1] == '%') {
      text += *at;
      at += *at == '%' ? 2 : 1;
      continue;
    }
    const char *end = at + 1;
    while (*end && std::strchr("-+ #0123456789.", *end))
      ++end;
    std::string spec(at, end);
    while (*end && std::strchr("hlLqjzt", *end))
      ++end;
    if (!*end || number >= count)
      break;
    char buffer[128];
    if (kinds[number] == 'f') {
      double value;
      std::memcpy(&value, &values[number], sizeof(value));
      std::snprintf(buffer, sizeof(buffer), (spec + *end).c_str(), value);
    } else if (*end == 'c') {
      std::snprintf(buffer, sizeof(buffer), (spec + *end).c_str(), int(values[number]));
    } else if (std::strchr("diouxX", *end)) {
      std::snprintf(buffer, sizeof(buffer), (spec + "ll" + *end).c_str(), (long long)(values[number]));
    } else {
      std::snprintf(buffer, sizeof(buffer), "0x%llx", (unsigned long long)(values[number]));
    }
    text += buffer;
    ++number;
    at = end + 1;
  }
  writeOut(text);
}

} // namespace mica::runtime::sim
