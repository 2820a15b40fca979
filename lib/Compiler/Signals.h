//===- Signals.h - a compile that is ended from outside, or by a fault ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Ctrl-C removes the folder being filled and ends the process; a crash ends it with exit code 2 and the pass that was running
// named. For the main function of a tool: signals belong to the process.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SIGNALS_H
#define MICA_LIB_COMPILER_SIGNALS_H

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

namespace mica::compiler {

/// To be made before any thread is started, and once. Lives until the process ends.
class SignalGuard {
public:
  SignalGuard();
  /// What an interrupt removes; empty for nothing.
  void setFolder(const std::filesystem::path &folder);
  /// Until it is released an interrupt waits. Where one is being served already this does not return.
  std::unique_lock<std::recursive_mutex> hold() { return std::unique_lock(shared->mutex); }
  /// What a crash message says was running. Any thread.
  void setActivity(const std::string &text);

private:
  struct Shared {
    std::recursive_mutex mutex;
    std::filesystem::path folder;
  };
  std::shared_ptr<Shared> shared;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SIGNALS_H
