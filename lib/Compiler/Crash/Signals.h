//===- Signals.h - handling interrupts and crashes of a compile ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ctrl-C removes the incomplete output folder and ends the process. A crash ends it with exit code 2, names the running
// pass, and keeps the folder with the pass's input and a reproducer. For main functions only: signals belong to the
// process.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CRASH_SIGNALS_H
#define MICA_LIB_COMPILER_CRASH_SIGNALS_H

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mica::compiler {

/// To be created once, before any thread is started. Lives until the process ends.
class SignalGuard {
public:
  SignalGuard();
  /// Sets the folder that an interrupt removes, and that a crash renames to `failed`; empty for none.
  void setFolder(const std::filesystem::path &folder, const std::filesystem::path &failed);
  /// Sets the arguments with which a process restarts, recording, after a crash without a record.
  void setRerun(std::vector<std::string> arguments);
  /// Ends the process with exit code 4 if a recorded pass, or code generation of a unit, runs for longer than
  /// `seconds`, and keeps the folder.
  void limitPasses(double seconds);
  /// Defers interrupts until the lock is released. Does not return if one is being handled.
  std::unique_lock<std::recursive_mutex> hold() { return std::unique_lock(shared->mutex); }
  /// Sets the activity for crash messages. Any thread.
  void setActivity(const std::string &text);
  /// Code generation of `unit` begins or ends in this thread.
  void setCode(const std::string &unit, bool begins);

private:
  using Clock = std::chrono::steady_clock;
  struct RunningCode {
    std::thread::id thread;
    std::string unit;
    Clock::time_point start;
  };
  struct Shared {
    std::recursive_mutex mutex;
    std::mutex codeMutex; ///< of its own: the other one may be held while code is made
    std::vector<RunningCode> code;
    std::filesystem::path folder;
    std::vector<std::string> rerun;
    std::vector<char *> rerunPointers;
  };
  std::shared_ptr<Shared> shared;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CRASH_SIGNALS_H
