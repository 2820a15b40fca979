//===- Progress.h - progress of a long compile --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shows a progress bar on a terminal's standard error if a compile takes long, nothing if it is a pipe or a file; and
// prints the tree of times for --time.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_RECORD_PROGRESS_H
#define MICA_COMPILER_RECORD_PROGRESS_H

#include "mica/Compiler/Record/PassRecorder.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mica::compiler {

/// Thread-safe.
class Progress {
public:
  Progress();
  /// Clears the bar.
  ~Progress();
  /// Shows that `done` of `total` steps are complete and `what` is next.
  void step(int64_t done, int64_t total, llvm::StringRef what);
  /// Removes the bar until the next step, so that messages can be printed.
  void clear();

private:
  std::mutex mutex;
  bool isTerminal;
  bool isShown = false;
  std::chrono::steady_clock::time_point started, last;
};

/// Milliseconds of steps that are not passes: ("parse", 1.2), ("kernel matmul_relu", 30.0).
using NamedTimes = std::vector<std::pair<std::string, double>>;

/// Prints the tree of times: phase, pass, kernel; `before` are the steps before the first phase, `object` those of
/// phase object.
void printTimes(llvm::raw_ostream &os, const PassRecorder &recorder, const NamedTimes &before, const NamedTimes &object,
                double total);

} // namespace mica::compiler

#endif // MICA_COMPILER_RECORD_PROGRESS_H
