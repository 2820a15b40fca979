//===- Extents.h - which memory an invocation has --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Task lists that were edited by hand may give a kernel a buffer that is too small for the sizes it is given, which no
// check of the file alone finds. Where they were, the context notes every memory it has, and each launch is held
// against it. Lists as the compiler wrote them need none of this.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_EXTENTS_H
#define MICA_LIB_RUNTIME_EXTENTS_H

#include <cstdint>
#include <iterator>
#include <map>

namespace mica::runtime {

/// For one invocation at a time.
class Extents {
public:
  void clear() { ends.clear(); }
  /// `bytes` bytes at `memory` may be accessed.
  void add(const void *memory, int64_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(memory);
    uintptr_t &end = ends[begin];
    end = end > begin + uintptr_t(bytes) ? end : begin + uintptr_t(bytes);
  }
  /// None of what begins in the `bytes` bytes at `memory` may be accessed any more.
  void drop(const void *memory, int64_t bytes) {
    const auto begin = reinterpret_cast<uintptr_t>(memory);
    ends.erase(ends.lower_bound(begin), ends.lower_bound(begin + uintptr_t(bytes)));
  }
  /// How many bytes there are from `memory` on; -1: it is nowhere.
  int64_t bytesAt(const void *memory) const {
    const auto address = reinterpret_cast<uintptr_t>(memory);
    auto next = ends.upper_bound(address);
    if (next == ends.begin() || address > std::prev(next)->second)
      return -1;
    return int64_t(std::prev(next)->second - address);
  }

private:
  std::map<uintptr_t, uintptr_t> ends; ///< by where they begin
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_EXTENTS_H
