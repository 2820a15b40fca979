//===- Async.h - asynchronous copies of a thread ----------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// A copy reads its source when it is issued and writes its destination when a wait retires its group, never before:
// what a kernel reads without waiting is what lay there.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_ASYNC_H
#define MICA_RUNTIME_SIM_ASYNC_H

#include <cstdint>
#include <deque>
#include <vector>

namespace mica::runtime::sim {

struct AsyncCopy {
  int64_t to = 0, from = 0;
  int64_t bytes = 0, readBytes = 0; ///< all, and those that come from `from`; the others are 0
  int32_t site = 0;
  std::vector<char> data; ///< of the source when the copy was issued
};

/// The copies of one thread: those of no group yet, and the open groups, oldest first.
struct AsyncQueue {
  std::vector<AsyncCopy> ungrouped;
  std::deque<std::vector<AsyncCopy>> groups;
};

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_ASYNC_H
