//===- GatherAll.h - what each rank has, for all ranks -----------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// All-gather of lists of different lengths. Not for the dispatch path: it allocates, and takes two collectives.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_GATHERALL_H
#define MICA_LIB_RUNTIME_RANKS_GATHERALL_H

#include "mica/Runtime/Communicator.h"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

namespace mica::runtime {

/// The lists of all ranks, by rank. Called by all of them; fails where one fails.
template <typename T> Result<std::vector<std::vector<T>>> gatherAll(std::vector<T> own, Communicator &ranks) {
  static_assert(std::is_trivially_copyable_v<T>);
  static const std::atomic<bool> never{false};
  const auto size = int64_t(own.size());
  std::vector<int64_t> sizes(size_t(ranks.size()));
  GroupCall call;
  call.self = ranks.rank();
  call.send = &size;
  call.receive = sizes.data();
  call.count = sizeof size;
  MICA_RETURN_IF_ERROR(ranks.run(call, never));
  const auto most = size_t(*std::max_element(sizes.begin(), sizes.end()));
  own.resize(most);
  std::vector<T> received(most * sizes.size());
  call.send = own.data();
  call.receive = received.data();
  call.count = int64_t(most * sizeof(T));
  if (most > 0)
    MICA_RETURN_IF_ERROR(ranks.run(call, never));
  std::vector<std::vector<T>> all;
  for (size_t rank = 0; rank < sizes.size(); ++rank) {
    const auto first = received.begin() + int64_t(rank * most);
    all.emplace_back(first, first + sizes[rank]);
  }
  return all;
}

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_GATHERALL_H
