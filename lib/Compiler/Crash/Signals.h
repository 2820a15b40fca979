//===- Signals.h - a compile that is ended from outside, or by a fault --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ctrl-C removes the folder being filled and ends the process; a crash ends it with exit code 2, the pass that was
// running named, and the folder kept with its input and reproducer. For the main function of a tool: signals belong to
// the process.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CRASH_SIGNALS_H
#define MICA_LIB_COMPILER_CRASH_SIGNALS_H

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mica::compiler {

/// To be made before any thread is started, and once. Lives until the process ends.
class SignalGuard {
public:
  SignalGuard();
  /// What an interrupt removes, and a crash keeps as `failed`; empty for nothing.
  void setFolder(const std::filesystem::path &folder, const std::filesystem::path &failed);
  /// A process that crashes where nothing is recorded starts over with these arguments, which have it record.
  void setRerun(std::vector<std::string> arguments);
  /// Ends the process with exit code 4 when a pass that is recorded runs for longer than `seconds`, and keeps the
  /// folder.
  void limitPasses(double seconds);
  /// Until it is released an interrupt waits. Where one is being served already this does not return.
  std::unique_lock<std::recursive_mutex> hold() { return std::unique_lock(shared->mutex); }
  /// What a crash message says was running. Any thread.
  void setActivity(const std::string &text);

private:
  struct Shared {
    std::recursive_mutex mutex;
    std::filesystem::path folder;
    std::vector<std::string> rerun;
    std::vector<char *> rerunPointers;
  };
  std::shared_ptr<Shared> shared;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CRASH_SIGNALS_H
