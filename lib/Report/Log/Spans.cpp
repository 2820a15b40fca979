//===- Spans.cpp - timing events as spans ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Each thread of each process has a stack of open spans. An end without its beginning is counted; an end of an outer
// span ends the inner ones.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Log/Spans.h"

#include "mica/Trace/JsonScan.h"

#include <algorithm>

namespace mica::report {

int Spans::nameNumber(std::string_view name) {
  const auto found = numbers.find(name);
  if (found != numbers.end())
    return found->second;
  const int number = static_cast<int>(names.size());
  numbers.emplace(std::string(name), number);
  names.emplace_back();
  names.back().text = trace::jsonString('"' + std::string(name) + '"').value_or("");
  return number;
}

void Spans::add(const trace::Event &event, int compile) {
  ++events;
  const int name = nameNumber(event.name);
  std::vector<Open> &stack = stacks[{event.pid, event.tid}];
  if (event.phase == "B") {
    stack.push_back({name, compile, event.microseconds});
  } else if (event.phase == "E") {
    const auto found = std::find_if(stack.rbegin(), stack.rend(), [&](const Open &open) { return open.name == name; });
    if (found == stack.rend()) {
      ++unmatched;
      return;
    }
    while (stack.back().name != name) {
      ++unmatched;
      close(stack, event.microseconds);
    }
    close(stack, event.microseconds);
  } else if (event.phase == "i" || event.phase == "I") {
    ++names[static_cast<size_t>(name)].count;
    if (all.size() < kMost)
      all.push_back({name, compile, static_cast<int>(stack.size()), event.microseconds, -1});
    else
      ++dropped;
  }
}

void Spans::close(std::vector<Open> &stack, double end) {
  const Open open = stack.back();
  stack.pop_back();
  const double length = std::max(0.0, end - open.start);
  Name &name = names[static_cast<size_t>(open.name)];
  ++name.count;
  name.self += std::max(0.0, length - open.inner);
  if (std::none_of(stack.begin(), stack.end(), [&](const Open &outer) { return outer.name == open.name; }))
    name.total += length;
  if (!stack.empty())
    stack.back().inner += length;
  if (all.size() < kMost)
    all.push_back({open.name, open.compile, static_cast<int>(stack.size()), open.start, length});
  else
    ++dropped;
}

void Spans::finish() {
  for (auto &[thread, stack] : stacks)
    unmatched += static_cast<int64_t>(stack.size());
  stacks.clear();
  std::stable_sort(all.begin(), all.end(), [](const Span &a, const Span &b) {
    return a.start != b.start ? a.start < b.start : a.depth < b.depth;
  });
}

} // namespace mica::report
