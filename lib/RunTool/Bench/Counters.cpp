//===- Counters.cpp - counters of the processor ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Counters.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mica::bench {
namespace {

struct Event {
  const char *name;
  uint32_t type;
  uint64_t config;
};

constexpr uint64_t cacheEvent(uint64_t cache, uint64_t result) {
  return cache | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (result << 16);
}

constexpr std::array kEvents{
    Event{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    Event{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Event{"branch misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    Event{"L1 load misses", PERF_TYPE_HW_CACHE, cacheEvent(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_MISS)},
    Event{"last-level cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    Event{"page faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    Event{"context switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES}};

/// Counted, and the times that it was wanted and that it was counted for.
struct Reading {
  uint64_t value = 0, enabled = 0, running = 0;
};

double readCounter(int file) {
  Reading reading;
  if (::read(file, &reading, sizeof reading) != static_cast<ssize_t>(sizeof reading) || reading.running == 0)
    return 0;
  return static_cast<double>(reading.value) * static_cast<double>(reading.enabled) /
         static_cast<double>(reading.running);
}

} // namespace

Counters::Counters() {
  bool hasHardware = false;
  for (const Event &event : kEvents) {
    perf_event_attr attributes;
    std::memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = event.type;
    attributes.config = event.config;
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    const long file = ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file >= 0) {
      counters.push_back({event.name, static_cast<int>(file)});
      hasHardware |= event.type != PERF_TYPE_SOFTWARE;
    } else if (why.empty()) {
      why = errno == EACCES || errno == EPERM
                ? "the system does not allow them (sysctl kernel.perf_event_paranoid=2 does, or a container forbids it)"
                : "the processor has none for this process, as in most virtual machines";
    }
  }
  if (hasHardware)
    why.clear();
}

Counters::~Counters() {
  for (const Counter &counter : counters)
    ::close(counter.file);
}

std::vector<std::pair<std::string, double>> Counters::take() {
  std::vector<std::pair<std::string, double>> taken;
  for (Counter &counter : counters) {
    const double value = readCounter(counter.file);
    taken.emplace_back(counter.name, value - counter.last);
    counter.last = value;
  }
  return taken;
}

} // namespace mica::bench
