//===- Spans.h - timing events as spans ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: begin and end events become spans with a depth, and sums by name.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_SPANS_H
#define MICA_LIB_REPORT_LOG_SPANS_H

#include "mica/Trace/Record.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mica::report {

struct Span {
  int name;    ///< position in Spans::names
  int compile; ///< position in the log's compiles, -1 for none
  int depth;
  double start;        ///< microseconds since 1970
  double microseconds; ///< -1 for an instant
};

class Spans {
public:
  struct Name {
    std::string text;
    int64_t count = 0;
    double total = 0; ///< microseconds, without those within a span of the same name
    double self = 0;  ///< without spans inside
  };

  void add(const trace::Event &event, int compile);
  /// Spans that began and never ended are dropped and counted. Sorts by start.
  void finish();

  std::vector<Span> all; ///< those kept: the first kMost
  std::vector<Name> names;
  int64_t events = 0, unmatched = 0, dropped = 0;
  static constexpr size_t kMost = 200000;

private:
  struct Open {
    int name, compile;
    double start, inner = 0;
  };
  int nameNumber(std::string_view name);
  void close(std::vector<Open> &stack, double end);

  std::map<std::string, int, std::less<>> numbers;
  std::map<std::pair<int64_t, int64_t>, std::vector<Open>> stacks; ///< by process and thread
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_SPANS_H
