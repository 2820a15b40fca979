//===- Forked.h - running functions in forked processes -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A forked copy of this process works on the current IR, within limits, and returns a text.
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
  bool started = false; ///< false: fork failed
  bool ended = false;   ///< false: it was killed at the time limit
  int signal = 0;       ///< that killed it; 0: none
  std::string text;     ///< the result of `body`, possibly partial
};

/// A running forked process.
class ForkedRun {
public:
  /// Runs `body` in a forked process, for at most `seconds`, with `memoryBytes` of address space (0: no limit). Its
  /// output is discarded. Threading of all contexts that it uses must be off.
  ForkedRun(llvm::function_ref<std::string()> body, double seconds, int64_t memoryBytes = 0);
  ForkedRun(ForkedRun &&other) noexcept;
  /// Kills the process if it is still running.
  ~ForkedRun();
  /// Waits for its end.
  Forked wait();

private:
  struct Child;
  std::unique_ptr<Child> child; ///< null once it has ended
};

/// Runs `body` and waits for the result.
inline Forked runForked(llvm::function_ref<std::string()> body, double seconds, int64_t memoryBytes = 0) {
  return ForkedRun(body, seconds, memoryBytes).wait();
}

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_FORKED_H
