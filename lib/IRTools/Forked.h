//===- Forked.h - work in a process of its own --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A copy of this process does some work on the IR as it is, within limits, and gives a text back.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_FORKED_H
#define MICA_LIB_IRTOOLS_FORKED_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>
#include <string>

namespace mica::irtools {

struct Forked {
  bool started = false; ///< false: the system made no process
  bool ended = false;   ///< false: it was killed at the limit of time
  int signal = 0;       ///< that ended it; 0: none
  std::string text;     ///< what `body` gave, as far as it came
};

/// A copy of this process at work.
class ForkedRun {
public:
  /// Runs `body` in a copy of this process, for `seconds` at most, with `memoryBytes` of address space (0: no limit).
  /// What it prints is dropped. Threading of every context that it uses must be off.
  ForkedRun(llvm::function_ref<std::string()> body, double seconds, int64_t memoryBytes = 0);
  ForkedRun(ForkedRun &&other) noexcept;
  /// Ends it where it still runs.
  ~ForkedRun();
  /// Waits for its end.
  Forked wait();

private:
  struct Child;
  std::unique_ptr<Child> child; ///< null once it has ended
};

/// The same, waiting for it.
inline Forked runForked(llvm::function_ref<std::string()> body, double seconds, int64_t memoryBytes = 0) {
  return ForkedRun(body, seconds, memoryBytes).wait();
}

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_FORKED_H
