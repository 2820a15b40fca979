//===- Counters.h - counters of the processor ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// perf_event_open for this process and the threads that it starts afterwards, user code alone.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_BENCH_COUNTERS_H
#define MICA_LIB_RUNTOOL_BENCH_COUNTERS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mica::bench {

/// Counts from its creation on. What the system does not allow is left out.
class Counters {
public:
  Counters();
  ~Counters();
  Counters(const Counters &) = delete;
  Counters &operator=(const Counters &) = delete;

  /// Names ("cycles", "instructions", ..) and counts since the last call, or creation; scaled where the processor
  /// counted a part of the time.
  std::vector<std::pair<std::string, double>> take();
  /// Why there are none; "" if there are.
  const std::string &problem() const { return why; }

private:
  struct Counter {
    const char *name;
    int file;
    double last = 0;
  };
  std::vector<Counter> counters;
  std::string why;
};

} // namespace mica::bench

#endif // MICA_LIB_RUNTOOL_BENCH_COUNTERS_H
